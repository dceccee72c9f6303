/** Faults of how long a token lives, and of what ends it. */
import type { OperationId } from '../../sandbox/index.ts';
import { broken, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const livesFor = (operation: OperationId, minutes: number): Fault =>
  thoroughly(
    broken(`${operation} takes a token for ${minutes} minutes`, 'token.issue.lives-60-minutes', {
      tokenLifetimeSeconds: (of) => (of === operation ? minutes * 60 : 3600),
    }),
  );

export const tokenLifeFaults: readonly Fault[] = [
  ...(['cards.getBalance', 'cards.listRelated'] as const).map((operation) => livesFor(operation, 45)),
  livesFor('cards.getStatus', 20),
  broken('the first token is handed out for good', 'token.issue.lives-60-minutes', {
    tokenReuse: { sameWhileSecondsRemain: Number.NEGATIVE_INFINITY },
  }),
];
