/** What has to be known before the money that transfers moved accuses. */
import { inconclusive } from '../../../helpers/verdict.ts';
import { type Step, values } from '../../shared/step.ts';
import { nothingMoved, type TransferAttempt } from './scenarios/balance-changes.ts';
import { type Cost, isCharge, isFee } from './scenarios/fee.ts';
import { isOdd, recurs } from './scenarios/oddities.ts';
import type { TransferFacts } from './scenarios/transfer-facts.ts';

/** Transfers are seen to work, before and after: else it says nothing that one moves nothing (reading 47). @throws Inconclusive otherwise */
export function requireWorkingTransfer({ plain, last }: TransferFacts): void {
  const { from, to, attempt } = plain();
  if (!wasMoved(attempt, from, to)) inconclusive('no transfer is seen to move its amount');
  if (nothingMoved(last().gains))
    inconclusive('in the end no transfer is accepted any more: the target has a limit of its own');
}

const wasMoved = ({ gains }: TransferAttempt, from: string, to: string) => gains.get(from)! < 0 && gains.get(to)! > 0;

/** @throws Inconclusive when the balances of the cards change when nothing is asked for (reading 49) */
export function requireStill(drift: Step<boolean>): void {
  if (drift()) inconclusive('the balances of the cards change when nothing is asked for');
}

/** @throws Inconclusive when the balances changed otherwise than the transfer can make them, and not again when it was asked for again */
export function requireRecurring(one: TransferAttempt): void {
  if (isOdd(one) && !recurs(one))
    inconclusive('a balance changes by another amount than is asked for, but not when the same is asked for again');
}

/** Cents below which a target may charge nothing, or all of it. */
const LEAST_CHARGED = 100;

/** This many times what the dearest transfer costs is no fee, even if those of others are booked beside it. */
const MOST_FEES = 3;

/**
 * @param loss cents that are judged, of a transfer that is not among those that are to move money
 * @throws Inconclusive when what transfers cost beside their amounts may be a fee, which each card may have its own of (reading 27)
 */
export function requireNoFee({ plain, further, repeated }: TransferFacts, loss = 0): void {
  const { from, to, attempt } = plain();
  // Where the whole balance is moved, nothing may be left that a fee could be charged to.
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
  // A fee may be booked beside a later transfer: what is asked for again shows its own.
  const ownCosts = ofCards.map((ofCard) => {
    const again = ofCard.flatMap((one) => (one.gainsAgain ? [{ ...one, gains: one.gainsAgain }] : []));
    return [...ofCard.filter((one) => !isOdd(one)), ...again.filter((one) => wasMoved(one, one.from, one.to))].map(
      costOf,
    );
  });
  if ([costs, ownCosts].some(areFees)) inconclusive('transfers cost something beside their amounts: it may be a fee');
}

/** Whether several transfers cost something, and it may be a fee for each card that was charged. */
function areFees(costs: readonly Cost[][]): boolean {
  const charged = costs.filter((ofCard) => ofCard.some(isCharge));
  return charged.flat().filter(isCharge).length > 1 && charged.every(isFee);
}
