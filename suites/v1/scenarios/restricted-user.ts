/** The restricted user of the fixtures file, who logs in once beside the user of the run (readings 34 and 35). */
import { operation } from '../../../contracts/operations.ts';
import { type Answer, type Input, member, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { attempt, type Fact, inconclusive, optional, skip } from '../../../helpers/verdict.ts';
import * as Customers from './customers.ts';
import { otherRequestsOf } from './other-requests.ts';
import * as Sessions from './sessions.ts';
import * as ValidRequests from './valid-requests.ts';

/** Logins of two users at the same moment. */
export interface Logins {
  own: Fact<Answer>;
  restricted: Fact<Answer>;
}

/** Logs in the restricted user and, once more, the run's user simultaneously. */
export const bothLogins = scenario('two users who log in at the same moment', async (t): Promise<Logins> => {
  // The run's user comes last, so that a target that remembers only the last login remembers that one.
  const [restricted, own] = await Promise.all([attempt(() => logInRestricted(t)), attempt(() => logInAgain(t))]);
  // The sessions may take as long as other effects to be known everywhere.
  await t.settle();
  return { own, restricted };
});

/** Asks for the hierarchy of the customer that the run's user's login names, in its session, where the run knows another one; and for that one, if it is refused. */
export async function askForAnother(t: Context, { own }: Logins): Promise<void> {
  const login = own.get();
  const [customerId, sessionId] = [member(login, 'customerId'), Sessions.idIn(login)];
  if (sessionId === undefined || !t.isInScope(Customers.HIERARCHY) || !Customers.isCustomerId(customerId)) return;
  const known = (await t.known(ValidRequests.requestOf(Customers.HIERARCHY))).answer.input.query?.customerId;
  if (Customers.idText(customerId) === Customers.idText(known)) return;
  const ask = (of: typeof known) =>
    t.call(Customers.HIERARCHY, { query: { customerId: of } }, { intent: 'refusable', authorisation: { sessionId } });
  if (!succeeded(await ask(customerId))) await ask(known);
}

/** Logs the restricted user in. @throws Skipped when the fixtures file does not give that user, or gives the run's user */
export async function logInRestricted(t: Context): Promise<Answer> {
  const { loginID, password } = t.fixtures.portal?.restrictedLogin ?? {};
  if (loginID === undefined) skip('needs portal.restrictedLogin.loginID in the fixtures file');
  if (loginID.toLowerCase() === t.run.loginQuery().loginID?.toLowerCase())
    skip('needs portal.restrictedLogin of another user than TARGET_PORTAL_LOGIN_ID in the fixtures file');
  if (password === undefined) skip('needs portal.restrictedLogin.password in the fixtures file');
  return Sessions.logIn(t, { loginID, password });
}

/** The restricted user's login and session. @throws Skipped without that user, Inconclusive when the login gets no session */
export async function requireRestrictedSession(t: Context): Promise<{ login: Answer; sessionId: string }> {
  const login = (await t.known(bothLogins)).restricted.get();
  return { login, sessionId: Sessions.idIn(login) ?? inconclusive('the restricted login gets no session') };
}

/**
 * Tries the forbidden operation twice, since what a user may do can be remembered; the second time with another form of its request where it reads.
 * @throws Skipped, Inconclusive as {@link requireRestrictedSession}
 */
export async function tryForbiddenTwice(t: Context): Promise<Answer[]> {
  const { login } = await requireRestrictedSession(t);
  return [await tryForbiddenIn(t, login), await tryForbiddenIn(t, login, await otherFormOf(t, requireForbidden(t)))];
}

/** Another form of the request of an operation that reads, chosen by the seed; undefined where none is known. */
async function otherFormOf(t: Context, id: string): Promise<Input | undefined> {
  const forms = operation(id).risk === 'safe' && id !== Sessions.LOGOUT ? await otherRequestsOf(t, id) : [];
  return forms.length > 0 ? t.oneOf('forms of the forbidden operation', forms).make() : undefined;
}

/** What the restricted user does beside the run's user. */
export interface Beside {
  /** Whether the first session was logged out. */
  hasEnded: boolean;
  /** A later login, whose session is open. */
  later: Answer | undefined;
}

/**
 * Logs the restricted user out, and in again, beside the run's user. The last session stays open.
 * @throws Skipped, Inconclusive as {@link requireRestrictedSession}
 */
export const beside = scenario('a user who logs out and in beside another', async (t): Promise<Beside> => {
  const { sessionId } = await requireRestrictedSession(t);
  const logouts: Fact<Answer>[] = [];
  const end = async (id: string) => {
    logouts.push(await Sessions.logOut(t, id));
    await t.settle();
  };
  await optional(
    ValidRequests.readAround(t, async () => {
      const id = logouts.length === 0 ? sessionId : Sessions.idIn(await logInRestricted(t));
      return async () => id !== undefined && end(id);
    }),
  );
  if (logouts.length === 0) await end(sessionId);
  const logins: Answer[] = [];
  await optional(ValidRequests.readAround(t, async () => async () => logins.push(await logInRestricted(t))));
  const later = logins.pop();
  for (const login of logins) await Sessions.logOutOf(t, login);
  return { hasEnded: succeeded(logouts[0]?.value), later };
});

/**
 * Logs the run's user in beside the existing session; the new session becomes the run's. Where the login is refused, the
 * existing session is closed, since a target may allow a user only one.
 */
async function logInAgain(t: Context): Promise<Answer> {
  const { sessions } = t.run.client;
  const query = Sessions.requireCredentials(t);
  if (!t.isInScope(Sessions.LOGIN)) skip(`needs ${Sessions.LOGIN}, which is not in scope`);
  // It may be refused because of the other login, or of the existing session.
  const own = await attempt(() => Sessions.logIn(t, query));
  if (succeeded(own.value)) await attempt(async () => sessions.use(own.get()));
  else await sessions.close();
  return own.get();
}

/** Tries the forbidden operation in a new session of the restricted user. @throws Inconclusive when the login gets none */
export async function tryAnew(t: Context): Promise<Answer> {
  const login = await logInRestricted(t);
  try {
    return await tryForbiddenIn(t, login);
  } finally {
    await Sessions.logOutOf(t, login);
  }
}

/** Further logins of the restricted user by a run that tries everything: what is remembered of a user may be remembered of his first sessions. */
const FURTHER_LOGINS = 3;

/** Tries the forbidden operation in further sessions of the restricted user, each of which is logged out; in none unless everything is tried. */
export async function tryFurther(t: Context): Promise<Answer[]> {
  const answers: Answer[] = [];
  const logins = t.run.configuration.run.thorough ? FURTHER_LOGINS : 0;
  while (answers.length < logins) answers.push(await tryAnew(t));
  return answers;
}

/** Tries the forbidden operation in the session of a login. @throws Inconclusive when that got none, Skipped when the fixtures file does not give the operation */
export async function tryForbiddenIn(t: Context, login: Answer | undefined, otherForm?: Input): Promise<Answer> {
  const sessionId = login && Sessions.idIn(login);
  if (sessionId === undefined) return inconclusive('another login of the restricted user gets no session');
  const id = requireForbidden(t);
  const input = otherForm ?? (await plainFormOf(t, id, member(login!, 'customerId')));
  return t.call(id, input, { intent: 'unauthorised', authorisation: { sessionId } });
}

/** The id of the forbidden operation. @throws Skipped where the fixtures file does not give it, or the risk does not allow it */
function requireForbidden(t: Context): string {
  const { forbiddenOperation } = t.fixtures.portal!.restrictedLogin!;
  if (forbiddenOperation === undefined) skip('needs portal.restrictedLogin.forbiddenOperation in the fixtures file');
  const id = `portal.${forbiddenOperation}`;
  const { risk } = operation(id);
  if (!t.allows(risk)) skip(`${id} needs RUN_RISK=${risk}`);
  return id;
}

/** A right request of an operation, for the customer of the user where it names one. */
async function plainFormOf(t: Context, id: string, customerId: unknown): Promise<Input> {
  if (id === Sessions.LOGOUT) return {};
  const { query, ...body } = (await t.known(ValidRequests.requestOf(id))).again();
  const isOfUser = query?.customerId !== undefined && Customers.isCustomerId(customerId);
  return { ...body, query: isOfUser ? { ...query, customerId } : query };
}
