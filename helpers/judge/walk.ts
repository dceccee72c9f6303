/** A walk over a JSON value along its documented shape. */
import { z } from 'zod';
import { isObject } from '../answer.ts';

/** Looks at a value and its documented shape; what it returns ends the walk. */
export type Visit = (value: unknown, schema: z.ZodType, pointer: string) => string | undefined;

/** Of a longer array the first items are looked at: advice needs no more, and a hostile one may have a million. */
const MOST_ITEMS = 10_000;

/** What the first visit had to say that said something; undocumented members are not visited. */
export function walk(schema: z.ZodType, value: unknown, visit: Visit, pointer = ''): string | undefined {
  const shape = unwrapped(schema);
  const said = visit(value, shape, pointer);
  if (said !== undefined) return said;
  for (const [name, part, of] of parts(shape, value)) {
    const below = walk(of, part, visit, `${pointer}/${name}`);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** A shape without the wrappers that say that it may be absent or null. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema;
}

function parts(schema: z.ZodType, value: unknown): [string | number, unknown, z.ZodType][] {
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.slice(0, MOST_ITEMS).map((item, index) => [index, item, schema.element as z.ZodType]);
  if (schema instanceof z.ZodObject && isObject(value))
    return Object.entries(schema.shape)
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([name, of]) => [name, value[name], of as z.ZodType]);
  return [];
}
