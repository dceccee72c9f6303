/** Faults of logins and logouts: loginIDs and passwords that resemble the right ones, and sessions that are not begun or ended as they should be. */
import type { Rules } from '../../sandbox/rules.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import type { LoginUser } from '../../sandbox/world.ts';
import { answering, type Body, memory, reading, replacing } from '../changed-sandbox.ts';
import { misanswered, portal, refused, trying } from './broken.ts';
import type { Fault } from './fault.ts';

/** A password that is taken for the right one. One form of wrong password is tried per run. */
const takesPassword = (
  form: string,
  name: string,
  isTaken: (sent: string, right: string, users: readonly LoginUser[]) => boolean,
  more: Partial<Rules> = {},
): Fault => {
  const rules = reading('portal.login', ({ query }, { data: { users } }) => {
    const user = users.find(({ loginId }) => loginId === query.loginID);
    if (user && query.password !== undefined && isTaken(query.password, user.password, users))
      query.password = user.password;
  });
  const tryingForm = trying('portal.login: wrong passwords', `a password ${form}`);
  return portal(name, 'portal.login.wrong-password', { rules: { ...rules, ...more } }, tryingForm);
};

const sessionsIn = memory(() => new Map<string, { userId: unknown; ended: boolean }>());

/** The session that a user had before is given again; bad sessions are all forbidden alike where no status is said. */
const endedAgain: UnservedOptions = {
  rules: {
    refusalBody: ({ kind }, byDefault) => (kind === 'session' ? { errorMessage: 'Forbidden' } : byDefault),
    refusalStatus: ({ kind, operation }, byDefault) =>
      kind === 'session' && operation !== 'portal.getCustomerProgramList' && operation !== 'portal.logout'
        ? 403
        : byDefault,
  },
  middleware: [
    replacing('portal.login', ({ body }, { world }) => {
      const user = body as Body;
      const [id] = [...sessionsIn(world)].find(([, { userId, ended }]) => ended && userId === user.userId) ?? [];
      return id !== undefined && { body: { ...user, sessionId: id } };
    }),
    answering('portal.login', ({ sessionId, userId }, { world }) => {
      sessionsIn(world).set(String(sessionId), { userId, ended: false });
    }),
    answering('portal.logout', (_, { request, world }) => {
      const session = sessionsIn(world).get(request.query.sessionId ?? '');
      if (session) session.ended = true;
    }),
  ].flatMap(({ middleware = [] }) => middleware),
};

export const portalLoginFaults: readonly Fault[] = [
  portal('a quote in password makes every login a good one', 'portal.login.unknown-login-id', {
    rules: reading('portal.login', ({ query }, { data: { users } }) => {
      if (/' OR '/.test(query.password ?? ''))
        Object.assign(query, { loginID: users[0]!.loginId, password: users[0]!.password });
    }),
  }),
  portal('a loginID may be a pattern', 'portal.login.unknown-login-id', {
    rules: reading('portal.login', ({ query }, { data: { users } }) => {
      const [beginning, ...rest] = (query.loginID ?? '').split('%');
      const user = rest.length > 0 && users.find(({ loginId }) => loginId.startsWith(beginning!));
      if (user) query.loginID = user.loginId;
    }),
  }),
  takesPassword(
    'in another case of letters',
    'passwords are compared without case',
    (sent, right) => sent.toLowerCase() === right.toLowerCase(),
  ),
  takesPassword(
    'cut short',
    'a part of the password is enough',
    (sent, right) => sent.length > 3 && right.startsWith(sent),
  ),
  takesPassword('followed by a parameter', 'what follows the password is cut off', (sent, right) =>
    sent.startsWith(right),
  ),
  takesPassword('of another user', 'the password of any user is good enough', (sent, _, users) =>
    users.some(({ password }) => password === sent),
  ),
  takesPassword('that is empty', 'an empty password logs in', (sent) => sent === '', {
    countsAsAbsent: (_value, _operation, name, byDefault) => byDefault && name !== 'password',
  }),
  misanswered('portal: login gives the loginId of another user', 'portal.login.login-id', 'portal.login', (body) => {
    body.loginId = 'somebody.else@partner.invalid';
  }),
  refused(
    'portal sessions: every second login is refused',
    'portal.login.required-only',
    { kind: 'state', name: 'login' },
    ({ callNumber }) => callNumber % 2 === 0,
  ),
  portal(
    'a login after a logout gives the ended session again, which is answered with 403',
    'portal.login.begins-session',
    endedAgain,
  ),
];
