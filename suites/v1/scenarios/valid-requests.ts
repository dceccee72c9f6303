/** One well-formed request of every operation that a session is needed for, made once in a run. */
import { operation, operations } from '../../../contracts/operations.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { type Answer, type Input, succeeded } from '../../../helpers/answer.ts';
import { type Scenario, scenario } from '../../../helpers/check.ts';
import { isSelected } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { CIP, cipBase } from '../cip/person.ts';
import { ORDER, plainOrder } from '../orders/base-orders.ts';
import { ownCustomer } from './customer-ids.ts';

export interface GoodRequest {
  answer: Answer;
  /** The same request once more; what must be unique in it is another one. */
  again(): Input;
}

/** Operations that a session is needed for. */
export const SESSION_OPERATIONS: readonly string[] = operations
  .filter((o) => o.authorisation === 'session')
  .map(({ id }) => id);

/** Of the portal, operations that change nothing and leave the session as it is. */
export const READING_OPERATIONS: readonly string[] = SESSION_OPERATIONS.filter(
  (id) => operation(id).risk === 'safe' && id !== 'portal.logout',
);

/** Whether what costs something may be done: at this risk, for a requirement that is run. */
export function mayChange(t: Context, id: string): boolean {
  const isWanted = requirements.some((r) => r.id.startsWith(`${id}.`) && isSelected(t.run.configuration, r));
  const isForbidden = `portal.${t.fixtures.portal?.restrictedLogin?.forbiddenOperation}` === id;
  return t.allows(operation(id).risk) && (isWanted || isForbidden);
}

/** What the parameters of a listing of programs are. */
export const programsOf = (customerId: number | bigint, showAutoCreated = true, showBranded = true): Input => ({
  query: { customerId, showAutoCreated, showBranded },
});

/** A place with cash machines around it, if the fixtures file does not give another. */
const PLACE = { latitude: '40.7128', longitude: '-74.0060' };

/** Query of a look-up of cash machines. */
export const machinesFrom = (t: Context, pageOffset: number): Input => ({
  query: { ...PLACE, ...t.fixtures.portal?.atm, pageOffset, pageLength: 5 },
});

const repeated = (answer: Answer): GoodRequest => ({ answer, again: () => answer.input });

const reading = (id: string, inputOf: (t: Context) => Promise<Input>) =>
  scenario(`${id}: a good request`, async (t) => repeated(await t.call(id, await inputOf(t))));

/** A request without a body: what may be sent where nothing may be changed. */
const withoutBody = async (t: Context, id: string) => repeated(await t.call(id, {}, { intent: 'malformed' }));

/** By operation; logout is tried by the lifecycle itself. */
export const goodRequests: Record<string, Scenario<GoodRequest>> = {
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
    const first = await t.call('portal.getATMLocation', machinesFrom(t, 0));
    if (succeeded(first)) return repeated(first);
    const second = await t.call('portal.getATMLocation', machinesFrom(t, 1), { intent: 'refusable' });
    return repeated(succeeded(second) ? second : first);
  }),
  [CIP]: scenario(`${CIP}: a good request`, async (t) => {
    if (!mayChange(t, CIP)) return withoutBody(t, CIP);
    const { answer, requiredOnly } = await t.shared(cipBase);
    return repeated(succeeded(answer) ? answer : requiredOnly);
  }),
  [ORDER]: scenario(`${ORDER}: a good request`, async (t) => {
    const anyProgram = Object.keys(t.fixtures.portal?.programs ?? {}).length > 0;
    if (!anyProgram || !mayChange(t, ORDER)) return withoutBody(t, ORDER);
    const { answer, make } = await t.shared(plainOrder);
    return { answer, again: () => ({ json: make() }) };
  }),
};
