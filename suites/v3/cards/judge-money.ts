/** What has to be known before the money that transfers moved accuses. */
import { inconclusive } from '../../../helpers/verdict.ts';
import { type Step, values } from '../../shared/step.ts';
import { isFee, type TransferAttempt } from './scenarios/balances.ts';
import type { TransferFacts } from './scenarios/transfer-facts.ts';

/** Transfers are seen to work, before and after: else it says nothing that one moves nothing (reading 47). @throws Inconclusive otherwise */
export function requireWorkingTransfer({ plain, stillWorks }: TransferFacts): void {
  const { from, to, attempt } = plain();
  if (!wasMoved(attempt, from, to)) inconclusive('no transfer is seen to move its amount');
  if (!stillWorks) inconclusive('in the end no transfer is accepted any more: the target has a limit of its own');
}

const wasMoved = ({ gains }: TransferAttempt, from: string, to: string) => gains.get(from)! < 0 && gains.get(to)! > 0;

/** @throws Inconclusive when the balances of the cards change when nothing is asked for (reading 49) */
export function requireStill(drift: Step<boolean>): void {
  if (drift()) inconclusive('the balances of the cards change when nothing is asked for');
}

/** Cents below which a target may charge nothing, or all of it. */
const LEAST_CHARGED = 100;

/** @throws Inconclusive when each transfer costs the same beside its amount, or the same share of it (reading 27) */
export function requireNoFee({ plain, further, repeated }: TransferFacts): void {
  const { from, to, attempt } = plain();
  // Where the whole balance is moved, nothing is left that a fee could be charged to.
  const { 'of the whole balance': _whole, ...others } = further;
  const all = [
    { ...attempt, from, to },
    ...values(Object.values(others)),
    ...values([repeated])
      .flat()
      .map((one) => ({ ...one, from, to })),
  ];
  const moved = all.filter((one) => one.cents! >= LEAST_CHARGED && wasMoved(one, one.from, one.to));
  const costs = moved.map((one) => ({
    cents: one.cents!,
    paid: -one.gains.get(one.from)! - one.cents!,
    kept: one.cents! - one.gains.get(one.to)!,
  }));
  if (isFee(costs)) inconclusive('each transfer costs the same beside its amount: a fee');
}
