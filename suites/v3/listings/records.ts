/** The listing of cards shows what their records show, once these were refreshed (readings 10 and 22). */
import { type Answer, entries, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { PAGE } from '../../../helpers/engine/searches.ts';
import { isText } from '../../shared/identifiers.ts';
import { firstCards } from '../../shared/target-data.ts';
import { cards, lawsOf } from './listings.ts';

const { check, suite } = defineSuite();
const { laws } = lawsOf(check, cards);
export const recordsSuite = suite;

/** Number of cards per run that are compared. */
const MOST_CARDS = 3;

/** Cards of which this run knows that they are no longer as they were listed, else a listed one. */
async function changedCards(t: Context): Promise<string[]> {
  const listed = new Map(entries(await t.shared(firstCards)).map((card) => [String(card.identifier), card.status]));
  const changed = [...t.run.states].filter(([card, { status }]) => status !== undefined && listed.get(card) !== status);
  const known = changed.map(([card]) => card).reverse();
  return known.length > 0 ? known.slice(0, MOST_CARDS) : [...listed.keys()].slice(0, 1);
}

/** In units: what rounding may hide. */
const HALF_A_CENT = 0.005;

/** Members that a refresh renews. */
const REFRESHED = ['status', 'balance'];

laws(
  'cards.list.agrees-with-record',
  'cards that this run changed',
  ({ t }) => changedCards(t),
  async ({ t }, identifier) => {
    const call = (operation: string) => t.call(operation, { path: { identifier } }, { intent: 'refusable' });
    for (const refresh of ['cards.getStatus', 'cards.getBalance'])
      if (!succeeded(await call(refresh))) return undefined;
    await t.settle();
    const before = await call('cards.get');
    const listing = await t.call('cards.list', { query: filterFor(before) }, { intent: 'refusable' });
    const after = await call('cards.get');
    const listed = entries(listing).find((card) => card.identifier === identifier);
    for (const name of REFRESHED) {
      const [one, shown, two] = [member(before, name), memberOf(listed, name), member(after, name)];
      const isKnown = (isText(one) && isText(shown)) || (typeof one === 'number' && typeof shown === 'number');
      const isSame = typeof one === 'number' ? Math.abs(one - Number(shown)) < HALF_A_CENT : one === shown;
      if (isKnown && one === two && !isSame)
        return {
          about: [name],
          message: `the listing shows another ${name} of a card than its record`,
          expected: `${one}`,
          actual: `${shown}`,
        };
    }
    return undefined;
  },
  { phase: 'last' },
);

/** A filter that finds the card, by what its record shows. */
function filterFor(record: Answer): Record<string, string | number> {
  for (const name of ['externalIdentifier', 'customerIdentifier']) {
    const value = member(record, name);
    if (typeof value === 'string' && value !== '') return { max: PAGE, [name]: value };
  }
  return { max: PAGE };
}
