/**
 * Balances that change otherwise than a transfer can make them: somebody may have loaded a card, or charged it, at the same moment. The
 * same transfer is asked for once more, and accuses nobody unless it does so again (reading 49).
 */
import { memberOf, succeeded } from '../../../../helpers/answer.ts';
import { type Step, attempt as step, values } from '../../../shared/step.ts';
import { movedExactly, netChange, nothingMoved, sameCents, type TransferAttempt } from './balance-changes.ts';
import { mayHaveMovedLate } from './late-money.ts';
import type { TransferFacts } from './transfer-facts.ts';

/** Transfers of each card that are asked for again, at most: of those of each kind that are accepted, and of the others. */
const MOST_OF_A_KIND = 3;

const sourceOf = ({ answer }: TransferAttempt): string => answer.input.path!.identifier!;

/**
 * Whether a balance changed by neither what was asked for, once or twice, nor all that the card had. What one card lost and the other
 * gained was moved between them, whatever it is.
 */
export function isOdd({ cents, gains, before }: TransferAttempt): boolean {
  if (sameCents(netChange(gains), 0)) return false;
  const own = [0, 1, 2].map((times) => times * Math.abs(cents ?? 0));
  return [...gains].some(
    ([card, gain]) => !sameCents(gain, -before.get(card)!) && !own.some((due) => sameCents(Math.abs(gain), due)),
  );
}

/** A transfer that need not succeed, asked for again where it changed balances oddly. */
export async function againWhereOdd(asked: Promise<TransferAttempt>): Promise<TransferAttempt> {
  const one = await asked;
  return isOdd(one) ? { ...one, gainsAgain: await one.again() } : one;
}

/** Asks again, of each kind and each card, for those transfers of which one request tells too little; and for what would show a fee. */
export async function askAgain(facts: TransferFacts): Promise<void> {
  const kinds = byKind(facts);
  const isDoubtful = doubtfulIn(facts);
  const alike = (one: TransferAttempt) => `${sourceOf(one)} ${succeeded(one.answer)}`;
  const doubtful = kinds.flatMap((kind) => [...Map.groupBy(kind.filter(isDoubtful), alike).values()]).flatMap(extremes);
  for (const one of [...doubtful, ...largestMade(kinds.flat(), facts)])
    [one.gainsAgain] = values([await step(() => one.again())]);
}

/** Whether a transfer changed balances oddly; or may have moved money late, and named no amount, or some of that came to nobody. */
function doubtfulIn(facts: TransferFacts): (one: TransferAttempt) => boolean {
  const late = values([() => mayHaveMovedLate(facts)]).flat();
  return (one) =>
    !one.gainsAgain && (isOdd(one) || (late.includes(one) && (one.cents === undefined || isLostLate(facts))));
}

/** Where transfers were made oddly, the largest of each card that was not: a fee would show in it. The whole balance is not there twice. */
function largestMade(transfers: readonly TransferAttempt[], { further }: TransferFacts): TransferAttempt[] {
  const made = transfers.filter(({ answer }) => succeeded(answer));
  if (!made.some(isOdd)) return [];
  const whole = values([further['of the whole balance']!]).map(({ answer }) => answer);
  const plain = made.filter((one) => !isOdd(one) && !nothingMoved(one.gains) && !whole.includes(one.answer));
  return [...Map.groupBy(plain, sourceOf).values()].map((ofCard) => ofCard.toSorted((a, b) => b.cents! - a.cents!)[0]!);
}

/** Those that lost most, and the one that lost least: with a fee all are odd, and what is another oddity stands out. */
function extremes(transfers: readonly TransferAttempt[]): TransferAttempt[] {
  const sorted = transfers.toSorted((a, b) => netChange(a.gains) - netChange(b.gains));
  return [...sorted.slice(0, MOST_OF_A_KIND - 1), ...sorted.slice(MOST_OF_A_KIND - 1).slice(-1)];
}

/** Those that are to move money, those that may, and those that must not: with a fee all of the first are odd. */
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
 * Whether the transfer moved otherwise than asked for once more; what leaves for a card that is not looked at never is as asked for. Where it
 * made money, what it costs is something else.
 */
export function recurs(one: TransferAttempt): boolean {
  const { answer, cents, gainsAgain: gains } = one;
  if (!gains || nothingMoved(gains)) return false;
  if (netChange(one.gains) > 0 && netChange(gains) < 0) return false;
  const target = String(memberOf(answer.input.json, 'targetCardIdentifier'));
  return !(succeeded(answer) && gains.has(target) && movedExactly(gains, sourceOf(one), target, cents ?? 0));
}

/** Whether some of the money that moved late came to nobody: fees may be booked late, too. */
const isLostLate = ({ late }: TransferFacts): boolean => netChange(late()) < 0;

/**
 * The transfers that money which moved late is of: of what came to nobody those that take it again.
 * @throws what ended the last reading of the balances
 */
export function movedLate(facts: TransferFacts): TransferAttempt[] {
  const attempts = mayHaveMovedLate(facts);
  return isLostLate(facts) ? attempts.filter(recurs) : attempts;
}
