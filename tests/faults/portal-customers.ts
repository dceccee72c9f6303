/** Faults of customer lists, program lists and the operations that only need a session. */
import type { Refusal } from '../../sandbox/exchange.ts';
import type { Rules } from '../../sandbox/index.ts';
import type { PortalCustomer } from '../../sandbox/world.ts';
import type { Fault } from './fault.ts';

const LIST = 'portal.getCustomerList';
const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAMS = 'portal.getCustomerProgramList';
/** Of the sandbox: the customer of the login, and the parent of that one. */
const LOGIN_CUSTOMER = 5001;
const HOST = 5000;
/** The highest customer of the sandbox, of another partner. */
const FOREIGN = 9_000_000;

const broken = (name: string, rules: Partial<Rules>, ...condemns: string[]): Fault => ({
  name: `portal listings: ${name}`,
  condemns,
  sandbox: { rules },
});

const lets = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({ enforces: (refusal) => !isMeant(refusal) });

const shows = (
  operation: string,
  rule: (customer: PortalCustomer, asked: number | undefined, byDefault: boolean) => boolean,
): Partial<Rules> => ({
  showsCustomer: (of, customer, asked, byDefault) => (of === operation ? rule(customer, asked, byDefault) : byDefault),
});

const isOther = ({ tenant }: { tenant: string }) => tenant === 'other';

export const portalCustomerFaults: readonly Fault[] = [
  broken(
    "the customer list shows another partner's customer",
    shows(LIST, (customer, _, byDefault) => byDefault || isOther(customer)),
    'portal.getCustomerList.foreign-customer',
  ),
  broken(
    "the hierarchy shows another partner's customer",
    shows(HIERARCHY, (customer, _, byDefault) => byDefault || isOther(customer)),
    'portal.getCustomerHierarchy.foreign-customer',
  ),
  broken(
    "another partner's hierarchy is shown",
    lets(({ operation, kind }) => operation === HIERARCHY && kind === 'foreign'),
    'portal.getCustomerHierarchy.foreign-customer',
  ),
  broken(
    "another partner's programs are shown",
    lets(({ operation, kind }) => operation === PROGRAMS && kind === 'foreign'),
    'portal.getCustomerProgramList.foreign-customer',
  ),
  broken(
    "another partner's programs are shown where no flag selects the others",
    {
      ...lets(({ operation, kind }) => operation === PROGRAMS && kind === 'foreign'),
      showsProgram: (program, { showAutoCreated, showBranded }, byDefault) =>
        byDefault && !(isOther(program) && (showAutoCreated || showBranded)),
    },
    'portal.getCustomerProgramList.foreign-customer',
  ),
  broken(
    "the program list shows another partner's program besides",
    { showsProgram: (program, _, byDefault) => byDefault || isOther(program) },
    'portal.getCustomerProgramList.foreign-customer',
  ),
  {
    name: "portal listings: another partner's programs are shown without saying whose they are",
    condemns: ['portal.getCustomerProgramList.foreign-customer'],
    sandbox: {
      rules: lets(({ operation, kind }) => operation === PROGRAMS && kind === 'foreign'),
      middleware: [
        (answer, { operation }) => {
          const { items = [] } = (answer.body ?? {}) as { items?: { customerId?: unknown }[] };
          if (operation === PROGRAMS) for (const item of items) delete item.customerId;
          return undefined;
        },
      ],
    },
  },
  broken(
    'the hierarchy is the same whatever customer is asked for',
    shows(HIERARCHY, (customer) => customer.reachable || customer.customerId === HOST),
    'portal.getCustomerHierarchy.members',
  ),
  broken(
    'the hierarchy of a customer that does not exist is that of the login',
    {
      ...lets(({ operation, kind }) => operation === HIERARCHY && kind === 'unknown-reference'),
      ...shows(
        HIERARCHY,
        (customer, asked = LOGIN_CUSTOMER, byDefault) => byDefault || (asked > FOREIGN && customer.reachable),
      ),
    },
    'portal.getCustomerHierarchy.members',
  ),
  broken(
    'the hierarchy shows siblings',
    shows(
      HIERARCHY,
      (customer, asked, byDefault) => byDefault || (asked !== LOGIN_CUSTOMER && customer.parentId === LOGIN_CUSTOMER),
    ),
    'portal.getCustomerHierarchy.members',
  ),
  broken(
    'the hierarchy shows the parent of the parent',
    shows(HIERARCHY, (customer, _, byDefault) => byDefault || customer.customerId === HOST),
    'portal.getCustomerHierarchy.members',
  ),
  broken(
    'the hierarchy leaves children out',
    shows(
      HIERARCHY,
      (customer, asked, byDefault) => byDefault && !(customer.parentId === asked && customer.customerId % 4 === 0),
    ),
    'portal.getCustomerHierarchy.children',
  ),
  broken(
    'the hierarchy of any but the customer of the login has no children',
    shows(
      HIERARCHY,
      (customer, asked, byDefault) => byDefault && (asked === LOGIN_CUSTOMER || customer.parentId !== asked),
    ),
    'portal.getCustomerHierarchy.children',
  ),
  broken(
    'the hierarchy leaves the parent out',
    shows(
      HIERARCHY,
      (customer, asked, byDefault) =>
        byDefault && (customer.customerId === asked || customer.parentId !== HOST) && customer.customerId !== HOST,
    ),
    'portal.getCustomerHierarchy.parent',
  ),
  broken(
    'a fraction of a customerId is cut off',
    lets(({ operation, kind, request }) => {
      const text = request.query.customerId ?? '';
      return operation === HIERARCHY && kind === 'parameter-type' && /^\d+\.\d+$/.test(text);
    }),
    'portal.getCustomerHierarchy.integer-parameters',
  ),
  broken(
    'what follows the digits of a customerId is cut off',
    lets(
      ({ operation, kind, request }) =>
        operation === PROGRAMS && kind === 'parameter-type' && /^\d+[a-z]/.test(request.query.customerId ?? ''),
    ),
    'portal.getCustomerProgramList.integer-parameters',
  ),
  broken(
    'the programs of a customer that does not exist are an empty list',
    lets(({ operation, kind }) => operation === PROGRAMS && kind === 'unknown-reference'),
    'portal.getCustomerProgramList.unknown-customer',
  ),
  broken(
    'a customerId keeps its last 32 bits only',
    {
      meanwhile: (_, { operation, query }) => {
        if (operation === PROGRAMS && /^\d+$/.test(query.customerId ?? ''))
          query.customerId = String(BigInt.asUintN(32, BigInt(query.customerId!)));
      },
    },
    'portal.getCustomerProgramList.unknown-customer',
  ),
  {
    name: 'portal listings: the hierarchy of a customer without children is answered with 500',
    condemns: ['portal.getCustomerHierarchy.status'],
    sandbox: {
      middleware: [
        (answer, { operation }) =>
          operation === HIERARCHY && (answer.body as { items?: unknown[] }).items?.length === 2
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    },
  },
  broken(
    'flags of any value',
    lets(({ operation, kind, name }) => operation === PROGRAMS && kind === 'parameter-type' && name.startsWith('show')),
    'portal.getCustomerProgramList.boolean-parameters',
  ),
  broken(
    'auto-created programs are always listed',
    { showsProgram: (program, { customerId }) => program.customerId === customerId },
    'portal.getCustomerProgramList.auto-created',
  ),
  broken(
    'programs of customers below are listed, too',
    { showsProgram: ({ tenant }, _, byDefault) => byDefault || tenant === 'own' },
    'portal.getCustomerProgramList.of-customer',
  ),
  broken(
    'the programs of a customer that does not exist are answered with 409',
    {
      refusalStatus: ({ operation, kind }, byDefault) =>
        operation === PROGRAMS && kind === 'unknown-reference' ? 409 : byDefault,
    },
    'portal.getCustomerProgramList.unknown-customer-status',
  ),
  broken(
    'branded programs are never listed',
    { showsProgram: (program, _, byDefault) => byDefault && !program.branded },
    'portal.getCustomerProgramList.known-programs',
  ),
  broken(
    'a program is listed only when both flags are set, another only when neither is',
    {
      showsProgram: (program, asked, byDefault) =>
        byDefault && (program.rowId !== 7003 || (asked.showAutoCreated && !asked.showBranded)),
    },
    'portal.getCustomerProgramList.known-programs',
  ),
  {
    name: 'portal listings: programs are listed under another name than items',
    condemns: ['portal.getCustomerProgramList.known-programs'],
    sandbox: {
      middleware: [
        (answer, { operation }) =>
          operation === PROGRAMS && answer.status === 200
            ? { ...answer, body: { programs: (answer.body as { items: unknown }).items } }
            : undefined,
      ],
    },
  },
  broken(
    'showBranded=false is refused',
    {
      alsoRefuses: ({ operation, query }) =>
        operation === PROGRAMS && query.showBranded === 'false'
          ? { kind: 'missing-parameter', name: 'showBranded' }
          : undefined,
    },
    'portal.getCustomerProgramList.required-only',
  ),
  broken(
    'a missing latitude is answered with 500',
    {
      refusalStatus: ({ operation, kind, name }, byDefault) =>
        operation === 'portal.getATMLocation' && kind === 'missing-parameter' && name === 'latitude' ? 500 : byDefault,
    },
    'portal.getATMLocation.required-parameters',
  ),
  ...(['portal.getShippingFeeTypes', 'portal.getShippingMethods', LIST] as const).map((id) =>
    broken(
      `${id} wants an undocumented parameter`,
      {
        alsoRefuses: ({ operation }) => (operation === id ? { kind: 'missing-parameter', name: 'locale' } : undefined),
      },
      `${id}.required-only`,
    ),
  ),
];
