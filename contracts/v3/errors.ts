/** The error body of the users and cards interfaces. */
import { z } from 'zod';
import { optional, string } from '../types.ts';

export const error = z
  .object(optional(string, 'errorCode', 'errorMessage', 'fieldName'))
  .meta({ id: 'error', description: 'One error; fieldName is the field that caused it.' });

export const errors = z.array(error).meta({ id: 'errors', description: 'The standard error response.' });
