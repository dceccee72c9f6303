/** The error body of the users and cards interfaces. */
import { z } from 'zod';
import { v3 } from '../documents.ts';
import type { ShapeNote } from '../operation.ts';
import { optional, string } from '../types.ts';

const error = z
  .object(optional(string, 'errorCode', 'errorMessage', 'fieldName'))
  .meta({ id: 'error', description: 'One error; fieldName is the field that caused it.' });

export const errors = z.array(error).meta({ id: 'errors', description: 'The standard error response.' });

const errorExample = { errorCode: 'INVALID_VALUE', errorMessage: 'max is above 50', fieldName: 'max' };

/** The document's descriptions of the shapes, with an example of each. */
export const errorShapes: Record<string, ShapeNote> = {
  error: {
    source: v3('error and errors'),
    members: { fieldName: 'The field that caused the error.' },
    example: errorExample,
  },
  errors: { source: v3('error and errors'), example: [errorExample] },
};
