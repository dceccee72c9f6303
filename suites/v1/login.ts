/** Login: who gets a session, and what it is good for (readings 32, 33, 35 and 36). */
import { expectAccepted, requireNotBusy, requirePresent } from '../../helpers/acceptance.ts';
import { type Answer, member, succeeded } from '../../helpers/answer.ts';
import { defineSuite } from '../../helpers/check.ts';
import { operationInScope } from '../../helpers/configuration/scope.ts';
import type { Context } from '../../helpers/context.ts';
import { expectRefused, expectStatus, expectSuccess, requireAccepted } from '../../helpers/expect.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';
import { sequences } from '../property-based/session-sequences.ts';
import { outcomeInWords } from '../shared/observed.ts';
import { attempt, type Step, values } from '../shared/step.ts';
import { type CustomerId, idText, isCustomerId } from './scenarios/customer-ids.ts';
import { expectNothingShown } from './scenarios/operation.ts';
import { type BothLogins, bothLogins, restrictedLogout, restrictedUser } from './scenarios/restricted-user.ts';
import { afterSessions, type LoginsOfNobody, lifecycle, loginsOfNobody, seen } from './scenarios/session-lifecycle.ts';
import { HIERARCHY, PROGRAM_LIST, programsOf, requireAcceptedNow, validRequests } from './scenarios/valid-requests.ts';
import { type WrongPassword, wrongPassword } from './scenarios/wrong-password.ts';

const { check, suite } = defineSuite();
export const loginSuite = suite;

/** What a login may be refused with that a firewall takes for an attack. */
const OR_FILTERED = [400, 403];

/** Logins that are refused, once all that logs in or out is done: a target may lock a user, or all of an address, after some of them. */
async function wrongLogins(t: Context): Promise<WrongLogins> {
  await attempt(() => t.known(sequences));
  const ofNobody = await t.known(loginsOfNobody);
  return { ofNobody, wrong: await attempt(() => t.known(wrongPassword)) };
}

interface WrongLogins {
  ofNobody: LoginsOfNobody;
  wrong: Step<WrongPassword>;
}

/**
 * A wrong login is refused with one of these statuses.
 * @throws Nonconformance, Inconclusive when it has another one, with which a good login was refused right afterwards, too
 */
function expectLoginRefused(
  t: Context,
  { wrong }: WrongLogins,
  login: Step<Answer>,
  what: string,
  statuses: readonly number[] = [400],
): void {
  const answer = expectRefused(seen(t, login), `a login (${what})`);
  const [good] = values([() => wrong().good()]);
  if (good?.status === answer.status && !statuses.includes(answer.status))
    inconclusive(`a good login is refused with status ${good.status}, too`);
  expectStatus(answer, statuses, `a login (${what})`);
}

check('portal.login.required-parameters', 'without loginID', { phase: 'end' }, async (t) => {
  const logins = await wrongLogins(t);
  expectLoginRefused(t, logins, logins.ofNobody.withoutLoginId, 'without loginID');
});

check('portal.login.unknown-login-id', 'an invented loginID', { phase: 'end' }, async (t) => {
  const logins = await wrongLogins(t);
  for (const { answer: login, isAltered, isFiltered } of logins.ofNobody.unknown) {
    const answer = seen(t, login);
    if (isAltered && succeeded(answer) && isOfAnotherUser(answer, await t.known(bothLogins)))
      inconclusive('the loginID is that of another user');
    const what = isAltered ? 'a loginID continued or cut short' : 'an invented loginID';
    expectLoginRefused(t, logins, login, what, isFiltered ? OR_FILTERED : [400]);
  }
});

/** Whether a login that was accepted is, by its answer, that of another user than the one of the run, who has the loginID that was sent. */
function isOfAnotherUser(login: Answer, { own: good }: BothLogins): boolean {
  const [own] = values([good]).filter(succeeded);
  const [userId, ownId] = [login, own].map((of) => of && idText(member(of, 'userId')));
  if (userId !== undefined && ownId !== undefined) return userId !== ownId;
  return inLowerCase(member(login, 'loginId')) === inLowerCase(login.input.query?.loginID);
}

const inLowerCase = (text: unknown) => String(text).toLowerCase();

check('portal.login.required-parameters', 'without password', { phase: 'end' }, async (t) => {
  const logins = await wrongLogins(t);
  expectLoginRefused(t, logins, logins.wrong().withoutPassword, 'without password');
});

check('portal.login.wrong-password', 'nearly the right one', { phase: 'end' }, async (t) => {
  const logins = await wrongLogins(t);
  const { form, isFiltered, wrong, good } = logins.wrong();
  t.observe('portal.login', 'a login right after a wrong password', outcomeInWords(seen(t, good)));
  expectLoginRefused(t, logins, wrong, form, isFiltered ? OR_FILTERED : [400]);
});

/** A login that is refused while the user has a session accuses nobody; one that is accepted when it is repeated at once does, wherever it is seen. */
check(
  'portal.login.required-only',
  'loginID and password',
  { phase: 'last' },
  afterSessions(async (t) => {
    const answer = seen(t, (await t.known(bothLogins)).own);
    t.observe('portal.login', 'a login while the user has a session', outcomeInWords(answer));
    const { earlierSession } = await t.known(lifecycle);
    if (succeeded(answer))
      t.observe('portal.login', 'session of an earlier login of the user', outcomeInWords(seen(t, earlierSession)));
  }),
);

check(
  'portal.login.login-id',
  'loginId and loginID',
  { phase: 'last' },
  afterSessions(async (t) => {
    const { own } = await t.known(bothLogins);
    const answer = requireAccepted(seen(t, own), 'the login');
    const said = member(answer, 'loginId');
    if (typeof said !== 'string') inconclusive('the answer has no loginId');
    const { loginID = '' } = t.run.loginQuery();
    if (inLowerCase(said) !== inLowerCase(loginID))
      fail('the login is answered with another loginId', {
        expected: loginID,
        actual: said,
        pointer: '/loginId',
        in: answer,
      });
  }),
);

check(
  'portal.login.sessions-differ',
  'the user of the run and the restricted one',
  { phase: 'last' },
  afterSessions(async (t) => {
    const logins = await t.known(bothLogins);
    const [own, other] = [logins.own, logins.restricted].map((login) =>
      member(requireAccepted(seen(t, login), 'one of two logins at the same moment'), 'sessionId'),
    );
    if (typeof own !== 'string' || own !== other) return;
    fail('two users who log in at the same moment get the same sessionId', {
      expected: 'a session of its own for each user',
      actual: 'one session',
      pointer: '/sessionId',
    });
  }),
);

check('portal.login.customer-id-accepted', 'hierarchy and program list', async (t) => {
  const { customerId } = await t.run.client.sessions.current();
  if (!isCustomerId(customerId)) inconclusive('the login names no customer');
  const isAsked = (id: string) => operationInScope(t.run.configuration, id);
  if (isAsked(HIERARCHY) || !isAsked(PROGRAM_LIST)) {
    const hierarchy = await ofCustomer(t, HIERARCHY, { customerId });
    requirePresent(t, HIERARCHY);
    await expectCustomerAccepted(t, hierarchy);
  }
  if (!isAsked(PROGRAM_LIST)) return;
  const programs = await ofCustomer(t, PROGRAM_LIST, { ...programsOf(customerId).query, customerId });
  requirePresent(t, PROGRAM_LIST);
  // 404 is "failed to get list", which a customer without programs may be answered with
  if (programs.status === 404) inconclusive('getCustomerProgramList answers 404 for the customerId of the login');
  await expectCustomerAccepted(t, programs);
});

/**
 * A request about the customer of the login is accepted; a session may end at any time, so one that is refused is repeated between requests about the
 * customer of the run.
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

check(
  'portal.login.customer-id-accepted',
  'of a later login',
  { phase: 'last' },
  afterSessions(async (t) => {
    const { own, hierarchyOfAnother } = await t.known(bothLogins);
    requireAccepted(seen(t, own), 'the login');
    const hierarchy = hierarchyOfAnother();
    if (hierarchy)
      expectSuccess(
        seen(t, () => hierarchy),
        'getCustomerHierarchy with the customerId of a later login',
      );
  }),
);

/** The answer to a request about a customer: the good request of the run, where that is about the same one. */
async function ofCustomer(t: Context, id: string, query: { customerId: CustomerId }): Promise<Answer> {
  const { answer } = await t.shared(validRequests[id]!);
  if (idText(answer.input.query?.customerId) === idText(query.customerId)) return answer;
  return t.call(id, { query }, { intent: 'refusable' });
}

/**
 * A refusal with another status than 401 is for the user when the session of that user lives, and who is entitled is served now, too.
 * @throws Inconclusive when it may be for the session, which may end at any time, or for how often the target was asked
 */
async function requireOfUser(t: Context, answer: Answer): Promise<void> {
  if (succeeded(answer) || answer.status === 401) return;
  const { isLoggedOut } = await t.known(restrictedLogout);
  if (!isLoggedOut) inconclusive('the session of the restricted user has ended, or cannot be logged out');
  await requireAcceptedNow(t, answer.operation.id);
}

check(
  'portal.not-entitled',
  'the forbidden operation',
  { phase: 'last' },
  afterSessions(async (t) => {
    const { forbidden } = await t.known(restrictedUser);
    for (const answer of forbidden()) {
      const { id } = answer.operation;
      requirePresent(t, id);
      const what = `${id} by a user who is not entitled to it`;
      await requireOfUser(t, answer);
      expectStatus(
        seen(t, () => answer),
        [401],
        what,
      );
      for (const good of values([await attempt(() => t.known(validRequests[id]!))]))
        expectNothingShown(answer, good.answer, what);
    }
  }),
);
