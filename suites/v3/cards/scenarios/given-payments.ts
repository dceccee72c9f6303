/** A disposable card with a wallet and a PIN, or a reissued one, while it is suspended: it stays so whatever it is given, and pays nothing (reading 28). */
import type { Answer } from '../../../../helpers/answer.ts';
import { type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { CardRequest, LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import type { Plays } from '../../../../helpers/engine/life.ts';
import { attempt, type Fact, inconclusive, optional } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
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

/** The answer to a payment, what cards gained meanwhile, in cents, and whether that is what was asked for: others may use them, too. */
export interface Paid {
  answer: Answer;
  gains: readonly number[];
  isPaid: boolean;
}

/** Asks the suspended card to pay what any pays. @throws Inconclusive where there is nobody to pay, or it has too little */
async function pay({ t, card, other }: Cards): Promise<Paid> {
  const to = other ?? inconclusive('there is no active card to pay');
  const { cents, members } = Payments.likeliest(t);
  if ((card.balance ?? 0) < cents) inconclusive('the card has too little to pay with');
  const { input } = Payments.make(card.identifier, to.identifier, cents, members);
  const ask = () =>
    t.call('cards.transfer', { path: { identifier: card.identifier }, ...input }, { intent: 'refusable' });
  const { done: answer, gains } = await Amounts.gainsDuring(t, [card, to], ask);
  return { answer, gains, isPaid: Amounts.isPaid(gains, (gain) => Amounts.isAlmost(gain, cents)) };
}

/** Suspends the card and gives it a wallet and a PIN then: neither ends the suspension. @throws Inconclusive when it cannot be suspended */
export async function giveSuspended(t: Context, identifier: string): Promise<CardState> {
  Steps.requireUnsuspendInScope(t);
  await Steps.suspend(t, identifier);
  await optional(Steps.ask(t, 'cards.markWalletProvisioned', identifier));
  await optional(Steps.setSomePin(t, identifier));
  await t.settle();
  return t.confirmed(() => t.state(identifier), Steps.isNotActive);
}

export const readUnsuspended = (t: Context, identifier: string): Promise<CardState> =>
  t.shown(() => t.state(identifier), isActive);

/** @throws Inconclusive when the card is not seen to be suspended */
function requireSuspended(state: CardState): void {
  if (!Steps.isNotActive(state)) inconclusive('the card is not seen to be suspended');
}

/** What the card pays that was suspended with a wallet and a PIN; undefined where that is not this run's turn. */
export async function payOnceSuspended(on: Cards, suspended: Fact<CardState>): Promise<Paid | undefined> {
  if (!isTurn(on.t, 'a wallet and a PIN')) return undefined;
  requireSuspended(suspended.get());
  return pay(on);
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
  requireSuspended(await t.confirmed(() => t.state(card.identifier), Steps.isNotActive));
  const paid = await attempt(() => pay(on));
  await Steps.unsuspend(t, card.identifier);
  return paid.get();
}
