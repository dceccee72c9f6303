/** What the balances of cards say of transfers: cents, and who paid whom (readings 10, 27 and 49). */
import type { Answer } from '../../../../helpers/answer.ts';

/** What each card gained, in cents, by its identifier; a loss is negative. */
export type BalanceChanges = ReadonlyMap<string, number>;

/** A transfer that was asked for, and what came of it. */
export interface TransferAttempt {
  answer: Answer;
  /** Cents asked for; undefined where none were. */
  cents: number | undefined;
  /** Balances before, in cents. */
  before: ReadonlyMap<string, number>;
  gains: BalanceChanges;
  /** Sends the same once more when all else has had its time to show; gives what the cards gain until that has, too. */
  again: () => Promise<BalanceChanges>;
  /** What came of that, where it was asked for. */
  gainsAgain?: BalanceChanges | undefined;
}

/** Balances are compared to the cent; what a binary fraction leaves is far below this. */
export const TOLERANCE_CENTS = 0.01;

/** Whether two amounts in cents are the same, {@link TOLERANCE_CENTS} apart at most. */
export const sameCents = (one: number, other: number): boolean => Math.abs(one - other) < TOLERANCE_CENTS;

/** Whether no balance changed, of those that were read. */
export const nothingMoved = (gains: BalanceChanges): boolean => [...gains.values()].every((gain) => sameCents(gain, 0));

/** Cents that came out of nowhere; what was lost is negative. What each balance may be off by is nothing. */
export function netChange(gains: BalanceChanges): number {
  const net = [...gains.values()].reduce((sum, gain) => sum + gain, 0);
  return Math.abs(net) < TOLERANCE_CENTS * gains.size ? 0 : net;
}

/** Whether the source lost and the target gained exactly this. */
export const movedExactly = (gains: BalanceChanges, from: string, to: string, cents: number): boolean =>
  [...gains].every(([card, gain]) => sameCents(gain, card === from ? -cents : card === to ? cents : 0));

/** Whether the card paid: it lost something, or another one gained. */
export const wasDebited =
  (card: string) =>
  (gains: BalanceChanges): boolean =>
    [...gains].some(([of, gain]) => (of === card ? gain <= -TOLERANCE_CENTS : gain >= TOLERANCE_CENTS));

/**
 * Whether a payment of these cents was carried out: the card lost just that, or another one gained it, or either what it did in the
 * payment before, which may have had a fee. Other amounts may be a charge, or what another card is settled with.
 */
const wasPaid =
  (card: string, cents: number, before: TransferAttempt) =>
  (gains: BalanceChanges): boolean =>
    [...gains].some(
      ([of, gain]) =>
        sameCents(gain, of === card ? -cents : cents) || (gain !== 0 && sameCents(gain, before.gains.get(of)!)),
    );

/** What some of these amounts, or all, come to. */
export const sumsOf = (amounts: readonly number[]): number[] =>
  amounts.reduce((sums, one) => sums.flatMap((sum) => [sum, sum + one]), [0]).filter((sum) => sum > 0);

/**
 * What shows that a card paid that was to pay nothing; undefined where nothing does. The others gained what was asked for, once or several
 * times, and the card lost it; of the last payment either will do. What is charged for a change of state shows beside the first payment,
 * or late, and nobody gains it.
 * @param before the payment that was made before
 */
export function paidAnyway(
  card: string,
  payments: readonly TransferAttempt[],
  before: TransferAttempt,
  late: BalanceChanges,
): BalanceChanges | undefined {
  const sums = sumsOf(payments.map(({ cents }) => cents!));
  const isPaid = ([of, gain]: [string, number]) => {
    const due = [...sums.map((sum) => (of === card ? -sum : sum)), before.gains.get(of)!];
    return gain !== 0 && due.some((one) => sameCents(gain, one));
  };
  const last = payments.at(-1)!;
  return (
    [...payments.map(({ gains }) => gains), late].find((gains) => gains.size > 0 && [...gains].every(isPaid)) ??
    [last.gains].find(wasPaid(card, last.cents!, before))
  );
}
