/** Which documented members were ever seen: a shape that was never filled in was never judged (reading 5). */
import { z } from 'zod';
import { operation } from '../../contracts/operations.ts';
import { type Answer, succeeded } from '../answer.ts';
import { unwrapped, walk } from './walk.ts';

export class SeenMembers {
  /** Paths like `results.cardholder.firstName`, by operation. */
  readonly #seen = new Map<string, Set<string>>();

  note(answer: Answer): void {
    const body = answer.operation.success?.body;
    if (!succeeded(answer) || !answer.json?.ok || !body || typeof body === 'string') return;
    const seen = this.#seen.get(answer.operation.id) ?? new Set();
    this.#seen.set(answer.operation.id, seen);
    walk(body, answer.json.plain, (_value, _schema, pointer) => {
      seen.add(pathOf(pointer));
      return undefined;
    });
  }

  neverSeen(id: string): string[] {
    const body = operation(id).success?.body;
    if (!body || typeof body === 'string') return [];
    const seen = this.#seen.get(id);
    return documented(body).filter((path) => !seen?.has(path));
  }
}

/** A JSON Pointer without the indexes of arrays, dotted. */
const pathOf = (pointer: string) =>
  pointer
    .split('/')
    .filter((step) => step !== '' && !/^\d+$/.test(step))
    .join('.');

function documented(schema: z.ZodType, path = ''): string[] {
  const shape = unwrapped(schema);
  if (shape instanceof z.ZodArray) return documented(shape.element as z.ZodType, path);
  if (!(shape instanceof z.ZodObject)) return [];
  return Object.entries(shape.shape).flatMap(([name, of]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...documented(of as z.ZodType, at)];
  });
}
