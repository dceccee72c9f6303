/** Login and logout: who gets a session, and when it ends. */
import { operation } from '../../contracts/operations.ts';
import { type Answer, member, succeeded } from '../../helpers/answer.ts';
import { defineSuite } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { accepted, expectRefused, expectStatus, requireAccepted } from '../../helpers/expect.ts';
import { inconclusive, skip } from '../../helpers/verdict.ts';
import { outcome } from '../observed.ts';
import { known } from '../shared/step.ts';
import { type CustomerId, idText, isCustomerId } from './scenarios/customer-ids.ts';
import { inSession, type Logins, lifecycleOf, loginsOf, seen } from './scenarios/session-lifecycle.ts';
import { goodRequests, programsOf } from './scenarios/valid-requests.ts';

const { check, suite } = defineSuite();
export const sessionSuite = suite;

const BAD_LOGINS = [
  ['portal.login.required-parameters', 'without loginID', ({ withoutLoginId }: Logins) => withoutLoginId],
  ['portal.login.required-parameters', 'without password', ({ withoutPassword }: Logins) => withoutPassword],
  ['portal.login.unknown-login-id', 'an invented loginID', ({ unknownLoginId }: Logins) => unknownLoginId],
  ['portal.login.wrong-password', 'last character changed', ({ wrongPassword }: Logins) => wrongPassword],
] as const;

for (const [requirement, what, among] of BAD_LOGINS)
  check(requirement, what, async (t) => {
    expectStatus(seen(t, among(await loginsOf(t))), [400], `a login (${what})`);
  });

check('portal.login.required-only', 'loginID and password', async (t) => {
  const logins = await loginsOf(t);
  accepted(seen(t, logins.good), 'a login with loginID and password');
  t.observe('portal.login', 'session of an earlier login of the user', outcome(seen(t, logins.earlierSession)));
});

check(
  'portal.login.customer-id-accepted',
  'hierarchy and program list',
  inSession(async (t) => {
    const customerId = member(requireAccepted(seen(t, (await loginsOf(t)).good), 'the login'), 'customerId');
    if (!isCustomerId(customerId)) inconclusive('the login names no customer');
    for (const [name, query] of Object.entries({
      getCustomerHierarchy: { customerId },
      getCustomerProgramList: programsOf(customerId).query,
    }))
      accepted(
        await ofCustomer(t, `portal.${name}`, { ...query, customerId }),
        `${name} with the customerId of the login`,
      );
  }),
);

/** The answer to a request about a customer: the good request of the run, where that is about the same one. */
async function ofCustomer(t: Context, id: string, query: { customerId: CustomerId }): Promise<Answer> {
  const { answer } = await t.shared(goodRequests[id]!);
  if (idText(answer.input.query?.customerId) === idText(query.customerId)) return answer;
  return t.call(id, { query }, { intent: 'refusable' });
}

check('portal.logout.required-only', 'the session of the run', async (t) => {
  accepted(seen(t, (await lifecycleOf(t)).logout), 'logout from a session that lives');
});

check('portal.logout.ends-session', 'every operation', async (t) => {
  const { logout, ended } = await lifecycleOf(t);
  requireAccepted(seen(t, logout), 'logout');
  let told = false;
  for (const [id, probe] of ended)
    for (const answer of id === 'portal.logout' ? [] : known([probe])) {
      expectRefused(
        seen(t, () => answer),
        `${id} in a session that was logged out`,
      );
      told ||= succeeded((await t.known(goodRequests[id]!)).answer);
    }
  if (!told) inconclusive('no operation that is accepted before logout was tried after it');
});

check(
  'portal.not-entitled',
  'the forbidden operation',
  inSession(async (t) => {
    const { id, loginID, password } = restrictedLogin(t);
    const login = requireAccepted(
      await t.call('portal.login', { query: { loginID, password } }),
      'the restricted login',
    );
    const sessionId = member(login, 'sessionId');
    if (typeof sessionId !== 'string') inconclusive('the restricted login gets no session');
    const { query, ...body } = id === 'portal.logout' ? {} : (await t.shared(goodRequests[id]!)).again();
    const own = member(login, 'customerId');
    const input = {
      ...body,
      query: query?.customerId !== undefined && isCustomerId(own) ? { ...query, customerId: own } : query,
    };
    const answer = await t.call(id, input, { intent: 'unauthorised', authorisation: { sessionId } });
    expectStatus(answer, [401], `${id} by a user who is not entitled to it`);
  }),
);

function restrictedLogin(t: Context): { id: string; loginID: string; password: string } {
  const { loginID, password, forbiddenOperation } = t.fixtures.portal?.restrictedLogin ?? {};
  const needs = (key: string) => skip(`needs portal.restrictedLogin.${key} in the fixtures file`);
  if (loginID === undefined) return needs('loginID');
  if (password === undefined) return needs('password');
  if (forbiddenOperation === undefined) return needs('forbiddenOperation');
  const id = `portal.${forbiddenOperation}`;
  const { risk } = operation(id);
  return t.allows(risk) ? { id, loginID, password } : skip(`${id} needs RUN_RISK=${risk}`);
}
