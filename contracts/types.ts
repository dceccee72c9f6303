/** The field types of the documents, as zod schemas that export to JSON Schema as documented. */
import { z } from 'zod';

/**
 * A JSON number without a fraction, of any size (int64 occurs, so zod's own `int`, which ends at 2^53, does not fit).
 */
export const integer = z.number().meta({ type: 'integer' });
export const number = z.number();
export const string = z.string();
/** The main value of an answer, without which the operation is useless. */
export const product = z.string().min(1);
export const boolean = z.boolean();
/**
 * RFC 3339 date-time. A missing offset, as some servers send, only breaks a recommendation (see the rules for shapes).
 */
export const dateTime = z.string().meta({ format: 'date-time' });
/** YYYY-MM-DD. */
export const date = z.string().meta({ format: 'date' });
/** Documented as 'date' for a transfer; both forms occur in the documents. */
export const dateOrDateTime = z.union([date, dateTime]);
/** Exactly four decimal digits. */
export const fourDigits = z.string().meta({ pattern: '^[0-9]{4}$' });
/** Nine decimal digits, with optional hyphens. */
export const nineDigits = z.string().meta({
  pattern: `^(?:[0-9]{9}|${[1, 2, 3, 4, 5, 6, 7, 8].map((before) => `[0-9]{${before}}-[0-9]{${9 - before}}`).join('|')})$`,
});

/** Several optional members of one type, named as in the document's tables. */
export function optional<const Name extends string, T extends z.ZodType>(type: T, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, type.optional()])) as Record<Name, z.ZodOptional<T>>;
}
/** Several required members of one type. */
export function required<const Name extends string, T extends z.ZodType>(type: T, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, type])) as Record<Name, T>;
}
