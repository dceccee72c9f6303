/** Faults of customer lists, hierarchies and program lists. */
import type { Choices } from '../choices.ts';
import { portalCustomerShape } from '../shapes.ts';
import { onBody, onItems, recordsOf } from '../tools.ts';
import { type Fault, instead, predicted } from './fault.ts';

const under = 'portal, getCustomerHierarchy: customers under the given id plus its parent';

const failed = 'portal, getCustomerProgramList: 400 invalid customerId; 404 failed to get list';

/** Reads a customerId as another one. */
const customerIdRead = (read: (id: number, own: number) => number) => (c: Choices) =>
  c.before.push((x) => {
    const id = Number(x.query.get('customerId') ?? Number.NaN);
    if (x.operation === 'portal.getCustomerHierarchy' && Number.isSafeInteger(id))
      x.query.set('customerId', String(read(id, x.world.home.v1Id)));
    return undefined;
  });

const noPrograms = (flag: 'showAutoCreated' | 'showBranded') => (c: Choices) =>
  instead(c, 'portal.getCustomerProgramList', ({ query, world }) =>
    query.get(flag) === 'false' &&
    world.sessions.some(({ id, ended }) => id === query.get('sessionId') && !ended) &&
    /^-?\d+$/.test(query.get('customerId') ?? '') &&
    !world.customers.some(({ v1Id }) => String(v1Id) === query.get('customerId'))
      ? { status: 200, body: { items: [] } }
      : undefined,
  );

export const portalCustomerFaults: Fault[] = predicted([
  [
    'hierarchy-shows-a-foreign-customer-below',
    12,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.foreign-customer',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) =>
      onBody(c, 'portal.getCustomerHierarchy', (body, { world }) => {
        const foreign = world.customers.find(({ name }) => name === 'Rival Harbour')!;
        body.items = [...recordsOf(body, 'items'), portalCustomerShape(foreign)];
      }),
  ],
  [
    'ein-of-a-later-customer-has-ten-digits',
    5,
    'portal.getCustomerList',
    'portal.getCustomerList.shape',
    'portal, Customer: ein has nine digits',
    (c) =>
      onItems(c, 'portal.getCustomerList', (item, _x, index) => {
        if (index === 5) item.ein = '1234567890';
      }),
  ],
  [
    'program-list-with-both-flags-false-answers-500',
    9,
    'portal.getCustomerProgramList',
    'portal.getCustomerProgramList.required-only',
    'portal, getCustomerProgramList: 200 items',
    (c) =>
      instead(c, 'portal.getCustomerProgramList', ({ query }) =>
        query.get('showAutoCreated') === 'false' && query.get('showBranded') === 'false'
          ? { status: 500, body: {} }
          : undefined,
      ),
  ],
  [
    'second-page-of-machines-answers-500',
    2,
    'portal.getATMLocation',
    'portal.getATMLocation.server-error',
    'portal, getATMLocation: pageOffset',
    (c) =>
      instead(c, 'portal.getATMLocation', ({ query }) =>
        Number(query.get('pageOffset')) > 0 ? { status: 500, body: {} } : undefined,
      ),
  ],
  [
    'shipping-methods-empty-in-a-later-session',
    6,
    'portal.getShippingMethods',
    'portal.getShippingMethods.shape',
    'portal, getShippingMethods: items, array of string',
    (c) =>
      onBody(c, 'portal.getShippingMethods', (body, { session, world }) => {
        if (session !== world.sessions[0]) body.items = [null];
      }),
  ],
  [
    'hierarchy-of-a-negative-customer-id-is-that-of-the-positive',
    9,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    customerIdRead((id) => Math.abs(id)),
  ],
  [
    'hierarchy-of-customer-zero-is-the-own',
    9,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    customerIdRead((id, own) => id || own),
  ],
  [
    'unknown-customer-has-an-empty-program-list-without-branded',
    2,
    'portal.getCustomerProgramList',
    'portal.getCustomerProgramList.unknown-customer',
    failed,
    noPrograms('showBranded'),
  ],
  [
    'unknown-customer-has-an-empty-program-list-without-auto-created',
    2,
    'portal.getCustomerProgramList',
    'portal.getCustomerProgramList.unknown-customer',
    failed,
    noPrograms('showAutoCreated'),
  ],
]);
