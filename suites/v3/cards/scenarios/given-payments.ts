/** What a disposable card that was given a wallet and a PIN, or was reissued, pays while it is suspended: nothing (reading 28). */
import type { CardRequest, LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import type { Plays } from '../../../../helpers/engine/life.ts';
import { attempt, type Fact, inconclusive } from '../../../../helpers/verdict.ts';
import { Books, type Paid } from '../money/books.ts';
import * as Payments from '../money/payments.ts';
import * as Steps from './steps.ts';

/** What a card was given before it is suspended and asked to pay: a run tries one of them. */
export const GIVEN = ['a wallet and a PIN', 'a reissue'] as const;
type Given = (typeof GIVEN)[number];

/** The step of the life of such a card in which it is asked to pay. */
export const step = <G extends Given>(given: G) => `a payment while suspended, after ${given}` as const;

/** The card, and an Active one to pay; undefined where none is left. */
interface Cards {
  t: Context;
  card: LeasedCard;
  other: LeasedCard | undefined;
}

/** Leases the card, and one to pay where one of the steps is played and one is left. @throws Skipped, Inconclusive without the card; see Context.lease */
export async function lease(t: Context, card: CardRequest, plays: Plays): Promise<[LeasedCard, LeasedCard?]> {
  const both = plays(...GIVEN.map(step)) ? await attempt(() => t.lease(card, { pool: 'active' })) : undefined;
  return (both?.value ?? (await t.lease(card))).flat() as [LeasedCard, LeasedCard?];
}

const isTurn = (t: Context, given: Given): boolean =>
  t.rotated('suspended cards that are asked to pay, by what they were given', GIVEN).includes(given);

/** Asks the suspended card to pay what any pays. @throws Inconclusive where there is nobody to pay, or it has too little */
async function pay({ t, card, other }: Cards, given: Given): Promise<Paid> {
  const to = other?.identifier ?? inconclusive('there is no active card to pay');
  const books = new Books(t, [card.identifier, to]);
  const { cents, members } = Payments.likeliest(t);
  if ((await books.balance(card.identifier)) < cents) inconclusive('the card has too little to pay with');
  const row = { name: `a payment of a suspended card after ${given}`, movesNothing: true };
  return books.prepare(row, Payments.make(card.identifier, to, cents, members));
}

/** What the card pays that was suspended with a wallet and a PIN; undefined where that is not this run's turn. */
export async function payOnceSuspended(on: Cards, suspended: Fact<void>): Promise<Paid | undefined> {
  suspended.get();
  return isTurn(on.t, 'a wallet and a PIN') ? pay(on, 'a wallet and a PIN') : undefined;
}

/**
 * Suspends the card once it was reissued, which may have ended it, and asks it to pay; undefined where that is not this run's turn.
 * @throws Inconclusive when it cannot be suspended
 */
export async function payOnceReissued(on: Cards): Promise<Paid | undefined> {
  const { t, card } = on;
  if (!isTurn(t, 'a reissue')) return undefined;
  Steps.requireUnsuspendInScope(t);
  await Steps.suspend(t, card.identifier);
  await t.confirmed(() => t.state(card.identifier), Steps.isNotActive);
  const paid = await attempt(() => pay(on, 'a reissue'));
  await Steps.unsuspend(t, card.identifier);
  return paid.get();
}
