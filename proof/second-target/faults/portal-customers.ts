/** Faults of customer lists, hierarchies and program lists. */
import type { Choices } from '../choices.ts';
import { portalCustomerShape } from '../shapes.ts';
import { onBody, onItems, recordsOf } from '../tools.ts';
import type { Customer } from '../world.ts';
import { type Fault, instead, predicted } from './fault.ts';

const under = 'portal, getCustomerHierarchy: customers under the given id plus its parent';

const siblings = (customer: Customer | undefined) =>
  (customer?.parent?.children ?? []).filter((one) => one !== customer).slice(0, 1);

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
    'hierarchy-of-a-leaf-has-its-siblings',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    (c) =>
      onBody(c, 'portal.getCustomerHierarchy', (body, { customer }) => {
        if (customer && customer.children.length === 0)
          body.items = [...recordsOf(body, 'items'), ...siblings(customer).map(portalCustomerShape)];
      }),
  ],
  [
    'hierarchy-has-the-parent-of-the-parent',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    (c) =>
      onBody(c, 'portal.getCustomerHierarchy', (body, { customer }) => {
        const above = customer?.parent?.parent;
        if (above) body.items = [...recordsOf(body, 'items'), portalCustomerShape(above)];
      }),
  ],
  [
    'hierarchy-leaves-out-the-last-child',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.children',
    under,
    (c) => {
      const usual = c.hierarchy;
      c.hierarchy = (customer) => usual(customer).filter((one) => one !== customer.children.at(-1));
    },
  ],
  [
    'hierarchy-of-the-second-level-leaves-out-a-child',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.children',
    under,
    (c) => {
      const usual = c.hierarchy;
      c.hierarchy = (customer) =>
        usual(customer).filter((one) => !customer.parent?.ours || one !== customer.children[1]);
    },
  ],
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
    'zip-of-a-later-customer-is-text',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.shape',
    'portal, Customer: zip is an integer',
    (c) =>
      onItems(c, 'portal.getCustomerHierarchy', (item, _x, index) => {
        if (index === 7) item.zip = '01570';
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
    'hierarchy-of-the-last-32-bits-of-a-customer-id',
    9,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    customerIdRead((id, own) => ((id - own) % 2 ** 32 === 0 ? own : id)),
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
