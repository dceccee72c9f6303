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

/**
 * Asks again for what changed balances oddly, and for what may have moved money late without naming an amount, or taken it; where transfers
 * were made oddly, also for the largest of each card that was not, which a fee would show.
 */
export async function askAgain(facts: TransferFacts): Promise<void> {
  const kinds = byKind(facts);
  const transfers = kinds.flat();
  const late = values([await step(async () => mayHaveMovedLate(facts))]).flat();
  const isAsked = (one: TransferAttempt) =>
    !one.gainsAgain && (isOdd(one) || (late.includes(one) && (one.cents === undefined || isLostLate(facts))));
  const kind = (one: TransferAttempt) => `${sourceOf(one)} ${succeeded(one.answer)}`;
  const asked = kinds.flatMap((ofKind) => [...Map.groupBy(ofKind.filter(isAsked), kind).values()]).flatMap(extremes);
  if (transfers.some((one) => succeeded(one.answer) && isOdd(one))) {
    const whole = values([facts.further['of the whole balance']!]).map(({ answer }) => answer);
    const isPlain = (one: TransferAttempt) =>
      succeeded(one.answer) && !whole.includes(one.answer) && !nothingMoved(one.gains) && !isOdd(one);
    const made = transfers.filter(isPlain);
    const ofCards = Map.groupBy(made, sourceOf).values();
    asked.push(...[...ofCards].map((ofCard) => ofCard.toSorted((a, b) => b.cents! - a.cents!)[0]!));
  }
  for (const one of asked) [one.gainsAgain] = values([await step(() => one.again())]);
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

/** Whether the transfer moved otherwise than asked for once more. Where it made money, what it costs is something else. */
export function recurs(one: TransferAttempt): boolean {
  const { answer, cents, gainsAgain: gains } = one;
  if (!gains || nothingMoved(gains)) return false;
  if (netChange(one.gains) > 0 && netChange(gains) < 0) return false;
  const target = String(memberOf(answer.input.json, 'targetCardIdentifier'));
  return !(succeeded(answer) && movedExactly(gains, sourceOf(one), target, cents ?? 0));
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
