/** Filters of the cards listing: they narrow it (readings 11, 20 and 22). */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { type Answer, entries, memberOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { invented } from '../../../helpers/engine/forms/invented.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { certainlySame, identifiersOf, isText, isWhole, sameText } from '../../shared/identifiers.ts';
import { count, expectAcceptedByFilter } from '../../shared/listings.ts';
import { firstCards, firstCustomers } from '../../shared/target-data.ts';
import { expectBelow, expectNoOtherValue } from './filtered-members.ts';
import {
  byKnownValues,
  bySeveralFilters,
  byUnknownValues,
  FILTERS,
  type Filter,
  type Listing,
  largestListing,
  listBy,
  listingOf,
  MEMBERS,
  PAGE,
  REQUIREMENT_OF,
} from './scenarios/filtered-listings.ts';

const { check, suite } = defineSuite();
export const cardsListFiltersSuite = suite;

for (const filter of FILTERS)
  check(REQUIREMENT_OF[filter], 'a value that some cards have', async (t) => {
    const { value, answer } = (await t.shared(byKnownValues))[filter] ?? inconclusive(`no ${filter} is known`);
    const others = Object.entries(await t.shared(byKnownValues)).filter(([name]) => name !== filter);
    const beside = Object.fromEntries(others.map(([name, other]) => [name, other.value]));
    const accepted = await expectAcceptedByFilter(t, answer, filter, beside);
    const found = listingOf(accepted);
    const all = listingOf(await t.shared(firstCards));
    if (count(answer) === 0) {
      await requireCurrentValue(t, filter, value);
      fail(`no card is found by ${filter}`, { expected: 'some cards', actual: 'none', in: answer });
    }
    await expectNoOtherValue(t, filter, value, accepted, all);
    expectCardOfProxyFound(t, filter, value, found);
    const many = await t.shared(largestListing);
    if (unfound(filter, value, found, many.listing)) await expectAgreementNow(t, filter, value, many.max);
    if (unlisted(found, all)) await expectAgreementNow(t, filter, value);
    await expectNarrowed(t, filter, found, all);
  });

/** Checks whether a value of the fixtures that finds nothing is out of date. @throws Inconclusive when the value of a listed card finds cards */
async function requireCurrentValue(t: Context, filter: Filter, value: string): Promise<void> {
  const shown = entries(await t.shared(firstCards)).map((card) => memberOf(card, filter));
  const other = shown.find(isText);
  if (other === undefined || shown.includes(value)) return;
  if (count(await listBy(t, filter, other, 'valid')))
    inconclusive(
      `cards.filters.${filter} of the fixtures file finds no card, but the value of a listed card finds some`,
    );
}

for (const filter of FILTERS)
  check(REQUIREMENT_OF[filter], 'a card that two values find', async (t) => {
    const { value, answer } = (await t.shared(byKnownValues))[filter] ?? inconclusive(`no ${filter} is known`);
    const byUnknown = (await t.shared(byUnknownValues))[filter];
    if (!succeeded(answer) || !succeeded(byUnknown)) return;
    const inBoth = (one: Answer, other: Answer) => {
      const ids = new Set(listingOf(other).ids);
      return listingOf(one).ids.find((identifier) => ids.has(identifier));
    };
    if (inBoth(answer, byUnknown) === undefined) return;
    const other = String(byUnknown.input.query![filter]);
    const again = await listBy(t, filter, value, 'valid');
    const byOther = await listBy(t, filter, other, 'unknown');
    const found = inBoth(again, byOther);
    if (found === undefined) inconclusive('the cards changed in the meantime');
    fail(`one card is found by two values of ${filter}`, {
      expected: 'a card with the value asked for',
      actual: `${found} by ${value} and by ${other}`,
      in: byOther,
    });
  });

for (const filter of FILTERS)
  check(REQUIREMENT_OF[filter], 'beside other filters', async (t) => {
    const { value, answer } = (await t.shared(byKnownValues))[filter] ?? inconclusive(`no ${filter} is known`);
    const found = listingOf(answer);
    if (!succeeded(answer)) return;
    for (const all of await t.shared(bySeveralFilters)) {
      if (all.input.query?.[filter] === undefined || !succeeded(all)) continue;
      const other = found.whole && listingOf(all).ids.find((identifier) => !found.ids.includes(identifier));
      const missing = await missingBeside(t, all);
      if (!other && !missing) continue;
      const alone = listingOf(await listBy(t, filter, value, 'valid'));
      const answerAgain = await t.call('cards.list', { query: all.input.query }, { intent: 'refusable' });
      const again = listingOf(answerAgain);
      if (other && !alone.ids.includes(other) && again.ids.includes(other))
        fail(`a card is found by several filters that ${filter} alone leaves out`, {
          expected: 'absent',
          actual: other,
          in: answerAgain,
        });
      if (missing && alone.ids.includes(missing) && again.whole && !again.ids.includes(missing))
        fail('a card that each of several filters finds alone is missing when they are combined', {
          expected: missing,
          actual: 'absent',
          in: answerAgain,
        });
      inconclusive('the cards changed in the meantime');
    }
  });

/** A card that every filter of a listing finds alone and that is missing in it, though the listing is complete. */
async function missingBeside(t: Context, all: Answer): Promise<string | undefined> {
  const listing = listingOf(all);
  if (!listing.whole) return undefined;
  const alone = Object.entries(await t.shared(byKnownValues)).filter(
    ([filter]) => all.input.query?.[filter] !== undefined,
  );
  const [first = [], ...others] = alone.map(([, { answer }]) => listingOf(answer).ids);
  return first.find((card) => others.every((ids) => ids.includes(card)) && !listing.ids.includes(card));
}

/** Values of max other than the usual one: absent, one, and more than the documents mention. */
const OTHER_SIZES = [undefined, 1, 200];
const inWords = (max: number | undefined) => (max === undefined ? 'without max' : `with max=${max}`);

for (const filter of FILTERS)
  check(REQUIREMENT_OF[filter], 'with a small and a large max, and without', async (t) => {
    const { value, answer } = (await t.shared(byKnownValues))[filter] ?? inconclusive(`no ${filter} is known`);
    const found = listingOf(answer);
    const all = listingOf(await t.shared(firstCards));
    if (!rotated(t.run, 'cards.list: filters with other sizes', FILTERS).includes(filter)) return;
    for (const max of OTHER_SIZES) {
      const unknownValue = { max, [filter]: invented(value) };
      const asksForAll = max !== 1 && all.ids.length > 1;
      const byUnknown = asksForAll && (await t.call('cards.list', { query: unknownValue }, { intent: 'unknown' }));
      if (byUnknown && isWhole(listingOf(byUnknown).ids, all.ids))
        fail(`${inWords(max)} an unknown ${filter} gives the whole listing`, {
          expected: 'an empty listing or a refusal',
          actual: 'all cards',
          in: byUnknown,
        });
      if (!succeeded(answer) || !found.whole) continue;
      const list = () => t.call('cards.list', { query: { max, [filter]: value } }, { intent: 'refusable' });
      const other = await list();
      const { ids } = listingOf(other);
      const surplus = ids.find((identifier) => !found.ids.includes(identifier));
      const findsNone = (one: Answer) => count(one) === 0 && listingOf(one).whole;
      if (surplus === undefined && !(findsNone(other) && found.ids.length > 0)) continue;
      const alone = listingOf(await listBy(t, filter, value, 'valid'));
      const again = await list();
      if (surplus !== undefined && !alone.ids.includes(surplus) && listingOf(again).ids.includes(surplus))
        fail(`${inWords(max)} a card is found that ${filter} leaves out`, {
          expected: 'absent',
          actual: surplus,
          in: again,
        });
      if (surplus === undefined && alone.ids.length > 0 && findsNone(again))
        fail(`${inWords(max)} no card is found by ${filter}`, { expected: alone.ids[0]!, actual: 'none', in: again });
      inconclusive('the cards changed in the meantime');
    }
  });

check('cards.list.filter-customer', 'customers that no listed card names', async (t) => {
  const cards = entries(await t.shared(firstCards));
  const all = identifiersOf(cards);
  const named = new Set(cards.map((card) => String(memberOf(card, 'customerIdentifier')).toLowerCase()));
  const others = identifiersOf(entries(await t.shared(firstCustomers))).filter((one) => !named.has(one.toLowerCase()));
  for (const customer of rotated(t.run, 'cards.list: customers', others)) {
    const answer = await listBy(t, 'customerIdentifier', customer, 'unknown');
    const found = entries(answer);
    const isTheirs = found.some((card) => sameText(String(memberOf(card, 'customerIdentifier')), customer));
    const isAll = succeeded(answer) && all.length > 1 && named.size > 1 && isWhole(identifiersOf(found), all);
    if (!isAll || isTheirs) continue;
    // All cards may be of customers below it.
    const carried = found.map((card) => memberOf(card, 'customerIdentifier')).filter(isText);
    if (carried.length > 0) await expectBelow(t, customer, new Map(carried.map((one) => [one, answer])));
    else
      fail('a customer that no listed card names gives the whole listing', {
        expected: 'its cards, if any',
        actual: 'all cards',
        in: answer,
      });
  }
});

for (const filter of MEMBERS)
  check(REQUIREMENT_OF[filter], 'the value of a card that is not Active, or has no holder', async (t) => {
    const all = listingOf(await t.shared(firstCards));
    if (!rotated(t.run, 'cards.list: a filter by another value', MEMBERS).includes(filter)) return;
    const unlike = all.cards.filter((card) => memberOf(card, 'status') !== ACTIVE || !memberOf(card, 'cardholder'));
    const values = unlike.map((card) => memberOf(card, filter)).filter(isText);
    for (const value of rotated(t.run, `cards.list: another ${filter}`, values)) {
      const found = listingOf(await listBy(t, filter, value, 'refusable'));
      if (unfound(filter, value, found, all)) await expectAgreementNow(t, filter, value);
    }
  });

/** A card that has the value but is missing in the complete result of the filter. */
function unfound(filter: Filter, value: string, found: Listing, all: Listing): string | undefined {
  if (!found.whole) return undefined;
  const matching = all.cards.filter((card) => certainlySame(String(memberOf(card, filter)), value));
  return identifiersOf(matching).find((identifier) => !found.ids.includes(identifier));
}

/** A card that the filter finds but the complete unfiltered listing lacks. */
const unlisted = (found: Listing, all: Listing): string | undefined =>
  all.whole ? found.ids.find((identifier) => !all.ids.includes(identifier)) : undefined;

/**
 * Judges the filter by the program of the fixtures' proxy card. Other programs are not judged by it: there are sub programs, so one that finds
 * the card may be above its own.
 * @throws Nonconformance when the card is not found
 */
function expectCardOfProxyFound(t: Context, filter: Filter, value: string, found: Listing): void {
  const { programIdentifier, identifier } = t.fixtures.cards?.byProxy ?? {};
  if (filter !== 'programIdentifier' || programIdentifier === undefined || identifier === undefined) return;
  const isFound = found.ids.some((one) => certainlySame(one, identifier));
  if (!certainlySame(programIdentifier, value) || isFound || !found.whole) return;
  fail(`a card of program ${programIdentifier} is not found by that program`, {
    expected: identifier,
    actual: 'absent',
  });
}

/**
 * Reads again where a filter seemed to contradict the whole listing, which is read before and after it: the filter finds the cards that
 * have the value, and no others.
 * @throws Nonconformance when the contradiction persists, else Inconclusive
 */
async function expectAgreementNow(t: Context, filter: Filter, value: string, max = PAGE): Promise<void> {
  const list = async () =>
    listingOf(requireAccepted(await t.call('cards.list', { query: { max } }), 'the listing of cards'));
  const before = await list();
  const found = listingOf(requireAccepted(await listBy(t, filter, value, 'valid'), `the filter ${filter}`));
  const after = await list();
  const lost = unfound(filter, value, found, before);
  if (lost && after.ids.includes(lost))
    fail(`a card with that ${filter} is not found`, { expected: lost, actual: 'absent' });
  const extra = unlisted(found, before);
  const isExtra = extra && after.whole && !after.ids.includes(extra);
  if (isExtra && listingOf(await listBy(t, filter, value, 'valid')).ids.includes(extra))
    fail('a card is found that is not in the unfiltered listing', {
      expected: 'a card of that listing',
      actual: extra,
    });
  inconclusive('the cards changed in the meantime');
}

/**
 * Expects a filter to leave something out. On a small target all cards may match: then the result of an unknown value decides.
 * @throws Nonconformance when that is the whole listing, too; Inconclusive when all cards seem to match
 */
async function expectNarrowed(t: Context, filter: Filter, found: Listing, all: Listing): Promise<void> {
  if (MEMBERS.includes(filter) && found.cards.every((card) => typeof memberOf(card, filter) === 'string')) return;
  if (found.ids.length === 0 || all.ids.length === 0) inconclusive('cards are listed without identifier');
  if (all.ids.some((identifier) => !found.ids.includes(identifier))) return;
  const byUnknown = (await t.shared(byUnknownValues))[filter];
  if (count(byUnknown) === 0) return;
  if (succeeded(byUnknown) && isWhole(listingOf(byUnknown).ids, all.ids))
    fail(`the filter ${filter} does not narrow the listing`, { expected: 'fewer cards', actual: 'the whole listing' });
  inconclusive('all cards of the first page match, or seem to');
}

check('cards.list.unknown-filter-value', 'each filter', async (t) => {
  const all = identifiersOf(entries(await t.shared(firstCards)));
  if (all.length === 0) inconclusive('no card is listed with an identifier');
  for (const [filter, answer] of Object.entries(await t.shared(byUnknownValues))) {
    t.observe('cards.list', `an unknown ${filter}`, count(answer) === 0 ? 'an empty listing' : outcomeInWords(answer));
    if (succeeded(answer) && isWhole(identifiersOf(entries(answer)), all))
      fail(`an unknown ${filter} gives the whole listing`, {
        expected: 'an empty listing or a refusal',
        actual: 'all cards',
        in: answer,
      });
  }
});
