/**
 * The one time that the suite logs its user in and out on purpose: from logins over bad sessions to the end of a session
 * (readings 32 to 34). A login may end the user's earlier sessions, so everything else of the portal waits for its end.
 */
import { type Answer, type Input, type Intent, member, succeeded } from '../../../helpers/answer.ts';
import { type Check, type Scenario, scenario } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { tonights } from '../../../helpers/rotation.ts';
import { inconclusive, skip } from '../../../helpers/verdict.ts';
import { attempt, type Step, values } from '../../shared/step.ts';
import { invented } from '../../shared/target-data.ts';
import { CIP } from '../cip/person.ts';
import { baseOrders, ORDER, orderOfEarlierSession } from '../orders/base-orders.ts';
import { PROGRAMS, programOf } from '../orders/bodies.ts';
import { type BadSession, formsLike, LEAST_SECRET, NO_SESSION } from './bad-sessions.ts';
import { restrictedUser } from './restricted-user.ts';
import {
  ATM,
  mayChange,
  PROGRAM_LIST,
  READING_OPERATIONS,
  SESSION_OPERATIONS,
  validRequests,
  withoutParameters,
} from './valid-requests.ts';

export interface Logins {
  withoutLoginId: Step<Answer>;
  /** Of loginIDs that are made up. */
  inventedLoginId: Step<Answer>[];
  /** Of what is made of the loginID of the run, and might be that of another user. */
  alteredLoginId: Step<Answer>[];
  /** Beside the session of the run. */
  good: Step<Answer>;
  /** A request in the session of the run, after another login of the user. */
  earlierSession: Step<Answer>;
}

/** A request in a bad session. */
export interface Probe {
  /** In words: what the session is. */
  form: string;
  answer: Step<Answer>;
}

/** By operation. */
type Probes = ReadonlyMap<string, readonly Probe[]>;

export interface Lifecycle {
  /** Without, with an empty and with other bad sessions: those of the night. */
  bad: Probes;
  /** Without a session or in an ended one, by other parameters than the plain ones. */
  elsewhere: Probes;
  /** In the session that was logged out. */
  ended: Probes;
  /** Reads in a good session before and after a logout was refused that named none; the last ones that were made. */
  besideBadLogout: Step<{ before: Answer; after: Answer }>;
  /** Of the session of the run; where it was refused, of one begun just before. */
  logout: Step<Answer>;
}

const LOGIN = 'portal.login';
const LOGOUT = 'portal.logout';

/** What ends the condition of a careless query and makes it true. */
export const INJECTED = "' OR '1'='1";

const needsLogin = () =>
  skip('needs TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD, with TARGET_PORTAL_SESSION_ID unset');

/** A session that was given from outside is never ended. */
export const ownsSession = (t: Context) => t.run.client.sessions.renewable;

/** A login, where the target claims to have one. */
export async function logIn(t: Context, query: Input['query'], intent: Intent): Promise<Step<Answer>> {
  const isClaimed = operationInScope(t.run.configuration, LOGIN);
  return attempt(async () =>
    isClaimed ? t.call(LOGIN, { query }, { intent }) : skip(`needs ${LOGIN}, which is not in scope`),
  );
}

/** Logins that name nobody, and a good one, whose session is that of the run from then on. The wrong password comes last of all. */
const logins = scenario('portal logins', async (t): Promise<Logins> => {
  const { sessions } = t.run.client;
  const { loginID, password } = t.run.loginQuery();
  const nobody = t.unique('nobody');
  const anyPassword = password ?? t.unique('password');
  t.run.redactor.learn(nobody, 'INVENTED_LOGIN_ID');
  // So many digits continue a loginID to nobody's.
  const continued = loginID === undefined ? nobody : `${loginID}${invented('')}`;
  t.run.redactor.learn(continued, 'INVENTED_LOGIN_ID');
  const part = loginID === undefined || loginID.length <= LEAST_SECRET ? nobody : loginID.slice(0, -1);
  t.run.redactor.learn(part, 'INVENTED_LOGIN_ID');
  const loginsOfNobody = tonights(t.run, 'portal.login: logins of nobody', [
    { name: 'plain', login: { loginID: nobody, password: anyPassword } },
    { name: `the password ${INJECTED}`, login: { loginID: nobody, password: INJECTED } },
    { name: 'a quote in loginID', login: { loginID: `${nobody}${INJECTED}`, password: anyPassword } },
    { name: 'the password *', login: { loginID: nobody, password: '*' } },
    {
      name: 'a loginID that is continued',
      login: { loginID: continued, password: anyPassword },
      isAltered: continued !== nobody,
    },
    { name: 'a part of a loginID', login: { loginID: part, password: anyPassword }, isAltered: part !== nobody },
  ]);
  const withoutLoginId = await logIn(t, { password: anyPassword }, 'malformed');
  const inventedLoginId: Step<Answer>[] = [];
  const alteredLoginId: Step<Answer>[] = [];
  for (const { login, isAltered } of loginsOfNobody)
    (isAltered ? alteredLoginId : inventedLoginId).push(await logIn(t, login, 'unauthorised'));
  const ofNobody = { withoutLoginId, inventedLoginId, alteredLoginId };
  if (!ownsSession(t) || loginID === undefined || password === undefined)
    return { ...ofNobody, good: needsLogin, earlierSession: needsLogin };
  const [earlier] = values([await attempt(() => sessions.current())]);
  const good = await logIn(t, { loginID, password }, 'valid');
  if (!isAccepted(good)) {
    await sessions.close();
    await attempt(() => sessions.current());
    return { ...ofNobody, good, earlierSession: () => inconclusive('no second login is accepted') };
  }
  const earlierSession = await tryEarlier(t, earlier?.id);
  const isOther = member(good(), 'sessionId') !== earlier?.id;
  if (earlier && isOther) await logOut(t, earlier.id);
  await attempt(async () => sessions.use(good()));
  return { ...ofNobody, good, earlierSession };
});

/** Logs a session out that is needed no longer. */
async function logOut(t: Context, sessionId: string): Promise<void> {
  await attempt(() => t.call(LOGOUT, {}, { intent: 'unauthorised', authorisation: { sessionId } }));
  await t.run.client.sessions.forget(sessionId);
}

/** What came of the logins, once everything that logs in or out is done; the check names what it looks at by {@link seen}. */
export async function loginsOf(t: Context): Promise<Logins> {
  await attempt(() => t.known(lifecycle));
  return t.known(logins);
}

export const lifecycle = scenario('portal sessions from login to logout', async (t): Promise<Lifecycle> => {
  const { sessions } = t.run.client;
  await t.shared(logins);
  await makeGoodRequests(t);
  const { id } = await sessions.current();
  const others = badSessionsTonight(t, id);
  const bad = await probe(t, (operation) => [
    NO_SESSION,
    { form: 'an empty sessionId', sessionId: '' },
    ...others(operation),
  ]);
  if (!ownsSession(t)) {
    await attempt(() => t.known(restrictedUser));
    return {
      bad,
      elsewhere: await probeElsewhere(t, [NO_SESSION]),
      ended: new Map(),
      besideBadLogout: needsLogin,
      logout: needsLogin,
    };
  }
  const besideBadLogout = await tryBesideBadLogout(t, id);
  const { logout, sessionId } = await endSession(t);
  await t.settle();
  const endedSession = { form: 'the sessionId of an ended session', sessionId };
  const ended = isAccepted(logout) ? await probe(t, () => [endedSession]) : new Map();
  const elsewhere = await probeElsewhere(t, isAccepted(logout) ? [NO_SESSION, endedSession] : [NO_SESSION]);
  await attempt(() => t.known(restrictedUser));
  return { bad, elsewhere, ended, besideBadLogout, logout };
});

/** Ends the session of the run; one that may have ended by itself is replaced before. */
async function endSession(t: Context): Promise<{ logout: Step<Answer>; sessionId: string }> {
  const { sessions } = t.run.client;
  const end = async () => {
    const { id: sessionId } = await sessions.current();
    const logout = await attempt(() => t.call(LOGOUT, {}, { authorisation: { sessionId } }));
    await sessions.forget(sessionId);
    return { logout, sessionId };
  };
  const first = await end();
  return isAccepted(first.logout) ? first : end();
}

/** A logout that names no session is refused without effect. A session may end by itself, so a second one is looked at where the first is gone. */
async function tryBesideBadLogout(t: Context, sessionId: string): Promise<Lifecycle['besideBadLogout']> {
  const id = withoutParameters(t);
  if (id === undefined) return () => skip('needs an operation without parameters, which is not in scope');
  const read = (of: string) => t.call(id, {}, { intent: 'refusable', authorisation: { sessionId: of } });
  return attempt(async () => {
    const before = (await t.known(validRequests[id]!)).answer;
    const after = await read(sessionId);
    if (succeeded(after) || !succeeded(before)) return { before, after };
    await t.run.client.sessions.forget(sessionId);
    const { id: fresh } = await t.run.client.sessions.current();
    const again = await read(fresh);
    for (const { sessionId: bad } of [NO_SESSION, ...badSessionsTonight(t, fresh)(LOGOUT)])
      await t.call(LOGOUT, {}, unauthorised(bad));
    return { before: again, after: await read(fresh) };
  });
}

/** A check that uses the session of the run: it waits until nothing logs the user in or out any more. */
export const inSession =
  (body: Check['body']): Check['body'] =>
  async (t) => {
    await attempt(() => t.known(lifecycle));
    await body(t);
  };

/** What the lifecycle found; the check names the exchanges that it looks at by {@link seen}. */
export async function lifecycleOf(t: Context): Promise<Lifecycle> {
  return t.known(lifecycle);
}

/** An answer of the lifecycle as evidence of this check. */
export function seen(t: Context, found: Step<Answer> | undefined): Answer {
  const answer = (found ?? (() => skip('needs an operation that is not in scope')))();
  t.exchanges.push(answer.exchange);
  return answer;
}

/** A request in the session of an earlier login, after another login of the user. */
async function tryEarlier(t: Context, sessionId: string | undefined): Promise<Step<Answer>> {
  const id = withoutParameters(t);
  if (sessionId === undefined || id === undefined) return () => inconclusive('no earlier session can be tried');
  return attempt(() => t.call(id, {}, { intent: 'refusable', authorisation: { sessionId } }));
}

/**
 * All requests that must succeed are made before the session of the run ends: logging in anew for one that is refused
 * disturbs nobody but those that are under way, so orders, of which many are refused, come last.
 */
async function makeGoodRequests(t: Context): Promise<void> {
  const withOrder = mayChange(t, ORDER) ? PROGRAMS.filter((key) => programOf(t, key)?.order) : [];
  const make = (scenarios: Scenario<unknown>[]) => Promise.all(scenarios.map((one) => attempt(() => t.known(one))));
  await make(READING_OPERATIONS.map((id) => validRequests[id]!));
  await make([validRequests[CIP]!]);
  await make([validRequests[ORDER]!, ...withOrder.map((key) => baseOrders[key])]);
  if (!mayChange(t, ORDER) || !t.fixtures.portal?.programs) return;
  await make([orderOfEarlierSession, ...(programOf(t, 'uniqueOtherInfo') ? [baseOrders.uniqueOtherInfo] : [])]);
}

/**
 * Bad sessions of other forms than none and an empty one, by operation: one a night, another one for each operation, so that
 * every night tries all forms.
 */
function badSessionsTonight(t: Context, living: string): (operation: string) => BadSession[] {
  const forms = formsLike(t, living);
  const { seed, thorough } = t.run.configuration.run;
  return (id) => {
    const one = forms[(seed + SESSION_OPERATIONS.indexOf(id)) % forms.length]!;
    const tried = thorough ? forms : [one];
    t.run.rotates(
      `${id}: bad sessions`,
      tried.map(({ form }) => form),
      forms.length,
    );
    return tried;
  };
}

const unauthorised = (sessionId: string | undefined) =>
  ({ intent: 'unauthorised', authorisation: { sessionId } }) as const;

/** Every operation that a session is needed for, with sessions that are none; logout last, which may end one after all. */
async function probe(t: Context, sessionsFor: (operation: string) => readonly BadSession[]): Promise<Probes> {
  const inScope = SESSION_OPERATIONS.filter((id) => operationInScope(t.run.configuration, id));
  const tried = async (id: string) => {
    const probes = sessionsFor(id).map(
      async ({ form, sessionId }): Promise<Probe> => ({
        form,
        answer: await attempt(async () => {
          const input = id === LOGOUT ? {} : (await t.known(validRequests[id]!)).again();
          return t.call(id, input, unauthorised(sessionId));
        }),
      }),
    );
    return [id, await Promise.all(probes)] as const;
  };
  const others = await Promise.all(inScope.filter((id) => id !== LOGOUT).map(tried));
  return new Map([...others, ...(inScope.includes(LOGOUT) ? [await tried(LOGOUT)] : [])]);
}

const inWords = (query: Input['query']) =>
  ['showAutoCreated', 'showBranded', 'pageOffset']
    .filter((name) => query?.[name] !== undefined)
    .map((name) => `${name}=${query![name]}`)
    .join(' ');

/** Requests in a bad session, one a night, whose parameters are others than those of the plain request. */
async function probeElsewhere(t: Context, sessions: readonly BadSession[]): Promise<Probes> {
  const others = (id: string, { query = {} }: Input): Input['query'][] => {
    if (id === ATM) return [{ ...query, pageOffset: Number(query.pageOffset) + 1 }];
    const flags = [
      [true, false],
      [false, true],
      [false, false],
    ];
    return flags.map(([showAutoCreated, showBranded]) => ({ ...query, showAutoCreated, showBranded }));
  };
  const inScope = [PROGRAM_LIST, ATM].filter((id) => operationInScope(t.run.configuration, id));
  const tried = inScope.map(async (id) => {
    const [good] = values([await attempt(async () => (await t.known(validRequests[id]!)).answer.input)]);
    const forms = others(id, good ?? {}).flatMap((query) => sessions.map((session) => ({ ...session, query })));
    const named = ({ form, query }: (typeof forms)[number]) => `${inWords(query)}, ${form}`;
    const probes = tonights(t.run, `${id}: other parameters`, forms, 1, named).map(
      async ({ form, sessionId, query }): Promise<Probe> => ({
        form,
        answer: await attempt(() => t.call(id, { query }, unauthorised(sessionId))),
      }),
    );
    return [id, await Promise.all(probes)] as const;
  });
  return new Map(await Promise.all(tried));
}

export const isAccepted = (found: Step<Answer>): boolean => values([found]).some(succeeded);
