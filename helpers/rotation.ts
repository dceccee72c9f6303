/** What is tried once a run rotates with the seed, so that consecutive nights try all of it (reading 52). */
import type { Run } from './run.ts';

/**
 * The forms of something that this run tries: some by the seed, all with `--thorough`. The record names them.
 *
 * @example
 * for (const form of tonights(t.run, 'users.list: bad tokens', badTokens)) ...
 *
 * @param subject what the forms are of; different subjects try different forms in the same run
 * @param count forms that are tried at least
 * @param name what the record calls a form
 */
export function tonights<T>(
  run: Run,
  subject: string,
  forms: readonly T[],
  count = 1,
  name: (form: T) => string = nameOf,
): T[] {
  const { seed, thorough } = run.configuration.run;
  const isWhole = thorough || forms.length <= count;
  const first = (seed + hashOf(subject)) % forms.length;
  const chosen = isWhole
    ? [...forms]
    : Array.from({ length: count }, (_, index) => forms[(first + index) % forms.length]!);
  run.rotates(subject, chosen.map(name), forms.length);
  return chosen;
}

/** A text is its own name; what has a name is called by it. */
const nameOf = (form: unknown): string =>
  typeof form === 'object' && form !== null && 'name' in form ? String(form.name) : String(form);

/** A number that is the same for a text in every run. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0;
  return hash;
}
