/**
 * The one time that the suite logs its user in and out on purpose: from bad logins over good ones to the end of a session
 * (readings 32 to 34). A login may end the user's earlier sessions, so everything else of the portal waits for its end.
 */
import { type Answer, type Input, type Intent, member, succeeded } from '../../../helpers/answer.ts';
import { type Check, type Scenario, scenario } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { inconclusive, skip } from '../../../helpers/verdict.ts';
import { known, type Told, told } from '../../shared/step.ts';
import { altered, invented } from '../../shared/target-data.ts';
import { CIP } from '../cip/person.ts';
import { baseOrders, ORDER } from '../orders/base-orders.ts';
import { PROGRAMS, programOf } from '../orders/bodies.ts';
import { goodRequests, mayChange, READING_OPERATIONS, SESSION_OPERATIONS } from './valid-requests.ts';

/** By operation. */
type Probes = Map<string, Told<Answer>>;

export interface Logins {
  withoutLoginId: Told<Answer>;
  withoutPassword: Told<Answer>;
  unknownLoginId: Told<Answer>;
  wrongPassword: Told<Answer>;
  good: Told<Answer>;
  /** A request in the session of the good login, after another login of the user. */
  earlierSession: Told<Answer>;
}

export interface Lifecycle {
  /** Requests without, with an invented, and with the ended session. */
  missing: Probes;
  invented: Probes;
  ended: Probes;
  /** Of the session of the run. */
  logout: Told<Answer>;
}

const LOGIN = 'portal.login';
const LOGOUT = 'portal.logout';

const needsLogin = () =>
  skip('needs TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD, with TARGET_PORTAL_SESSION_ID unset');

/** A session that was given from outside is never ended. */
const ownsSession = (t: Context) => t.run.client.sessions.renewable;

/** Bad logins and good ones; after each bad one for the user itself a good one follows, the last of which begins the session of the run. */
const logins = scenario('portal logins', async (t): Promise<Logins> => {
  const { loginID, password } = t.run.loginQuery();
  const isClaimed = operationInScope(t.run.configuration, LOGIN);
  const login = (query: Input['query'], intent: Intent) =>
    told(async () =>
      isClaimed ? t.call(LOGIN, { query }, { intent }) : skip(`needs ${LOGIN}, which is not in scope`),
    );
  const nobody = `${t.unique('nobody')}.${loginID ?? 'user'}`;
  t.run.redactor.learn(nobody, 'INVENTED_LOGIN_ID');
  const ofNobody = {
    withoutLoginId: await login({ password: password ?? t.unique('password') }, 'malformed'),
    unknownLoginId: await login({ loginID: nobody, password: password ?? t.unique('password') }, 'unauthorised'),
  };
  if (!ownsSession(t) || loginID === undefined || password === undefined) {
    const withoutPassword = await login({ loginID: nobody }, 'malformed');
    return { ...ofNobody, withoutPassword, wrongPassword: needsLogin, good: needsLogin, earlierSession: needsLogin };
  }
  const withoutPassword = await login({ loginID }, 'malformed');
  const good = await login({ loginID, password }, 'valid');
  const wrong = `${password.slice(0, -1)}${password.endsWith('x') ? 'y' : 'x'}`;
  t.run.redactor.learn(wrong, 'WRONG_PASSWORD');
  const wrongPassword = await login({ loginID, password: wrong }, 'unauthorised');
  t.run.client.sessions.forget();
  await told(() => t.run.client.sessions.current());
  return { ...ofNobody, withoutPassword, wrongPassword, good, earlierSession: await tryEarlier(t, good) };
});

/** What came of the logins, once everything that logs in or out is done; the check names what it looks at by {@link seen}. */
export async function loginsOf(t: Context): Promise<Logins> {
  await told(() => t.known(lifecycle));
  return t.known(logins);
}

export const lifecycle = scenario('portal sessions from login to logout', async (t): Promise<Lifecycle> => {
  const { sessions } = t.run.client;
  await t.shared(logins);
  await makeGoodRequests(t);
  const { id } = await sessions.current();
  const inventedId = inventedSession(id);
  t.run.redactor.learn(inventedId, 'INVENTED_SESSION_ID');
  const missing = await probe(t, undefined);
  const inventedOnes = await probe(t, inventedId);
  if (!ownsSession(t)) return { missing, invented: inventedOnes, ended: noProbes(needsLogin), logout: needsLogin };
  const logout = await told(() => t.call(LOGOUT, {}, { authorisation: { sessionId: id } }));
  if (isAccepted(logout)) await untilEnded(t, id);
  const ended = isAccepted(logout) ? await probe(t, id) : noProbes(() => inconclusive('logout is refused'));
  sessions.forget();
  return { missing, invented: inventedOnes, ended, logout };
});

/** A session that nobody began: of a signed one (a JWT) another signature, so that who does not verify it takes it for the one of the run. */
function inventedSession(like: string): string {
  const [, claims, signature] = JWT.exec(like) ?? [];
  return claims && signature ? claims + altered(signature) : invented(like);
}

const JWT = /^(eyJ[\w-]+\.[\w-]+\.)([\w-]+)$/;

/** A check that uses the session of the run: it waits until nothing logs the user in or out any more. */
export const inSession =
  (body: Check['body']): Check['body'] =>
  async (t) => {
    await told(() => t.known(lifecycle));
    await body(t);
  };

/** What the lifecycle found; the check names the exchanges that it looks at by {@link seen}. */
export async function lifecycleOf(t: Context): Promise<Lifecycle> {
  return t.known(lifecycle);
}

/** An answer of the lifecycle as evidence of this check. */
export function seen(t: Context, found: Told<Answer> | undefined): Answer {
  const answer = (found ?? (() => skip('needs an operation that is not in scope')))();
  t.exchanges.push(answer.exchange);
  return answer;
}

/** A request in the session of an earlier login, after another login of the user. */
async function tryEarlier(t: Context, login: Told<Answer>): Promise<Told<Answer>> {
  const sessionId = isAccepted(login) ? member(login(), 'sessionId') : undefined;
  const id = withoutParameters(t);
  if (typeof sessionId !== 'string' || id === undefined) return () => inconclusive('no earlier session can be tried');
  return told(() => t.call(id, {}, { intent: 'refusable', authorisation: { sessionId } }));
}

/** The end of a session may take a while to show. */
async function untilEnded(t: Context, sessionId: string): Promise<void> {
  const id = withoutParameters(t);
  if (id === undefined) return t.settle();
  const read = () => t.call(id, {}, { intent: 'unauthorised', authorisation: { sessionId } });
  await told(() => t.eventually(read, (answer) => !succeeded(answer)));
}

/** An operation that takes nothing but a session. */
const withoutParameters = (t: Context): string | undefined =>
  ['portal.getShippingMethods', 'portal.getShippingFeeTypes', 'portal.getCustomerList'].find((id) =>
    operationInScope(t.run.configuration, id),
  );

/**
 * All requests that must succeed are made before the session of the run ends: logging in anew for one that is refused
 * disturbs nobody but those that are under way, so orders, of which many are refused, come last.
 */
async function makeGoodRequests(t: Context): Promise<void> {
  const withOrder = mayChange(t, ORDER) ? PROGRAMS.filter((key) => programOf(t, key)?.order) : [];
  const make = (scenarios: Scenario<unknown>[]) => Promise.all(scenarios.map((one) => told(() => t.known(one))));
  await make(READING_OPERATIONS.map((id) => goodRequests[id]!));
  await make([goodRequests[CIP]!]);
  await make([goodRequests[ORDER]!, ...withOrder.map((key) => baseOrders[key])]);
}

/** Every operation that a session is needed for, with a session that is none; logout last, which may end one after all. */
async function probe(t: Context, sessionId: string | undefined): Promise<Probes> {
  const options = { intent: 'unauthorised', authorisation: { sessionId } } as const;
  const call = async (id: string) =>
    t.call(id, id === LOGOUT ? {} : (await t.known(goodRequests[id]!)).again(), options);
  const inScope = SESSION_OPERATIONS.filter((id) => operationInScope(t.run.configuration, id));
  const tried = async (id: string) => [id, await told(() => call(id))] as const;
  const others = await Promise.all(inScope.filter((id) => id !== LOGOUT).map(tried));
  return new Map([...others, ...(inScope.includes(LOGOUT) ? [await tried(LOGOUT)] : [])]);
}

const noProbes = (why: () => never): Probes => new Map(SESSION_OPERATIONS.map((id) => [id, why]));

const isAccepted = (found: Told<Answer>): boolean => known([found]).some(succeeded);
