/** Login: sessions, refusals and entitlement (readings 32, 33, 35 and 36). */
import { type Answer, member, succeeded } from '../../helpers/answer.ts';
import type { Check, Context } from '../../helpers/check.ts';
import { expectAccepted, requireNotBusy, requirePresent } from '../../helpers/engine/acceptance.ts';
import { expectNothingGiven } from '../../helpers/engine/disclosure.ts';
import { expectLoginRefused } from '../../helpers/engine/refusal.ts';
import { expectStatus, expectSuccess, requireAccepted } from '../../helpers/expect.ts';
import { attempt, fail, inconclusive, type Step, values } from '../../helpers/verdict.ts';
import { check, monitored } from '../declare.ts';
import { type CustomerId, idText, isCustomerId } from './scenarios/customers.ts';
import { type BothLogins, bothLogins, restrictedLogout, restrictedUser } from './scenarios/restricted-user.ts';
import { cite, lifecycle, ownsSession } from './scenarios/session-lifecycle.ts';
import { sequences } from './scenarios/session-sequences.ts';
import { HIERARCHY, PROGRAM_LIST, programsOf, requireAcceptedNow, validRequests } from './scenarios/valid-requests.ts';
import { loginsOfNobody, rightLogin, wrongPassword } from './scenarios/wrong-password.ts';
import { servedWhenNew } from './session-monitors.ts';

/** Declares a check that the whole lifecycle of the sessions comes before. */
const afterSessions = (requirement: string, name: string, body: Check['body']): void =>
  check(requirement, name, { phase: 'last' }, async (t) => {
    await attempt(() => t.known(lifecycle));
    await body(t);
  });

/** @param isFiltered a firewall may refuse it, with 403, before the operation sees it */
const expectRefusedLogin = (t: Context, login: Step<Answer>, what: string, isFiltered = false): Promise<void> =>
  expectLoginRefused(t, ownsSession(t) ? rightLogin : undefined, {
    what: `a login (${what})`,
    answer: cite(t, login),
    statuses: isFiltered ? [400, 403] : [400],
  });

check('portal.login.required-parameters', 'without loginID', { phase: 'end' }, async (t) => {
  await expectRefusedLogin(t, (await t.known(loginsOfNobody)).withoutLoginId, 'without loginID');
});

check('portal.login.unknown-login-id', 'an invented loginID', { phase: 'end' }, async (t) => {
  for (const { answer: login, isAltered, isFiltered } of (await t.known(loginsOfNobody)).unknown) {
    const answer = cite(t, login);
    if (isAltered && succeeded(answer) && isOfAnotherUser(answer, await t.known(bothLogins)))
      inconclusive('the loginID is that of another user');
    const what = isAltered ? 'a loginID continued or cut short' : 'an invented loginID';
    await expectRefusedLogin(t, login, what, isFiltered);
  }
});

/** Whether the answer to an accepted login is for another user than the run's, who has the altered loginID. */
function isOfAnotherUser(login: Answer, { own: good }: BothLogins): boolean {
  const [own] = values([good]).filter(succeeded);
  const [userId, ownId] = [login, own].map((of) => of && idText(member(of, 'userId')));
  if (userId !== undefined && ownId !== undefined) return userId !== ownId;
  return inLowerCase(member(login, 'loginId')) === inLowerCase(login.input.query?.loginID);
}

const inLowerCase = (text: unknown) => String(text).toLowerCase();

check('portal.login.required-parameters', 'without password', { phase: 'end' }, async (t) => {
  await expectRefusedLogin(t, (await t.known(wrongPassword)).withoutPassword, 'without password');
});

check('portal.login.wrong-password', 'nearly the right one', { phase: 'end' }, async (t) => {
  const { form, isFiltered, wrong, good } = await t.known(wrongPassword);
  t.observe('portal.login', 'a login right after a wrong password', cite(t, good));
  await expectRefusedLogin(t, wrong, form, isFiltered);
});

// Observes logins and sessions. A login refused while the user has a session accuses nobody; every exchange is held to
// `required-only` anyway, which fails when a refused login is accepted at once when repeated.
afterSessions('portal.login.required-only', 'loginID and password', async (t) => {
  const answer = cite(t, (await t.known(bothLogins)).own);
  t.observe('portal.login', 'a login while the user has a session', answer);
  const { earlierSession } = await t.known(lifecycle);
  if (succeeded(answer)) t.observe('portal.login', 'session of an earlier login of the user', cite(t, earlierSession));
});

afterSessions('portal.login.login-id', 'loginId and loginID', async (t) => {
  const { own } = await t.known(bothLogins);
  const answer = requireAccepted(cite(t, own), 'the login');
  const said = member(answer, 'loginId');
  if (typeof said !== 'string') inconclusive('the answer has no loginId');
  const { loginID = '' } = t.run.loginQuery();
  if (inLowerCase(said) !== inLowerCase(loginID))
    fail('the answer to the login has another loginId', loginID, said, { pointer: '/loginId', in: answer });
});

afterSessions('portal.login.sessions-differ', 'the user of the run and the restricted one', async (t) => {
  const logins = await t.known(bothLogins);
  const [own, other] = [logins.own, logins.restricted].map((login) =>
    member(requireAccepted(cite(t, login), 'one of two logins at the same moment'), 'sessionId'),
  );
  if (typeof own !== 'string' || own !== other) return;
  fail(
    'two users who log in at the same moment get the same sessionId',
    'a session of its own for each user',
    'one session',
    { pointer: '/sessionId' },
  );
});

const beginsSession = monitored('portal.login.begins-session', servedWhenNew);
beginsSession('in sequences of logins and logouts', { phase: 'end' }, (t) => t.shared(sequences));

check('portal.login.customer-id-accepted', 'hierarchy and program list', async (t) => {
  const { customerId } = await t.run.client.sessions.current();
  if (!isCustomerId(customerId)) inconclusive('the login names no customer');
  if (t.isInScope(HIERARCHY) || !t.isInScope(PROGRAM_LIST)) {
    const hierarchy = await ofCustomer(t, HIERARCHY, { customerId });
    requirePresent(t, HIERARCHY);
    await expectCustomerAccepted(t, hierarchy);
  }
  if (!t.isInScope(PROGRAM_LIST)) return;
  const programs = await ofCustomer(t, PROGRAM_LIST, { ...programsOf(customerId).query, customerId });
  requirePresent(t, PROGRAM_LIST);
  // 404, "failed to get list", may mean that the customer has no programs.
  if (programs.status === 404) inconclusive('getCustomerProgramList answers 404 for the customerId of the login');
  await expectCustomerAccepted(t, programs);
});

/**
 * Expects a request for the login's customer to be accepted. A session may end at any time, so a refused request is repeated between requests
 * for the customer of the run.
 * @throws Nonconformance, Inconclusive; see expectAccepted
 */
async function expectCustomerAccepted(t: Context, answer: Answer): Promise<void> {
  const { id } = answer.operation;
  const what = `${id} with the customerId of the login`;
  requireNotBusy(answer, what);
  if (succeeded(answer)) return;
  const { answer: known } = await t.shared(validRequests[id]!);
  const control = succeeded(known) ? { control: known.input } : {};
  await expectAccepted(t, { operation: id, what, input: answer.input, ...control });
}

afterSessions('portal.login.customer-id-accepted', 'of a later login', async (t) => {
  const { own, hierarchyOfAnother } = await t.known(bothLogins);
  requireAccepted(cite(t, own), 'the login');
  const hierarchy = hierarchyOfAnother();
  if (hierarchy)
    expectSuccess(
      cite(t, () => hierarchy),
      'getCustomerHierarchy with the customerId of a later login',
    );
});

/** The answer to a request about a customer; taken from the valid request of the run if that is about the same one. */
async function ofCustomer(t: Context, id: string, query: { customerId: CustomerId }): Promise<Answer> {
  const { answer } = await t.shared(validRequests[id]!);
  if (idText(answer.input.query?.customerId) === idText(query.customerId)) return answer;
  return t.call(id, { query }, { intent: 'refusable' });
}

/**
 * Requires a refusal with a status other than 401 to be about the user: the user's session is still live, and the run's user is
 * served now.
 * @throws Inconclusive when it may be about the session, which may end at any time, or about too many requests
 */
async function requireOfUser(t: Context, answer: Answer): Promise<void> {
  if (succeeded(answer) || answer.status === 401) return;
  if (!(await t.known(restrictedLogout)))
    inconclusive('the session of the restricted user has ended, or cannot be logged out');
  await requireAcceptedNow(t, answer.operation.id);
}

afterSessions('portal.not-entitled', 'the forbidden operation', async (t) => {
  const { forbidden } = await t.known(restrictedUser);
  for (const answer of forbidden()) {
    const { id } = answer.operation;
    requirePresent(t, id);
    const what = `${id} by a user who is not entitled to it`;
    await requireOfUser(t, answer);
    expectStatus(
      cite(t, () => answer),
      [401],
      what,
    );
    for (const good of values([await attempt(() => t.known(validRequests[id]!))]))
      expectNothingGiven(answer, what, good.answer);
  }
});
