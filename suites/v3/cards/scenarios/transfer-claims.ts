/** What the answers to transfers claim, and whether the balances changed as they say (reading 27). */
import { type Answer, member, succeeded } from '../../../../helpers/answer.ts';
import { expectRefused } from '../../../../helpers/expect.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { type BalanceChanges, nothingMoved, sameCents } from './balance-changes.ts';

/** What a transfer answers beside the money: a success and a refusal with status 200 differ in it. */
const claim = (answer: Answer) =>
  ['errorCode', 'status'].map((name) => JSON.stringify(member(answer, name) ?? '')).join();

/**
 * Whether a transfer answers as one does that moved money: with a success, and with no errorCode or status of its own.
 * @param success one that moved money; without it an errorCode alone says that it was refused
 */
export function claimsSuccess(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  return success ? claim(answer) === claim(success) : !member(answer, 'errorCode');
}

/**
 * Whether a transfer is answered with status 200 and says that it was refused: by an errorCode or an errorMessage, or by another status
 * than that of a success. What an answer leaves out says nothing.
 */
export function saysRefused(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  if (member(answer, 'errorCode') || member(answer, 'errorMessage')) return true;
  const status = member(answer, 'status');
  return typeof status === 'string' && status !== '' && success !== undefined && status !== member(success, 'status');
}

/** A transfer, and what is sent beside its target and amount. */
export interface WholeTransfer {
  from: string;
  to: string;
  cents: number;
  members: Record<string, unknown>;
}

/** What each card gains by transfers, when all that claim success count. @param success see {@link claimsSuccess} */
export function dueBy(
  requests: readonly WholeTransfer[],
  answers: readonly Answer[],
  success: Answer | undefined,
): BalanceChanges {
  const due = new Map(requests.flatMap(({ from, to }) => [from, to]).map((card) => [card, 0]));
  for (const [index, { from, to, cents }] of requests.entries()) {
    if (!claimsSuccess(answers[index]!, success)) continue;
    due.set(from, due.get(from)! - cents);
    due.set(to, due.get(to)! + cents);
  }
  return due;
}

/**
 * Whether the balances changed as the answers to several transfers say: by all that claim success, and by any of the others that are not
 * refused by their status. Transfers that are carried out may say so in different words.
 * @param success see {@link claimsSuccess}
 */
export function changedAsAnswered(
  requests: readonly WholeTransfer[],
  answers: readonly Answer[],
  gains: BalanceChanges,
  success: Answer | undefined,
): boolean {
  const due = dueBy(requests, answers, success);
  const missing = new Map([...gains].map(([card, gain]) => [card, gain - due.get(card)!]));
  const open = requests.filter(
    (_request, index) => succeeded(answers[index]!) && !claimsSuccess(answers[index]!, success),
  );
  return isMadeBy(open, missing);
}

/** Whether some of the transfers, or none, change the balances by exactly this. */
function isMadeBy([first, ...rest]: readonly WholeTransfer[], gains: BalanceChanges): boolean {
  if (!first) return nothingMoved(gains);
  const { from, to, cents } = first;
  const left = new Map(gains).set(from, gains.get(from)! + cents);
  return isMadeBy(rest, gains) || isMadeBy(rest, left.set(to, left.get(to)! - cents));
}

/** Whether what each card gained otherwise than is due is made of amounts that it was to pay or to be paid: some were lost, or booked twice. */
export function differsByAmounts(
  requests: readonly WholeTransfer[],
  gains: BalanceChanges,
  due: BalanceChanges,
): boolean {
  return [...gains].every(([card, gain]) => {
    const own = requests.filter(({ from, to }) => [from, to].includes(card)).map(({ cents }) => cents);
    const sums = own.reduce((some, cents) => some.flatMap((sum) => [sum - cents, sum, sum + cents]), [0]);
    return sums.some((sum) => sameCents(sum, gain - due.get(card)!));
  });
}

/**
 * A request for a card that does not exist is refused.
 * @throws Nonconformance when it is answered with success; Inconclusive for a transfer whose success says that it was refused: reading 27
 * takes that for a refusal, and reading 11 does not
 */
export function expectUnknownRefused(answer: Answer, what: string): void {
  if (answer.operation.id === 'cards.transfer' && saysRefused(answer, undefined))
    inconclusive(`${what} is answered with status ${answer.status}, and with an error in the body`);
  expectRefused(answer, what);
}
