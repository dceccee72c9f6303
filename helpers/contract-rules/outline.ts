/** The documented shape of a body, looked up once: every answer is gone through along it. */
import { z } from 'zod';

/** The shape of a JSON value: of an object its members, of an array its items. */
export interface Outline {
  /** Documented members, of an object. */
  members?: ReadonlyMap<string, Member>;
  /** Documented names, by what they are without case and separators. */
  plainNames?: ReadonlyMap<string, string>;
  /** Of an array. */
  items?: Outline;
  /** Of any form, or from a list; no date. */
  isText: boolean;
  isDateTime: boolean;
}

/** A documented member of an object. */
export interface Member {
  outline: Outline;
  isOptional: boolean;
  /** Asked for where it is null. */
  mayBeNull(): boolean;
}

/** Of a longer array the first items are looked at: advice needs no more, and a hostile one may have a million. */
export const MOST_ITEMS = 10_000;

const known = new WeakMap<z.ZodType, Outline>();

/** The outline of a shape, made once. */
export function outlineOf(schema: z.ZodType): Outline {
  const before = known.get(schema);
  if (before) return before;
  const outline = made(unwrapped(schema));
  known.set(schema, outline);
  return outline;
}

const NO_TEXT = { isText: false, isDateTime: false };

function made(shape: z.ZodType): Outline {
  if (shape instanceof z.ZodArray) return { items: outlineOf(shape.element as z.ZodType), ...NO_TEXT };
  if (!(shape instanceof z.ZodObject)) return { isText: isText(shape), isDateTime: isDateTime(shape) };
  const members = Object.entries(shape.shape as Record<string, z.ZodType>);
  return {
    members: new Map(members.map(([name, of]) => [name, memberOf(of)])),
    plainNames: new Map(members.map(([name]) => [plainName(name), name])),
    ...NO_TEXT,
  };
}

const memberOf = (schema: z.ZodType): Member => ({
  outline: outlineOf(schema),
  isOptional: schema instanceof z.ZodOptional,
  mayBeNull: () => schema.safeParse(null).success,
});

/** A shape without the wrappers that say that it may be absent or null. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}

const isText = (shape: z.ZodType): boolean =>
  shape instanceof z.ZodUnion
    ? shape.options.every((option) => isText(option as z.ZodType))
    : (shape instanceof z.ZodString && shape.meta()?.format === undefined) || shape instanceof z.ZodEnum;

const isDateTime = (shape: z.ZodType): boolean =>
  shape instanceof z.ZodUnion
    ? shape.options.some((option) => isDateTime(option as z.ZodType))
    : shape.meta()?.format === 'date-time';

/** A name without case and separators. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
