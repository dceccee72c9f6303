/** Faults of logins and logouts: loginIDs and passwords that resemble the right ones, and sessions that are not begun or ended as they should be. */
import type { Rules } from '../../sandbox/rules.ts';
import type { LoginUser } from '../../sandbox/world.ts';
import { misanswered, portal, reading, refused, withSeed } from './broken.ts';
import type { Fault } from './fault.ts';

/** A password that is taken for the right one. One form of wrong password is tried per run, by the seed. */
const takesPassword = (
  seed: number,
  name: string,
  isTaken: (sent: string, right: string, users: readonly LoginUser[]) => boolean,
  more: Partial<Rules> = {},
): Fault => {
  const rules = reading('portal.login', ({ query }, { data: { users } }) => {
    const user = users.find(({ loginId }) => loginId === query.loginID);
    if (user && query.password !== undefined && isTaken(query.password, user.password, users))
      query.password = user.password;
  });
  return portal(name, 'portal.login.wrong-password', { rules: { ...rules, ...more } }, withSeed(seed));
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
  takesPassword(5, 'passwords are compared without case', (sent, right) => sent.toLowerCase() === right.toLowerCase()),
  takesPassword(4, 'a part of the password is enough', (sent, right) => sent.length > 3 && right.startsWith(sent)),
  takesPassword(2, 'what follows the password is cut off', (sent, right) => sent.startsWith(right)),
  takesPassword(8, 'the password of any user is good enough', (sent, _, users) =>
    users.some(({ password }) => password === sent),
  ),
  takesPassword(9, 'an empty password logs in', (sent) => sent === '', {
    countsAsAbsent: (_value, _operation, name, byDefault) => byDefault && name !== 'password',
  }),
  misanswered('portal: login gives the loginId of another user', 'portal.login.login-id', 'portal.login', (body) => {
    body.loginId = 'somebody.else@partner.invalid';
  }),
  refused(
    'portal sessions: every second login is refused',
    'portal.login.required-only',
    { kind: 'state', name: 'login' },
    ({ operation, callNumber }) => operation === 'portal.login' && callNumber % 2 === 0,
  ),
];
