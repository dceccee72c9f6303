/** Customer programs: the programs listed for each customer and combination of the flags (reading 40). */
import { entries, memberOf, succeeded } from '../../helpers/answer.ts';
import { scenario } from '../../helpers/check.ts';
import { expectAccepted } from '../../helpers/engine/acceptance.ts';
import { contradicts } from '../../helpers/evidence/ledger.ts';
import { expectStatus } from '../../helpers/expect.ts';
import { inconclusive, optional } from '../../helpers/verdict.ts';
import { check, everyExchange, monitored } from '../declare.ts';
import * as CustomerMonitors from './customer-monitors.ts';
import * as Customers from './scenarios/customers.ts';
import * as InEachSession from './scenarios/in-each-session.ts';
import * as LastLogins from './scenarios/last-logins.ts';
import * as Programs from './scenarios/programs.ts';
import * as ValidRequests from './scenarios/valid-requests.ts';

check('portal.getCustomerProgramList.required-only', 'each combination of the flags', async (t) => {
  const found = await t.shared(Programs.own);
  const accepted = found.find(({ answer }) => succeeded(answer));
  for (const { flags, answer } of found)
    if (!succeeded(answer) && !Programs.hasNone(answer)) {
      const what = `a request with ${flags}`;
      const control = accepted && { control: accepted.answer.input };
      await expectAccepted(t, { operation: Customers.PROGRAM_LIST, what, input: answer.input, ...control });
    }
  for (const { flags, answer } of found) {
    const shown = Programs.hasNone(answer) ? answer : `lists ${entries(answer).length} programs`;
    t.observe(Customers.PROGRAM_LIST, flags, shown);
  }
  if (!found.every(({ answer }) => Programs.hasNone(answer))) return;
  await ValidRequests.expectOperation(t, found[0]!.answer);
  inconclusive('every request is answered with 404 (failed to get list)');
});

const ofNobody = scenario('programs of customers that do not exist', async (t) => {
  const own = BigInt(await t.shared(Customers.ownCustomer));
  // These show whether somebody has the customerId after all.
  for (const id of [Customers.HIERARCHY, Customers.LIST]) await optional(t.known(ValidRequests.requestOf(id)));
  const [invented, ...others] = Customers.nobodiesLike(t, own);
  const tried = t.rotated(`${Customers.PROGRAM_LIST}: customers that do not exist`, others, { count: 2 });
  return Promise.all(
    [invented, ...tried].map(({ customerId }, n) =>
      Programs.ask(t, customerId, ValidRequests.FLAGS[n % 4]!, 'unknown'),
    ),
  );
});

const nobodyRefused = monitored('portal.getCustomerProgramList.unknown-customer', CustomerMonitors.refusesNobody);
nobodyRefused('an invented customerId, and others like that of the login', {}, async (t) => {
  await t.shared(ValidRequests.requestOf(Customers.PROGRAM_LIST));
  await t.shared(ofNobody);
});

check('portal.getCustomerProgramList.unknown-customer-status', 'an invented customerId', async (t) => {
  const [invented] = await t.shared(ofNobody);
  expectStatus(invented!, [400, 401, 403, 404], 'a customerId that does not exist');
});

const ofForeign = scenario('programs of the foreign customer', (t) => {
  const [first, ...others] = ValidRequests.FLAGS as [ValidRequests.Flags, ...ValidRequests.Flags[]];
  const again = [Customers.foreignId(t), ...Customers.foreignOtherwise(t)];
  const asked = [
    ...others.map((flags) => [Customers.foreignId(t), flags] as const),
    ...t.rotated(`${Customers.PROGRAM_LIST}: foreign again`, again).map((id) => [id, first] as const),
  ];
  return Promise.all(asked.map(([id, flags]) => Programs.ask(t, id, flags, 'foreign')));
});

const hidesForeign = CustomerMonitors.hidesForeign(Customers.PROGRAM_LIST);
const foreignHidden = monitored('portal.getCustomerProgramList.foreign-customer', hidesForeign);
foreignHidden(
  'programs of the login, of some below it, and of the foreign customer under each combination of the flags',
  {},
  async (t) => [await t.shared(Programs.own), await t.shared(ofForeign), await t.shared(Programs.below)],
);
foreignHidden(
  ...InEachSession.askedInEachSession(
    'portal.getCustomerProgramList.foreign-customer',
    'programs of the foreign customer',
  ),
);
const inSessions = LastLogins.drive('portal.getCustomerProgramList.foreign-customer', 'sequences');
foreignHidden('programs asked for in later sessions', { phase: 'end' }, inSessions);

const showsNothingElse = CustomerMonitors.showsNothingElse(Customers.PROGRAM_LIST);
const showsNoOther = monitored('portal.getCustomerProgramList.foreign-customer', showsNothingElse, {
  isSuspicion: true,
});
showsNoOther('programs shown for the foreign customer without an owner', {}, async (t) => [
  await t.shared(Programs.own),
  await t.shared(ofForeign),
]);

everyExchange('portal.getCustomerProgramList.of-customer', Customers.PROGRAM_LIST, (answer) => {
  const asked = answer.input.query?.customerId;
  if (!succeeded(answer) || !Customers.isCustomerId(asked)) return undefined;
  const owners = entries(answer).flatMap(({ customerId }) => Customers.idText(customerId) ?? []);
  const other = owners.find((owner) => owner !== String(asked));
  if (other !== undefined)
    return contradicts(`a program of customer ${other} is listed`, `customerId ${asked}`, `customerId ${other}`);
  return owners.length > 0 ? 'kept' : undefined;
});

everyExchange('portal.getCustomerProgramList.auto-created', Customers.PROGRAM_LIST, (answer) => {
  if (!succeeded(answer) || answer.input.query?.showAutoCreated !== false) return undefined;
  const flagged = entries(answer).filter((program) => typeof memberOf(program, 'autoCreated') === 'boolean');
  const what = 'an auto-created program is listed with showAutoCreated=false';
  if (flagged.some(({ autoCreated }) => autoCreated === true))
    return contradicts(what, 'autoCreated false', 'autoCreated true');
  return flagged.length > 0 ? 'kept' : undefined;
});
