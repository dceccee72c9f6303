/** Which documented members were ever seen: a shape that was never filled in was never judged (reading 5). */
import { z } from 'zod';
import { operation } from '../../contracts/operations.ts';
import { type Answer, isObject, succeeded } from '../answer.ts';
import { MOST_ITEMS, membersOf, unwrapped } from './walk.ts';

/** Documented members that were seen, with those of them that were. */
type Seen = Map<string, Seen>;

export class SeenMembers {
  readonly #seen = new Map<string, Seen>();

  note(answer: Answer): void {
    const body = answer.operation.success?.body;
    if (!succeeded(answer) || !answer.json?.ok || !body || typeof body === 'string') return;
    noteMembers(body, answer.json.plain, below(this.#seen, answer.operation.id));
  }

  neverSeen(id: string): string[] {
    const body = operation(id).success?.body;
    if (!body || typeof body === 'string') return [];
    return unseen(body, this.#seen.get(id));
  }
}

function noteMembers(schema: z.ZodType, value: unknown, seen: Seen): void {
  const shape = unwrapped(schema);
  if (Array.isArray(value) && shape instanceof z.ZodArray) {
    for (const item of value.slice(0, MOST_ITEMS)) noteMembers(shape.element as z.ZodType, item, seen);
  } else if (isObject(value) && shape instanceof z.ZodObject) {
    for (const [name, of] of membersOf(shape))
      if (Object.hasOwn(value, name)) noteMembers(of, value[name], below(seen, name));
  }
}

function below(seen: Seen, name: string): Seen {
  const next = seen.get(name) ?? new Map();
  seen.set(name, next);
  return next;
}

/** Paths like `results.cardholder.firstName`. */
function unseen(schema: z.ZodType, seen: Seen | undefined, path = ''): string[] {
  const shape = unwrapped(schema);
  if (shape instanceof z.ZodArray) return unseen(shape.element as z.ZodType, seen, path);
  if (!(shape instanceof z.ZodObject)) return [];
  return membersOf(shape).flatMap(([name, of]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const next = seen?.get(name);
    return [...(next ? [] : [at]), ...unseen(of, next, at)];
  });
}
