/** Faults of logins, logouts and the sessions of the portal. */
import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { onReply, overlook, succeeded } from '../tools.ts';
import { cached, type Fault, type Prediction, predicted, sentences } from './fault.ts';

const withoutSession = ({ query }: Exchange) => {
  const rest = new URLSearchParams(query);
  rest.delete('sessionId');
  return String(rest);
};

const invalid = 'portal, login: 400 invalid login id or password';
const until = 'portal, Authentication 2: a session is valid until logout';

/** Takes a loginID for one that it resembles. */
const loginIdTaken = (resembles: (sent: string, real: string) => boolean) => (c: Choices) => {
  const usual = c.isSame;
  c.isSame = (one, other, x) => (x.operation === 'portal.login' ? resembles(other, one) : usual(one, other, x));
};

/** Ends the sessions of all users but the one that asks. */
const endsOthers = (operation: 'portal.login' | 'portal.logout') => (c: Choices) =>
  onReply(c, operation, (reply, { session, world }) => {
    if (succeeded(reply)) for (const one of world.sessions) if (one.user !== session?.user) one.ended = true;
  });

export const portalSessionFaults: Fault[] = predicted([
  ...(['portal.getShippingMethods', 'portal.getCustomerList', 'portal.getShippingFeeTypes'] as const).map(
    (operation): Prediction => [
      `cache-asks-for-no-session-${operation.replace('.', '-').toLowerCase()}`,
      1,
      operation,
      `${operation}.requires-session`,
      sentences.session,
      (c) => cached(c, operation, withoutSession),
    ],
  ),
  [
    'login-revives-ended-sessions',
    6,
    'portal.logout',
    'portal.logout.ends-session',
    sentences.logout,
    (c) =>
      onReply(c, 'portal.login', (reply, { world, session }) => {
        if (succeeded(reply)) for (const one of world.sessions) if (one.user === session?.user) one.ended = false;
      }),
  ],
  [
    'logout-ends-the-latest-session-of-the-user',
    6,
    'portal.logout',
    'portal.logout.ends-session',
    sentences.logout,
    (c) =>
      onReply(c, 'portal.logout', (reply, { world, session }) => {
        const latest = world.sessions.findLast(({ user, ended }) => user === session?.user && !ended);
        if (!succeeded(reply) || !latest || !session) return;
        session.ended = false;
        latest.ended = true;
      }),
    'where a user has one session it is the latest',
  ],
  [
    'entitlement-remembered-for-everybody',
    6,
    'portal.getCustomerList',
    'portal.not-entitled',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) => {
      let isAllowed = false;
      overlook(c, 'portal.getCustomerList', 'not-entitled', () => isAllowed);
      onReply(c, 'portal.getCustomerList', (reply) => {
        isAllowed ||= succeeded(reply);
      });
    },
  ],
  [
    'second-logout-answers-200',
    6,
    'portal.logout',
    'portal.logout.requires-session',
    'portal, logout: 400 logout failed',
    (c) => {
      const tried = new Map<string, number>();
      overlook(c, 'portal.logout', 'bad-session', ({ query, world }) => {
        const id = query.get('sessionId') ?? '';
        tried.set(id, (tried.get(id) ?? 0) + 1);
        return world.sessions.some((one) => one.id === id) && tried.get(id)! > 1;
      });
    },
    'the first logout of an ended session is refused',
  ],
  [
    'login-id-continued-accepted',
    1,
    'portal.login',
    'portal.login.unknown-login-id',
    invalid,
    loginIdTaken((sent, real) => sent.startsWith(real)),
  ],
  [
    'login-id-cut-short-accepted',
    1,
    'portal.login',
    'portal.login.unknown-login-id',
    invalid,
    loginIdTaken((sent, real) => sent.length >= 6 && real.startsWith(sent)),
  ],
  [
    'password-of-another-user-accepted',
    1,
    'portal.login',
    'portal.login.wrong-password',
    invalid,
    (c) =>
      overlook(c, 'portal.login', 'bad-login', ({ query, world }) =>
        world.users.some(({ password }) => password === query.get('password')),
      ),
  ],
  [
    'logout-ends-the-sessions-of-other-users',
    5,
    'portal.logout',
    'portal.logout.leaves-other-users',
    until,
    endsOthers('portal.logout'),
  ],
  [
    'login-ends-the-sessions-of-other-users',
    5,
    'portal.login',
    'portal.login.leaves-other-users',
    until,
    endsOthers('portal.login'),
  ],
  [
    'logout-of-a-continued-session-is-refused-and-ends-it',
    4,
    'portal.logout',
    'portal.logout.requires-session',
    until,
    (c) =>
      onReply(c, 'portal.logout', (reply, { query, world }) => {
        const sent = query.get('sessionId') ?? '';
        if (!succeeded(reply)) for (const one of world.sessions) if (sent.startsWith(one.id)) one.ended = true;
      }),
    'the session may be thought to have ended by itself',
  ],
  [
    'ended-session-lists-programs-that-are-not-branded',
    2,
    'portal.getCustomerProgramList',
    'portal.getCustomerProgramList.requires-session',
    sentences.session,
    (c) =>
      overlook(
        c,
        'portal.getCustomerProgramList',
        'bad-session',
        ({ query, world }) =>
          query.get('showBranded') === 'false' && world.sessions.some(({ id }) => id === query.get('sessionId')),
      ),
  ],
]);
