/** Customer programs: the programs listed for each customer and combination of the flags (reading 40). */
import { operation } from '../../contracts/operations.ts';
import { type Answer, describe, entries, type Intent, memberOf, succeeded } from '../../helpers/answer.ts';
import { type Context, scenario } from '../../helpers/check.ts';
import { expectAccepted } from '../../helpers/engine/acceptance.ts';
import { contradicts } from '../../helpers/evidence/ledger.ts';
import { expectRefused, expectStatus, requireAccepted } from '../../helpers/expect.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';
import { check, everyExchange, monitored } from '../declare.ts';
import { LIST as CUSTOMERS, hidesForeign } from './customer-monitors.ts';
import { baseOrders, ORDER, order } from './orders/base-orders.ts';
import { PROGRAMS, type ProgramKey, programOf } from './orders/bodies.ts';
import {
  ancestors,
  type CustomerId,
  foreignId,
  idText,
  isCustomerId,
  listed,
  namedIn,
  ownCustomer,
  parentsIn,
  UNKNOWN_CUSTOMER,
} from './scenarios/customers.ts';
import { sequences } from './scenarios/session-sequences.ts';
import { expectOperation, HIERARCHY, programsOf, validRequests } from './scenarios/valid-requests.ts';

const LIST = 'portal.getCustomerProgramList';
/** Combinations of showAutoCreated and showBranded. */
const FLAGS = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

interface Listing {
  flags: string;
  answer: Answer;
}

/** The programs of a customer under each combination of the flags. */
async function listings(t: Context, customerId: CustomerId, intent: Intent = 'valid'): Promise<Listing[]> {
  const { answer } = await t.shared(validRequests[LIST]!);
  const isKnown = idText(answer.input.query?.customerId) === idText(customerId);
  return Promise.all(
    FLAGS.map(async ([auto, branded], index) => ({
      flags: `showAutoCreated=${auto} and showBranded=${branded}`,
      answer: index === 0 && isKnown ? answer : await t.call(LIST, programsOf(customerId, auto, branded), { intent }),
    })),
  );
}

const ownListings = scenario('programs of the customer of the login', async (t) =>
  listings(t, await t.shared(ownCustomer)),
);

/** Whether an answer is 404, "failed to get list", which may stand for an empty list. */
const hasNoList = ({ status }: Answer) => status === 404;

check('portal.getCustomerProgramList.required-only', 'each combination of the flags', async (t) => {
  const found = await t.shared(ownListings);
  const accepted = found.find(({ answer }) => succeeded(answer));
  for (const { flags, answer } of found)
    if (!succeeded(answer) && !hasNoList(answer))
      await expectAccepted(t, {
        operation: LIST,
        what: `a request with ${flags}`,
        input: answer.input,
        ...(accepted ? { control: accepted.answer.input } : {}),
      });
  for (const { flags, answer } of found)
    t.observe(LIST, flags, hasNoList(answer) ? answer : `lists ${rowIds(answer).length} programs`);
  if (!found.every(({ answer }) => hasNoList(answer))) return;
  await expectOperation(t, found[0]!.answer, {});
  inconclusive('every request is answered with 404 (failed to get list)');
});

/** Customers below that of the login whose programs are listed, under two combinations of the flags each. */
const MOST_CUSTOMERS = 2;
const listingsBelow = scenario('programs of customers below that of the login', async (t) => {
  const found = await t.shared(customersBelow);
  // Simultaneously, so that mixed-up answers show.
  return Promise.all(
    found
      .slice(0, MOST_CUSTOMERS)
      .flatMap((customerId) =>
        [FLAGS[2], FLAGS[1]].map(([auto, branded]) =>
          t.call(LIST, programsOf(BigInt(customerId), auto, branded), { intent: 'refusable' }),
        ),
      ),
  );
});

/** Identifiers of the customers below that of the login; empty where its hierarchy is not shown. */
const customersBelow = scenario('customers below that of the login', async (t): Promise<string[]> => {
  if (!t.isInScope(HIERARCHY)) return [];
  const { answer } = await t.shared(validRequests[HIERARCHY]!);
  const own = idText(answer.input.query?.customerId);
  const shown = succeeded(answer) ? listed(answer) : [];
  const parents = parentsIn(shown);
  return shown.flatMap(({ id }) => (id !== undefined && own && ancestors(id, parents).includes(own) ? [id] : []));
});

check('portal.getCustomerProgramList.known-programs', 'programs of the fixtures file', async (t) => {
  await Promise.all([t.shared(ownListings), t.shared(listingsBelow)]);
  const own = await t.shared(ownCustomer);
  const byCustomer = new Map([[String(own), t.shared(ownListings)]]);
  const listingsOf = (customerId: CustomerId, intent?: Intent) => {
    const of = String(customerId);
    if (!byCustomer.has(of)) byCustomer.set(of, listings(t, customerId, intent));
    return byCustomer.get(of)!;
  };
  for (const { key, custProgId, order: given } of PROGRAMS.flatMap((one) => programOf(t, one) ?? [])) {
    const customerId = isCustomerId(given?.customerId) ? given.customerId : own;
    await expectListed(t, key, String(custProgId), await listingsOf(customerId), (below) =>
      listingsOf(BigInt(below), 'refusable'),
    );
  }
});

/** Customers below that of the login whose listings are searched for a program that is not listed for the login's customer. */
const MOST_SEARCHED = 300;

/** @throws Nonconformance when no listing shows a program that still takes orders; Inconclusive when it takes none or a listing is incomplete */
async function expectListed(
  t: Context,
  program: ProgramKey,
  custProgId: string,
  found: readonly Listing[],
  listingsOf: (customerId: string) => Promise<Listing[]>,
): Promise<void> {
  const key = `portal.programs.${program}`;
  const shown = found.flatMap(({ answer }) => rowIds(answer));
  if (shown.includes(custProgId)) return;
  const unknown = found.find(({ answer }) => !succeeded(answer) && !hasNoList(answer));
  if (unknown) inconclusive(`the program list with ${unknown.flags} is refused: ${describe(unknown.answer)}`);
  if (shown.includes(undefined)) inconclusive(`${key} is not listed, but some programs are listed without rowId`);
  const below = await t.shared(customersBelow);
  for (const customerId of below.slice(0, MOST_SEARCHED)) {
    const listings = await listingsOf(customerId);
    if (listings.flatMap(({ answer }) => rowIds(answer)).includes(custProgId)) return;
  }
  if (below.length > MOST_SEARCHED)
    inconclusive(
      `${key} is listed for none of ${MOST_SEARCHED} customers: give its order with customerId in the fixtures file`,
    );
  const mayOrder = t.allows(operation(ORDER).risk) && t.isInScope(ORDER);
  const base = mayOrder ? await t.shared(baseOrders[program]) : undefined;
  // Ordered again now, since earlier orders may have exhausted the program, so that it is no longer offered.
  if (!base || !succeeded(base.answer) || !succeeded(await order(t, base.make())))
    inconclusive(`${key} of the fixtures file is not listed, and no order shows that the target still knows it`);
  fail(`${key} is listed under no combination of the flags`, `rowId ${custProgId}`, 'absent');
}

const rowIds = (answer: Answer) => entries(answer).map(({ rowId }) => idText(rowId));

const unknownCustomer = scenario('programs of a customer that does not exist', (t) =>
  t.call(LIST, programsOf(UNKNOWN_CUSTOMER), { intent: 'unknown' }),
);

check('portal.getCustomerProgramList.unknown-customer', 'an invented customerId', async (t) => {
  requireAccepted((await t.shared(validRequests[LIST]!)).answer, 'the program list');
  await expectRefusedAsUnknown(t, await t.shared(unknownCustomer));
});

for (const [what, [auto, branded], customerIdOf] of [
  ['that of the login in its last 32 bits alone', FLAGS[1], (own: bigint) => own + 2n ** 32n],
  ['zero', FLAGS[2], () => 0n],
  ['that of the login, negative', FLAGS[3], (own: bigint) => -own],
] as const)
  check('portal.getCustomerProgramList.unknown-customer', `a customerId that is ${what}`, async (t) => {
    requireAccepted((await t.shared(validRequests[LIST]!)).answer, 'the program list');
    const customerId = customerIdOf(BigInt(await t.shared(ownCustomer)));
    await expectRefusedAsUnknown(t, await t.call(LIST, programsOf(customerId, auto, branded), { intent: 'unknown' }));
  });

/** @throws Nonconformance when the request is accepted; Inconclusive when the customerId belongs to a customer after all */
async function expectRefusedAsUnknown(t: Context, answer: Answer): Promise<void> {
  const customerId = idText(answer.input.query?.customerId);
  if (succeeded(answer) && (await isNamed(t, customerId)))
    inconclusive(`customerId ${customerId} is in use at the target`);
  expectRefused(answer, `customerId ${customerId}, which does not exist,`);
}

/** Whether a customer with this identifier, or a child of it, is shown to the login. */
async function isNamed(t: Context, customerId: string | undefined): Promise<boolean> {
  const shown = [HIERARCHY, CUSTOMERS].filter((id) => t.isInScope(id));
  const listings = await Promise.all(shown.map((id) => t.shared(validRequests[id]!)));
  return listings.some(({ answer }) => namedIn(answer).has(customerId));
}

check('portal.getCustomerProgramList.unknown-customer-status', 'an invented customerId', async (t) => {
  expectStatus(await t.shared(unknownCustomer), [400, 401, 403, 404], 'a customerId that does not exist');
});

const ofForeign = scenario('programs of the foreign customer', (t) =>
  Promise.all(
    FLAGS.map(([auto, branded]) => t.call(LIST, programsOf(foreignId(t), auto, branded), { intent: 'foreign' })),
  ),
);

const foreignHidden = monitored('portal.getCustomerProgramList.foreign-customer', hidesForeign(LIST));
foreignHidden(
  'programs of the login, of some below it, and of the foreign customer under each combination of the flags',
  {},
  async (t) => [await t.shared(ownListings), await t.shared(ofForeign), await t.shared(listingsBelow)],
);
foreignHidden('in each session that asked for it', { phase: 'end' }, (t) => t.shared(sequences));

check('portal.getCustomerProgramList.foreign-customer', 'programs without an owner', async (t) => {
  const within = new Set((await t.shared(ownListings)).flatMap(({ answer }) => rowIds(answer)));
  const ownId = idText(await t.shared(ownCustomer));
  // A program without owner, or owned by the login's customer, is within reach only if its own list shows it.
  const unowned = (await t.shared(ofForeign))
    .filter(succeeded)
    .flatMap(entries)
    .filter(({ customerId }) => customerId === undefined || idText(customerId) === ownId);
  const strange = unowned.map(({ rowId }) => idText(rowId)).find((id) => id !== undefined && !within.has(id));
  if (strange)
    fail(
      'the programs of a customer outside the reach of the login are listed',
      'no program that the login does not see otherwise',
      `rowId ${strange}`,
    );
  if (unowned.some(({ rowId }) => rowId === undefined))
    inconclusive('the programs shown have neither customerId nor rowId');
});

everyExchange('portal.getCustomerProgramList.of-customer', LIST, (answer) => {
  const asked = answer.input.query?.customerId;
  if (!succeeded(answer) || !isCustomerId(asked)) return undefined;
  const owners = entries(answer).flatMap(({ customerId }) => idText(customerId) ?? []);
  const other = owners.find((owner) => owner !== String(asked));
  if (other !== undefined)
    return contradicts(`a program of customer ${other} is listed`, `customerId ${asked}`, `customerId ${other}`);
  return owners.length > 0 ? 'kept' : undefined;
});

everyExchange('portal.getCustomerProgramList.auto-created', LIST, (answer) => {
  if (!succeeded(answer) || answer.input.query?.showAutoCreated !== false) return undefined;
  const flagged = entries(answer).filter((program) => typeof memberOf(program, 'autoCreated') === 'boolean');
  if (flagged.some(({ autoCreated }) => autoCreated === true))
    return contradicts(
      'an auto-created program is listed with showAutoCreated=false',
      'autoCreated false',
      'autoCreated true',
    );
  return flagged.length > 0 ? 'kept' : undefined;
});
