/** Conditions on which money that transfers moved may accuse. */

import { type Step, values } from '../../../helpers/engine/step.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { nothingMoved, type TransferAttempt } from './scenarios/balance-changes.ts';
import { type Cost, isCharge, isFee } from './scenarios/fee.ts';
import { isOdd, recurs } from './scenarios/oddities.ts';
import type { TransferFacts } from './scenarios/transfer-facts.ts';

/** Requires transfers to work before and after: otherwise one that moves nothing shows nothing (reading 47). @throws Inconclusive */
export function requireWorkingTransfer({ plain, last }: TransferFacts): void {
  const { from, to, attempt } = plain();
  if (!wasMoved(attempt, from, to)) inconclusive('no transfer was seen to move its amount');
  if (nothingMoved(last().gains))
    inconclusive('at the end no transfer is accepted any more: the target has a limit of its own');
}

const wasMoved = ({ gains }: TransferAttempt, from: string, to: string) => gains.get(from)! < 0 && gains.get(to)! > 0;

/** @throws Inconclusive when the balances of the cards change without a request (reading 49) */
export function requireStill(drift: Step<boolean>): void {
  if (drift()) inconclusive('the balances of the cards change without a request');
}

/** @throws Inconclusive when the balances changed in a way that the transfer cannot cause, and did not when it was repeated */
export function requireRecurring(one: TransferAttempt): void {
  if (isOdd(one) && !recurs(one))
    inconclusive('a balance changed by another amount than the transfer asked for, but not when it was repeated');
}

/** Amount in cents below which a target may charge no fee, or take the whole amount as one. */
const LEAST_CHARGED = 100;

/** A loss above this many times the dearest transfer's cost is not a fee, even if other transfers' fees are booked with it. */
const MOST_FEES = 3;

/**
 * @param loss cents to judge, lost by a transfer that should move no money
 * @throws Inconclusive when the costs of transfers beyond their amounts may be a fee, which may differ between cards (reading 27)
 */
export function requireNoFee({ plain, further, repeated }: TransferFacts, loss = 0): void {
  const { from, to, attempt } = plain();
  // A transfer of the whole balance may leave nothing to charge a fee to.
  const { 'of the whole balance': whole, ...others } = further;
  const all = [
    { ...attempt, from, to },
    ...values(Object.values(others)),
    ...values(whole ? [whole] : []).filter(isOdd),
    ...values([repeated])
      .flat()
      .map((one) => ({ ...one, from, to })),
  ];
  const moved = all.filter((one) => one.cents! >= LEAST_CHARGED && wasMoved(one, one.from, one.to));
  const costOf = ({ from, to, cents, gains }: (typeof moved)[number]) => ({
    cents: cents!,
    paid: -gains.get(from)! - cents!,
    kept: cents! - gains.get(to)!,
  });
  const ofCards = [...Map.groupBy(moved, (one) => one.from).values()];
  const costs = ofCards.map((ofCard) => ofCard.map(costOf));
  if (loss > MOST_FEES * Math.max(...costs.flat().map(({ paid, kept }) => paid + kept))) return;
  // A fee may be booked with a later transfer: the repetition of a transfer shows its own.
  const ownCosts = ofCards.map((ofCard) => {
    const again = ofCard.flatMap((one) => (one.gainsAgain ? [{ ...one, gains: one.gainsAgain }] : []));
    return [...ofCard.filter((one) => !isOdd(one)), ...again.filter((one) => wasMoved(one, one.from, one.to))].map(
      costOf,
    );
  });
  if ([costs, ownCosts].some(areFees)) inconclusive('transfers cost more than their amounts: it may be a fee');
}

/** Whether several transfers had a cost that may be a fee for each card that was charged. */
function areFees(costs: readonly Cost[][]): boolean {
  const charged = costs.filter((ofCard) => ofCard.some(isCharge));
  return charged.flat().filter(isCharge).length > 1 && charged.every(isFee);
}
