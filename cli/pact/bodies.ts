/** Builds Pact matchers for the guaranteed part of a success body: its required members (reading 5) and no others. */
import { MatchersV3 as M } from '@pact-foundation/pact';
import { z } from 'zod';
import type { Operation } from '../../contracts/operation.ts';
import { v1Shapes, v3Shapes } from '../../contracts/publish/shapes.ts';

/**
 * The minimal success body: matchers of the required members, by type and with the published example; `''` if the body
 * is empty, undefined if its shape is not shown.
 */
export function leastBody(operation: Operation, guaranteed: Readonly<Record<string, unknown>> = {}): unknown {
  const body = operation.success?.body;
  if (body === 'none') return '';
  if (!(body instanceof z.ZodObject)) return undefined;
  const name = body.meta()!.id as string;
  const example = (v3Shapes[name] ?? v1Shapes[name])!.example as Record<string, unknown>;
  const required = Object.entries(body.shape as Record<string, z.ZodType>)
    .filter(([, member]) => !(member instanceof z.ZodOptional))
    .map(([member]) => [member, typed(example[member])]);
  const members = { ...Object.fromEntries(required), ...guaranteed };
  // A matcher of the whole would loosen those below it; an empty object needs one, since it equals only itself.
  return Object.keys(members).length > 0 ? members : M.like({});
}

/** A matcher for a value's type; for numbers any number, since 1.0 is an integer too (reading 4). */
function typed(value: unknown): unknown {
  if (typeof value === 'number') return M.number(value);
  if (typeof value === 'string') return M.string(value);
  throw new Error(`no matcher for a required member like ${JSON.stringify(value)}`);
}

/**
 * An array of any objects, which may be empty: errors of v3 (for which an empty array only breaks a recommendation),
 * questions.
 */
export const someObjects = { 'pact:matcher:type': 'type', min: 0, value: [{}] };
