/** A page holds no more than 50 customers, however many are asked for (reading 18). */
import { type Answer, entries, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { judged } from '../../../helpers/engine/monitor.ts';
import { triedBetween } from '../../../helpers/engine/refusal.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { expectStatus } from '../../../helpers/expect.ts';
import { fail, inconclusive, optional } from '../../../helpers/verdict.ts';
import { everyExchange, monitored } from '../../declare.ts';
import { identifiersOf } from '../../shared/identifiers.ts';
import * as Listings from './listings.ts';
import { customerSearches } from './pages.ts';
import { atMost, count } from './sizes.ts';
import * as Views from './views.ts';

everyExchange('users.list.never-more-than-50', 'users.list', (answer) => atMost(Searches.PAGE, answer));

/** Requests for more than 50 customers, in several forms: the first two always, of the others a run tries some. */
async function tooMany(t: Context): Promise<{ name: string; query: Searches.Search['query'] }[]> {
  const { known, knownOf } = await Views.viewOf(t, Listings.customers);
  const token = Searches.continuationOf(await t.shared(Listings.customers.first));
  const asking = (name: string, query: Searches.Search['query']) => ({ name, query: { max: 51, ...query } });
  const narrower = known.filter(({ leavesOut }) => leavesOut);
  const others = [
    ...narrower.map((filter) => asking(`by ${filter.name}`, { [filter.name]: knownOf(filter) })),
    ...(token === undefined ? [] : [asking('on a later page', { token })]),
    asking('written 051', { max: '051' }),
    asking('written with 32 bits', { max: 2 ** 31 }),
    asking('written with 64 bits', { max: 2n ** 64n }),
  ];
  const always = [asking('max=51', {}), asking('max=1000', { max: 1000 })];
  return [...always, ...t.rotated('users.list: max=51', others, { amply: 3 })];
}

/** What asks for more than 50 customers is refused with 400, or gives 50 at most; beside a token of another page size it may be refused otherwise. */
function* atMost50(history: readonly Answer[]) {
  const listings = history.filter(({ operation: { id } }) => id === 'users.list');
  const known = new Set(listings.filter(succeeded).flatMap((listing) => identifiersOf(entries(listing))));
  for (const answer of listings) {
    const { max, token } = answer.input.query ?? {};
    if (answer.intent !== 'malformed' || !(Number(max) > Searches.PAGE)) continue;
    yield judged([answer], () => {
      if (!succeeded(answer)) {
        if (token === undefined || answer.status === 500) expectStatus(answer, [400], `a request for max=${max}`);
        return;
      }
      const given = count(answer) ?? 0;
      const message = `with max=${max} the listing holds ${given} results`;
      if (given > Searches.PAGE) fail(message, `at most ${Searches.PAGE}`, String(given), { pointer: '/results' });
      if (known.size <= Searches.PAGE)
        inconclusive('max above 50 is accepted, but no more than 50 customers are known');
    });
  }
}

const tryAgain = triedBetween((_, { operation: { id }, input: { query } }) => ({
  key: id,
  send: (t) => t.call(id, { query: { ...query, max: Searches.PAGE } }, { intent: 'refusable' }),
}));

const notMore = monitored('users.list.at-most-50', atMost50, { tryAgain });
notMore('more than 50: alone, with a filter, on a later page, and written otherwise', {}, async (t) => {
  await optional(t.shared(customerSearches));
  for (const { name, query } of await tooMany(t))
    t.observe('users.list', name, await t.call('users.list', { query }, { intent: 'malformed' }));
});
