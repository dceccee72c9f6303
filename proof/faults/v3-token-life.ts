/** Faults of how long a token lives, and of what ends it. */
import type { OperationId } from '../../sandbox/index.ts';
import { bearerOf, broken, letThrough, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const livesFor = (operation: OperationId, minutes: number): Fault =>
  thoroughly(
    broken(`${operation} takes a token for ${minutes} minutes`, 'token.issue.lives-60-minutes', {
      tokenLifetimeSeconds: (of) => (of === operation ? minutes * 60 : 3600),
    }),
  );

/** A service that asks for a token once takes it for good as long as it is remembered. */
function rememberedBy(operation: OperationId): Fault {
  const REMEMBERED_MS = 300_000;
  const seen = new Map<string, number>();
  let now = 0;
  return {
    name: `${operation} takes a token for five minutes after it was good`,
    condemns: ['token.issue.ends-after-60-minutes'],
    sandbox: {
      rules: letThrough(
        ({ kind, name, operation: of, request }) =>
          kind === 'token' &&
          name === 'expired' &&
          of === operation &&
          now - (seen.get(bearerOf(request)) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS,
      ),
      middleware: [
        (answer, { operation: of, request, nowMs }) => {
          now = nowMs;
          if (of === operation && answer.status < 300) seen.set(bearerOf(request), nowMs);
          return undefined;
        },
      ],
    },
  };
}

export const tokenLifeFaults: readonly Fault[] = [
  ...(
    [
      'cards.getBalance',
      'cards.listRelated',
      'cards.encryptForVde',
      'cards.suspend',
      'cards.transfer',
      'users.get',
    ] as const
  ).map((operation) => livesFor(operation, 45)),
  livesFor('cards.getStatus', 20),
  livesFor('users.setPermissions', 58),
  rememberedBy('cards.get'),
  broken('the first token is handed out for good', 'token.issue.lives-60-minutes', {
    tokenReuse: { sameWhileSecondsRemain: Number.NEGATIVE_INFINITY },
  }),
];
