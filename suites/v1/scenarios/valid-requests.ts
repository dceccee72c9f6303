/** One valid request of every operation that needs a session, made once per run, and what is judged beside such requests. */
import { operation } from '../../../contracts/operations.ts';
import { type Answer, describe, type Input, succeeded } from '../../../helpers/answer.ts';
import { type Context, type Scenario, scenario } from '../../../helpers/check.ts';
import { succeedsAlone } from '../../../helpers/engine/acceptance.ts';
import type { RightTwin } from '../../../helpers/engine/refusal.ts';
import { fail, optional, skip } from '../../../helpers/verdict.ts';
import * as Persons from '../cip/persons.ts';
import * as Orders from '../orders/orders.ts';
import * as Customers from './customers.ts';
import * as Sessions from './sessions.ts';

/** The request of an operation that checks vary. */
export interface ValidRequest {
  answer: Answer;
  /** The input of the request, with fresh unique values. */
  again(): Input;
}

export const ATM = 'portal.getATMLocation';

/** Whether the risk allows an operation that changes something. */
export const mayChange = (t: Context, id: string): boolean => t.allows(operation(id).risk);

/** The right request in the place of one that must be refused for its session: the same, or where that changes something or ends the session, one that reads. */
export function rightTwin(t: Context, asked: string): RightTwin | undefined {
  const isItself = operation(asked).risk === 'safe' && asked !== Sessions.LOGOUT;
  const id = isItself ? asked : Sessions.plainRead(t);
  if (id === undefined) return undefined;
  const inputOf = async () => (isItself ? (await t.known(requestOf(id))).again() : {});
  return { key: id, send: async () => t.call(id, await inputOf(), { intent: 'refusable' }) };
}

/** Identifiers of the customers below that of the login; empty where its hierarchy is not shown. */
export const customersBelow = scenario('customers below that of the login', async (t): Promise<bigint[]> => {
  if (!t.isInScope(Customers.HIERARCHY)) return [];
  const { answer } = await t.shared(requestOf(Customers.HIERARCHY));
  const own = Customers.askedIn(answer);
  const shown = succeeded(answer) ? Customers.listed(answer) : [];
  const parents = Customers.parentsIn(shown);
  return shown.flatMap(({ id }) => (id && own && Customers.ancestors(id, parents).includes(own) ? [BigInt(id)] : []));
});

/** Combinations of showAutoCreated and showBranded. */
export const FLAGS = [true, false].flatMap((showAutoCreated) =>
  [true, false].map((showBranded) => ({ showAutoCreated, showBranded })),
);

export type Flags = (typeof FLAGS)[number];

export const inWords = ({ showAutoCreated, showBranded }: Flags): string =>
  `showAutoCreated=${showAutoCreated} and showBranded=${showBranded}`;

/** The input of getCustomerProgramList. */
export const programsOf = (customerId: Customers.CustomerId | string, flags = FLAGS[0]) => ({
  query: { customerId, ...flags },
});

/** The default place to search for cash machines; the fixtures file may give another. */
const PLACE = { latitude: '40.7128', longitude: '-74.0060' };

/** First pages to try, one location first: the documents give neither the first pageOffset nor limits of pageLength (reading 41). */
const PAGES = [1, 10, 20, 5, 25, 50, 100].flatMap((pageLength) =>
  [0, 1].map((pageOffset) => ({ pageOffset, pageLength })),
);

/** Later pages to observe: other sizes (the maximum is not shown), remote places, other hemispheres, and one beyond the last. */
const LATER_PAGES = [
  { name: '10 on a page', pageLength: 10 },
  { name: 'in the ocean', pageLength: 10, latitude: '0', longitude: '0' },
  { name: '50 on a page', pageLength: 50 },
  { name: 'south and east', pageLength: 10, latitude: '-33.8688', longitude: '151.2093' },
  { name: '100 on a page', pageLength: 100 },
  { name: 'at a pole and the date line', pageLength: 10, latitude: '90', longitude: '180' },
  {
    name: 'of whole degrees, and of many digits',
    pageLength: 10,
    latitude: '41',
    longitude: '-74.0059728000001',
  },
  { name: 'beyond the last page', pageOffset: 1000, pageLength: 10 },
];

/** Times that something is tried, since a session may end by itself meanwhile. */
const TIMES = 3;

const repeated = (answer: Answer): ValidRequest => ({ answer, again: () => answer.input });

const placeOf = (t: Context) => ({ ...PLACE, ...t.fixtures.portal?.atm });

/** Asks for later pages of cash machines. They may be refused, but not with status 500 (reading 9). */
export async function askLaterPages(t: Context): Promise<void> {
  for (const { name, ...page } of t.rotated('cash machines on a later page', LATER_PAGES))
    await optional(t.call(ATM, { query: { ...placeOf(t), pageOffset: 1, ...page } }, { intent: 'unusual' }));
}

const good = (id: string, send: (t: Context) => Promise<ValidRequest>) => ({
  [id]: scenario(`${id}: a good request`, send),
});

const reading = (id: string, inputOf: (t: Context) => Promise<Input> = async () => ({})) =>
  good(id, async (t) => repeated(await t.call(id, await inputOf(t))));

/** A request without a body, for runs that may not change anything. */
const withoutBody = async (t: Context, id: string) => repeated(await t.call(id, {}, { intent: 'malformed' }));

/** The valid request of an operation that keeps the session. */
export const requestOf = (id: string): Scenario<ValidRequest> => all[id]!;

const all: Record<string, Scenario<ValidRequest>> = {
  ...reading(Customers.LIST),
  ...reading('portal.getShippingFeeTypes'),
  ...reading('portal.getShippingMethods'),
  ...reading(Customers.HIERARCHY, async (t) => ({ query: { customerId: await t.shared(Customers.ownCustomer) } })),
  ...reading(Customers.PROGRAM_LIST, async (t) => programsOf(await t.shared(Customers.ownCustomer))),
  ...good(ATM, async (t) => {
    const place = placeOf(t);
    const first = await t.call(ATM, { query: { ...place, ...PAGES[0] } });
    let answer = first;
    const askFor = async (pages: typeof PAGES) => {
      for (const page of pages) {
        if (succeeded(answer)) return;
        answer = await t.call(ATM, { query: { ...place, ...page } }, { intent: 'refusable' });
      }
    };
    await askFor(PAGES.slice(1));
    // A target may end sessions at any time: if one ends between two pages, all the others are refused.
    const control = ['portal.getShippingMethods', 'portal.getShippingFeeTypes'].find((id) => t.isInScope(id));
    const isSessionGood = async () => control !== undefined && succeeded(await t.call(control, {}));
    for (let times = 1; times < TIMES && !succeeded(answer) && (await isSessionGood()); times++) await askFor(PAGES);
    return repeated(succeeded(answer) ? answer : first);
  }),
  ...good(Persons.CIP, async (t) =>
    mayChange(t, Persons.CIP) ? repeated((await Persons.requireBase(t)).answer) : withoutBody(t, Persons.CIP),
  ),
  ...good(Orders.ORDER, async (t) => {
    const anyProgram = Object.keys(t.fixtures.portal?.programs ?? {}).length > 0;
    if (!anyProgram || !mayChange(t, Orders.ORDER)) return withoutBody(t, Orders.ORDER);
    const { answer, make } = await t.shared(Orders.plain);
    return { answer, again: () => ({ json: make() }) };
  }),
};

/**
 * Reads after something has happened. A session may end by itself: where the read fails, the same is done in new sessions, between two reads.
 * @param prepare makes ready what is to happen
 * @throws Skipped without an operation that takes only a session
 */
export async function readAround(
  t: Context,
  prepare: (sessionId: string) => Promise<() => Promise<unknown>>,
): Promise<void> {
  const id = Sessions.plainRead(t) ?? skip('needs an operation without parameters, which is not in scope');
  const { sessions } = t.run.client;
  for (let times = 0; times < TIMES; times++) {
    const { id: sessionId } = times === 0 ? await sessions.current() : await sessions.fresh();
    const read = () => t.call(id, {}, { intent: 'refusable', authorisation: { sessionId } });
    const happen = await prepare(sessionId);
    if (times > 0) {
      await t.eventually(read, succeeded);
      await t.settle();
    }
    const isOfSession = (one: Answer) => one.sessionId === sessionId && one.operation.id === id;
    const isRead = t.run.answers.filter(isOfSession).some(succeeded);
    if (times > 0 || !isRead) await read();
    await happen();
    // In the wake of a bad session, a good one may be refused (reading 51).
    if (succeeded(await t.eventually(read, succeeded))) return;
    if (await succeedsAlone(t, async () => succeeded(await read()))) return;
  }
}

/**
 * Expects an operation to exist. It does not if a valid request, an empty one and one without a session get the same 404, 405 or
 * 501; a 404 to one of them alone may be about what the request names.
 * @throws Nonconformance
 */
export async function expectOperation(t: Context, right: Answer): Promise<void> {
  const { id } = right.operation;
  if (succeeded(right) || ![404, 405, 501].includes(right.status)) return;
  for (const options of [{ intent: 'malformed' }, Sessions.unauthorised(undefined)] as const)
    if ((await t.call(id, {}, options)).status !== right.status) return;
  fail(
    `${id} answers a valid request with status ${right.status}, as it does an empty one and one without a session`,
    'an operation',
    describe(right),
    { in: right },
  );
}
