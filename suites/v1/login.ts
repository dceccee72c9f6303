/** Login: sessions, refusals and entitlement (readings 32, 33, 35 and 36). */
import { member, succeeded } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/check.ts';
import { expectAccepted, requirePresent } from '../../helpers/engine/acceptance.ts';
import { expectNothingGiven } from '../../helpers/engine/disclosure.ts';
import type { TryAgain } from '../../helpers/engine/monitor.ts';
import { triedBetween } from '../../helpers/engine/refusal.ts';
import { contradicts } from '../../helpers/evidence/ledger.ts';
import { expectStatus } from '../../helpers/expect.ts';
import { attempt, inconclusive, values } from '../../helpers/verdict.ts';
import { check, everyExchange, monitored } from '../declare.ts';
import * as Customers from './scenarios/customers.ts';
import * as LastLogins from './scenarios/last-logins.ts';
import * as Lifecycle from './scenarios/lifecycle.ts';
import * as RestrictedUser from './scenarios/restricted-user.ts';
import * as Sessions from './scenarios/sessions.ts';
import * as ValidRequests from './scenarios/valid-requests.ts';
import * as SessionMonitors from './session-monitors.ts';

const amongRight = { tryAgain: triedBetween((t) => (Sessions.ownsSession(t) ? LastLogins.rightLogin : undefined)) };

const refusesIncomplete = monitored(
  'portal.login.required-parameters',
  SessionMonitors.refusesLogins('absent'),
  amongRight,
);
refusesIncomplete('without loginID', { phase: 'end' }, (t) => t.shared(LastLogins.loginsOfNobody));
refusesIncomplete('without password', { phase: 'end' }, (t) => t.shared(LastLogins.wrongPassword));
const refusesNobody = monitored('portal.login.unknown-login-id', SessionMonitors.refusesLogins('user'), amongRight);
refusesNobody('an invented loginID', { phase: 'end' }, (t) => t.shared(LastLogins.loginsOfNobody));
const refusesPassword = monitored('portal.login.wrong-password', SessionMonitors.refusesLogins('password'), amongRight);
refusesPassword('nearly the right one', { phase: 'end' }, (t) => t.shared(LastLogins.wrongPassword));

/** The drivers of what all logins show: the lifecycle of the sessions, with the logins of two users in it. */
async function sessions(t: Context): Promise<void> {
  await attempt(() => t.known(Lifecycle.tried));
  await t.shared(RestrictedUser.bothLogins);
}

// A login refused while the user has a session accuses nobody; every exchange is held to `required-only` anyway, which fails when a refused
// login is accepted at once when repeated.
check('portal.login.required-only', 'loginID and password', { phase: 'last' }, async (t) => {
  await attempt(() => t.known(Lifecycle.tried));
  t.observe(
    Sessions.LOGIN,
    'a login while the user has a session',
    Lifecycle.cite(t, (await t.known(RestrictedUser.bothLogins)).own),
  );
});

everyExchange('portal.login.login-id', Sessions.LOGIN, (answer) => {
  const said = member(answer, 'loginId');
  const { loginID } = answer.input.query ?? {};
  if (!succeeded(answer) || !Sessions.isByRight(answer) || typeof said !== 'string') return undefined;
  if (said.toLowerCase() === String(loginID).toLowerCase()) return 'kept';
  return contradicts('the answer to the login has another loginId', String(loginID), said, '/loginId');
});

const differ = monitored('portal.login.sessions-differ', SessionMonitors.sessionsDiffer, { isSuspicion: true });
differ('the user of the run and the restricted one', { phase: 'last' }, sessions);

const beginsSession = monitored('portal.login.begins-session', SessionMonitors.servedWhenNew);
beginsSession('in sequences of logins and logouts', { phase: 'end' }, (t) => t.shared(LastLogins.sequences));

/** A session may end at any time, so a refused request is repeated between requests for the customer of the run. */
const betweenKnown: TryAgain = async (t, [stands]) => {
  const { operation, input } = stands.by.at(-1)!;
  const { id } = operation;
  requirePresent(t, id);
  const { answer: known } = await t.shared(ValidRequests.of(id));
  const control = succeeded(known) ? { control: known.input } : {};
  await expectAccepted(t, { operation: id, what: `${id} with the customerId of the login`, input, ...control });
  return inconclusive(`${stands.message}, but not when it was asked again`);
};

const takesCustomer = monitored('portal.login.customer-id-accepted', SessionMonitors.customerAccepted, {
  tryAgain: betweenKnown,
});

takesCustomer('hierarchy and program list', {}, async (t) => {
  const { customerId } = await t.run.client.sessions.current();
  if (!Customers.isCustomerId(customerId)) inconclusive('the login names no customer');
  for (const id of [Customers.HIERARCHY, Customers.PROGRAM_LIST].filter((one) => t.isInScope(one))) {
    const { answer } = await t.shared(ValidRequests.of(id));
    if (Customers.idText(answer.input.query?.customerId) === Customers.idText(customerId)) continue;
    const input = id === Customers.PROGRAM_LIST ? ValidRequests.programsOf(customerId) : { query: { customerId } };
    await t.call(id, input, { intent: 'refusable' });
  }
});
takesCustomer('of a later login', { phase: 'last' }, sessions);

check('portal.not-entitled', 'the forbidden operation', { phase: 'last' }, async (t) => {
  await attempt(() => t.known(Lifecycle.tried));
  const { forbidden } = await t.known(RestrictedUser.tried);
  for (const answer of forbidden()) {
    const { id } = answer.operation;
    requirePresent(t, id);
    const what = `${id} by a user who is not entitled to it`;
    // Another status may be about the session, which may end at any time, or about too many requests.
    if (!succeeded(answer) && answer.status !== 401) {
      if (!(await t.known(RestrictedUser.beside)))
        inconclusive('the session of the restricted user has ended, or cannot be logged out');
      await ValidRequests.requireAcceptedNow(t, id);
    }
    t.exchanges.push(answer.exchange);
    expectStatus(answer, [401], what);
    const good = await attempt(() => t.known(ValidRequests.of(id)));
    for (const { answer: given } of values([good])) expectNothingGiven(answer, what, given);
  }
});
