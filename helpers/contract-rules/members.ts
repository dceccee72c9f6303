/** Which documented members were ever seen: a shape that was never filled in was never judged (reading 5). */
import { z } from 'zod';
import { operation } from '../../contracts/operations.ts';
import { type Answer, succeeded } from '../answer.ts';
import { membersOf, type Place, unwrapped, walk } from './walk.ts';

export class SeenMembers {
  /** Paths like `results.cardholder.firstName`, by operation. */
  readonly #seen = new Map<string, Set<string>>();

  note(answer: Answer): void {
    const body = answer.operation.success?.body;
    if (!succeeded(answer) || !answer.json?.ok || !body || typeof body === 'string') return;
    const seen = this.#seen.get(answer.operation.id) ?? new Set();
    this.#seen.set(answer.operation.id, seen);
    walk(body, answer.json.plain, (_value, _schema, place) => {
      seen.add(pathTo(place));
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

/** The names to a place, dotted, without the indexes of arrays. */
function pathTo(place: Place): string {
  if (!place) return '';
  const above = pathTo(place.above);
  if (typeof place.step === 'number') return above;
  return above === '' ? place.step : `${above}.${place.step}`;
}

function documented(schema: z.ZodType, path = ''): string[] {
  const shape = unwrapped(schema);
  if (shape instanceof z.ZodArray) return documented(shape.element as z.ZodType, path);
  if (!(shape instanceof z.ZodObject)) return [];
  return membersOf(shape).flatMap(([name, of]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...documented(of, at)];
  });
}
