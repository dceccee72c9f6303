/** A walk over a JSON value along its documented shape. */
import { z } from 'zod';
import { isObject } from '../answer.ts';

/** Where a value stands: a step below where its parent does; undefined for the whole. */
export type Place = { above: Place; step: string | number } | undefined;

/** The JSON Pointer (RFC 6901) to a place; documented names need no escapes. */
export const pointerTo = (place: Place): string => (place ? `${pointerTo(place.above)}/${place.step}` : '');

/** Looks at a value and its documented shape, and says what is worth saying of it. */
export type Visit = (value: unknown, schema: z.ZodType, place: Place) => string | undefined;

/** Of a longer array the first items are looked at: advice needs no more, and a hostile one may have a million. */
export const MOST_ITEMS = 10_000;

/** What each of these had to say first of a value and what is in it; undocumented members are not visited. */
export function walk(schema: z.ZodType, value: unknown, visits: readonly Visit[]): Map<Visit, string> {
  const said = new Map<Visit, string>();
  const go = (schema: z.ZodType, value: unknown, place: Place): void => {
    const shape = unwrapped(schema);
    for (const visit of visits) {
      const words = said.has(visit) ? undefined : visit(value, shape, place);
      if (words !== undefined) said.set(visit, words);
    }
    if (Array.isArray(value) && shape instanceof z.ZodArray) {
      for (let step = 0; step < Math.min(value.length, MOST_ITEMS); step++)
        go(shape.element as z.ZodType, value[step], { above: place, step });
    } else if (isObject(value) && shape instanceof z.ZodObject) {
      for (const [step, of] of membersOf(shape))
        if (Object.hasOwn(value, step)) go(of, value[step], { above: place, step });
    }
  };
  go(schema, value, undefined);
  return said;
}

/** The documented members of an object, with their shapes. */
export const membersOf = remembered((schema: z.ZodObject) => Object.entries(schema.shape) as [string, z.ZodType][]);

/** A shape without the wrappers that say that it may be absent or null. */
export const unwrapped = remembered((schema: z.ZodType) => {
  let shape = schema;
  while (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable) shape = shape.unwrap() as z.ZodType;
  return shape;
});

/** What a function finds of a shape, found once: it is asked for every member of every answer. */
export function remembered<Schema extends z.ZodType, Found>(
  find: (schema: Schema) => Found,
): (schema: Schema) => Found {
  const known = new WeakMap<Schema, { found: Found }>();
  return (schema) => {
    let entry = known.get(schema);
    if (!entry) {
      entry = { found: find(schema) };
      known.set(schema, entry);
    }
    return entry.found;
  };
}
