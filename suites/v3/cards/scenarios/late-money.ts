/** Attributes money that moves late to the transfers that may have moved it. */
import { type Step, values } from '../../../../helpers/engine/step.ts';
import { type BalanceChanges, nothingMoved, sameCents, type TransferAttempt } from './balance-changes.ts';
import type { TransferFacts } from './transfer-facts.ts';

/**
 * Moves late money to the transfer that caused it: money that shows after a later request but has the amount of an earlier one. Every
 * transfer that names an amount names a different one, and those that name none come last.
 */
export function attributeLateMoney(facts: TransferFacts): void {
  const { badly, fromForeign } = facts;
  const attempts = [...values(oneByOne(facts)), ...values<TransferAttempt[]>([badly, fromForeign]).flat()];
  const inOrder = attempts.toSorted((a, b) => Number(a.cents === undefined) - Number(b.cents === undefined));
  for (const [i, later] of inOrder.entries()) {
    const moved = movedBy(later.gains);
    const isOf = ({ cents }: TransferAttempt) => cents !== undefined && sameCents(Math.abs(cents), moved);
    if (nothingMoved(later.gains) || isOf(later) || isRounded(later, moved)) continue;
    const still = inOrder.slice(0, i).filter((attempt) => nothingMoved(attempt.gains));
    const together = sameReason(facts).find(
      (group) => group.every((one) => still.includes(one)) && sameCents(Math.abs(sumOf(group)), moved),
    );
    const earlier = together?.[0] ?? still.find(isOf);
    if (earlier) [earlier.gains, later.gains] = [later.gains, earlier.gains];
  }
}

/** Whether a transfer of a fraction of a cent moved the whole cents below or above it. */
const isRounded = ({ cents = 0 }: TransferAttempt, moved: number): boolean =>
  !Number.isInteger(cents) && Math.abs(Math.abs(cents) - moved) < 1;

/** Groups of transfers that a target would let through for the same reason, and so possibly at the same time. */
const sameReason = ({ refused, unusual }: TransferFacts): TransferAttempt[][] => [
  values([refused['an unknown target'], refused['a misnamed target']]),
  values([unusual['a negative amount'], unusual['a cent below zero']]),
];

/** The transfers that need not succeed, except those that are judged as a group. */
const oneByOne = ({ refused, mistyped, unusual, toForeign }: TransferFacts): Step<TransferAttempt>[] => [
  ...Object.values(refused),
  ...Object.values(mistyped),
  ...Object.values(unusual),
  toForeign,
];

const movedBy = (gains: BalanceChanges): number => Math.max(...[...gains.values()].map(Math.abs));

/**
 * The transfers that may have moved late money: those whose amounts add up to it, else those that named no amount. Each that named an amount
 * named a different one. If several cards lose money, none has: the cards were charged.
 * @throws the verdict that ended the last reading of the balances
 */
export function mayHaveMovedLate(facts: TransferFacts): TransferAttempt[] {
  const { late, badly, fromForeign } = facts;
  const gains = late();
  if (nothingMoved(gains) || [...gains.values()].filter((gain) => gain < 0).length > 1) return [];
  const moved = movedBy(gains);
  const alone = values(oneByOne(facts));
  const together = values<TransferAttempt[]>([badly, fromForeign]);
  const groups = [...alone.map((movement) => [movement]), ...sameReason(facts), ...together.flatMap(subsets)];
  const matching = groups.filter((group) => sameCents(Math.abs(sumOf(group)), moved));
  return matching.length > 0 ? matching.flat() : alone.filter(({ cents }) => cents === undefined);
}

const sumOf = (group: readonly TransferAttempt[]): number =>
  group.reduce((sum, { cents }) => sum + (cents ?? Number.NaN), 0);

/** All subsets of a group but the empty one: some of its transfers may have been refused after all. */
function subsets(group: readonly TransferAttempt[]): TransferAttempt[][] {
  const [first, ...rest] = group;
  if (!first) return [];
  const others = subsets(rest);
  return [[first], ...others, ...others.map((some) => [first, ...some])];
}
