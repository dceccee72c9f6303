/** What is tried once a run rotates with the seed, so that consecutive nights try all of it (reading 52). */
import type { Run } from './run.ts';

/**
 * The forms of something that this run tries: one by the seed, all with `--thorough`.
 *
 * @example
 * for (const form of tonights(t.run, 'users.list: bad tokens', badTokens)) ...
 *
 * @param subject what the forms are of; different subjects try different forms in the same run
 * @param count forms that are tried at least
 */
export function tonights<T>(run: Run, subject: string, forms: readonly T[], count = 1): T[] {
  const { seed, thorough } = run.configuration.run;
  if (thorough || forms.length <= count) return [...forms];
  const first = (seed + hashOf(subject)) % forms.length;
  return Array.from({ length: count }, (_, index) => forms[(first + index) % forms.length]!);
}

/** A number that is the same for a text in every run. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0;
  return hash;
}
