/** Cards listings by filter, alone and combined, and the largest listing that the target gives (readings 20 and 22). */
import { CARDS_DEFAULT_MAX, cards as cardsShape } from '../../../../contracts/v3/cards.ts';
import { type Answer, bodyOf, entries, memberOf, succeeded } from '../../../../helpers/answer.ts';
import { scenario } from '../../../../helpers/check.ts';
import type { Context } from '../../../../helpers/context.ts';
import { invented } from '../../../../helpers/engine/forms/invented.ts';
import { rotated } from '../../../../helpers/rotation.ts';
import { identifiersOf, isText } from '../../../shared/identifiers.ts';
import { count, observeOddMax } from '../../../shared/listings.ts';
import { firstCards } from '../../../shared/target-data.ts';

/** The filters of the cards listing. */
export const FILTERS = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'] as const;
export type Filter = (typeof FILTERS)[number];
/** Filters by a documented member of a card. */
export const MEMBERS: readonly Filter[] = ['customerIdentifier', 'externalIdentifier'];
/** The max of listings by a filter. */
export const PAGE = 50;

/** A value by which a filter finds cards: from the fixtures, else of a listed card. */
async function knownValue(t: Context, filter: Filter): Promise<string | undefined> {
  const given = t.fixtures.cards?.filters?.[filter];
  if (given) return given;
  const carried = entries(await t.shared(firstCards)).map((card) => memberOf(card, filter));
  return MEMBERS.includes(filter) ? carried.find(isText) : undefined;
}

/** The listing by one filter. */
export const listBy = (t: Context, filter: Filter, value: string, intent: 'valid' | 'refusable' | 'unknown') =>
  t.call('cards.list', { query: { max: PAGE, [filter]: value } }, { intent });

/** The listing of each filter by a value that some cards have. */
export const byKnownValues = scenario('cards by filter', async (t) => {
  const found: Partial<Record<Filter, { value: string; answer: Answer }>> = {};
  for (const filter of FILTERS) {
    const value = await knownValue(t, filter);
    if (value !== undefined) found[filter] = { value, answer: await listBy(t, filter, value, 'valid') };
  }
  return found;
});

/** The listing of each filter by a value that no card has. */
export const byUnknownValues = scenario('cards by unknown values of filters', async (t) => {
  const answers = {} as Record<Filter, Answer>;
  for (const filter of FILTERS)
    answers[filter] = await listBy(t, filter, invented((await knownValue(t, filter)) ?? '0'), 'unknown');
  return answers;
});

/** The listings by known values, for the cards they show. */
export const cardsByFilter = scenario('listings by filter', async (t) =>
  Object.values(await t.shared(byKnownValues)).map(({ answer }) => answer),
);

/** The filter that finds the most cards, with its value and the number on one page; undefined where none finds any. */
export const widestFilter = scenario('the filter that finds most cards', async (t) => {
  const found = Object.entries(await t.shared(byKnownValues)).filter(([, { answer }]) => count(answer));
  const [widest] = found.toSorted(([, a], [, b]) => count(b.answer)! - count(a.answer)!);
  return widest && { query: { [widest[0]]: widest[1].value }, found: count(widest[1].answer)! };
});

/** The requirement that each filter is judged by. */
export const REQUIREMENT_OF: Record<Filter, string> = {
  customerIdentifier: 'cards.list.filter-customer',
  programIdentifier: 'cards.list.filter-program',
  orderIdentifier: 'cards.list.filter-order',
  externalIdentifier: 'cards.list.filter-external',
};

/** The cards of a listing. */
export interface Listing {
  cards: Record<string, unknown>[];
  ids: string[];
  /** Whether these are all the cards there are: fewer than a page, and no undocumented member that may lead to more. */
  whole: boolean;
}

/** The cards of an answer; whole if they are fewer than 50, each has an identifier, and no undocumented member may lead to more. */
export function listingOf(answer: Answer): Listing {
  const cards = entries(answer);
  const ids = identifiersOf(cards);
  const continues = Object.keys(bodyOf(answer) ?? {}).some((name) => !Object.hasOwn(cardsShape.shape, name));
  return { cards, ids, whole: cards.length < PAGE && ids.length === cards.length && !continues };
}

/** Listings with a max above the default, which the documents neither allow nor forbid. */
export const beyondDefault = scenario('cards listing with max beyond the default', (t) =>
  observeOddMax(t, 'cards.list', [CARDS_DEFAULT_MAX + 1, 1000]),
);

/** The listing with the most cards, and its max. */
export const largestListing = scenario('the largest listing of cards', async (t) => {
  const answers = [await t.shared(firstCards), ...(await t.shared(beyondDefault)).filter(succeeded)];
  const [largest] = answers.toSorted((a, b) => entries(b).length - entries(a).length);
  return { max: largest!.input.query!.max as number, listing: listingOf(largest!) };
});

/** Filters with values that several cards may have in common: these are combined. */
const SHARED = ['customerIdentifier', 'programIdentifier', 'orderIdentifier'] as const;
/** Pairs of filters, one per run: with three, the third may hide that another is ignored. */
const PAIRS = FILTERS.flatMap((filter, index) => FILTERS.slice(index + 1).map((other) => [filter, other] as const));

/** Listings by several filters at once: each narrows what the others find. */
export const bySeveralFilters = scenario('cards by several filters', async (t) => {
  const values = await t.shared(byKnownValues);
  const pairs = rotated(t.run, 'cards.list: filters together', PAIRS, 1, (filters) => filters.join(' and '));
  const answers: Answer[] = [];
  for (const filters of [SHARED, ...pairs]) {
    const given = filters.flatMap((filter) => (values[filter] ? [[filter, values[filter].value]] : []));
    if (given.length < 2) continue;
    const query = { max: PAGE, ...Object.fromEntries(given) };
    answers.push(await t.call('cards.list', { query }, { intent: 'refusable' }));
  }
  return answers;
});
