/** What is tried once a run rotates with the seed, so that consecutive runs try all of it (reading 52). */
import type { Run } from './run.ts';

/**
 * The forms of something that this run tries: some by the seed, all with `--thorough`. The record names them.
 *
 * @example
 * for (const form of rotated(t.run, 'users.list: bad tokens', badTokens)) ...
 *
 * @param subject what the forms are of; different subjects try different forms in the same run
 * @param count forms that are tried at least
 * @param name what the record calls a form
 */
export function rotated<T>(
  run: Run,
  subject: string,
  forms: readonly T[],
  count = 1,
  name: (form: T) => string = nameOf,
): T[] {
  return chosen(run, run.configuration.run.thorough, { subject, forms, count, name });
}

/**
 * As {@link rotated}, of forms of a request that costs something where it is accepted: `--thorough` tries all only where the budget leaves
 * enough for the other checks.
 */
export function rotatedAtCost<T>(
  run: Run,
  operation: string,
  subject: string,
  forms: readonly T[],
  name: (form: T) => string = nameOf,
): T[] {
  const isAmple = run.budgetOf(operation)?.isAmple ?? true;
  return chosen(run, run.configuration.run.thorough && isAmple, { subject, forms, count: 1, name });
}

/** One form by the seed of what can be tried once a run only, `--thorough` or not. */
export const oneOf = <T>(run: Run, subject: string, forms: readonly T[], name: (form: T) => string = nameOf): T =>
  chosen(run, false, { subject, forms, count: 1, name })[0]!;

interface Rotation<T> {
  subject: string;
  forms: readonly T[];
  count: number;
  name: (form: T) => string;
}

function chosen<T>(run: Run, isThorough: boolean, { subject, forms, count, name }: Rotation<T>): T[] {
  const isWhole = isThorough || forms.length <= count;
  const first = (run.configuration.run.seed + hashOf(subject)) % forms.length;
  const tried = isWhole
    ? [...forms]
    : Array.from({ length: count }, (_, index) => forms[(first + index) % forms.length]!);
  run.recordRotation(subject, tried.map(name), forms.length);
  return tried;
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
