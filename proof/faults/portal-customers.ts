/** Faults of customer lists, program lists and the operations that only need a session. */
import type { Rules } from '../../sandbox/index.ts';
import type { PortalCustomer } from '../../sandbox/world.ts';
import { broken, letThrough } from './broken.ts';
import type { Fault } from './fault.ts';

const LIST = 'portal.getCustomerList';
const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAMS = 'portal.getCustomerProgramList';
const HOST = 5000;
const shows = (
  operation: string,
  rule: (customer: PortalCustomer, asked: number | undefined, byDefault: boolean) => boolean,
): Partial<Rules> => ({
  showsCustomer: (of, customer, asked, byDefault) => (of === operation ? rule(customer, asked, byDefault) : byDefault),
});

const isOther = ({ tenant }: { tenant: string }) => tenant === 'other';

export const portalCustomerFaults: readonly Fault[] = [
  broken(
    "portal listings: the program list shows another partner's program besides",
    'portal.getCustomerProgramList.foreign-customer',
    { showsProgram: (program, _, byDefault) => byDefault || isOther(program) },
  ),
  {
    name: "portal listings: another partner's programs are shown as those of the login",
    condemns: ['portal.getCustomerProgramList.foreign-customer'],
    sandbox: {
      rules: letThrough(({ operation, kind }) => operation === PROGRAMS && kind === 'foreign'),
      middleware: [
        (answer, { operation, world }) => {
          const { items = [] } = (answer.body ?? {}) as { items?: { customerId?: unknown }[] };
          if (operation === PROGRAMS) for (const item of items) item.customerId = world.data.users[0]?.customerId;
          return undefined;
        },
      ],
    },
  },
  broken(
    'portal listings: the hierarchy leaves the parent out',
    'portal.getCustomerHierarchy.parent',
    shows(
      HIERARCHY,
      (customer, asked, byDefault) =>
        byDefault && (customer.customerId === asked || customer.parentId !== HOST) && customer.customerId !== HOST,
    ),
  ),
  broken(
    'portal listings: flags of any value',
    'portal.getCustomerProgramList.boolean-parameters',
    letThrough(
      ({ operation, kind, name }) => operation === PROGRAMS && kind === 'parameter-type' && name.startsWith('show'),
    ),
  ),
  broken('portal listings: auto-created programs are always listed', 'portal.getCustomerProgramList.auto-created', {
    showsProgram: (program, { customerId }) => program.customerId === customerId,
  }),
  broken(
    'portal listings: the programs of a customer that does not exist are answered with 409',
    'portal.getCustomerProgramList.unknown-customer-status',
    {
      refusalStatus: ({ operation, kind }, byDefault) =>
        operation === PROGRAMS && kind === 'unknown-reference' ? 409 : byDefault,
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
  ...(
    [
      [LIST, 'under the name of customers', (items) => ({ customers: items })],
      [LIST, 'in an envelope', (items) => ({ response: { items } })],
      ['portal.getShippingMethods', 'under the name of methods', (items) => ({ kind: 'methods', methods: items })],
      ['portal.getShippingMethods', 'in an envelope', (items) => ({ data: { items } })],
    ] satisfies [string, string, (items: unknown) => unknown][]
  ).map(
    ([id, where, wrap]): Fault => ({
      name: `portal listings: ${id} gives its items ${where}`,
      condemns: [`${id}.shape`],
      sandbox: {
        middleware: [
          (answer, { operation }) =>
            operation === id && answer.status === 200
              ? { ...answer, body: wrap((answer.body as { items: unknown }).items) }
              : undefined,
        ],
      },
    }),
  ),
  broken('portal listings: showBranded=false is refused', 'portal.getCustomerProgramList.required-only', {
    alsoRefuses: ({ operation, query }) =>
      operation === PROGRAMS && query.showBranded === 'false'
        ? { kind: 'missing-parameter', name: 'showBranded' }
        : undefined,
  }),
];
