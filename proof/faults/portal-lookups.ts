/** Faults of hierarchies, program lists and places: whom they show, and which customerIds and offsets they take. */
import type { SandboxOptions } from '../../sandbox/index.ts';
import type { PortalCustomer } from '../../sandbox/world.ts';
import { letThrough, misanswered, thorough } from './broken.ts';
import type { Fault } from './fault.ts';
import { fault, secondTime } from './portal-broken.ts';

const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';

/** The customer of the sandbox's login. */
const LOGIN_CUSTOMER = 5001;

/** Customers of the second level that have children. */
const WITH_CHILDREN = [5010, 5018, 5026, 5034];

const hierarchies = (
  shows: (customer: PortalCustomer, asked: number | undefined, byDefault: boolean) => boolean,
): SandboxOptions => ({
  rules: {
    showsCustomer: (operation, customer, asked, byDefault) =>
      operation === HIERARCHY ? shows(customer, asked, byDefault) : byDefault,
  },
});

/** What is no integer is read over where a flag is not set. */
const misread: readonly Fault[] = (
  [
    [1, 'showAutoCreated'],
    [2, 'showBranded'],
  ] as const
).map(([seed, flag]) =>
  fault(
    `what is no integer is taken for a customerId with ${flag}=false`,
    `${PROGRAM_LIST}.integer-parameters`,
    {
      rules: letThrough(
        ({ operation, kind, request }) =>
          operation === PROGRAM_LIST && kind === 'parameter-type' && request.query[flag] === 'false',
      ),
    },
    {
      configure: ({ run }) => {
        run.seed = seed;
      },
    },
  ),
);

export const portalLookupFaults: readonly Fault[] = [
  fault('the hierarchy of a customer without children shows its siblings', 'portal.getCustomerHierarchy.members', {
    rules: {
      showsCustomer: (operation, { parentId }, asked, byDefault) =>
        byDefault ||
        (operation === HIERARCHY &&
          asked !== undefined &&
          ![LOGIN_CUSTOMER, ...WITH_CHILDREN].includes(asked) &&
          parentId === LOGIN_CUSTOMER),
    },
  }),
  fault('a hierarchy of the third level lacks its parent', 'portal.getCustomerHierarchy.parent-within-reach', {
    rules: {
      showsCustomer: (operation, { customerId }, asked, byDefault) =>
        byDefault &&
        !(
          operation === HIERARCHY &&
          asked !== undefined &&
          asked >= 5016 &&
          asked % 8 >= 6 &&
          customerId === asked - 12
        ),
    },
  }),
  fault('a hierarchy of the second level lacks its parent', 'portal.getCustomerHierarchy.parent-within-reach', {
    rules: {
      showsCustomer: (operation, { customerId }, asked, byDefault) =>
        byDefault && !(operation === HIERARCHY && asked !== LOGIN_CUSTOMER && customerId === LOGIN_CUSTOMER),
    },
  }),
  fault('auto-created programs of customers below are always listed', 'portal.getCustomerProgramList.auto-created', {
    rules: {
      showsProgram: (program, { customerId }, byDefault) =>
        byDefault || (customerId !== LOGIN_CUSTOMER && program.customerId === customerId),
    },
  }),
  fault('programs of customers below list those of the login, too', 'portal.getCustomerProgramList.of-customer', {
    rules: {
      showsProgram: (program, { customerId }, byDefault) =>
        byDefault || (customerId !== LOGIN_CUSTOMER && program.customerId === LOGIN_CUSTOMER),
    },
  }),
  fault('a customerId of zero lists all programs', 'portal.getCustomerProgramList.unknown-customer', {
    rules: letThrough(
      ({ operation, kind, request }) =>
        operation === PROGRAM_LIST && kind === 'unknown-reference' && request.query.customerId === '0',
    ),
  }),
  fault(
    'a customerId that is not known has no programs that are not branded',
    'portal.getCustomerProgramList.unknown-customer',
    {
      rules: letThrough(
        ({ operation, kind, request }) =>
          operation === PROGRAM_LIST && kind === 'unknown-reference' && request.query.showBranded === 'false',
      ),
    },
  ),
  fault(
    'a customerId of zero is that of the login in a hierarchy',
    'portal.getCustomerHierarchy.members',
    {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === HIERARCHY && query.customerId === '0') query.customerId = String(LOGIN_CUSTOMER);
        },
      },
    },
    thorough,
  ),
  fault(
    'a negative customerId lists the programs of the positive one',
    'portal.getCustomerProgramList.unknown-customer',
    {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === PROGRAM_LIST && /^-\d+$/.test(query.customerId ?? ''))
            query.customerId = query.customerId!.slice(1);
        },
      },
    },
  ),
  ...misread,
  fault("another partner's hierarchy is shown the second time it is asked for", `${HIERARCHY}.foreign-customer`, {
    rules: secondTime(({ operation, kind }) => operation === HIERARCHY && kind === 'foreign'),
  }),
  fault("another partner's programs are listed among those of customers below", `${PROGRAM_LIST}.foreign-customer`, {
    rules: {
      showsProgram: ({ tenant }, { customerId }, byDefault) =>
        byDefault || (tenant === 'other' && customerId !== LOGIN_CUSTOMER),
    },
  }),
  ...[5026, 5034].map((parent) =>
    fault(
      `the hierarchy of ${parent} has no children`,
      `${HIERARCHY}.children`,
      hierarchies((customer, asked, byDefault) => byDefault && !(asked === parent && customer.parentId === parent)),
      thorough,
    ),
  ),
  ...[5012, 5024].map((leaf) =>
    fault(
      `the hierarchy of ${leaf} has no parent`,
      `${HIERARCHY}.parent-within-reach`,
      hierarchies(({ customerId }, asked, byDefault) => byDefault && (asked !== leaf || customerId === leaf)),
      thorough,
    ),
  ),
  fault(
    'showBranded may be absent where showAutoCreated is false',
    `${PROGRAM_LIST}.required-parameters`,
    {
      rules: {
        requires: (operation, name, byDefault, { query }) =>
          byDefault && !(operation === PROGRAM_LIST && name === 'showBranded' && query.showAutoCreated === 'false'),
      },
    },
    {
      configure: ({ run }) => {
        run.seed = 1;
      },
    },
  ),
  {
    name: 'a page offset with a fraction is cut off',
    condemns: ['portal.getATMLocation.integer-parameters'],
    sandbox: {
      rules: {
        enforces: ({ kind, name, request }) =>
          !(kind === 'parameter-type' && name === 'pageOffset' && /^\d+\.\d+$/.test(request.query.pageOffset ?? '')),
      },
    },
  },
  {
    name: "another partner's programs are shown where neither flag is set",
    condemns: ['portal.getCustomerProgramList.foreign-customer'],
    sandbox: {
      rules: letThrough(
        ({ operation, kind, request: { query } }) =>
          operation === 'portal.getCustomerProgramList' &&
          kind === 'foreign' &&
          query.showAutoCreated === 'false' &&
          query.showBranded === 'false',
      ),
    },
  },
  misanswered(
    'portal.getCustomerHierarchy: parents are named by identifiers that nobody has',
    'portal.getCustomerHierarchy.members',
    'portal.getCustomerHierarchy',
    (body) => {
      for (const item of body.items as Record<string, unknown>[])
        if (typeof item.parentId === 'number') item.parentId *= 100;
    },
  ),
];
