/** Rotates with the seed what a run tries only in part, so that consecutive runs try everything (reading 52). */
import type { Run } from './run.ts';

/**
 * The forms that this run tries: some, chosen by the seed, or all with `--thorough`. The record names them.
 *
 * @example
 * for (const form of rotated(t.run, 'users.list: bad tokens', badTokens)) ...
 *
 * @param subject what the forms belong to; different subjects rotate independently
 * @param count minimum number of forms to try
 * @param name the form's name in the record
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
 * Like {@link rotated}, for requests that cost something if accepted: `--thorough` tries all forms only if the budget
 * leaves enough for the other checks.
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

/** Like {@link rotated}; a run that may change everything tries twice as many, since it sends three times what a safe one does anyway. */
export const rotatedAmply = <T>(
  run: Run,
  subject: string,
  forms: readonly T[],
  count = 1,
  name: (form: T) => string = nameOf,
): T[] => rotated(run, subject, forms, run.configuration.run.risk === 'irreversible' ? 2 * count : count, name);

/** One form, chosen by the seed, of something that can be tried only once per run, even with `--thorough`. */
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

/** The name of a form: its `name` if it has one, else its text. */
const nameOf = (form: unknown): string =>
  typeof form === 'object' && form !== null && 'name' in form ? String(form.name) : String(form);

/** A hash of a text that is the same in every run. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0;
  return hash;
}
