/** Faults of how long a token lives, and of what ends it. */
import type { OperationId, World } from '../../sandbox/index.ts';
import { answering, bearerOf, broken, letThrough, refusedWith, thoroughly } from './broken.ts';
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

const firstTokens = new WeakMap<World, unknown>();

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
  {
    name: `a token that has ended is handed out again, and refused with ${403}`,
    condemns: ['token.issue.lives-60-minutes'],
    sandbox: {
      rules: refusedWith(403, ({ kind }) => kind === 'token'),
      ...answering('token.issue', (body, { world, nowMs }) => {
        if (!firstTokens.has(world)) firstTokens.set(world, body.access_token);
        const haveEnded = nowMs - Date.now() > 3_600_000;
        if (haveEnded) body.access_token = firstTokens.get(world);
      }),
    },
  },
];
