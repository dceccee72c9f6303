/** Observations of transfers. */
import { member, succeeded } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/context.ts';
import { outcomeInWords } from '../../../../helpers/engine/observed.ts';
import { values } from '../../../../helpers/engine/step.ts';
import { movedExactly, nothingMoved, type TransferAttempt } from './balance-changes.ts';
import { claimsSuccess } from './transfer-claims.ts';
import type { TransferFacts } from './transfer-facts.ts';

/** The outcome of a transfer, in words that don't vary between runs. */
export function effectOf(
  { answer, cents, gains }: TransferAttempt,
  from: string,
  to: string,
  success: TransferAttempt['answer'] | undefined,
): string {
  if (!succeeded(answer)) return outcomeInWords(answer);
  if (!nothingMoved(gains))
    return `accepted, moves ${movedExactly(gains, from, to, cents!) ? 'the amount' : 'another amount'}`;
  return claimsSuccess(answer, success) ? 'accepted, moves nothing' : 'refused by the answer';
}

/** Observes unusual amounts and texts, on which the documents are silent, and the parties and status in the answer to a success. */
export function observeTransfers(t: Context, facts: TransferFacts): void {
  const { source, target, unusual, further, repeated, together, success } = facts;
  const observe = (name: string, attempt: TransferAttempt, from = source, to = target) =>
    t.observe('cards.transfer', name, effectOf(attempt, from, to, success));
  for (const [name, step] of Object.entries(unusual)) for (const attempt of values([step])) observe(name, attempt);
  for (const [name, step] of Object.entries(further))
    for (const attempt of values([step])) observe(`a transfer ${name}`, attempt, attempt.from, attempt.to);
  for (const attempt of values([repeated]).flat()) observe('the same transfer again', attempt);
  for (const { answers } of values([together]))
    t.observe('cards.transfer', 'two transfers at the same moment', answers.map(outcomeInWords).sort().join(', '));
  if (!success) return;
  const parties = new Map<unknown, string>([
    [undefined, 'absent'],
    [source, 'the source card'],
    [target, 'the target card'],
  ]);
  for (const name of ['senderIdentifier', 'receiverIdentifier'])
    t.observe('cards.transfer', name, parties.get(member(success, name)) ?? 'neither card');
  for (const name of ['status', 'transferType'])
    t.observe('cards.transfer', `${name} of a success`, inWords(member(success, name)));
}

const inWords = (value: unknown): string =>
  value === undefined || value === null ? 'absent' : typeof value === 'object' ? 'not a text' : String(value);
