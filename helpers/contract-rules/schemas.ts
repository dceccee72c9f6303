/** The published JSON Schemas, compiled: bodies are judged by what is published. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';

/** RFC 3339 date-times; the offset, which a should asks for, may be missing here (reading 4). */
const DATE_TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

const DAYS_OF_EVERY_MONTH = 28;

/** Whether the day exists in its month. */
function isCalendarDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return (
    day <= DAYS_OF_EVERY_MONTH ||
    day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  );
}

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  // Tests validate the schemas; validating them here would double the time to compile them.
  validateSchema: false,
  // Compiling takes longer than all validation in a run.
  code: { optimize: false },
});
ajv.addFormat('date-time', (text) => DATE_TIME.test(text) && isCalendarDay(text));
ajv.addFormat('date', (text) => DATE.test(text) && isCalendarDay(text));

const compiled = new Map<z.ZodType, ValidateFunction>();

/** The first error of a JSON value against a schema; undefined if it is valid. */
export function schemaError(schema: z.ZodType, value: unknown): ErrorObject | undefined {
  const validate = validatorOf(schema);
  return validate(value) ? undefined : validate.errors![0];
}

/** The validator of a schema, compiled on first use; compile it early, or the first body has to wait. */
export function validatorOf(schema: z.ZodType): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(z.toJSONSchema(schema, { io: 'input' }));
    compiled.set(schema, validate);
  }
  return validate;
}

/** Whether a text is a date-time without offset. */
export const lacksOffset = (text: string): boolean => !/([Zz]|[+-]\d\d:\d\d)$/.test(text) && DATE_TIME.test(text);
