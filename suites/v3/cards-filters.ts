/** Filters of the cards listing: they narrow it (readings 11, 20 and 22). */
import { type Answer, entries, memberOf, succeeded } from '../../helpers/answer.ts';
import { defineSuite, scenario } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { accepted, base } from '../../helpers/expectations.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';
import { firstCards, invented } from '../known.ts';
import { outcome } from '../observed.ts';
import { identifiersOf, isWhole, sameText } from './identifiers.ts';
import { count } from './listings.ts';

const { check, everyExchange, suite } = defineSuite();
export const cardsFiltersSuite = suite;

const FILTERS = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'] as const;
type Filter = (typeof FILTERS)[number];
/** Filters that are a documented member of a card, too. */
const MEMBERS: readonly Filter[] = ['customerIdentifier', 'externalIdentifier'];
const PAGE = 50;

type Cards = Record<string, unknown>[];

/** A value that a filter finds some cards by: of the fixtures, else of a listed card. */
async function knownValue(t: Context, filter: Filter): Promise<string | undefined> {
  const given = t.fixtures.cards?.filters?.[filter];
  if (given) return given;
  const carried = entries(await t.shared(firstCards)).map((card) => memberOf(card, filter));
  return MEMBERS.includes(filter)
    ? carried.find((value) => typeof value === 'string' && value !== '')?.toString()
    : undefined;
}

const listBy = (t: Context, filter: Filter, value: string, intent: 'valid' | 'unknown') =>
  t.call('cards.list', { query: { max: PAGE, [filter]: value } }, { intent });

/** What each filter finds by a value that some cards have, and by one that none has. */
const known = scenario('cards by filter', async (t) => {
  const found: Partial<Record<Filter, { value: string; answer: Answer }>> = {};
  for (const filter of FILTERS) {
    const value = await knownValue(t, filter);
    if (value !== undefined) found[filter] = { value, answer: await listBy(t, filter, value, 'valid') };
  }
  return found;
});
const unknown = scenario('cards by unknown values of filters', async (t) => {
  const answers = {} as Record<Filter, Answer>;
  for (const filter of FILTERS)
    answers[filter] = await listBy(t, filter, invented((await knownValue(t, filter)) ?? '0'), 'unknown');
  return answers;
});

/** The listings that filters gave: for what they show of the cards that there are. */
export const cardsByFilter = scenario('listings by filter', async (t) =>
  Object.values(await t.shared(known)).map(({ answer }) => answer),
);

const IDS: Record<Filter, string> = {
  customerIdentifier: 'cards.list.filter-customer',
  programIdentifier: 'cards.list.filter-program',
  orderIdentifier: 'cards.list.filter-order',
  externalIdentifier: 'cards.list.filter-external',
};

for (const filter of FILTERS)
  check(IDS[filter], 'a value that some cards have', async (t) => {
    const { value, answer } = (await t.shared(known))[filter] ?? inconclusive(`no ${filter} is known`);
    const found = entries(accepted(answer, `the filter ${filter}`));
    if (count(answer) === 0) fail(`no card is found by ${filter}`, { expected: 'some cards', actual: 'none' });
    const all = entries(await t.shared(firstCards));
    findsTheRightOnes(filter, value, found, all);
    if (filter === 'programIdentifier') fitsTheProxy(t, value, found);
    await changesSomething(t, filter, found, all);
  });

/** Of the cards that carry the member, those with the value are found and the others are not. */
function findsTheRightOnes(filter: Filter, value: string, found: Cards, all: Cards): void {
  const ids = new Set(identifiersOf(found));
  for (const card of all) {
    const carried = memberOf(card, filter);
    const identifier = memberOf(card, 'identifier');
    if (typeof carried !== 'string' || typeof identifier !== 'string') continue;
    if (!sameText(carried, value) && ids.has(identifier))
      fail(`a card with another ${filter} is found`, { expected: value, actual: carried });
    if (sameText(carried, value) && !ids.has(identifier) && found.length < PAGE && ids.size === found.length)
      fail(`a card with that ${filter} is not found`, { expected: identifier, actual: `${found.length} others` });
  }
}

/** The card of the proxy is known to be of a program. */
function fitsTheProxy(t: Context, value: string, found: Cards): void {
  const { programIdentifier, identifier } = t.fixtures.cards?.byProxy ?? {};
  if (programIdentifier === undefined || identifier === undefined) return;
  const isFound = identifiersOf(found).some((one) => sameText(one, identifier));
  if (sameText(programIdentifier, value) ? isFound || found.length >= PAGE : !isFound) return;
  fail(`a card of program ${programIdentifier} is ${isFound ? '' : 'not '}found by program ${value}`, {
    expected: isFound ? 'absent' : identifier,
    actual: isFound ? identifier : 'absent',
  });
}

/** A filter that finds what no filter finds is none, where some cards do not match or an unknown value finds the same. */
async function changesSomething(t: Context, filter: Filter, found: Cards, all: Cards): Promise<void> {
  const ids = identifiersOf(found);
  const unfiltered = identifiersOf(all);
  const matched = MEMBERS.includes(filter) && found.every((card) => typeof memberOf(card, filter) === 'string');
  if (matched) return;
  if (ids.length === 0 || unfiltered.length === 0) inconclusive('cards are listed without identifier');
  if (all.length > 1 && isWhole(ids, unfiltered)) {
    const whole =
      succeeded((await t.shared(unknown))[filter]) &&
      isWhole(identifiersOf(entries((await t.shared(unknown))[filter])), unfiltered);
    const notAll = all.length < PAGE && t.fixtures.cards?.filters?.[filter] !== undefined;
    if (whole || notAll) fail(`${filter} changes nothing`, { expected: 'fewer cards', actual: 'the whole listing' });
    inconclusive('all cards of the first page match');
  }
  if (all.length < PAGE) await isAmong(t, ids, unfiltered);
}

/** What is found is in the unfiltered listing, where that fits on one page. */
async function isAmong(t: Context, found: string[], all: string[]): Promise<void> {
  const surplus = found.find((identifier) => !all.includes(identifier));
  if (surplus === undefined) return;
  const now = base(await t.call('cards.list', { query: { max: PAGE } }), 'the listing of cards');
  if (identifiersOf(entries(now)).includes(surplus)) inconclusive('the cards change meanwhile');
  fail('a card is found that the unfiltered listing does not have', { expected: 'a card of it', actual: surplus });
}

check('cards.list.unknown-filter-value', 'each filter', async (t) => {
  const all = identifiersOf(entries(await t.shared(firstCards)));
  if (all.length === 0) inconclusive('no card is listed with an identifier');
  for (const [filter, answer] of Object.entries(await t.shared(unknown))) {
    t.observe('cards.list', `an unknown ${filter}`, count(answer) === 0 ? 'an empty listing' : outcome(answer));
    if (succeeded(answer) && isWhole(identifiersOf(entries(answer)), all))
      fail(`an unknown ${filter} gives the whole listing`, {
        expected: 'an empty listing or a refusal',
        actual: 'all cards',
      });
  }
});

everyExchange('cards.list.filtered-members', 'cards.list', (answer) => {
  if (!succeeded(answer)) return undefined;
  let kept = false;
  for (const filter of MEMBERS) {
    const asked = answer.input.query?.[filter];
    if (typeof asked !== 'string') continue;
    for (const card of entries(answer)) {
      const carried = memberOf(card, filter);
      if (typeof carried !== 'string') continue;
      if (!sameText(carried, asked))
        return { message: `a card with another ${filter} is listed`, difference: { expected: asked, actual: carried } };
      kept = true;
    }
  }
  return kept ? 'kept' : undefined;
});
