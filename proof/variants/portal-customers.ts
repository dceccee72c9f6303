/** Sound portals by how they number customers and sessions, and by who is below whom: the document says that customerId and parentId are integers. */
import { type AnswerFilter, RawText } from '../../sandbox/exchange.ts';
import type { SandboxOptions, World } from '../../sandbox/index.ts';
import { type Body, replacing } from '../faults/broken.ts';
import { thoroughly, type Variant, variant } from './variant.ts';

const LIST = 'portal.getCustomerList';
const HIERARCHY = 'portal.getCustomerHierarchy';
/** Of the sandbox: the customer of the login, and two that are below it. */
const LOGIN_CUSTOMER = 5001;
const BRANCH = 5010;
const OTHER_BRANCH = 5018;
const CHILD_OF_BRANCH = 5022;
/** That of another partner. */
const FOREIGN = 9_000_000;

const customers = (name: string, basis: string, sandbox: SandboxOptions, configure?: Variant['configure']): Variant =>
  variant(`portal customers: ${name}`, basis, sandbox, configure ? { configure } : {});

/** Customers go by other numbers. @param numberOf that of a customer of the sandbox */
function numbered(name: string, numberOf: (customerId: number) => bigint): Variant {
  const inSandbox = (world: World, text: string) =>
    [...world.portalCustomerById.keys()].find((customerId) => String(numberOf(customerId)) === text) ??
    Number.MAX_SAFE_INTEGER;
  return customers(
    name,
    'Customer: customerId and parentId are integers; how they are given is not said',
    {
      rules: {
        meanwhile: (world, { operation, query, body, raw }) => {
          if (/^-?\d+$/.test(query.customerId ?? '')) query.customerId = String(inSandbox(world, query.customerId!));
          const [, ordered] = /"customerId":(-?\d+)/.exec(raw.toString()) ?? [];
          if (operation === 'portal.orderCards' && ordered) (body as Body).customerId = inSandbox(world, ordered);
        },
      },
      middleware: [
        (answer, { operation }) => {
          if (!operation.startsWith('portal.') || typeof answer.body !== 'object') return undefined;
          const renumbered = JSON.stringify(answer.body).replaceAll(
            /"(customerId|parentId)":(\d+)/g,
            (_, member, customerId) => `"${member}":${numberOf(Number(customerId))}`,
          );
          return { ...answer, body: new RawText(renumbered) };
        },
      ],
    },
    ({ fixtures }) => {
      const { customerId, foreignCustomerId } = fixtures.portal!;
      fixtures.portal = {
        ...fixtures.portal,
        customerId: numberOf(Number(customerId)),
        foreignCustomerId: numberOf(Number(foreignCustomerId)),
      };
    },
  );
}

/** Changes the entries of both listings of customers. @param change is told which customer was asked for */
const entriesAs =
  (change: (items: Body[], asked: number) => Body[]): AnswerFilter =>
  (answer, context) => {
    if (![LIST, HIERARCHY].includes(context.operation) || answer.status !== 200) return undefined;
    const { items } = answer.body as { items: Body[] };
    return { ...answer, body: { items: change(items, Number(context.request.query.customerId ?? LOGIN_CUSTOMER)) } };
  };

/** 0 is the root of all customers, which the topmost of them name as their parent. */
const rootOfAll: SandboxOptions = {
  rules: {
    meanwhile: ({ portalCustomerById }) => {
      const root = { customerId: 0, parentId: undefined, name: 'All', reachable: true, details: {} };
      portalCustomerById.set(0, { ...root, tenant: 'own' });
    },
    showsCustomer: (operation, { customerId, reachable }, asked, byDefault) =>
      customerId >= LOGIN_CUSTOMER && (byDefault || (operation === HIERARCHY && asked === 0 && reachable)),
    showsProgram: ({ tenant }, { customerId }, byDefault) => byDefault || (customerId === 0 && tenant === 'own'),
  },
  middleware: [
    entriesAs((items) => items.map((item) => (item.customerId === LOGIN_CUSTOMER ? { ...item, parentId: 0 } : item))),
  ],
};

/** A customer below two others is listed for each of them. */
const belowTwo = entriesAs((items, asked) => {
  if (![LOGIN_CUSTOMER, BRANCH, OTHER_BRANCH].includes(asked)) return items;
  const rest = items.filter(({ customerId }) => customerId !== CHILD_OF_BRANCH);
  const child = { customerId: CHILD_OF_BRANCH, name: 'Joint Venture' };
  return [...rest, { ...child, parentId: BRANCH }, { ...child, parentId: OTHER_BRANCH }];
});

/** A customer below one of the login and one of another partner is listed for each of them. */
const belowForeign = entriesAs((items) =>
  items.flatMap((item) => (item.customerId === CHILD_OF_BRANCH ? [{ ...item, parentId: FOREIGN }, item] : [item])),
);

/** At every listing another customer has just come, and the one before is gone. */
function comingAndGoing(): AnswerFilter {
  let latest = 60_000;
  return entriesAs((items, asked) =>
    [LOGIN_CUSTOMER, BRANCH].includes(asked) ? [...items, { customerId: ++latest, parentId: BRANCH }] : items,
  );
}

/** Session identifiers of another form, read in any case of letters. */
function sessionsAs(alphabet: string, begin: string, length: number): SandboxOptions {
  const written = (id: string) =>
    begin + [...id.slice(0, length)].map((letter) => alphabet[letter.charCodeAt(0) % alphabet.length]).join('');
  const begun = new Map<string, string>();
  return {
    rules: {
      meanwhile: (_, { query }) => {
        if (query.sessionId) query.sessionId = begun.get(query.sessionId.toUpperCase()) ?? 'unknown';
      },
    },
    ...replacing('portal.login', ({ body }) => {
      const { sessionId, ...user } = body as { sessionId: string };
      begun.set(written(sessionId), sessionId);
      return { body: { ...user, sessionId: written(sessionId) } };
    }),
  };
}

/** The login that is not entitled to everything is the one of the run. */
const restrictedItself: Variant['configure'] = ({ fixtures, target }) => {
  const restrictedLogin = { loginID: target.portalLoginId!, password: target.portalPassword! };
  fixtures.portal = { ...fixtures.portal, restrictedLogin };
};

export const portalCustomerVariants: readonly Variant[] = [
  numbered('one below the login has its number, negative', (customerId) =>
    customerId === BRANCH ? BigInt(-LOGIN_CUSTOMER) : BigInt(customerId),
  ),
  thoroughly(customers('0 is the root of all', 'Customer: parentId is an integer', rootOfAll)),
  {
    ...customers('a customer below two others is listed twice', 'getCustomerHierarchy: customers under the given id', {
      middleware: [belowTwo],
    }),
    // With this seed its own hierarchy is asked for.
    run: { seed: 16_615 },
  },
  customers(
    "a customer that is below another partner's, too, is listed twice",
    'getCustomerHierarchy: customers under the given id',
    { middleware: [belowForeign] },
  ),
  customers(
    'hierarchies show no customerId',
    'Customer: no member is said to be always there',
    replacing(HIERARCHY, ({ body }) => {
      const { items } = body as { items: Body[] };
      return { body: { items: items.map(({ customerId: _, ...others }) => others) } };
    }),
  ),
  customers('one comes and one goes at any time', 'Customer: nothing says that the list stands still', {
    middleware: [comingAndGoing()],
  }),
  ...(
    [
      ['ULIDs', sessionsAs('0123456789ABCDEFGHJKMNPQRSTVWXYZ', '01', 24)],
      ['base32', sessionsAs('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', '', 27)],
    ] as const
  ).map(([what, sandbox]) =>
    thoroughly(
      customers(
        `session identifiers are ${what}, in any case of letters`,
        'Authentication: the form of sessionId is not said',
        sandbox,
      ),
    ),
  ),
  ...(
    [
      ['whose session is given again while it is active, is', { sessionId: 'same-while-active' }],
      ['whose sessions all end with one, is', { logoutEndsAll: true }],
    ] as const
  ).map(([what, rules]) =>
    customers(
      `one user, ${what} both that of the run and the restricted one`,
      'Authentication: how many sessions a user has is not said',
      { rules },
      restrictedItself,
    ),
  ),
];
