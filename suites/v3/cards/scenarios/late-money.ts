/** Money that moves some time after a transfer was refused: whose it is. */
import { known, type Told } from '../../../shared/step.ts';
import { type Gains, type Movement, nothingMoved, sameCents } from './balances.ts';
import type { TransferFacts } from './transfers.ts';

/**
 * Money that shows only after another transfer was asked for, and is of the amount that an earlier one named, is put down to
 * that: each names another, and those that name none are the last.
 */
export function putDownToEarlier(facts: TransferFacts): void {
  const { badly, fromForeign } = facts;
  const attempts = [...known(oneByOne(facts)), ...known<Movement[]>([badly, fromForeign]).flat()];
  const inOrder = attempts.toSorted((a, b) => Number(a.cents === undefined) - Number(b.cents === undefined));
  for (const [i, later] of inOrder.entries()) {
    const moved = movedBy(later.gains);
    const isOf = ({ cents }: Movement) => cents !== undefined && sameCents(Math.abs(cents), moved);
    if (nothingMoved(later.gains) || isOf(later)) continue;
    const earlier = inOrder.slice(0, i).find((attempt) => isOf(attempt) && nothingMoved(attempt.gains));
    if (earlier) [earlier.gains, later.gains] = [later.gains, earlier.gains];
  }
}

/** The transfers that need not succeed, save those that are told of together. */
const oneByOne = ({ refused, mistyped, unusual, toForeign }: TransferFacts): Told<Movement>[] => [
  ...Object.values(refused),
  ...Object.values(mistyped),
  ...Object.values(unusual),
  toForeign,
];

const movedBy = (gains: Gains): number => Math.max(...[...gains.values()].map(Math.abs));

/**
 * The transfers that money which moved late may be of: those whose amounts it is the sum of, else those that named no
 * amount. Each that named one named another.
 * @throws what ended the last reading of the balances
 */
export function movedLate(facts: TransferFacts): Movement[] {
  const { late, badly, fromForeign } = facts;
  const gains = late();
  if (nothingMoved(gains)) return [];
  const moved = movedBy(gains);
  const alone = known(oneByOne(facts));
  const together = known<Movement[]>([badly, fromForeign]);
  const groups = [...alone.map((movement) => [movement]), ...together.flatMap(subsets)];
  const matching = groups.filter((group) => sameCents(Math.abs(sumOf(group)), moved));
  return matching.length > 0 ? matching.flat() : alone.filter(({ cents }) => cents === undefined);
}

const sumOf = (group: readonly Movement[]): number => group.reduce((sum, { cents }) => sum + (cents ?? Number.NaN), 0);

/** Of a group that is refused for one reason some may be refused in truth. */
function subsets(group: readonly Movement[]): Movement[][] {
  const [first, ...rest] = group;
  if (!first) return [];
  const others = subsets(rest);
  return [[first], ...others, ...others.map((some) => [first, ...some])];
}
