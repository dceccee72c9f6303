/** What the fixtures file names. It may be out of date, so that the target is asked before the file accuses. */
import { type Answer, describe, entries, member, succeeded } from '../../helpers/answer.ts';
import { type Context, scenario } from '../../helpers/check.ts';
import { inconclusive, Skipped, skip } from '../../helpers/verdict.ts';
import { identifiersOf, sameText } from './identifiers.ts';
import * as Requests from './requests.ts';

/**
 * Reads what the fixtures file names under `key`.
 * @param inListings what to add to the message, where it is not listed either
 * @returns the answer; undefined where the target does not claim that operation
 * @throws Inconclusive when the target neither returns it nor lists it: the fixtures file is out of date
 */
export async function requireKnown(
  t: Context,
  { operation, key, identifier }: { operation: 'users.get' | 'cards.get'; key: string; identifier: string },
  isListed: () => Promise<boolean>,
  inListings = '',
): Promise<Answer | undefined> {
  try {
    const record = await t.call(operation, { path: { identifier } }, { intent: 'refusable' });
    if (succeeded(record) || (await isListed())) return record;
    const answered = `${operation} answers ${describe(record)}${inListings}`;
    return inconclusive(`${key} of the fixtures file is not known to the target: ${answered}`);
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}

/** Reads a card that the fixtures file names under `key`; see {@link requireKnown}. */
export const requireCard = (t: Context, key: string, identifier: string): Promise<Answer | undefined> =>
  requireKnown(t, { operation: 'cards.get', key, identifier }, async () =>
    identifiersOf(entries(await t.shared(Requests.firstCards))).some((listed) => sameText(listed, identifier)),
  );

/** The proxy of the fixtures file, complete. @throws Skipped when a part of it is missing */
export function requireProxy({ fixtures }: Context) {
  const given = fixtures.cards?.byProxy ?? {};
  for (const key of ['proxyNumber', 'programIdentifier', 'isDigital', 'identifier'] as const)
    if (given[key] === undefined) skip(`needs cards.byProxy.${key} in the fixtures file`);
  return given as { [K in keyof typeof given]-?: NonNullable<(typeof given)[K]> };
}

/**
 * Requires the proxy of the fixtures file to be up to date, as far as the target shows it.
 * @throws Inconclusive when the card has another proxy, belongs to another program, or is not found now
 */
export async function requireCurrentProxy(t: Context): Promise<void> {
  const { proxyNumber, programIdentifier, identifier } = requireProxy(t);
  const record = await requireCard(t, 'cards.byProxy.identifier', identifier);
  if (record && !succeeded(record)) inconclusive('the card is not found by its identifier now, either');
  const shown = record && member(record, 'proxyNumber');
  const outdated = (why: string) => inconclusive(`cards.byProxy.${why}`);
  if (typeof shown === 'string' && shown !== '' && !sameText(shown, proxyNumber))
    outdated('proxyNumber of the fixtures file is not the proxyNumber that the record of the card shows');
  if (!t.isInScope('cards.list')) return;
  const listing = await t.call('cards.list', { query: { max: 50, programIdentifier } }, { intent: 'refusable' });
  const listed = entries(listing);
  const isElsewhere = succeeded(listing) && listed.length < 50 && identifiersOf(listed).length === listed.length;
  if (isElsewhere && !identifiersOf(listed).some((one) => sameText(one, identifier)))
    outdated('programIdentifier of the fixtures file is a program whose cards are listed without that card');
}

/** Foreign cards to try operations on: two in each run, chosen by the seed. @throws Skipped where the fixtures file names none */
export function foreignCards(t: Context): string[] {
  const foreign = t.fixtures.cards?.foreign ?? [];
  if (foreign.length === 0) skip('needs cards.foreign in the fixtures file');
  return t.rotated('foreign cards', foreign, { count: 2 });
}

/** Cards related to the fixture's card that has some. @throws Skipped without such a card */
export const relatedToFixture = scenario('cards related to that of the fixtures', (t) => {
  const identifier = t.fixtures.cards?.withRelated;
  if (identifier === undefined) skip('needs cards.withRelated in the fixtures file');
  return t.call('cards.listRelated', { path: { identifier } });
});
