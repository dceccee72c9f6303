/** Whether a card pays once it is unsuspended, tried with another card (reading 28). */
import { type Answer, memberOf } from '../../../../helpers/answer.ts';
import { cents } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { Books } from '../money/books.ts';
import * as Effects from '../money/effects.ts';
import * as Payments from '../money/payments.ts';
import * as Transfers from '../money/transfers.ts';
import * as Steps from './steps.ts';
import { suspension } from './suspension.ts';

/** Leases active cards that neither paid nor were suspended, else, since all of those may have been, disposable ones with a balance. */
async function leaseToFree(t: Context, count: number, first: string): Promise<LeasedCard[]> {
  const { history, pools } = t.run;
  const isAsGiven = (card: string) =>
    ['cards.transfer', 'cards.suspend'].every((operation) => history.timesAccepted(operation, card) === 0);
  const hasEnough = (pool: 'active' | 'disposable') => pools.free(pool).filter(isAsGiven).length >= count;
  if (hasEnough('active') || !hasEnough('disposable'))
    return Payments.leaseActive(t, count, [first], { prefers: ({ identifier }) => isAsGiven(identifier) });
  const wants = ({ identifier, balance = 0 }: LeasedCard) => isAsGiven(identifier) && balance > 0;
  const [cards] = await t.lease({ pool: 'disposable', count, wants });
  return cards!;
}

/** How often, and for how many cents in all, a card was asked to pay, whether it did or not: a target may count either. */
function askedOf(t: Context, card: string): { times: number; cents: number } {
  const isOfCard = ({ operation: { id }, input: { path } }: Answer) =>
    id === 'cards.transfer' && path?.identifier === card;
  const asked = t.run.answers.filter(isOfCard);
  const amounts = asked.map(({ input }) => memberOf(input.json, 'amount')).filter((one) => typeof one === 'number');
  return { times: asked.length, cents: cents(amounts.reduce((sum, one) => sum + Math.max(0, one), 0)) };
}

/**
 * Whether another card, of which nothing else is asked, pays once it is suspended and unsuspended: a target may limit what a card or its
 * customer pays. Where it does not, its partner has to pay as often: a third card, since the first may be suspended still.
 */
export const paysOnceFreed = scenario('another card that pays, is suspended and unsuspended, and pays', async (t) => {
  const { card: first, ...facts } = await suspension.first(t);
  const { cents: amount, members } = facts['a payment before the suspension'].get();
  const count = Transfers.hasMany(t.run.configuration) ? 3 : 2;
  const cards = (await leaseToFree(t, count, first.identifier)).map(({ identifier }) => identifier);
  // What a limit refuses the one that was asked less, it refuses its partner, too.
  const leastFirst = cards.toSorted((one, other) => askedOf(t, one).cents - askedOf(t, other).cents);
  const [card, partner, third = card] = leastFirst as [string, string, string?];
  const timesMore = Math.max(0, askedOf(t, card).times - askedOf(t, partner).times);
  const books = new Books(t, cards);
  const isPaid = async (from = card, to = partner) => {
    const { gains } = await books.prepare('a payment of another card', Payments.make(from, to, amount, members));
    return !Effects.nothingMoved(gains);
  };
  if (!(await isPaid())) inconclusive('another card does not pay before it is suspended');
  // It must be able to pay once more: a target may leave a card some of its money.
  await isPaid(partner, card);
  const askLater = async (operation: string) => {
    await t.settle();
    return Steps.ask(t, operation, card);
  };
  for (const operation of ['cards.suspend', 'cards.unsuspend']) requireAccepted(await askLater(operation));
  // As the first card was: a second time.
  await askLater('cards.unsuspend');
  await books.restart();
  if (await t.eventually(isPaid, Boolean)) return true;
  for (let times = 0; times < 2 + timesMore; times++)
    if (!(await isPaid(partner, third))) inconclusive('another card does not pay as often without a suspension');
  return false;
});
