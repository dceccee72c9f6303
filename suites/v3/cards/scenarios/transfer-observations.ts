/** What is observed of transfers. */
import { member, succeeded } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/context.ts';
import { outcome } from '../../../observed.ts';
import { known } from '../../../shared/step.ts';
import { claimsSuccess, type Movement, movedExactly, nothingMoved } from './balances.ts';
import type { TransferFacts } from './transfers.ts';

/** What a transfer came to, in words that are the same in every run. */
export function effectOf(
  { answer, cents, gains }: Movement,
  from: string,
  to: string,
  success: Movement['answer'] | undefined,
): string {
  if (!succeeded(answer)) return outcome(answer);
  if (!nothingMoved(gains))
    return `accepted, moves ${movedExactly(gains, from, to, cents!) ? 'the amount' : 'another amount'}`;
  return claimsSuccess(answer, success) ? 'accepted, moves nothing' : 'refused by the answer';
}

/** Amounts of which the documents are silent, whom an answer names as the parties, and how it says that it succeeded. */
export function observeTransfers(t: Context, { source, target, unusual, success }: TransferFacts): void {
  for (const [name, step] of Object.entries(unusual))
    for (const movement of known([step]))
      t.observe('cards.transfer', name, effectOf(movement, source, target, success));
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
  value === undefined || value === null ? 'absent' : typeof value === 'object' ? 'no text' : String(value);
