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

const bare = new WeakMap<z.ZodType, z.ZodType>();

/** A shape without the wrappers that say that it may be absent or null. Asked for every member of every answer, so remembered. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  let shape = bare.get(schema);
  if (!shape) {
    shape = schema;
    while (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable) shape = shape.unwrap() as z.ZodType;
    bare.set(schema, shape);
  }
  return shape;
}

function parts(schema: z.ZodType, value: unknown): [string | number, unknown, z.ZodType][] {
  if (Array.isArray(value) && schema instanceof z.ZodArray)
    return value.slice(0, MOST_ITEMS).map((item, index) => [index, item, schema.element as z.ZodType]);
  if (isObject(value) && schema instanceof z.ZodObject)
    return Object.entries(schema.shape)
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([name, of]) => [name, value[name], of as z.ZodType]);
  return [];
}
