/** What begins and ends sessions, of the run's user and of others. */
import { operation, operations } from '../../../contracts/operations.ts';
import { type Answer, type Input, type Intent, member, succeeded, type Wrong } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { attempt, type Fact, skip } from '../../../helpers/verdict.ts';

export const LOGIN = 'portal.login';
export const LOGOUT = 'portal.logout';

/** Operations that need a session. */
export const OPERATIONS: readonly string[] = operations
  .filter(({ authorisation }) => authorisation === 'session')
  .map(({ id }) => id);

/** Those that change nothing and keep the session. */
export const READS = OPERATIONS.filter((id) => operation(id).risk === 'safe' && id !== LOGOUT);

/** An operation in scope that takes only a session, if there is one. */
export const plainRead = (t: Context): string | undefined =>
  ['portal.getShippingMethods', 'portal.getShippingFeeTypes', 'portal.getCustomerList'].find((id) => t.isInScope(id));

/** Whether a request was meant for what the login sees by right. */
export const isByRight = ({ intent }: Answer): boolean => intent === 'valid' || intent === 'refusable';

/** Where a request is made in a session: by default that of the run. */
export const within = (sessionId: string | undefined) =>
  sessionId === undefined ? {} : { authorisation: { sessionId } };

export const unauthorised = (sessionId: string | undefined) =>
  ({ intent: 'unauthorised', authorisation: { sessionId } }) as const;

/** Whether the run began its session itself: one given from outside is never ended. */
export const ownsSession = (t: Context) => t.run.client.sessions.renewable;

/** @throws Skipped always, since the credentials of the run's user are not given */
export const needsLogin = () =>
  skip('needs TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD, with TARGET_PORTAL_SESSION_ID unset');

/** The credentials of the run's user. @throws Skipped without them */
export function requireCredentials(t: Context): { loginID: string; password: string } {
  const { loginID, password } = t.run.loginQuery();
  if (!ownsSession(t) || loginID === undefined || password === undefined) return needsLogin();
  return { loginID, password };
}

const isOf = (operation: string) => (answer: Answer) => answer.operation.id === operation;
export const isLogin = isOf(LOGIN);
export const isLogout = isOf(LOGOUT);

/** The accepted logins of a history. */
export const loginsIn = (history: readonly Answer[]): Answer[] => history.filter(isLogin).filter(succeeded);

/** Who logs in, in lower case. */
export const userOf = ({ input: { query } }: Answer): string => String(query?.loginID).toLowerCase();

/** Logs a user in. */
export const logIn = (
  t: Context,
  query: Input['query'],
  intent: Intent = 'refusable',
  wrong?: Wrong,
): Promise<Answer> => t.call(LOGIN, { query }, { intent, ...(wrong && { wrong }) });

/** The session that a login gives; undefined where it is refused. */
export function idIn(login: Answer): string | undefined {
  const sessionId = member(login, 'sessionId');
  return succeeded(login) && typeof sessionId === 'string' ? sessionId : undefined;
}

/** Logs out a session, by default one that is no longer needed. */
export async function logOut(t: Context, sessionId: string, intent: Intent = 'unauthorised'): Promise<Fact<Answer>> {
  const logout = await attempt(() => t.call(LOGOUT, {}, { intent, authorisation: { sessionId } }));
  await t.run.client.sessions.forget(sessionId);
  return logout;
}

/** Logs out the session that a login gives, where it gives one. */
export async function logOutOf(t: Context, login: Answer): Promise<void> {
  const sessionId = idIn(login);
  if (sessionId !== undefined) await logOut(t, sessionId);
}
