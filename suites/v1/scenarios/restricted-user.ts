/** The user of the fixtures file who is not entitled to everything: logs in beside the user of the run, once (readings 34 and 35). */
import { operation } from '../../../contracts/operations.ts';
import { type Answer, type Input, member, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { inconclusive, skip } from '../../../helpers/verdict.ts';
import { attempt, type Step, values } from '../../shared/step.ts';
import { baseOrders, ORDER } from '../orders/base-orders.ts';
import { type Body, identified } from '../orders/bodies.ts';
import { repetitions } from '../orders/repetitions.ts';
import { idText, isCustomerId } from './customer-ids.ts';
import { HIERARCHY, mayChange, SESSION_OPERATIONS, validRequests, withoutParameters } from './valid-requests.ts';

const LOGIN = 'portal.login';
const LOGOUT = 'portal.logout';
/** @throws Skipped always: what both users are needed for cannot be tried without the credentials of the user of the run */
export const needsLogin = () =>
  skip('needs TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD, with TARGET_PORTAL_SESSION_ID unset');

/** Operations that are tried in the ended session of this user in one run. */
const OPERATIONS_PER_RUN = 1;

/** Logins at the same moment of the user of the run, who has a session already, and of this one. */
export interface BothLogins {
  own: Step<Answer>;
  restricted: Step<Answer>;
  /** The hierarchy of the customer that `own` names, asked for in its session, where that is not the customer of the first login. */
  hierarchyOfAnother: Step<Answer | undefined>;
}

/** Orders that repeat one of the user of the run, where orders may be made: the same again, and for a card of the same otherInfo. */
export interface OrdersAgain {
  duplicateOrder?: Answer | undefined;
  duplicateOtherInfo?: Answer | undefined;
}

/** What the restricted user was answered. */
export interface RestrictedUser extends OrdersAgain {
  /** The operation that this user is not entitled to, asked for twice. */
  forbidden: Step<Answer[]>;
}

type Probed = ReadonlyMap<string, Step<Answer>>;

/** What the logout of the restricted user did. */
export interface RestrictedLogout {
  /** A read in the session of the user of the run before this one logged out, and after. */
  besideLogout: Step<{ before: Answer; after: Answer }>;
  isLoggedOut: boolean;
}

/** Logs in the restricted user and once more that of the run, at the same moment; each login is a step of its own. */
export const bothLogins = scenario('two users who log in at the same moment', async (t): Promise<BothLogins> => {
  // The user of the run last: what is remembered of the last login alone is not the restricted user's.
  const [restricted, own] = await Promise.all([attempt(() => logInRestricted(t)), logInAgain(t)]);
  // The sessions may take as long as other effects to be known everywhere.
  await t.settle();
  return { own, restricted, hierarchyOfAnother: await attempt(() => hierarchyOfAnother(t, own())) };
});

/** @throws Inconclusive when the login names no customer, or its session does not show the hierarchy that the first one does */
async function hierarchyOfAnother(t: Context, login: Answer): Promise<Answer | undefined> {
  const [customerId, sessionId] = ['customerId', 'sessionId'].map((name) => member(login, name));
  if (!isCustomerId(customerId) || typeof sessionId !== 'string') inconclusive('the login names no customer');
  if (!operationInScope(t.run.configuration, HIERARCHY)) return undefined;
  const known = (await t.shared(validRequests[HIERARCHY]!)).answer.input.query?.customerId;
  if (idText(customerId) === idText(known)) return undefined;
  const inItsSession = (of: typeof known) =>
    t.call(HIERARCHY, { query: { customerId: of } }, { intent: 'refusable', authorisation: { sessionId } });
  const hierarchy = await inItsSession(customerId);
  if (!succeeded(hierarchy) && !succeeded(await inItsSession(known)))
    inconclusive('the session of the later login is shown no hierarchy');
  return hierarchy;
}

/** @throws Skipped where the fixtures file does not give the user, or gives that of the run */
async function logInRestricted(t: Context): Promise<Answer> {
  const { loginID, password } = t.fixtures.portal?.restrictedLogin ?? {};
  if (loginID === undefined) skip('needs portal.restrictedLogin.loginID in the fixtures file');
  if (loginID.toLowerCase() === t.run.loginQuery().loginID?.toLowerCase())
    skip('needs portal.restrictedLogin of another user than TARGET_PORTAL_LOGIN_ID in the fixtures file');
  if (password === undefined) skip('needs portal.restrictedLogin.password in the fixtures file');
  return t.call(LOGIN, { query: { loginID, password } }, { intent: 'refusable' });
}

/** The login of the restricted user, and its session. @throws Skipped without the user, Inconclusive when it gets no session */
async function requireRestrictedSession(t: Context): Promise<{ login: Answer; sessionId: string }> {
  const { restricted } = await t.known(bothLogins);
  const login = restricted();
  const sessionId = succeeded(login) ? member(login, 'sessionId') : undefined;
  if (typeof sessionId !== 'string') inconclusive('the restricted login gets no session');
  return { login, sessionId };
}

/** @throws Skipped, Inconclusive as {@link requireRestrictedSession} */
export const restrictedUser = scenario(
  'a user who is not entitled to everything',
  async (t): Promise<RestrictedUser> => {
    const { login, sessionId } = await requireRestrictedSession(t);
    const tryIt = () => tryForbidden(t, sessionId, member(login, 'customerId'));
    const [forbidden, duplicates] = await Promise.all([
      attempt(async () => [await tryIt(), await tryIt()]),
      orderAgain(t, sessionId),
    ]);
    return { forbidden, ...duplicates };
  },
);

/** @throws Skipped, Inconclusive as {@link requireRestrictedSession} */
export const restrictedLogout = scenario(
  'the logout of a user who is not entitled to everything',
  async (t): Promise<RestrictedLogout> => {
    const { sessionId } = await requireRestrictedSession(t);
    const logout = await attempt(() => logOut(t, sessionId));
    const isLoggedOut = values([logout]).some(succeeded);
    if (isLoggedOut) await t.settle();
    return {
      besideLogout: await attempt(async () =>
        isLoggedOut ? tryBesideLogout(t) : inconclusive('the restricted user cannot be logged out'),
      ),
      isLoggedOut,
    };
  },
);

/** By operation: in the session of this user, after it was logged out. @throws Skipped, Inconclusive as {@link requireRestrictedSession} */
export const restrictedEnded = scenario('a session of another user that was logged out', async (t): Promise<Probed> => {
  const { isLoggedOut } = await t.known(restrictedLogout);
  return isLoggedOut ? probeEnded(t, (await requireRestrictedSession(t)).sessionId) : new Map();
});

/** What is known of the user; nothing where the fixtures file does not give it. */
export async function restrictedUserIfGiven(t: Context): Promise<Partial<RestrictedUser>> {
  const [found] = values([await attempt(() => t.known(restrictedUser))]);
  return found ?? {};
}

const logOut = (t: Context, sessionId: string) =>
  t.call(LOGOUT, {}, { intent: 'refusable', authorisation: { sessionId } });

/** Repeats orders that the user of the run made before: what is unique is so for all users, and at all times. */
export async function orderAgain(t: Context, sessionId: string): Promise<OrdersAgain> {
  if (!mayChange(t, ORDER) || !t.fixtures.portal?.programs) return {};
  const repeat = (earlier: Answer, of: (order: Body) => Body) => {
    const { input } = requireAccepted(earlier, 'the order that is repeated');
    const options = { intent: 'refusable', authorisation: { sessionId } } as const;
    return t.call(ORDER, { json: of(input.json as Body) }, options);
  };
  const [duplicateOrder, duplicateOtherInfo] = await Promise.all([
    attempt(async () => repeat((await t.known(repetitions)).first, (order) => order)),
    attempt(async () =>
      repeat((await t.known(baseOrders.uniqueOtherInfo)).answer, (order) =>
        'externalIdentifier' in order ? identified(t, order) : order,
      ),
    ),
  ]);
  return { duplicateOrder: values([duplicateOrder])[0], duplicateOtherInfo: values([duplicateOtherInfo])[0] };
}

/**
 * Reads in the session of the user of the run, after the restricted one logged out. A session may end by itself, so where it is gone both
 * log in again, and it is looked at before and after.
 */
async function tryBesideLogout(t: Context): Promise<{ before: Answer; after: Answer }> {
  const { sessions } = t.run.client;
  const id = withoutParameters(t) ?? skip('needs an operation without parameters, which is not in scope');
  const read = async () =>
    t.call(id, {}, { intent: 'refusable', authorisation: { sessionId: (await sessions.current()).id } });
  const first = await read();
  if (succeeded(first)) return { before: first, after: first };
  const restricted = await logInRestricted(t);
  const sessionId = member(restricted, 'sessionId');
  await sessions.forget((await sessions.current()).id);
  const before = await t.eventually(read, succeeded);
  if (typeof sessionId !== 'string') inconclusive('the restricted login gets no session');
  await logOut(t, sessionId);
  return { before, after: await read() };
}

/**
 * Logs the user of the run in beside its session: that of the login is the one of the run from then on. Where a target allows a user no
 * second session, the first is ended before another.
 */
async function logInAgain(t: Context): Promise<Step<Answer>> {
  const { sessions } = t.run.client;
  const query = t.run.loginQuery();
  if (!sessions.renewable || query.loginID === undefined || query.password === undefined) return needsLogin;
  if (!operationInScope(t.run.configuration, LOGIN)) return () => skip(`needs ${LOGIN}, which is not in scope`);
  // Refused, it may be for the other login, or for the session that the user has.
  const own = await attempt(() => t.call(LOGIN, { query }, { intent: 'refusable' }));
  if (values([own]).some(succeeded)) await attempt(async () => sessions.use(own()));
  else await sessions.close();
  return own;
}

async function tryForbidden(t: Context, sessionId: string, customerId: unknown): Promise<Answer> {
  const { forbiddenOperation } = t.fixtures.portal!.restrictedLogin!;
  if (forbiddenOperation === undefined)
    return skip('needs portal.restrictedLogin.forbiddenOperation in the fixtures file');
  const id = `portal.${forbiddenOperation}`;
  const { risk } = operation(id);
  if (!t.allows(risk)) skip(`${id} needs RUN_RISK=${risk}`);
  const { query, ...body }: Input = id === LOGOUT ? {} : (await t.known(validRequests[id]!)).again();
  const ofUser = query?.customerId !== undefined && isCustomerId(customerId) ? { ...query, customerId } : query;
  return t.call(id, { ...body, query: ofUser }, { intent: 'unauthorised', authorisation: { sessionId } });
}

async function probeEnded(t: Context, sessionId: string): Promise<Probed> {
  const inScope = SESSION_OPERATIONS.filter((id) => operationInScope(t.run.configuration, id));
  const tried = rotated(t.run, 'ended session of another user', inScope, OPERATIONS_PER_RUN).map(
    async (id) =>
      [
        id,
        await attempt(async () => {
          const input = id === LOGOUT ? {} : (await t.known(validRequests[id]!)).again();
          return t.call(id, input, { intent: 'unauthorised', authorisation: { sessionId } });
        }),
      ] as const,
  );
  return new Map(await Promise.all(tried));
}
