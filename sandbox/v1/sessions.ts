/** login, logout, and the session that every other operation requires. Source: userendpoint and "Authentication". */
import type { Call } from '../call.ts';
import type { Session } from '../state/session-store.ts';
import type { LoginUser } from '../world.ts';

/** Validates sessionId and the user's entitlement. @throws Refused of kind `session` or `entitlement` */
export function requireSession(call: Call): void {
  const session = sessionOf(call);
  const forbidden = session?.user.forbidden.includes(call.id) ?? false;
  call.check(!forbidden, 'entitlement', call.id, 'The user is not entitled to this operation.');
}

function sessionOf(call: Call): Session | undefined {
  const { sessions } = call.backend;
  const id = call.request.query.sessionId ?? '';
  if (id === '') {
    call.check(false, 'session', 'missing', 'sessionId is required.');
    return undefined;
  }
  const session = sessions.find(id);
  if (!session) call.check(false, 'session', 'invented', 'The session is not known.');
  else call.check(!session.ended, 'session', 'ended', 'The session has ended.');
  return session;
}

/**
 * The user with these credentials; what is absent and was let through is not validated again. @throws Refused of kind
 * `credentials`
 */
function userOf(call: Call, loginId: string | undefined, password: string | undefined): LoginUser {
  const { sessions } = call.backend;
  const [firstUser, ...others] = call.world.data.users;
  const user = [firstUser, ...others].find((candidate) => candidate?.loginId === loginId);
  call.check(
    user !== undefined || loginId === undefined,
    'credentials',
    'loginID',
    'The login id or password is wrong.',
  );
  const locked = sessions.isLocked(loginId ?? '', call.nowMs);
  call.check(!locked, 'credentials', 'locked', 'The login id is locked.');
  const right = user === undefined || password === undefined || user.password === password;
  if (!right && user !== undefined) sessions.noteWrongPassword(user, call.nowMs);
  call.check(right, 'credentials', 'password', 'The login id or password is wrong.');
  const hasAll = user !== undefined && sessions.hasAllSessions(user);
  call.check(!hasAll, 'credentials', 'sessions', 'The user has too many sessions.');
  return user ?? firstUser!;
}

/** POST login */
export function login(call: Call): unknown {
  const loginId = call.text('loginID', true);
  const password = call.text('password', true);
  const user = userOf(call, loginId, password);
  const session = call.backend.sessions.start(user);
  return {
    userId: user.userId,
    loginId: user.loginId,
    sessionId: session.id,
    customerId: user.customerId,
    ...user.details,
  };
}

/** POST logout: no body. */
export function logout(call: Call): undefined {
  const session = call.backend.sessions.find(call.request.query.sessionId ?? '');
  call.effect(() => {
    if (session) call.backend.sessions.end(session);
  });
}
