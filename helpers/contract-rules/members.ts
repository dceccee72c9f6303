/** Tracks which documented members were ever seen: a shape that was never filled in was never judged (reading 5). */
import { operation } from '../../contracts/operations.ts';
import { type Answer, isObject, succeeded } from '../answer.ts';
import { MOST_ITEMS, type Outline, outlineOf } from './outline.ts';

/** A tree of the documented members that were seen. */
type Seen = Map<string, Seen>;

/** Collects the documented members that each operation's success bodies carried. */
export class SeenMembers {
  readonly #seen = new Map<string, Seen>();

  /** Records the members of a success body, at any depth. */
  note(answer: Answer): void {
    const body = answer.operation.success?.body;
    if (!succeeded(answer) || !answer.json?.ok || !body || typeof body === 'string') return;
    noteMembers(outlineOf(body), answer.json.plain, below(this.#seen, answer.operation.id));
  }

  /**
   * Documented members that no success body of the operation carried, as paths such as `results.cardholder.firstName`;
   * all of them if no success was seen.
   */
  neverSeen(id: string): string[] {
    const body = operation(id).success?.body;
    if (!body || typeof body === 'string') return [];
    return unseen(outlineOf(body), this.#seen.get(id));
  }
}

function noteMembers({ members, items }: Outline, value: unknown, seen: Seen): void {
  if (items && Array.isArray(value)) {
    for (let i = 0; i < Math.min(value.length, MOST_ITEMS); i++) noteMembers(items, value[i], seen);
  } else if (members && isObject(value)) {
    for (const name of Object.keys(value)) {
      const member = members.get(name);
      if (member) noteMembers(member.outline, value[name], below(seen, name));
    }
  }
}

function below(seen: Seen, name: string): Seen {
  let next = seen.get(name);
  if (!next) {
    next = new Map();
    seen.set(name, next);
  }
  return next;
}

/** Paths such as `results.cardholder.firstName`. */
function unseen({ members, items }: Outline, seen: Seen | undefined, path = ''): string[] {
  if (items) return unseen(items, seen, path);
  return Array.from(members ?? []).flatMap(([name, { outline }]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const next = seen?.get(name);
    return [...(next ? [] : [at]), ...unseen(outline, next, at)];
  });
}
