/** Sound implementations that refuse everything, or some of it, for a while after bad credentials. How long is not shown. */
import type { AnswerContext, OperationId, Rules, SandboxRequest } from '../../sandbox/index.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import { memory } from '../changed-sandbox.ts';
import { nowMs } from '../skipping-clock.ts';
import { ownRule } from './portal-rule.ts';
import { implemented, type Variant } from './variant.ts';

const LOGIN = 'portal.login';

interface Lock {
  /** Whether an answer begins it, or renews it. */
  beginsWith: (context: AnswerContext, status: number) => boolean;
  /** Whether it is for such a request. */
  isFor: (operation: OperationId, request: SandboxRequest) => boolean;
  milliseconds: number;
  status: number;
  /** Whether what it refuses renews it, too. */
  isRenewed?: boolean;
}

/** Requests are refused for a while after something, without being looked at. */
function locked({ beginsWith, isFor, milliseconds, status, isRenewed = false }: Lock): UnservedOptions {
  const lockIn = memory(() => ({ until: 0 }));
  let lock = { until: 0 };
  const isLocked = (request: SandboxRequest) => isFor(request.operation, request) && nowMs() < lock.until;
  const unavailable: Rules['unavailable'] = (request) => {
    if (!isLocked(request)) return undefined;
    if (isRenewed) lock.until = nowMs() + milliseconds;
    return { status, headers: {}, body: { errorMessage: 'locked' } };
  };
  return {
    rules: {
      meanwhile: (world) => {
        lock = lockIn(world);
      },
      unavailable,
    },
    middleware: [
      (answer, context) => {
        const isOver = nowMs() >= lockIn(context.world).until;
        if (isOver && beginsWith(context, answer.status)) lockIn(context.world).until = nowMs() + milliseconds;
        return undefined;
      },
    ],
  };
}

const lock = (name: string, of: Lock): Variant =>
  implemented(`locked: ${name}`, locked(of), {
    basis: 'Limits: locks after bad credentials are not shown',
    standsAlone: true,
  });

const isPortal = (operation: OperationId) => operation.startsWith('portal.');
const isLogin = (operation: OperationId) => operation === LOGIN;
const isOfCards = (operation: OperationId) => /^(users|cards|cardholders)\./.test(operation);

const refusedLogin = ({ operation }: AnswerContext, status: number) => operation === LOGIN && status !== 200;
const badSession = ({ operation, refusal }: AnswerContext) => isPortal(operation) && refusal?.kind === 'session';
const badToken = ({ operation, refusal }: AnswerContext) => isOfCards(operation) && refusal?.kind === 'token';

const LOGINS = { beginsWith: refusedLogin, isFor: isLogin };
const SESSIONS = { beginsWith: badSession, isFor: isPortal };
const TOKENS = { beginsWith: badToken, isFor: isOfCards };

/** How long somebody else's bad tokens lock a listing, in milliseconds by the clock of the target. */
const LOCK_OF_OTHERS_MS = 900_000;

/** From the second listing on all others are refused as without a token, until the test clock is moved. */
function lockedByOthers(operation: OperationId): Variant {
  const seenIn = memory(() => ({ times: 0, movedMs: 0 }));
  return implemented(
    `locked: ${operation} for a quarter of an hour, by bad tokens of somebody else`,
    {
      rules: ownRule((request, world) => {
        const seen = seenIn(world);
        return request.operation === operation && ++seen.times > 1 && seen.movedMs < LOCK_OF_OTHERS_MS;
      }, 401),
      middleware: [
        (_, { world, nowMs: now }) => {
          seenIn(world).movedMs = now - Date.now();
          return undefined;
        },
      ],
    },
    { standsAlone: true },
  );
}

export const lockVariants: readonly Variant[] = [
  lock('no login for 6 s after a wrong one', { ...LOGINS, milliseconds: 6000, status: 423 }),
  lock('no login for 6 s after any other that was refused', {
    ...LOGINS,
    milliseconds: 6000,
    status: 423,
    isRenewed: true,
  }),
  lock('no login for 20 s after a wrong one', { ...LOGINS, milliseconds: 20_000, status: 403 }),
  lock('nothing on the portal for 1.2 s after a bad session', { ...SESSIONS, milliseconds: 1200, status: 403 }),
  lock('no login for 1.2 s after a bad session', { ...SESSIONS, isFor: isLogin, milliseconds: 1200, status: 403 }),
  lock('no card for 700 ms after a bad token', { ...TOKENS, milliseconds: 700, status: 401 }),
  lock('no card for 700 ms after a bad token, with 403', { ...TOKENS, milliseconds: 700, status: 403 }),
  lockedByOthers('users.list'),
];
