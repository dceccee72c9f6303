/** Reads transfers from the balances of cards: who paid whom, in cents (readings 10, 27 and 49). */
import type { Answer } from '../../../../helpers/answer.ts';

/** The change of each card's balance in cents, by its identifier; a loss is negative. */
export type BalanceChanges = ReadonlyMap<string, number>;

/** A request for a transfer, and its effect on the balances. */
export interface TransferAttempt {
  answer: Answer;
  /** Cents in the request; undefined where it names no amount. */
  cents: number | undefined;
  /** Balances before, in cents. */
  before: ReadonlyMap<string, number>;
  gains: BalanceChanges;
  /** Repeats the request once earlier effects have had time to show, and returns the changes it causes. */
  again: () => Promise<BalanceChanges>;
  /** The changes caused by the repetition, where it was made. */
  gainsAgain?: BalanceChanges | undefined;
}

/** Tolerance for comparing balances to the cent, far above the error of binary fractions. */
export const TOLERANCE_CENTS = 0.01;

/** Whether two amounts in cents are equal, within {@link TOLERANCE_CENTS}. */
export const sameCents = (one: number, other: number): boolean => Math.abs(one - other) < TOLERANCE_CENTS;

/** Whether none of the balances that were read changed. */
export const nothingMoved = (gains: BalanceChanges): boolean => [...gains.values()].every((gain) => sameCents(gain, 0));

/** Cents that appeared out of nowhere; negative for a loss. A sum within the tolerances of the balances counts as zero. */
export function netChange(gains: BalanceChanges): number {
  const net = [...gains.values()].reduce((sum, gain) => sum + gain, 0);
  return Math.abs(net) < TOLERANCE_CENTS * gains.size ? 0 : net;
}

/** Whether the source lost and the target gained exactly these cents, and no other card changed. */
export const movedExactly = (gains: BalanceChanges, from: string, to: string, cents: number): boolean =>
  [...gains].every(([card, gain]) => sameCents(gain, card === from ? -cents : card === to ? cents : 0));

/** Whether the card paid: it lost something, or another card gained. */
export const wasDebited =
  (card: string) =>
  (gains: BalanceChanges): boolean =>
    [...gains].some(([of, gain]) => (of === card ? gain <= -TOLERANCE_CENTS : gain >= TOLERANCE_CENTS));

/**
 * Whether a payment was carried out: the card lost just these cents, or another gained them, or one of them changed as in the payment
 * before, which may have had a fee. Other amounts may be a charge, or a settlement with another card.
 */
const wasPaid =
  (card: string, cents: number, before: TransferAttempt) =>
  (gains: BalanceChanges): boolean =>
    [...gains].some(
      ([of, gain]) =>
        sameCents(gain, of === card ? -cents : cents) || (gain !== 0 && sameCents(gain, before.gains.get(of)!)),
    );

/** The sums of any of these amounts. */
export const sumsOf = (amounts: readonly number[]): number[] =>
  amounts.reduce((sums, one) => sums.flatMap((sum) => [sum, sum + one]), [0]).filter((sum) => sum > 0);

/**
 * The balance changes that show that a card paid which must not; undefined where none do. The other cards gained the amount, or several
 * of the amounts, and the card lost it; for the last payment either is enough. A charge for a change of state is different: it shows
 * with the first payment, or late, and no card gains it.
 * @param before a payment from before the change of state
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
