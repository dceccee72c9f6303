/** The documented shape of a body, derived once and used to examine every answer. */

import { z } from 'zod';
import { isObject } from '../answer.ts';
import { oncePer } from '../once-per.ts';

/** The shape of a JSON value: an object's members or an array's items. */
export interface Outline {
  members?: ReadonlyMap<string, Member>;
  /** Documented names, keyed by the name without case and separators. */
  plainNames?: ReadonlyMap<string, string>;
  items?: Outline;
  /** Whether it is a free text or one from a list, but not a date. */
  isText: boolean;
  isDateTime: boolean;
}

interface Member {
  outline: Outline;
  isOptional: boolean;
  /** Whether null is documented; evaluated only when needed. */
  mayBeNull(): boolean;
}

/** Number of array items examined: advice needs no more, and a hostile array may hold a million. */
const MOST_ITEMS = 10_000;

/** The outline of a schema; computed once. */
export const outlineOf = oncePer((schema: z.ZodType): Outline => buildOutline(unwrapped(schema)));

const NO_TEXT = { isText: false, isDateTime: false };

function buildOutline(shape: z.ZodType): Outline {
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

/** Removes the wrappers for optional and nullable values. */
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

/** A documented part of a value. */
interface Part {
  outline: Outline;
  value: unknown;
  /** The JSON Pointer to it. */
  pointer: string;
  /** The names on the way to it: `results.cardholder.firstName`. */
  path: string;
}

/** A value and its documented parts, at any depth. They are added to `parts`. */
export function documentedParts(
  outline: Outline,
  value: unknown,
  pointer = '',
  path = '',
  parts: Part[] = [],
): readonly Part[] {
  parts.push({ outline, value, pointer, path });
  const { members, items } = outline;
  if (items && Array.isArray(value))
    for (let i = 0; i < Math.min(value.length, MOST_ITEMS); i++)
      documentedParts(items, value[i], `${pointer}/${i}`, path, parts);
  if (!members || !isObject(value)) return parts;
  for (const [name, part] of Object.entries(value)) {
    const member = members.get(name);
    if (member) documentedParts(member.outline, part, `${pointer}/${name}`, below(path, name), parts);
  }
  return parts;
}

/** The paths of everything that is documented. */
export function documentedPaths({ members, items }: Outline, path = ''): string[] {
  if (items) return documentedPaths(items, path);
  return Array.from(members ?? []).flatMap(([name, { outline }]) => {
    const at = below(path, name);
    return [at, ...documentedPaths(outline, at)];
  });
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Copies the value without optional members that are null or, for texts, empty. */
export function withoutUnset(outline: Outline, value: unknown): unknown {
  const { members, items } = outline;
  if (items && Array.isArray(value)) return value.map((item) => withoutUnset(items, item));
  if (!members || !isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, item]) => !isUnset(members.get(name), item));
  return Object.fromEntries(
    kept.map(([name, item]) => {
      const member = members.get(name);
      return [name, member ? withoutUnset(member.outline, item) : item];
    }),
  );
}

const isUnset = (member: Member | undefined, value: unknown): boolean =>
  member?.isOptional === true && (value === null || (value === '' && member.outline.isText));
