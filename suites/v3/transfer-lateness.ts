/** Money that moves some time after a transfer was refused: whose it is. */
import { known } from '../told.ts';
import { type Movement, nothingMoved, sameCents } from './balances.ts';
import type { TransferFacts } from './transfers.ts';

/**
 * The transfers that money which moved late may be of: those whose amounts it is the sum of, else those that named no
 * amount. Each that named one named another.
 * @throws what ended the last reading of the balances
 */
export function movedLate({
  late,
  refused,
  mistyped,
  unusual,
  toForeign,
  badly,
  fromForeign,
}: TransferFacts): Movement[] {
  const gains = late();
  if (nothingMoved(gains)) return [];
  const moved = Math.max(...[...gains.values()].map(Math.abs));
  const alone = known<Movement>([
    ...Object.values(refused),
    ...Object.values(mistyped),
    ...Object.values(unusual),
    toForeign,
  ]);
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
