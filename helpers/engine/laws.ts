/** Laws of listings: what several searches show together. What contradicts one is a suspicion (reading 47). */

import { numbers } from '../../contracts/numbers.ts';
import { type Answer, entries } from '../answer.ts';
import { identifiersOf } from '../cards/discovery.ts';
import type { Context } from '../context.ts';
import { oncePer } from '../once-per.ts';
import { attempt, fail, Inconclusive, inconclusive } from '../verdict.ts';
import { askedTwice } from './retrial.ts';
import { type Find, type Found, findOnce, keyOf, makeSearch, type Search } from './searches.ts';

export interface Contradiction {
  /** The entries that contradict, or what else is the same each time that it shows. */
  about: readonly string[];
  message: string;
  /** What was expected, and what was found instead; the entry takes the place of what is absent. */
  expected?: string;
  actual?: string;
  /** The search that shows it; absent where several do. */
  found?: Found | undefined;
}

/** Judges what searches find. It may throw Inconclusive or Skipped. */
export type Law = (find: Find) => Promise<Contradiction | undefined>;

/**
 * Judges by a law. A contradiction is tried again with the same searches: see {@link askedTwice}.
 * @param requirement what the law belongs to
 * @throws Nonconformance when one thing contradicts each time, Inconclusive when none does
 */
export async function expectLaw(t: Context, requirement: string, law: Law): Promise<void> {
  const first = await law((search) => findOnce(t, search));
  if (!first) return;
  const counts = t.run.once(expectLaw, () => new Map<string, number>());
  const count = counts.get(requirement) ?? 0;
  if (count >= numbers.contradictedLaws)
    inconclusive(`${first.message}, but so much else contradicts that it was not tried again`);
  counts.set(requirement, count + 1);
  const made: Search[] = [];
  const again = await attempt(() =>
    judgeAgain(t, law, first, (search) => {
      made.push(search);
      return makeSearch(t, search);
    }),
  );
  // What shows only where a like search was left after its first page is tried again there.
  const isInSituation = again.ended instanceof Inconclusive && made.some(({ pages = 1 }) => pages > 1);
  const { shown, retrial } = isInSituation
    ? await judgeAgain(t, law, first, (search) => searchAfterOneLeft(t, search))
    : again.get();
  const [about] = shown.about as [string];
  fail(shown.message, shown.expected ?? about, shown.actual ?? about, { in: pageOf(shown.found, about), retrial });
}

/** Makes a search after another one of its like that was left. */
async function searchAfterOneLeft(t: Context, search: Search): Promise<Found> {
  if ((search.pages ?? 1) > 1) await makeSearch(t, { ...search, pages: 1 });
  return makeSearch(t, search);
}

/** Judges twice more by a law, with searches that are made anew. @throws Inconclusive when nothing contradicts each time */
async function judgeAgain(t: Context, law: Law, first: Contradiction, make: Find) {
  let shown = first;
  let before = new Map<string, Found>();
  const retrial = await askedTwice(t, first.message, async () => {
    const finds = new Map<string, Found>();
    const find: Find = async (search) => {
      const found = finds.get(keyOf(search)) ?? (await make(search));
      finds.set(keyOf(search), found);
      return found;
    };
    for (const { search } of [...before.values()].toReversed()) await find(search);
    const again = await law(find);
    if ([...finds].some(([key, found]) => hasChanged(found, before.get(key))))
      inconclusive(`${first.message}, but the entries change while they are listed`);
    const about = again?.about.filter((one) => shown.about.includes(one)) ?? [];
    if (again) shown = { ...again, about };
    before = finds;
    const pages = [...finds.values()].flatMap((found) => found.pages);
    return { isShown: about.length > 0, exchanges: pages.map(({ exchange }) => exchange) };
  });
  return { shown, retrial };
}

/** Whether a search of several pages finds others than before: what comes first then shifts the others past its pages, each time alike. */
const hasChanged = (found: Found, before: Found | undefined): boolean =>
  before !== undefined &&
  [found, before].every(({ isWhole, pages }) => isWhole && pages.length > 1) &&
  [...beyond(found, before), ...beyond(before, found)].length > 0;

/** The last page that holds an entry, else the last of all. */
const pageOf = (found: Found | undefined, identifier: string): Answer | undefined =>
  found?.pages.findLast((page) => identifiersOf(entries(page)).includes(identifier)) ?? found?.pages.at(-1);

/** A contradiction where a search finds what another one leaves out. */
export const surplus = (message: string, about: readonly string[], found?: Found): Contradiction | undefined =>
  about.length > 0 ? { about, message, expected: 'absent', found } : undefined;

/** A contradiction where a search leaves out what another one finds. */
export const missing = (message: string, about: readonly string[], found?: Found): Contradiction | undefined =>
  about.length > 0 ? { about, message, actual: 'absent', found } : undefined;

/** What a search finds that another one leaves out, though it finds everything; nothing where that is not certain. */
export const beyond = (narrow: Found, wide: Found): string[] =>
  narrow.isAccepted && wide.isWhole ? narrow.ids.filter((one) => !holds(wide, one)) : [];

/** Identifiers of what a search finds, in lower case: a target may list millions. */
const inLowerCase = oncePer(({ ids }: Found): ReadonlySet<string> => new Set(ids.map((one) => one.toLowerCase())));

/** Whether a search finds an entry, in whatever case its identifier is written. */
export const holds = (found: Found, identifier: string): boolean => inLowerCase(found).has(identifier.toLowerCase());

/** The identifiers, written alike, that each of several searches finds. */
export function inEach([first, ...others]: readonly [Found, ...Found[]]): string[] {
  const sets = others.map(({ ids }) => new Set(ids));
  return first.ids.filter((one) => sets.every((ids) => ids.has(one)));
}
