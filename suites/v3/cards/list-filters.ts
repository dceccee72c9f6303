/** Filters of the cards listing: they narrow it (readings 11, 20 and 22). */
import type { Fixtures } from '../../../contracts/fixtures.ts';
import { ACTIVE, CARDS_DEFAULT_MAX, cards as cardsShape } from '../../../contracts/v3/cards.ts';
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import { type Answer, bodyOf, entries, memberOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { tonights } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { identifiersOf, isWhole, sameText, surelySame } from '../../shared/identifiers.ts';
import { acceptedByFilter, count, observeOddMax } from '../../shared/listings.ts';
import { outcomeInWords } from '../../shared/observed.ts';
import { attempt, judgeEach, type Step } from '../../shared/step.ts';
import { firstCards, firstCustomers, invented } from '../../shared/target-data.ts';
import { walk } from '../users/walks.ts';

const { check, everyExchange, suite } = defineSuite();
export const cardsListFiltersSuite = suite;

const FILTERS = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'] as const;
type Filter = (typeof FILTERS)[number];
/** Filters that are a documented member of a card, too. */
const MEMBERS: readonly Filter[] = ['customerIdentifier', 'externalIdentifier'];
const PAGE = 50;

/** A value that a filter finds some cards by: of the fixtures, else of a listed card. */
async function knownValue(t: Context, filter: Filter): Promise<string | undefined> {
  const given = t.fixtures.cards?.filters?.[filter];
  if (given) return given;
  const carried = entries(await t.shared(firstCards)).map((card) => memberOf(card, filter));
  return MEMBERS.includes(filter) ? carried.find(isText) : undefined;
}

/** A listing may write an empty text where it leaves a member out: that is no value. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const listBy = (t: Context, filter: Filter, value: string, intent: 'valid' | 'refusable' | 'unknown') =>
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

/** The filter that finds most cards, with its value, and how many of them fit on a page; undefined where none finds any. */
export const widestFilter = scenario('the filter that finds most cards', async (t) => {
  const found = Object.entries(await t.shared(known)).filter(([, { answer }]) => count(answer));
  const [widest] = found.toSorted(([, a], [, b]) => count(b.answer)! - count(a.answer)!);
  return widest && { query: { [widest[0]]: widest[1].value }, found: count(widest[1].answer)! };
});

const IDS: Record<Filter, string> = {
  customerIdentifier: 'cards.list.filter-customer',
  programIdentifier: 'cards.list.filter-program',
  orderIdentifier: 'cards.list.filter-order',
  externalIdentifier: 'cards.list.filter-external',
};

interface Listing {
  cards: Record<string, unknown>[];
  ids: string[];
  /** Whether it holds all there is: it is shorter than a page, and nothing undocumented says that it continues. */
  whole: boolean;
}

function listingOf(answer: Answer): Listing {
  const cards = entries(answer);
  const ids = identifiersOf(cards);
  const continues = Object.keys(bodyOf(answer) ?? {}).some((name) => !Object.hasOwn(cardsShape.shape, name));
  return { cards, ids, whole: cards.length < PAGE && ids.length === cards.length && !continues };
}

/** The listing with more than the default as max, which the documents neither allow nor forbid. */
export const beyondDefault = scenario('cards listing with max beyond the default', (t) =>
  observeOddMax(t, 'cards.list', [CARDS_DEFAULT_MAX + 1, 1000]),
);

/** The listing that shows most cards, and the max that it was asked for with. */
const largestListing = scenario('the largest listing of cards', async (t) => {
  const answers = [await t.shared(firstCards), ...(await t.shared(beyondDefault)).filter(succeeded)];
  const [largest] = answers.toSorted((a, b) => entries(b).length - entries(a).length);
  return { max: largest!.input.query!.max as number, listing: listingOf(largest!) };
});

for (const filter of FILTERS)
  check(IDS[filter], 'a value that some cards have', async (t) => {
    const { value, answer } = (await t.shared(known))[filter] ?? inconclusive(`no ${filter} is known`);
    const others = Object.entries(await t.shared(known)).filter(([name]) => name !== filter);
    const beside = Object.fromEntries(others.map(([name, other]) => [name, other.value]));
    const found = listingOf(await acceptedByFilter(t, answer, filter, beside));
    const all = listingOf(await t.shared(firstCards));
    if (count(answer) === 0) {
      await requireCurrentValue(t, filter, value);
      fail(`no card is found by ${filter}`, { expected: 'some cards', actual: 'none' });
    }
    await findsNoOther(t, filter, value, found, all);
    fitsTheProxy(t, filter, value, found);
    const many = await t.shared(largestListing);
    if (missing(filter, value, found, many.listing)) await agreeNow(t, filter, value, many.max);
    if (surplus(found, all)) await agreeNow(t, filter, value);
    await changesSomething(t, filter, found, all);
  });

/** A value of the fixtures that finds nothing may be stale. @throws Inconclusive when one that a listed card shows finds it */
async function requireCurrentValue(t: Context, filter: Filter, value: string): Promise<void> {
  const shown = entries(await t.shared(firstCards)).map((card) => memberOf(card, filter));
  const other = shown.find(isText);
  if (other === undefined || shown.includes(value)) return;
  if (count(await listBy(t, filter, other, 'valid')))
    inconclusive(
      `no card is found by cards.filters.${filter} of the fixtures file, and some are by what a listed card shows`,
    );
}

for (const filter of FILTERS)
  check(IDS[filter], 'a card that two values find', async (t) => {
    const { value, answer } = (await t.shared(known))[filter] ?? inconclusive(`no ${filter} is known`);
    const byUnknown = (await t.shared(unknown))[filter];
    if (!succeeded(answer) || !succeeded(byUnknown)) return;
    const inBoth = (one: Answer, other: Answer) => {
      const ids = new Set(listingOf(other).ids);
      return listingOf(one).ids.find((identifier) => ids.has(identifier));
    };
    if (inBoth(answer, byUnknown) === undefined) return;
    const other = String(byUnknown.input.query![filter]);
    const found = inBoth(await listBy(t, filter, value, 'valid'), await listBy(t, filter, other, 'unknown'));
    if (found === undefined) inconclusive('the cards change meanwhile');
    fail(`one card is found by two values of ${filter}`, {
      expected: 'a card with the value asked for',
      actual: `${found} by ${value} and by ${other}`,
    });
  });

/** Filters that are used together: those of which several cards may have the same values, and in turn one with the others. */
const SHARED = ['customerIdentifier', 'programIdentifier', 'orderIdentifier'] as const;
const WITH_EXTERNAL = SHARED.map((filter) => ['externalIdentifier', filter] as const);

/** Cards by several filters at once: each narrows what the others find. */
const byAll = scenario('cards by several filters', async (t) => {
  const values = await t.shared(known);
  const pairs = tonights(t.run, 'cards.list: filters together', WITH_EXTERNAL, 1, (filters) => filters.join(' and '));
  const answers: Answer[] = [];
  for (const filters of [SHARED, ...pairs]) {
    const given = filters.flatMap((filter) => (values[filter] ? [[filter, values[filter].value]] : []));
    if (given.length < 2) continue;
    const query = { max: PAGE, ...Object.fromEntries(given) };
    answers.push(await t.call('cards.list', { query }, { intent: 'refusable' }));
  }
  return answers;
});

for (const filter of FILTERS)
  check(IDS[filter], 'beside other filters', async (t) => {
    const { value, answer } = (await t.shared(known))[filter] ?? inconclusive(`no ${filter} is known`);
    const found = listingOf(answer);
    if (!succeeded(answer)) return;
    for (const all of await t.shared(byAll)) {
      if (all.input.query?.[filter] === undefined || !succeeded(all)) continue;
      const other = found.whole && listingOf(all).ids.find((identifier) => !found.ids.includes(identifier));
      const missing = await missingBeside(t, all);
      if (!other && !missing) continue;
      const alone = listingOf(await listBy(t, filter, value, 'valid'));
      const again = listingOf(await t.call('cards.list', { query: all.input.query }, { intent: 'refusable' }));
      if (other && !alone.ids.includes(other) && again.ids.includes(other))
        fail(`with other filters beside it, a card is found that ${filter} leaves out`, {
          expected: 'absent',
          actual: other,
        });
      if (missing && alone.ids.includes(missing) && again.whole && !again.ids.includes(missing))
        fail('a card that each of several filters finds is not found by them together', {
          expected: missing,
          actual: 'absent',
        });
      inconclusive('the cards change meanwhile');
    }
  });

/** A card that each filter of a listing finds alone, and that is not in the listing though it holds all it finds. */
async function missingBeside(t: Context, all: Answer): Promise<string | undefined> {
  const listing = listingOf(all);
  if (!listing.whole) return undefined;
  const alone = Object.entries(await t.shared(known)).filter(([filter]) => all.input.query?.[filter] !== undefined);
  const [first = [], ...others] = alone.map(([, { answer }]) => listingOf(answer).ids);
  return first.find((card) => others.every((ids) => ids.includes(card)) && !listing.ids.includes(card));
}

/** Sizes of a listing beside the usual one: none, one, and more than the documents speak of. */
const OTHER_SIZES = [undefined, 1, 200];
const inWords = (max: number | undefined) => (max === undefined ? 'without max' : `with max=${max}`);

for (const filter of FILTERS)
  check(IDS[filter], 'with a small and a large max, and without', async (t) => {
    const { value, answer } = (await t.shared(known))[filter] ?? inconclusive(`no ${filter} is known`);
    const found = listingOf(answer);
    const all = listingOf(await t.shared(firstCards));
    if (!tonights(t.run, 'cards.list: filters with other sizes', FILTERS).includes(filter)) return;
    for (const max of OTHER_SIZES) {
      const unknownValue = { max, [filter]: invented(value) };
      const asksForAll = max !== 1 && all.ids.length > 1;
      const byUnknown =
        asksForAll && listingOf(await t.call('cards.list', { query: unknownValue }, { intent: 'unknown' }));
      if (byUnknown && isWhole(byUnknown.ids, all.ids))
        fail(`${inWords(max)} an unknown ${filter} gives the whole listing`, {
          expected: 'an empty listing or a refusal',
          actual: 'all cards',
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
        fail(`${inWords(max)} a card is found that ${filter} leaves out`, { expected: 'absent', actual: surplus });
      if (surplus === undefined && alone.ids.length > 0 && findsNone(again))
        fail(`${inWords(max)} no card is found by ${filter}`, { expected: alone.ids[0]!, actual: 'none' });
      inconclusive('the cards change meanwhile');
    }
  });

check('cards.list.filter-customer', 'customers that no listed card names', async (t) => {
  const cards = entries(await t.shared(firstCards));
  const all = identifiersOf(cards);
  const named = new Set(cards.map((card) => String(memberOf(card, 'customerIdentifier')).toLowerCase()));
  const others = identifiersOf(entries(await t.shared(firstCustomers))).filter((one) => !named.has(one.toLowerCase()));
  for (const customer of tonights(t.run, 'cards.list: customers', others)) {
    const answer = await listBy(t, 'customerIdentifier', customer, 'unknown');
    const found = entries(answer);
    const isTheirs = found.some((card) => sameText(String(memberOf(card, 'customerIdentifier')), customer));
    const isAll = succeeded(answer) && all.length > 1 && named.size > 1 && isWhole(identifiersOf(found), all);
    if (!isAll || isTheirs) continue;
    // All cards may be of customers below it.
    const carried = found.map((card) => memberOf(card, 'customerIdentifier')).filter(isText);
    if (carried.length > 0) await expectBelow(t, customer, carried);
    else
      fail('a customer that no listed card names gives the whole listing', {
        expected: 'its cards, if any',
        actual: 'all cards',
      });
  }
});

for (const filter of MEMBERS)
  check(IDS[filter], 'the value of a card that is not Active, or has no holder', async (t) => {
    const all = listingOf(await t.shared(firstCards));
    if (!tonights(t.run, 'cards.list: a filter by another value', MEMBERS).includes(filter)) return;
    const unlike = all.cards.filter((card) => memberOf(card, 'status') !== ACTIVE || !memberOf(card, 'cardholder'));
    const values = unlike.map((card) => memberOf(card, filter)).filter(isText);
    for (const value of tonights(t.run, `cards.list: another ${filter}`, values)) {
      const found = listingOf(await listBy(t, filter, value, 'refusable'));
      if (missing(filter, value, found, all)) await agreeNow(t, filter, value);
    }
  });

/** Texts that an implementation may stumble over, and which nothing has as its identifier. */
const ODD_VALUES = ['constructor', "'", '"', '#', '%', '_', 'é漢', 'x'.repeat(300), '-1'];
const ALL_ODD = `'"#%_é漢`;

check('cards.list.unknown-filter-value', 'marks, letters beyond ASCII, and 300 characters', async (t) => {
  const all = identifiersOf(entries(await t.shared(firstCards)));
  const filters = tonights(t.run, 'cards.list: a filter with an odd value', FILTERS);
  const values = [ALL_ODD, ...tonights(t.run, 'cards.list: odd values', ODD_VALUES)];
  for (const { filter, value } of filters.flatMap((filter) => values.map((value) => ({ filter, value })))) {
    const answer = await listBy(t, filter, value.length > 10 ? value : `no-such${value}`, 'unknown');
    if (succeeded(answer) && all.length > 1 && isWhole(identifiersOf(entries(answer)), all))
      fail(`an odd ${filter} gives the whole listing`, {
        expected: 'an empty listing or a refusal',
        actual: 'all cards',
      });
  }
});

/** What is not the value, and finds its card where the end of it is enough, or signs stand for others: each night one of these. */
const RESEMBLING: readonly { name: string; filter: Filter; of: (value: string) => string }[] = [
  ...MEMBERS.flatMap((filter) => [
    { name: `the end of a ${filter}`, filter, of: (value: string) => value.slice(1) },
    { name: `a ${filter} with signs that stand for others`, filter, of: (value: string) => `_${value.slice(1, -1)}%` },
  ]),
  { name: 'the beginning of an orderIdentifier', filter: 'orderIdentifier', of: (value) => value.slice(0, -1) },
];
/** Of a shorter value nothing would be left. */
const LEAST_RESEMBLED = 3;

for (const filter of MEMBERS)
  check(IDS[filter], 'a part of the value finds other cards', async (t) => {
    const { value } = (await t.shared(known))[filter] ?? inconclusive(`no ${filter} is known`);
    // How base64 is padded may be passed over.
    if (value.length < LEAST_RESEMBLED || value.endsWith('=')) return;
    const others = tonights(t.run, 'cards.list: what resembles a value', RESEMBLING).filter(
      (one) => one.filter === filter,
    );
    const parts = [value.slice(0, -1), ...others.map(({ of }) => of(value))];
    for (const part of parts.filter((one) => !isSameNumber(one, value))) {
      const answer = await listBy(t, filter, part, 'unknown');
      if (succeeded(answer))
        await findsNoOther(t, filter, part, listingOf(answer), listingOf(await t.shared(firstCards)));
    }
  });

/** Numbers may be compared without the zeros before them. */
const isSameNumber = (one: string, other: string): boolean =>
  [one, other].every((text) => /^\d+$/.test(text)) && BigInt(one) === BigInt(other);

/** What ends so is one word, or number, of which the beginning is nothing: an order may have parts, named by what follows its own name. */
const ENDS_WITHIN_A_WORD = /(\d\d|[a-z][a-z]|[^a-z\d].)$/i;

check('cards.list.filter-order', 'a part of the value finds other cards', async (t) => {
  const { value, answer } = (await t.shared(known)).orderIdentifier ?? inconclusive('no orderIdentifier is known');
  if (!succeeded(answer) || !ENDS_WITHIN_A_WORD.test(value)) return;
  const forms = tonights(t.run, 'cards.list: what resembles a value', RESEMBLING);
  for (const { of } of forms.filter(({ filter }) => filter === 'orderIdentifier')) {
    const part = of(value);
    const inBoth = async () => {
      const { ids } = listingOf(await listBy(t, 'orderIdentifier', value, 'valid'));
      const byPart = await listBy(t, 'orderIdentifier', part, 'unknown');
      return succeeded(byPart) ? ids.find((identifier) => listingOf(byPart).ids.includes(identifier)) : undefined;
    };
    const found = await t.confirmed(inBoth, (one) => one === undefined);
    if (found !== undefined)
      fail('a card is found by a part of its orderIdentifier', { expected: 'absent', actual: `${found} by ${part}` });
  }
});

/** A card that has the value and that the filter does not find, though it finds all there is. */
function missing(filter: Filter, value: string, found: Listing, all: Listing): string | undefined {
  if (!found.whole) return undefined;
  const matching = all.cards.filter((card) => surelySame(String(memberOf(card, filter)), value));
  return identifiersOf(matching).find((identifier) => !found.ids.includes(identifier));
}

/** A card that the filter finds and that the whole listing does not have. */
const surplus = (found: Listing, all: Listing): string | undefined =>
  all.whole ? found.ids.find((identifier) => !all.ids.includes(identifier)) : undefined;

/** No card is found that carries another value wherever it is listed. */
async function findsNoOther(t: Context, filter: Filter, value: string, found: Listing, all: Listing): Promise<void> {
  const other = all.cards.find((card) => {
    const carried = memberOf(card, filter);
    return isText(carried) && !sameText(carried, value) && found.ids.includes(card.identifier as string);
  });
  if (!other) return;
  if (filter === 'customerIdentifier') return expectBelow(t, value, [String(other[filter])]);
  fail(`a card with another ${filter} is found`, { expected: value, actual: String(other[filter]) });
}

/** The card of the proxy is known to be of a program. Another program that finds it may be above that one: there are sub programs. */
function fitsTheProxy(t: Context, filter: Filter, value: string, found: Listing): void {
  const { programIdentifier, identifier } = t.fixtures.cards?.byProxy ?? {};
  if (filter !== 'programIdentifier' || programIdentifier === undefined || identifier === undefined) return;
  const isFound = found.ids.some((one) => surelySame(one, identifier));
  if (!surelySame(programIdentifier, value) || isFound || !found.whole) return;
  fail(`a card of program ${programIdentifier} is not found by it`, { expected: identifier, actual: 'absent' });
}

/** Read once more: the filter finds the cards of the whole listing that have the value, and no others, before it and afterwards. */
async function agreeNow(t: Context, filter: Filter, value: string, max = PAGE): Promise<void> {
  const list = async () =>
    listingOf(requireAccepted(await t.call('cards.list', { query: { max } }), 'the listing of cards'));
  const before = await list();
  const found = listingOf(requireAccepted(await listBy(t, filter, value, 'valid'), `the filter ${filter}`));
  const after = await list();
  const lost = missing(filter, value, found, before);
  if (lost && after.ids.includes(lost))
    fail(`a card with that ${filter} is not found`, { expected: lost, actual: 'absent' });
  const extra = surplus(found, before);
  const isExtra = extra && after.whole && !after.ids.includes(extra);
  if (isExtra && listingOf(await listBy(t, filter, value, 'valid')).ids.includes(extra))
    fail('a card is found that the unfiltered listing does not have', { expected: 'a card of it', actual: extra });
  inconclusive('the cards change meanwhile');
}

/** All cards may match, on a small target: a filter that finds what no filter finds is none where an unknown value finds it, too. */
async function changesSomething(t: Context, filter: Filter, found: Listing, all: Listing): Promise<void> {
  if (MEMBERS.includes(filter) && found.cards.every((card) => typeof memberOf(card, filter) === 'string')) return;
  if (found.ids.length === 0 || all.ids.length === 0) inconclusive('cards are listed without identifier');
  if (all.ids.some((identifier) => !found.ids.includes(identifier))) return;
  const byUnknown = (await t.shared(unknown))[filter];
  if (count(byUnknown) === 0) return;
  if (succeeded(byUnknown) && isWhole(listingOf(byUnknown).ids, all.ids))
    fail(`${filter} changes nothing`, { expected: 'fewer cards', actual: 'the whole listing' });
  inconclusive('all cards of the first page match, or seem to');
}

check('cards.list.unknown-filter-value', 'each filter', async (t) => {
  const all = identifiersOf(entries(await t.shared(firstCards)));
  if (all.length === 0) inconclusive('no card is listed with an identifier');
  for (const [filter, answer] of Object.entries(await t.shared(unknown))) {
    t.observe('cards.list', `an unknown ${filter}`, count(answer) === 0 ? 'an empty listing' : outcomeInWords(answer));
    if (succeeded(answer) && isWhole(identifiersOf(entries(answer)), all))
      fail(`an unknown ${filter} gives the whole listing`, {
        expected: 'an empty listing or a refusal',
        actual: 'all cards',
      });
  }
});

/** Customers that cards were listed with though another one was asked for, by the one asked for; of each run, by its fixtures. */
const others = new WeakMap<Fixtures, Map<string, Set<string>>>();

function noteOther(fixtures: Fixtures, asked: string, carried: string): void {
  const byAsked = others.get(fixtures) ?? new Map<string, Set<string>>();
  others.set(fixtures, byAsked.set(asked, (byAsked.get(asked) ?? new Set()).add(carried)));
}

check(
  'cards.list.filtered-members',
  'customers other than the one asked for: users.list finds them below it',
  { phase: 'last' },
  async (t) => {
    await t.shared(known);
    const judgements: Step<void>[] = [];
    for (const [asked, carried] of others.get(t.fixtures) ?? [])
      judgements.push(await attempt(() => expectBelow(t, asked, [...carried])));
    judgeEach(judgements);
  },
);

/** Customers whose children are looked for to see whether another one is below. */
const MOST_PARENTS = 20;

/**
 * Judges that cards of other customers than the one asked for are cards of customers below it (reading 22), however deep users.list looks.
 * @throws Nonconformance, Inconclusive where users.list does not say
 */
async function expectBelow(t: Context, asked: string, carried: readonly string[]): Promise<void> {
  const parents = [asked];
  const below = new Set<string>();
  /** Whether those below a customer are seen to be listed with those below its parent: then users.list looks all the way down at once. */
  let isDeep = false;
  for (const parentIdentifier of parents) {
    if (parents.indexOf(parentIdentifier) >= MOST_PARENTS) {
      if (isDeep) break;
      inconclusive('too many customers are below the one asked for');
    }
    const walked = await walk(t, { parentIdentifier }, USERS_MAX);
    const [first] = walked.pages;
    if (!walked.ended && !(parentIdentifier !== asked && first && !succeeded(first)))
      inconclusive('users.list does not show who is below the customer asked for');
    const lower = [...walked.seen].filter((customer) => customer !== parentIdentifier);
    isDeep ||= parentIdentifier !== asked && lower.length > 0 && lower.every((customer) => below.has(customer));
    for (const customer of walked.seen) if (!below.has(customer)) parents.push(customer);
    for (const customer of walked.seen) below.add(customer);
    if (carried.every((one) => below.has(one))) return;
  }
  const other = carried.find((one) => !below.has(one))!;
  fail('a card with another customerIdentifier is listed', { expected: asked, actual: other });
}

everyExchange('cards.list.filtered-members', 'cards.list', (answer, fixtures) => {
  if (!succeeded(answer)) return undefined;
  let kept = false;
  for (const filter of MEMBERS) {
    const asked = answer.input.query?.[filter];
    if (typeof asked !== 'string') continue;
    for (const card of entries(answer)) {
      const carried = memberOf(card, filter);
      if (!isText(carried)) continue;
      if (!sameText(carried, asked) && filter === 'customerIdentifier') noteOther(fixtures, asked, carried);
      else if (!sameText(carried, asked))
        return { message: `a card with another ${filter} is listed`, difference: { expected: asked, actual: carried } };
      else kept = true;
    }
  }
  return kept ? 'kept' : undefined;
});
