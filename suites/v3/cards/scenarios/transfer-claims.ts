/** The claims that answers to transfers make, compared with the balances (reading 27). */
import { type Answer, member, succeeded } from '../../../../helpers/answer.ts';
import { expectRefused } from '../../../../helpers/expect.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { type BalanceChanges, nothingMoved, sameCents } from './balance-changes.ts';

/** The members in which a success differs from a refusal with status 200. */
const claim = (answer: Answer) =>
  ['errorCode', 'status'].map((name) => JSON.stringify(member(answer, name) ?? '')).join();

/**
 * Whether an answer claims success: its status is 2xx, and its errorCode and status are those of a transfer that moved money.
 * @param success the answer to such a transfer; without it, only an errorCode marks a refusal
 */
export function claimsSuccess(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  return success ? claim(answer) === claim(success) : !member(answer, 'errorCode');
}

/**
 * Whether a transfer was answered with 200 but a body that says it was refused: by an errorCode or errorMessage, or a status other than that
 * of a success. A member that is absent says nothing.
 */
export function saysRefused(answer: Answer, success: Answer | undefined): boolean {
  if (!succeeded(answer)) return false;
  if (member(answer, 'errorCode') || member(answer, 'errorMessage')) return true;
  const status = member(answer, 'status');
  return typeof status === 'string' && status !== '' && success !== undefined && status !== member(success, 'status');
}

/** A transfer with its cards, cents, and members other than target and amount. */
export interface WholeTransfer {
  from: string;
  to: string;
  cents: number;
  members: Record<string, unknown>;
}

/** The balance changes due if all transfers that claim success count. @param success see {@link claimsSuccess} */
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
 * Whether the balances changed as the answers to several transfers say: by all that claim success, and by any of the others with a 2xx
 * status, since a target may word its successes in different ways.
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

/** Whether some of the transfers, or none, cause exactly these changes. */
function isMadeBy([first, ...rest]: readonly WholeTransfer[], gains: BalanceChanges): boolean {
  if (!first) return nothingMoved(gains);
  const { from, to, cents } = first;
  const left = new Map(gains).set(from, gains.get(from)! + cents);
  return isMadeBy(rest, gains) || isMadeBy(rest, left.set(to, left.get(to)! - cents));
}

/** Whether the differences from what is due consist of amounts that the card was to pay or receive: transfers were lost, or booked twice. */
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
 * Expects a request for a card that does not exist to be refused.
 * @throws Nonconformance when it is answered with success; Inconclusive for a transfer whose 2xx answer says that it was refused: reading 27
 * counts that as a refusal, reading 11 does not
 */
export function expectUnknownRefused(answer: Answer, what: string): void {
  if (answer.operation.id === 'cards.transfer' && saysRefused(answer, undefined))
    inconclusive(`${what} is answered with status ${answer.status}, and with an error in the body`);
  expectRefused(answer, what);
}
