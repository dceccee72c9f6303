/** One well-formed request of every operation that a session is needed for, made once in a run. */
import { operation, operations } from '../../../contracts/operations.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { type Answer, type Input, succeeded } from '../../../helpers/answer.ts';
import { type Scenario, scenario } from '../../../helpers/check.ts';
import { isSelected, operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { attempt, values } from '../../shared/step.ts';
import { basePerson, CIP } from '../cip/person.ts';
import { ORDER, plainOrder } from '../orders/base-orders.ts';
import { ownCustomer } from './customer-ids.ts';

/** The request of an operation that the checks go out from. */
export interface ValidRequest {
  answer: Answer;
  /** The same request once more; what must be unique in it is another one. */
  again(): Input;
}

export const HIERARCHY = 'portal.getCustomerHierarchy';
export const PROGRAM_LIST = 'portal.getCustomerProgramList';
export const ATM = 'portal.getATMLocation';

/** Operations that a session is needed for. */
export const SESSION_OPERATIONS: readonly string[] = operations
  .filter((o) => o.authorisation === 'session')
  .map(({ id }) => id);

/** Of the portal, operations that change nothing and leave the session as it is. */
export const READING_OPERATIONS: readonly string[] = SESSION_OPERATIONS.filter(
  (id) => operation(id).risk === 'safe' && id !== 'portal.logout',
);

/** An operation that takes nothing but a session. */
export const withoutParameters = (t: Context): string | undefined =>
  ['portal.getShippingMethods', 'portal.getShippingFeeTypes', 'portal.getCustomerList'].find((id) =>
    operationInScope(t.run.configuration, id),
  );

/** Whether what costs something may be done: at this risk, for a requirement that is run. */
export function mayChange(t: Context, id: string): boolean {
  const isWanted = requirements.some((r) => r.id.startsWith(`${id}.`) && isSelected(t.run.configuration, r));
  const isForbidden = `portal.${t.fixtures.portal?.restrictedLogin?.forbiddenOperation}` === id;
  return t.allows(operation(id).risk) && (isWanted || isForbidden);
}

/**
 * The good request of an operation is accepted once more: what was refused otherwise than documented was not so for how often the target was asked.
 * @throws Inconclusive
 */
export async function requireAcceptedNow(t: Context, id: string): Promise<void> {
  await requireStillAccepted(t, id, (await t.known(validRequests[id]!)).again());
}

/** As {@link requireAcceptedNow}, of a request that only reads: nothing that was asked before is asked again. */
export async function requireServedNow(t: Context): Promise<void> {
  const id = withoutParameters(t);
  if (id !== undefined) await requireStillAccepted(t, id, {});
}

async function requireStillAccepted(t: Context, id: string, input: Input): Promise<void> {
  // Without an answer, or a session, it is as good as refused.
  const [answer] = values([await attempt(() => t.call(id, input, { intent: 'refusable' }))]);
  if (!answer || !succeeded(answer)) inconclusive(`${id} is not accepted any more, as it was before`);
}

/** What the parameters of a listing of programs are. */
export const programsOf = (customerId: number | bigint, showAutoCreated = true, showBranded = true): Input => ({
  query: { customerId, showAutoCreated, showBranded },
});

/** A place with cash machines around it, if the fixtures file does not give another. */
const PLACE = { latitude: '40.7128', longitude: '-74.0060' };

/** Where pages may begin, and how long they may be: one location first; the documents say of neither (reading 41). */
const PAGES = [1, 10, 20, 5, 25, 50, 100].flatMap((pageLength) =>
  [0, 1].map((pageOffset) => ({ pageOffset, pageLength })),
);

/** Later pages: sizes, of which the largest is not shown, places without cash machines around, and of other hemispheres, and one beyond the last. */
const LATER_PAGES = [
  { name: '10 on a page', pageLength: 10 },
  { name: 'in the ocean', pageLength: 10, latitude: '0', longitude: '0' },
  { name: '50 on a page', pageLength: 50 },
  { name: 'south and east', pageLength: 10, latitude: '-33.8688', longitude: '151.2093' },
  { name: '100 on a page', pageLength: 100 },
  { name: 'at a pole and the date line', pageLength: 10, latitude: '90', longitude: '180' },
  { name: 'of whole degrees, and of many digits', pageLength: 10, latitude: '41', longitude: '-74.0059728000001' },
  { name: 'beyond the last page', pageOffset: 1000, pageLength: 10 },
];

/** How often the pages are asked for at most, each time in a session that is good before the first of them. */
const TIMES = 3;

/** Whether a session is good that a target which ends them now and then has just let another request in. */
async function isSessionGood(t: Context): Promise<boolean> {
  const control = ['portal.getShippingMethods', 'portal.getShippingFeeTypes'].find((id) =>
    operationInScope(t.run.configuration, id),
  );
  return control !== undefined && succeeded(await t.call(control, {}));
}

const repeated = (answer: Answer): ValidRequest => ({ answer, again: () => answer.input });

const reading = (id: string, inputOf: (t: Context) => Promise<Input>) =>
  scenario(`${id}: a good request`, async (t) => repeated(await t.call(id, await inputOf(t))));

/** A request without a body: what may be sent where nothing may be changed. */
const withoutBody = async (t: Context, id: string) => repeated(await t.call(id, {}, { intent: 'malformed' }));

/** By operation; logout is tried by the lifecycle itself. */
export const validRequests: Record<string, Scenario<ValidRequest>> = {
  'portal.getCustomerList': reading('portal.getCustomerList', async () => ({})),
  'portal.getCustomerHierarchy': reading('portal.getCustomerHierarchy', async (t) => ({
    query: { customerId: await t.shared(ownCustomer) },
  })),
  'portal.getShippingFeeTypes': reading('portal.getShippingFeeTypes', async () => ({})),
  'portal.getShippingMethods': reading('portal.getShippingMethods', async () => ({})),
  'portal.getCustomerProgramList': reading('portal.getCustomerProgramList', async (t) =>
    programsOf(await t.shared(ownCustomer)),
  ),
  'portal.getATMLocation': scenario('portal.getATMLocation: a good request', async (t) => {
    const place = { ...PLACE, ...t.fixtures.portal?.atm };
    const first = await t.call(ATM, { query: { ...place, ...PAGES[0] } });
    let answer = first;
    const askFor = async (pages: typeof PAGES) => {
      for (const page of pages) {
        if (succeeded(answer)) return;
        answer = await t.call(ATM, { query: { ...place, ...page } }, { intent: 'refusable' });
      }
    };
    await askFor(PAGES.slice(1));
    // A session that ends between two pages lets none of the others in.
    for (let times = 1; times < TIMES && !succeeded(answer) && (await isSessionGood(t)); times++) await askFor(PAGES);
    // May be refused, but not by status 500, which every exchange is held against (reading 9).
    for (const { name, ...page } of rotated(t.run, 'cash machines on a later page', LATER_PAGES))
      await attempt(() => t.call(ATM, { query: { ...place, pageOffset: 1, ...page } }, { intent: 'unusual' }));
    return repeated(succeeded(answer) ? answer : first);
  }),
  [CIP]: scenario(`${CIP}: a good request`, async (t) =>
    mayChange(t, CIP) ? repeated((await t.shared(basePerson)).answer) : withoutBody(t, CIP),
  ),
  [ORDER]: scenario(`${ORDER}: a good request`, async (t) => {
    const anyProgram = Object.keys(t.fixtures.portal?.programs ?? {}).length > 0;
    if (!anyProgram || !mayChange(t, ORDER)) return withoutBody(t, ORDER);
    const { answer, make } = await t.shared(plainOrder);
    return { answer, again: () => ({ json: make() }) };
  }),
};
