/** The published JSON Schemas, compiled: bodies are judged by what is published. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { fourDigits, nineDigits } from '../../contracts/types.ts';
import { memberOf, shown } from '../answer.ts';
import { inAnyItem } from '../json.ts';

/** RFC 3339 date-times; the offset, which a should asks for, may be missing here (reading 4). */
const DATE_TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

const DAYS_OF_EVERY_MONTH = 28;

function isCalendarDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return (
    day <= DAYS_OF_EVERY_MONTH ||
    day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  );
}

/** @param allErrors whether it looks for every violation, which takes longer, or ends at the first */
function makeAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors,
    // Tests validate the schemas; validating them here would double the time to compile them.
    validateSchema: false,
    // Compiling takes longer than all validation in a run.
    code: { optimize: false },
  });
  ajv.addFormat('date-time', (text) => DATE_TIME.test(text) && isCalendarDay(text));
  ajv.addFormat('date', (text) => DATE.test(text) && isCalendarDay(text));
  return ajv;
}

/** Compiles each schema once; what it compiles with is made when it is first needed: most runs never look for every violation. */
function compiler(allErrors: boolean): (schema: z.ZodType) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<z.ZodType, ValidateFunction>();
  return (schema) => {
    ajv ??= makeAjv(allErrors);
    const validate = compiled.get(schema) ?? ajv.compile(z.toJSONSchema(schema, { io: 'input' }));
    compiled.set(schema, validate);
    return validate;
  };
}

/** The validator of a schema, compiled on first use; compile it early, or the first body has to wait. */
export const validatorOf = compiler(false);
const exhaustiveValidatorOf = compiler(true);

/** Every violation of a shape by a JSON value, as the validator tells them. */
export function violationsOf(schema: z.ZodType, value: unknown): readonly ErrorObject[] {
  const validate = exhaustiveValidatorOf(schema);
  return validate(value) ? [] : validate.errors!;
}

/** A violation of a shape by a JSON value. */
interface ShapeFault {
  /** JSON Pointer of the part that violates it; '' for the whole value. */
  instancePath: string;
  /** The expectation: `must be one of "Pass", "Fail"`. */
  message: string;
}

/** The first violation of a shape by a JSON value; undefined if it is valid. The message names all alternatives. */
export function schemaError(schema: z.ZodType, value: unknown): ShapeFault | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const [{ instancePath }] = validate.errors as [ErrorObject, ...ErrorObject[]];
  return faultAt(instancePath, validate.errors!);
}

/** Largest number of violations of one value that are told apart. */
const MOST_FAULTS = 30;

/** Every violation of a shape by a JSON value, the first that is found first; of the same one in several items of an array, one. */
export function schemaErrors(schema: z.ZodType, value: unknown, first = schemaError(schema, value)): ShapeFault[] {
  if (!first) return [];
  const validate = exhaustiveValidatorOf(schema);
  validate(value);
  const errors = validate.errors ?? [];
  const paths = new Set(errors.map(({ instancePath }) => instancePath));
  // Of alternatives, the one that goes deeper was meant.
  const isPassedOver = (path: string) =>
    errors.some(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === path) &&
    [...paths].some((other) => other.startsWith(`${path}/`));
  const byKind = new Map([[inAnyItem(first.instancePath), first]]);
  for (const path of paths) {
    const kind = inAnyItem(path);
    if (byKind.size < MOST_FAULTS && !byKind.has(kind) && !isPassedOver(path)) byKind.set(kind, faultAt(path, errors));
  }
  return [...byKind.values()];
}

function faultAt(instancePath: string, errors: readonly ErrorObject[]): ShapeFault {
  const choices = errors.filter((error) => error.instancePath === instancePath && error.keyword !== 'anyOf');
  return {
    instancePath,
    message: `must ${[...new Set(choices.map(inWords))].join(' or ').replaceAll(' or be ', ' or ')}`,
  };
}

/** The expectation of a schema in plain words; the validator's own message only names the keyword. */
function inWords({ keyword, params, message = '' }: ErrorObject): string {
  if (keyword === 'enum')
    return `be one of ${params.allowedValues.map((one: unknown) => JSON.stringify(one)).join(', ')}`;
  if (keyword === 'required') return `have the member ${params.missingProperty}`;
  if (keyword === 'minLength') return 'not be empty';
  const kind = keyword === 'type' ? KINDS[params.type] : (FORMATS[params.format] ?? PATTERNS[params.pattern]);
  return kind ? `be ${kind}` : message.replace(/^must /, '');
}

const KINDS: Partial<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};
const FORMATS: Partial<Record<string, string>> = {
  date: 'a date, such as 2026-05-10',
  'date-time': 'a date-time, such as 2026-05-10T02:00:00Z',
};
const PATTERNS: Partial<Record<string, string>> = {
  [z.toJSONSchema(fourDigits).pattern!]: 'four digits',
  [z.toJSONSchema(nineDigits).pattern!]: 'nine digits, with at most one hyphen between them',
};

export const lacksOffset = (text: string): boolean => !/([Zz]|[+-]\d\d:\d\d)$/.test(text) && DATE_TIME.test(text);

/** The part of a value that a JSON Pointer names. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return Array.isArray(part) ? part[Number(name)] : memberOf(part, name);
    }, value);
}

/** The part of a value that a JSON Pointer names as evidence: JSON text, cut. */
export function shownAt(value: unknown, pointer: string): string {
  return shown(valueAt(value, pointer), 200);
}
