/** Login: sessions, refusals and the customer that it names (readings 32, 33 and 36). */
import { member, succeeded } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/check.ts';
import { expectAccepted, requirePresent } from '../../helpers/engine/acceptance.ts';
import type { TryAgain } from '../../helpers/engine/monitor.ts';
import { triedBetween, wasAccepted } from '../../helpers/engine/refusal.ts';
import { contradicts } from '../../helpers/evidence/ledger.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import { check, everyExchange, monitored } from '../declare.ts';
import * as Customers from './scenarios/customers.ts';
import * as LastLogins from './scenarios/last-logins.ts';
import * as Lifecycle from './scenarios/lifecycle.ts';
import * as RestrictedUser from './scenarios/restricted-user.ts';
import * as Sessions from './scenarios/sessions.ts';
import * as ValidRequests from './scenarios/valid-requests.ts';
import * as SessionMonitors from './session-monitors.ts';

/** Checks of logins that are refused: where one is not, it is tried again between right ones. */
const refuses = (requirement: string, wrong: SessionMonitors.WrongLogin) =>
  monitored(requirement, SessionMonitors.refusesLogins(wrong), {
    tryAgain: triedBetween((t) => (Sessions.ownsSession(t) ? LastLogins.rightLogin : undefined)),
    isConfirmed: wasAccepted,
  });

const refusesIncomplete = refuses('portal.login.required-parameters', 'absent');
const withoutLoginId = LastLogins.drive('portal.login.required-parameters', 'logins of nobody');
refusesIncomplete('without loginID', { phase: 'end' }, withoutLoginId);
const withoutPassword = LastLogins.drive('portal.login.required-parameters', 'a wrong password');
refusesIncomplete('without password', { phase: 'end' }, withoutPassword);
const refusesNobody = refuses('portal.login.unknown-login-id', 'user');
const nobody = LastLogins.drive('portal.login.unknown-login-id', 'logins of nobody');
refusesNobody('an invented loginID', { phase: 'end' }, nobody);
const refusesPassword = refuses('portal.login.wrong-password', 'password');
const nearly = LastLogins.drive('portal.login.wrong-password', 'a wrong password');
refusesPassword('near-miss passwords', { phase: 'end' }, nearly);

/** The driver of what all logins show: the lifecycle of the sessions, with the logins of two users in it. */
function logins(requirement: string, ...steps: readonly string[]): (t: Context) => Promise<unknown> {
  Lifecycle.sessions.reads(requirement, 'logins', ...steps);
  return async (t) => {
    await Lifecycle.sessions.known(t);
    return t.shared(RestrictedUser.bothLogins);
  };
}

// A login refused while the user has a session accuses nobody; every exchange is held to `required-only` anyway, which fails when a refused
// login is accepted at once when repeated.
Lifecycle.sessions.reads('portal.login.required-only', 'logins');
check('portal.login.required-only', 'loginID and password', { phase: 'last' }, async (t) => {
  const { own } = (await Lifecycle.sessions.known(t)).logins.get();
  t.observe(Sessions.LOGIN, 'a login while the user has a session', Lifecycle.cite(t, own));
});

everyExchange('portal.login.login-id', Sessions.LOGIN, (answer) => {
  const said = member(answer, 'loginId');
  const { loginID } = answer.input.query ?? {};
  if (!succeeded(answer) || !Sessions.isByRight(answer) || typeof said !== 'string') return undefined;
  if (said.toLowerCase() === String(loginID).toLowerCase()) return 'kept';
  return contradicts('the answer to the login has another loginId', String(loginID), said, '/loginId');
});

const differ = monitored('portal.login.sessions-differ', SessionMonitors.sessionsDiffer, { isSuspicion: true });
differ(
  'the user of the run and the restricted one',
  { phase: 'last' },
  logins('portal.login.sessions-differ', 'otherUser'),
);

const beginsSession = monitored('portal.login.begins-session', SessionMonitors.servedWhenNew);
beginsSession(
  'in sequences of logins and logouts',
  { phase: 'end' },
  LastLogins.drive('portal.login.begins-session', 'sequences'),
);

/** A session may end at any time, so a refused request is repeated between requests for the customer of the run. */
const tryAgain: TryAgain = async (t, [stands]) => {
  const { operation, input } = stands.by.at(-1)!;
  const { id } = operation;
  requirePresent(t, id);
  const { answer: known } = await t.shared(ValidRequests.requestOf(id));
  const control = succeeded(known) ? { control: known.input } : {};
  await expectAccepted(t, {
    operation: id,
    what: `${id} with the customerId of the login`,
    input,
    ...control,
  });
  return inconclusive(`${stands.message}, but not when it was asked again`);
};

const takesCustomer = monitored('portal.login.customer-id-accepted', SessionMonitors.customerAccepted, { tryAgain });
takesCustomer('the customerId of the first login', {}, async (t) => {
  const { customerId } = await t.run.client.sessions.current();
  if (!Customers.isCustomerId(customerId)) inconclusive('the login names no customer');
  for (const id of [Customers.HIERARCHY, Customers.PROGRAM_LIST].filter((one) => t.isInScope(one))) {
    const { answer } = await t.shared(ValidRequests.requestOf(id));
    if (Customers.askedIn(answer) === String(customerId)) continue;
    const input = id === Customers.PROGRAM_LIST ? ValidRequests.programsOf(customerId) : { query: { customerId } };
    await t.call(id, input, { intent: 'refusable' });
  }
});
takesCustomer(
  'the customerId of a later login',
  { phase: 'last' },
  logins('portal.login.customer-id-accepted', Lifecycle.HIERARCHIES_OF_LOGINS),
);
