/**
 * Balance changes that the transfer cannot have caused: somebody may have loaded or charged a card at the same moment. The transfer is
 * repeated, and accuses only if the oddity recurs (reading 49).
 */
import { memberOf, succeeded } from '../../../../helpers/answer.ts';
import { type Step, attempt as step, values } from '../../../../helpers/engine/step.ts';
import { movedExactly, netChange, nothingMoved, sameCents, type TransferAttempt } from './balance-changes.ts';
import { mayHaveMovedLate } from './late-money.ts';
import type { TransferFacts } from './transfer-facts.ts';

/** Most transfers per card to repeat, among the accepted and among the refused ones of each kind. */
const MOST_OF_A_KIND = 3;

const sourceOf = ({ answer }: TransferAttempt): string => answer.input.path!.identifier!;

/**
 * Whether a balance changed by neither the amount, once or twice, nor the card's whole balance. Money that one card lost and the other gained
 * is not odd, whatever the amount.
 */
export function isOdd({ cents, gains, before }: TransferAttempt): boolean {
  if (sameCents(netChange(gains), 0)) return false;
  const own = [0, 1, 2].map((times) => times * Math.abs(cents ?? 0));
  return [...gains].some(
    ([card, gain]) => !sameCents(gain, -before.get(card)!) && !own.some((due) => sameCents(Math.abs(gain), due)),
  );
}

/** Repeats a transfer that need not succeed if it changed balances oddly. */
export async function againWhereOdd(asked: Promise<TransferAttempt>): Promise<TransferAttempt> {
  const one = await asked;
  return isOdd(one) ? { ...one, gainsAgain: await one.again() } : one;
}

/** Repeats the doubtful transfers of each kind and card, and those that would reveal a fee. */
export async function askAgain(facts: TransferFacts): Promise<void> {
  const kinds = byKind(facts);
  const isDoubtful = doubtfulIn(facts);
  const alike = (one: TransferAttempt) => `${sourceOf(one)} ${succeeded(one.answer)}`;
  const doubtful = kinds.flatMap((kind) => [...Map.groupBy(kind.filter(isDoubtful), alike).values()]).flatMap(extremes);
  for (const one of [...doubtful, ...largestMade(kinds.flat(), facts)])
    [one.gainsAgain] = values([await step(() => one.again())]);
}

/** Selects transfers that changed balances oddly, or may have moved late money and named no amount, or some of that money disappeared. */
function doubtfulIn(facts: TransferFacts): (one: TransferAttempt) => boolean {
  const late = values([() => mayHaveMovedLate(facts)]).flat();
  return (one) =>
    !one.gainsAgain && (isOdd(one) || (late.includes(one) && (one.cents === undefined || isLostLate(facts))));
}

/** The largest regular transfer of each card, if others were odd: a fee would show in it. Excludes the whole balance, which can't be paid twice. */
function largestMade(transfers: readonly TransferAttempt[], { further }: TransferFacts): TransferAttempt[] {
  const made = transfers.filter(({ answer }) => succeeded(answer));
  if (!made.some(isOdd)) return [];
  const whole = values([further['of the whole balance']!]).map(({ answer }) => answer);
  const plain = made.filter((one) => !isOdd(one) && !nothingMoved(one.gains) && !whole.includes(one.answer));
  return [...Map.groupBy(plain, sourceOf).values()].map((ofCard) => ofCard.toSorted((a, b) => b.cents! - a.cents!)[0]!);
}

/** The transfers that lost the most, and the one that lost the least: with a fee all are odd, and another oddity stands out. */
function extremes(transfers: readonly TransferAttempt[]): TransferAttempt[] {
  const sorted = transfers.toSorted((a, b) => netChange(a.gains) - netChange(b.gains));
  return [...sorted.slice(0, MOST_OF_A_KIND - 1), ...sorted.slice(MOST_OF_A_KIND - 1).slice(-1)];
}

/** Transfers by kind: those that should move money, those that may, and those that must not. With a fee all of the first kind are odd. */
function byKind(facts: TransferFacts): TransferAttempt[][] {
  const { plain, further, repeated, refused, mistyped, unusual, badly, toForeign, fromForeign } = facts;
  const single = (of: Record<string, Step<TransferAttempt>>) => values(Object.values(of));
  return [
    [...values([plain]).map(({ attempt }) => attempt), ...single(further), ...values([repeated]).flat()],
    single(unusual),
    [
      ...single(refused),
      ...single(mistyped),
      ...values([toForeign]),
      ...values<TransferAttempt[]>([badly, fromForeign]).flat(),
    ],
  ];
}

/**
 * Whether the oddity recurred: the repetition moved money in another way than asked for. A transfer to a card that is not watched always
 * counts. If the first made money appear and the repetition lost some, the loss is a different matter.
 */
export function recurs(one: TransferAttempt): boolean {
  const { answer, cents, gainsAgain: gains } = one;
  if (!gains || nothingMoved(gains)) return false;
  if (netChange(one.gains) > 0 && netChange(gains) < 0) return false;
  const target = String(memberOf(answer.input.json, 'targetCardIdentifier'));
  return !(succeeded(answer) && gains.has(target) && movedExactly(gains, sourceOf(one), target, cents ?? 0));
}

/** Whether some of the late money disappeared: fees may be booked late, too. */
const isLostLate = ({ late }: TransferFacts): boolean => netChange(late()) < 0;

/**
 * The transfers that moved money late; if some of the money disappeared, only those whose repetition did so again.
 * @throws the verdict that ended the last reading of the balances
 */
export function movedLate(facts: TransferFacts): TransferAttempt[] {
  const attempts = mayHaveMovedLate(facts);
  return isLostLate(facts) ? attempts.filter(recurs) : attempts;
}
