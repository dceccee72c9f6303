/** Faults of customer lists, hierarchies, program lists and places: whom they show, which parameters they take, and in what they answer. */
import type { OperationId, SandboxOptions } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { PortalCustomer } from '../../sandbox/world.ts';
import { altering, answering, type Body, is, letThrough, memory, replacing } from '../changed-sandbox.ts';
import { broken, fault, misanswered, misread, misrefused, portal, refused, tolerated, withSeed } from './broken.ts';
import type { Fault } from './fault.ts';

const LIST = 'portal.getCustomerList';
const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const METHODS = 'portal.getShippingMethods';
/** Of the sandbox: the customer of the login, its parent, and one further below. */
const LOGIN_CUSTOMER = 5001;
const HOST = 5000;
const FAR_BELOW = 5024;

// ---- hierarchies -------------------------------------------------------------------------------------------------

const hides = (isHidden: (customer: PortalCustomer, asked: number | undefined) => boolean): Partial<Rules> => ({
  showsCustomer: (operation, customer, asked, byDefault) =>
    byDefault && !(operation === HIERARCHY && isHidden(customer, asked)),
});

const hierarchies: readonly Fault[] = [
  broken(`${HIERARCHY} does not exist`, 'portal.getCustomerHierarchy.required-only', {
    offers: (operation) => operation !== HIERARCHY,
  }),
  broken(
    'portal listings: the hierarchy leaves the parent out',
    'portal.getCustomerHierarchy.parent',
    hides(({ customerId, parentId }, asked) => customerId === HOST || (parentId === HOST && customerId !== asked)),
  ),
  portal(`the hierarchy of ${FAR_BELOW} has no parent`, 'portal.getCustomerHierarchy.parent-within-reach', {
    rules: hides(({ customerId }, asked) => asked === FAR_BELOW && customerId !== FAR_BELOW),
  }),
  misread(
    'portal: a customerId of zero is that of the login in a hierarchy',
    'portal.getCustomerHierarchy.members',
    ({ query }) => {
      if (query.customerId === '0') query.customerId = String(LOGIN_CUSTOMER);
    },
  ),
  misanswered(
    `${HIERARCHY}: parents are named by identifiers that nobody has`,
    'portal.getCustomerHierarchy.members',
    HIERARCHY,
    ({ items }) => {
      for (const item of items as Body[]) if (typeof item.parentId === 'number') item.parentId *= 100;
    },
  ),
];

// ---- program lists -----------------------------------------------------------------------------------------------

/** Longer than a busy machine takes from one request to the next that was sent with it. */
const AT_ONCE_MS = 200;

/** Of program lists for two customers at the same moment one gets the answer of the other. */
function swapped(): SandboxOptions {
  const lastIn = memory(() => ({ at: 0, customerId: undefined as string | undefined, body: undefined as unknown }));
  return altering((answer, { operation, world, request: { query } }) => {
    if (operation !== PROGRAM_LIST) return undefined;
    const last = lastIn(world);
    const isOther = last.at > 0 && last.customerId !== query.customerId;
    const isAtOnce = isOther && performance.now() < last.at + AT_ONCE_MS;
    const transport = { delayMs: AT_ONCE_MS + 2 };
    if (isAtOnce && answer.status === 200) return { body: last.body, transport };
    if (answer.status === 200)
      Object.assign(last, { at: performance.now(), customerId: query.customerId, body: answer.body });
    return { transport };
  });
}

const programLists: readonly Fault[] = [
  portal(
    'of two program lists at the same moment one is the other',
    'portal.getCustomerProgramList.of-customer',
    swapped(),
  ),
  broken(
    "portal listings: the program list shows another partner's program besides",
    'portal.getCustomerProgramList.foreign-customer',
    { showsProgram: ({ tenant }, _, byDefault) => byDefault || tenant === 'other' },
  ),
  fault(
    "portal listings: another partner's programs are shown as those of the login",
    'portal.getCustomerProgramList.foreign-customer',
    {
      rules: letThrough(is(PROGRAM_LIST, { kind: 'foreign' })),
      ...answering(PROGRAM_LIST, ({ items }, { world }) => {
        for (const item of items as Body[]) item.customerId = world.data.users[0]?.customerId;
      }),
    },
  ),
  broken('portal listings: auto-created programs are always listed', 'portal.getCustomerProgramList.auto-created', {
    showsProgram: (program, { customerId }) => program.customerId === customerId,
  }),
  broken(
    'portal: auto-created programs of customers below are always listed',
    'portal.getCustomerProgramList.auto-created',
    {
      showsProgram: (program, { customerId }, byDefault) =>
        byDefault || (customerId !== LOGIN_CUSTOMER && program.customerId === customerId),
    },
  ),
  broken(
    'portal listings: a program is listed only when both flags are set, another only when neither is',
    'portal.getCustomerProgramList.known-programs',
    {
      showsProgram: (program, asked, byDefault) =>
        byDefault && (program.rowId !== 7003 || (asked.showAutoCreated && !asked.showBranded)),
    },
  ),
  tolerated('portal listings: flags of any value', 'portal.getCustomerProgramList.boolean-parameters', {
    kind: 'parameter-type',
    name: /^show/,
  }),
  refused(
    'portal listings: showBranded=false is refused',
    'portal.getCustomerProgramList.required-only',
    { kind: 'missing-parameter', name: 'showBranded' },
    ({ query }) => query.showBranded === 'false',
  ),
  misrefused(
    'portal listings: the programs of a customer that does not exist are answered with 409',
    'portal.getCustomerProgramList.unknown-customer-status',
    409,
    { kind: 'unknown-reference' },
  ),
  tolerated(
    'portal: a customerId of zero lists all programs',
    'portal.getCustomerProgramList.unknown-customer',
    { kind: 'unknown-reference' },
    ({ query }) => query.customerId === '0',
  ),
  misread(
    'portal: a negative customerId lists the programs of the positive one',
    'portal.getCustomerProgramList.unknown-customer',
    ({ query }) => {
      if (/^-\d+$/.test(query.customerId ?? '')) query.customerId = query.customerId!.slice(1);
    },
  ),
  ...['showAutoCreated', 'showBranded'].map((flag, index) => ({
    ...tolerated(
      `portal: what is no integer is taken for a customerId with ${flag}=false`,
      'portal.getCustomerProgramList.integer-parameters',
      { kind: 'parameter-type' },
      ({ query }) => query[flag] === 'false',
    ),
    ...withSeed(index + 1),
  })),
];

export const portalLookupFaults: readonly Fault[] = [
  ...hierarchies,
  ...programLists,
  ...(
    [
      [LIST, 'under the name of customers', (items) => ({ customers: items })],
      [LIST, 'in an envelope', (items) => ({ response: { items } })],
      [METHODS, 'under the name of methods', (items) => ({ kind: 'methods', methods: items })],
      [METHODS, 'in an envelope', (items) => ({ data: { items } })],
    ] satisfies [OperationId, string, (items: unknown) => unknown][]
  ).map(([id, where, wrap]) =>
    fault(
      `portal listings: ${id} gives its items ${where}`,
      `${id}.shape`,
      replacing(id, ({ body }) => ({ body: wrap((body as Body).items) })),
    ),
  ),
  broken(
    'a page offset with a fraction is cut off',
    'portal.getATMLocation.integer-parameters',
    letThrough(
      ({ kind, name, request }) =>
        kind === 'parameter-type' && name === 'pageOffset' && /^\d+\.\d+$/.test(request.query.pageOffset ?? ''),
    ),
  ),
];
