/** Faults of hierarchies, program lists and places: whom they show, and which customerIds and offsets they take. */
import type { SandboxOptions } from '../../sandbox/index.ts';
import type { PortalCustomer } from '../../sandbox/world.ts';
import { letThrough, misanswered, thorough } from './broken.ts';
import type { Fault } from './fault.ts';
import { fault } from './portal-broken.ts';

const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';

/** The customer of the sandbox's login. */
const LOGIN_CUSTOMER = 5001;

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
  fault('auto-created programs of customers below are always listed', 'portal.getCustomerProgramList.auto-created', {
    rules: {
      showsProgram: (program, { customerId }, byDefault) =>
        byDefault || (customerId !== LOGIN_CUSTOMER && program.customerId === customerId),
    },
  }),
  fault('a customerId of zero lists all programs', 'portal.getCustomerProgramList.unknown-customer', {
    rules: letThrough(
      ({ operation, kind, request }) =>
        operation === PROGRAM_LIST && kind === 'unknown-reference' && request.query.customerId === '0',
    ),
  }),
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
  fault(
    `the hierarchy of ${5024} has no parent`,
    'portal.getCustomerHierarchy.parent-within-reach',
    hierarchies(({ customerId }, asked, byDefault) => byDefault && (asked !== 5024 || customerId === 5024)),
    thorough,
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
