/** How many entries a page of a listing holds: what max asks for, 50 at most, and 50 by default (readings 18 and 22). */
import { type Answer, entries, member, succeeded } from '../../../helpers/answer.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { afterwards, check, everyExchange } from '../../declare.ts';
import { identifiersOf, isWhole } from '../../shared/identifiers.ts';
import * as Listings from './listings.ts';
import * as Views from './views.ts';

/** Values of max between 1 and 50; as text, 9 is greater than 50. */
const BETWEEN = [9, 49, 3, 48, 17, 26, 33, 40];

/** Number of entries in a listing; undefined for an answer that is not a listing. */
export function count(answer: Answer): number | undefined {
  const results = member(answer, 'results');
  if (!succeeded(answer) || !answer.json?.ok) return undefined;
  return Array.isArray(results) ? results.length : 0;
}

/** Judges that a listing holds at most so many entries. */
export function atMost(allowed: number, answer: Answer) {
  const given = count(answer);
  if (given === undefined) return undefined;
  if (given <= allowed) return 'kept' as const;
  return contradicts(`the listing holds ${given} results`, `at most ${allowed}`, String(given), '/results');
}

for (const listing of Listings.both) {
  const { operation, maxAccepted, maxRespected } = listing;

  check(`${operation}.required-only`, 'without parameters', async (t) => {
    const view = await Views.viewOf(t, listing);
    if ((await view.search({}, { intent: 'valid' })).isAccepted) return;
    const others = [await view.first(), await view.search({ max: 1 })];
    for (const filter of view.known) others.push(await view.by(filter));
    const [control] = others.filter(({ isAccepted }) => isAccepted).map(({ search: { query } }) => ({ query }));
    await view.accepted({}, { what: 'a request without parameters', ...(control && { control }) });
  });

  everyExchange(maxRespected, operation, (answer) => {
    const asked = answer.input.query?.max;
    return typeof asked === 'number' && asked >= 1 && asked <= Searches.PAGE ? atMost(asked, answer) : undefined;
  });

  check(maxAccepted, '1, 50 and one between', async (t) => {
    const view = await Views.viewOf(t, listing);
    for (const max of [1, Searches.PAGE, ...t.rotated(`${operation}: max`, BETWEEN)])
      await view.accepted({ max }, { what: `max=${max}`, control: {} });
    for (const max of t.rotated(`${operation}: odd max`, [0, -1])) await observeMax(view, max);
  });

  afterwards(operation, async (t) => {
    const view = await Views.viewOf(t, listing);
    const first = await view.first();
    const observe = (subject: string, page: Answer) => {
      const isIgnored = succeeded(page) && isWhole(identifiersOf(entries(page)), first.ids);
      t.observe(operation, subject, isIgnored ? 'ignored' : page);
    };
    const invented = await view.search({ max: Searches.PAGE, token: t.unique('no-such-token') });
    observe('an invented token', invented.pages[0]!);
    // The documented answer of cards has no continuation token: what `token` takes is observed, and the rules for every listing judge further pages.
    if (listing !== Listings.cards || Searches.continuationOf(first.pages[0]!) === undefined) return;
    const { pages } = await view.search({ max: Searches.PAGE }, { pages: 4 });
    observe('a continuationToken that the listing carries', pages.at(1)!);
  });
}

/** Records how a listing answers a max on which the documents are silent. */
async function observeMax(view: Views.View, max: number): Promise<void> {
  const found = await view.search({ max });
  const isEmpty = found.isAccepted && found.entries.length === 0;
  view.t.observe(view.listing.operation, `max=${max}`, isEmpty ? 'accepted with no results' : found.pages[0]!);
}

// ---- cards: 50 by default ------------------------------------------------------------------------------------------

const { law, laws } = Views.lawsOf(Listings.cards);

laws(
  'cards.list.default-at-most-50',
  'compared with max=50, with a filter and without',
  async (view) => [{}, ...(await widest(view))],
  async (view, query: Searches.Search['query']) => {
    const without = await view.search(query, { intent: 'valid' });
    const with50 = await view.search({ max: Searches.PAGE, ...query }, { intent: 'valid' });
    if (!without.isAccepted || !with50.isAccepted) inconclusive('the listing of cards is refused');
    const [given, asked] = [without.entries.length, with50.entries.length];
    if (given >= asked && given <= Searches.PAGE) return undefined;
    return {
      about: [given > Searches.PAGE ? 'more cards' : 'fewer cards'],
      message: `without max the listing holds ${given} cards, with max=50 it holds ${asked}`,
      expected: String(Math.min(asked, Searches.PAGE)),
      actual: String(given),
      found: without,
    };
  },
);

/** The filter with its known value that finds the most cards; none where none finds any. */
async function widest(view: Views.View): Promise<Searches.Search['query'][]> {
  const found: Searches.Found[] = [];
  for (const filter of view.known) found.push(await view.by(filter));
  const [most] = found.filter(({ ids }) => ids.length > 0).toSorted((a, b) => b.ids.length - a.ids.length);
  const { max: _max, ...query } = most?.search.query ?? {};
  return most ? [query] : [];
}

law('cards.list.default-50-where-more', 'where more cards are known', async (view) => {
  const byDefault = await view.search({}, { intent: 'valid' });
  const ids = new Set([...byDefault.ids, ...(await view.all()).ids]);
  for (const filter of view.known) for (const one of (await view.by(filter)).ids) ids.add(one);
  if (ids.size <= Searches.PAGE) inconclusive(`no more than ${ids.size} cards are known by their identifiers`);
  const given = byDefault.entries.length;
  if (given === Searches.PAGE) return undefined;
  return {
    about: ['fewer cards'],
    message: `without max the listing holds ${given} cards, but ${ids.size} are known`,
    expected: '50',
    actual: String(given),
    found: byDefault,
  };
});

check(Listings.cards.maxAccepted, '1, with a filter', async (t) => {
  const view = await Views.viewOf(t, Listings.cards);
  for (const max of Listings.BEYOND_DEFAULT) await observeMax(view, max);
  const [query] = await widest(view);
  if (!query) return;
  const { pages } = await view.accepted({ ...query, max: 1 }, { what: 'max=1 with a filter', control: { query } });
  // An undocumented continuation token may lead to a next page, which the rules for every filtered listing then judge.
  const token = Searches.continuationOf(pages[0]!);
  if (token !== undefined)
    await t.call(Listings.cards.operation, { query: { ...query, max: Searches.PAGE, token } }, { intent: 'refusable' });
});
