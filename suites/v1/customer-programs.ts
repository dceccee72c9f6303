/** Customer programs: the programs listed for each customer and combination of the flags (reading 40). */
import { operation } from '../../contracts/operations.ts';
import { type Answer, describe, entries, type Intent, memberOf, succeeded } from '../../helpers/answer.ts';
import { type Context, perOperation, scenario } from '../../helpers/check.ts';
import { expectAccepted } from '../../helpers/engine/acceptance.ts';
import { contradicts } from '../../helpers/evidence/ledger.ts';
import { expectStatus } from '../../helpers/expect.ts';
import { attempt, fail, inconclusive } from '../../helpers/verdict.ts';
import { check, everyExchange, monitored } from '../declare.ts';
import * as CustomerMonitors from './customer-monitors.ts';
import * as Bodies from './orders/bodies.ts';
import * as Orders from './orders/orders.ts';
import * as Customers from './scenarios/customers.ts';
import * as LastLogins from './scenarios/last-logins.ts';
import * as ValidRequests from './scenarios/valid-requests.ts';

/** Asks for the programs of a customer under one combination of the flags. */
const ask = (
  t: Context,
  customerId: Customers.CustomerId,
  flags: (typeof ValidRequests.FLAGS)[number],
  intent: Intent,
) => t.call(Customers.PROGRAM_LIST, ValidRequests.programsOf(customerId, ...flags), { intent });

/** The programs of a customer under each combination of the flags. */
const listingsOf = perOperation(
  (customerId) => `programs of the customer ${customerId}`,
  async (t, customerId) => {
    const { answer } = await t.shared(ValidRequests.of(Customers.PROGRAM_LIST));
    const isKnown = Customers.idText(answer.input.query?.customerId) === customerId;
    const given = Bodies.PROGRAMS.map((key) => Customers.idText(Bodies.programOf(t, key)?.order?.customerId));
    const intent = isKnown || given.includes(customerId) ? 'valid' : 'refusable';
    return Promise.all(
      ValidRequests.FLAGS.map(async (flags, index) => ({
        flags: `showAutoCreated=${flags[0]} and showBranded=${flags[1]}`,
        answer: index === 0 && isKnown ? answer : await ask(t, BigInt(customerId), flags, intent),
      })),
    );
  },
);

const ownListings = scenario('programs of the customer of the login', async (t) =>
  t.shared(listingsOf(String(await t.shared(Customers.ownCustomer)))),
);

/** Whether an answer is 404, "failed to get list", which may stand for an empty list. */
const hasNoList = ({ status }: Answer) => status === 404;

check('portal.getCustomerProgramList.required-only', 'each combination of the flags', async (t) => {
  const found = await t.shared(ownListings);
  const accepted = found.find(({ answer }) => succeeded(answer));
  for (const { flags, answer } of found)
    if (!succeeded(answer) && !hasNoList(answer)) {
      const what = `a request with ${flags}`;
      const control = accepted && { control: accepted.answer.input };
      await expectAccepted(t, { operation: Customers.PROGRAM_LIST, what, input: answer.input, ...control });
    }
  for (const { flags, answer } of found)
    t.observe(Customers.PROGRAM_LIST, flags, hasNoList(answer) ? answer : `lists ${rowIds(answer).length} programs`);
  if (!found.every(({ answer }) => hasNoList(answer))) return;
  await ValidRequests.expectOperation(t, found[0]!.answer);
  inconclusive('every request is answered with 404 (failed to get list)');
});

/** Customers below that of the login whose programs are listed, under two combinations of the flags each. */
const MOST_CUSTOMERS = 2;
const listingsBelow = scenario('programs of customers below that of the login', async (t) => {
  const found = (await t.shared(ValidRequests.customersBelow)).slice(0, MOST_CUSTOMERS);
  const asked = found.flatMap((customerId) =>
    [ValidRequests.FLAGS[2]!, ValidRequests.FLAGS[1]!].map((flags) => [customerId, flags] as const),
  );
  // Simultaneously, so that mixed-up answers show.
  return Promise.all(asked.map(([customerId, flags]) => ask(t, customerId, flags, 'refusable')));
});

check('portal.getCustomerProgramList.known-programs', 'programs of the fixtures file', async (t) => {
  await Promise.all([t.shared(ownListings), t.shared(listingsBelow)]);
  for (const key of Bodies.PROGRAMS) {
    const program = Bodies.programOf(t, key);
    if (program) await expectListed(t, program);
  }
});

/** Customers below that of the login whose listings are searched for a program that is not listed for the login's customer. */
const MOST_SEARCHED = 300;

/** @throws Nonconformance when no listing shows a program that still takes orders; Inconclusive when it takes none or a listing is incomplete */
async function expectListed(t: Context, { key: program, custProgId, order: given }: Bodies.Program): Promise<void> {
  const key = `portal.programs.${program}`;
  const found = await t.shared(
    listingsOf(Customers.idText(given?.customerId) ?? String(await t.shared(Customers.ownCustomer))),
  );
  const shown = found.flatMap(({ answer }) => rowIds(answer));
  if (shown.includes(String(custProgId))) return;
  const unknown = found.find(({ answer }) => !succeeded(answer) && !hasNoList(answer));
  if (unknown) inconclusive(`the program list with ${unknown.flags} is refused: ${describe(unknown.answer)}`);
  if (shown.includes(undefined)) inconclusive(`${key} is not listed, but some programs are listed without rowId`);
  const below = await t.shared(ValidRequests.customersBelow);
  for (const customerId of below.slice(0, MOST_SEARCHED)) {
    const listings = await t.shared(listingsOf(String(customerId)));
    if (listings.flatMap(({ answer }) => rowIds(answer)).includes(String(custProgId))) return;
  }
  if (below.length > MOST_SEARCHED)
    inconclusive(
      `${key} is listed for none of ${MOST_SEARCHED} customers: give its order with customerId in the fixtures file`,
    );
  const mayOrder = t.allows(operation(Orders.ORDER).risk) && t.isInScope(Orders.ORDER);
  const base = mayOrder ? await t.shared(Orders.baseOf(program)) : undefined;
  // Ordered again now, since earlier orders may have exhausted the program, so that it is no longer offered.
  if (!base || !succeeded(base.answer) || !succeeded(await Orders.send(t, base.make())))
    inconclusive(`${key} of the fixtures file is not listed, and no order shows that the target still knows it`);
  fail(`${key} is listed under no combination of the flags`, `rowId ${custProgId}`, 'absent');
}

const rowIds = (answer: Answer) => entries(answer).map(({ rowId }) => Customers.idText(rowId));

const ofNobody = scenario('programs of customers that do not exist', async (t) => {
  const own = BigInt(await t.shared(Customers.ownCustomer));
  // These show whether somebody has the customerId after all.
  for (const id of [Customers.HIERARCHY, Customers.LIST]) await attempt(() => t.known(ValidRequests.of(id)));
  return Promise.all(
    Customers.nobodiesLike(own).map(({ customerId }, index) =>
      ask(t, customerId, ValidRequests.FLAGS[index]!, 'unknown'),
    ),
  );
});

const nobodyRefused = monitored('portal.getCustomerProgramList.unknown-customer', CustomerMonitors.refusesNobody);
nobodyRefused('an invented customerId, and others like that of the login', {}, async (t) => {
  await t.shared(ValidRequests.of(Customers.PROGRAM_LIST));
  await t.shared(ofNobody);
});

check('portal.getCustomerProgramList.unknown-customer-status', 'an invented customerId', async (t) => {
  const [invented] = await t.shared(ofNobody);
  expectStatus(invented!, [400, 401, 403, 404], 'a customerId that does not exist');
});

const ofForeign = scenario('programs of the foreign customer', (t) =>
  Promise.all(ValidRequests.FLAGS.map((flags) => ask(t, Customers.foreignId(t), flags, 'foreign'))),
);

const foreignHidden = monitored(
  'portal.getCustomerProgramList.foreign-customer',
  CustomerMonitors.hidesForeign(Customers.PROGRAM_LIST),
);
foreignHidden(
  'programs of the login, of some below it, and of the foreign customer under each combination of the flags',
  {},
  async (t) => [await t.shared(ownListings), await t.shared(ofForeign), await t.shared(listingsBelow)],
);
foreignHidden('in each session that asked for it', { phase: 'end' }, (t) => t.shared(LastLogins.sequences));

const showsNoOther = monitored(
  'portal.getCustomerProgramList.foreign-customer',
  CustomerMonitors.showsNothingElse(Customers.PROGRAM_LIST),
  {
    isSuspicion: true,
  },
);
showsNoOther('programs without an owner', {}, async (t) => [await t.shared(ownListings), await t.shared(ofForeign)]);

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
