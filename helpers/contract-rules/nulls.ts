/** null for an optional member is advised against (reading 4), so it is taken away before the types are judged. */
import { z } from 'zod';
import { isObject } from '../answer.ts';
import { unwrapped } from './walk.ts';

/** The value without members that are null where their documented shape makes them optional. */
export function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shape = unwrapped(schema);
  if (shape instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withoutNulls(shape.element as z.ZodType, item));
  if (!(shape instanceof z.ZodObject) || !isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, item]) => item !== null || !isOptional(shape, name));
  return Object.fromEntries(
    kept.map(([name, item]) => [
      name,
      Object.hasOwn(shape.shape, name) ? withoutNulls(shape.shape[name] as z.ZodType, item) : item,
    ]),
  );
}

const isOptional = (shape: z.ZodObject, name: string) =>
  Object.hasOwn(shape.shape, name) && shape.shape[name] instanceof z.ZodOptional;
