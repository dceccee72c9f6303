/** The user of the fixtures file who is not entitled to everything: logs in beside the user of the run, once (readings 34 and 35). */
import { operation } from '../../../contracts/operations.ts';
import { type Answer, type Input, member, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import { operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { tonights } from '../../../helpers/rotation.ts';
import { inconclusive, skip } from '../../../helpers/verdict.ts';
import { attempt, type Step, values } from '../../shared/step.ts';
import { isCustomerId } from './customer-ids.ts';
import { SESSION_OPERATIONS, validRequests } from './valid-requests.ts';

const LOGIN = 'portal.login';
const LOGOUT = 'portal.logout';
/** Operations that are tried in the ended session of this user in one night. */
const OPERATIONS_A_NIGHT = 2;

export interface RestrictedUser {
  /** Logins of the user of the run and of this one at the same moment. */
  atOnce: { own: Step<Answer>; restricted: Step<Answer> };
  /** The operation that this user is not entitled to, asked for twice. */
  forbidden: Step<Answer[]>;
  /** By operation: in the session of this user, after it was logged out. */
  ended: ReadonlyMap<string, Step<Answer>>;
}

/** @throws Skipped where the fixtures file does not give the user */
export const restrictedUser = scenario(
  'a user who is not entitled to everything',
  async (t): Promise<RestrictedUser> => {
    const { loginID, password } = t.fixtures.portal?.restrictedLogin ?? {};
    if (loginID === undefined) skip('needs portal.restrictedLogin.loginID in the fixtures file');
    if (password === undefined) skip('needs portal.restrictedLogin.password in the fixtures file');
    const [own, restricted] = await Promise.all([
      logInAgain(t),
      attempt(() => t.call(LOGIN, { query: { loginID, password } }, { intent: 'refusable' })),
    ]);
    const [answer] = values([restricted]).filter(succeeded);
    const sessionId = answer && member(answer, 'sessionId');
    if (typeof sessionId !== 'string') {
      const none = () => inconclusive('the restricted login gets no session');
      return { atOnce: { own, restricted }, forbidden: none, ended: new Map() };
    }
    const tryIt = () => tryForbidden(t, sessionId, member(answer!, 'customerId'));
    const forbidden = await attempt(async () => [await tryIt(), await tryIt()]);
    const logout = await attempt(() => t.call(LOGOUT, {}, { intent: 'refusable', authorisation: { sessionId } }));
    const isLoggedOut = values([logout]).some(succeeded);
    if (isLoggedOut) await t.settle();
    return { atOnce: { own, restricted }, forbidden, ended: isLoggedOut ? await probeEnded(t, sessionId) : new Map() };
  },
);

/** Logs the user of the run in again, whose session was logged out. */
async function logInAgain(t: Context): Promise<Step<Answer>> {
  const { sessions } = t.run.client;
  if (!sessions.renewable) return () => skip('needs TARGET_PORTAL_SESSION_ID unset');
  const own = await attempt(() => t.call(LOGIN, { query: t.run.loginQuery() }));
  await attempt(async () => sessions.use(own()));
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

async function probeEnded(t: Context, sessionId: string): Promise<RestrictedUser['ended']> {
  const inScope = SESSION_OPERATIONS.filter((id) => operationInScope(t.run.configuration, id));
  const tried = tonights(t.run, 'ended session of another user', inScope, OPERATIONS_A_NIGHT).map(
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
