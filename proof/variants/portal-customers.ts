/** Sound portals by how they number customers and sessions, and by who is below whom: the document says that customerId and parentId are integers. */
import { type AnswerFilter, RawText } from '../../sandbox/exchange.ts';
import type { SandboxOptions, World } from '../../sandbox/index.ts';
import { thoroughly, type Variant } from './variant.ts';

type Body = Record<string, unknown>;

const LIST = 'portal.getCustomerList';
const HIERARCHY = 'portal.getCustomerHierarchy';
/** Of the sandbox: the customer of the login, and two that are below it. */
const LOGIN_CUSTOMER = 5001;
const BRANCH = 5010;
const OTHER_BRANCH = 5018;
const CHILD_OF_BRANCH = 5022;
/** That of another partner. */
const FOREIGN = 9_000_000;

const variant = (name: string, basis: string, sandbox: SandboxOptions, configure?: Variant['configure']): Variant => ({
  name: `portal customers: ${name}`,
  basis,
  sandbox,
  ...(configure ? { configure } : {}),
});

/** All forms of bad sessions, and all customers that do not exist, are tried at once. */

/** Customers go by other numbers. @param numberOf that of a customer of the sandbox */
function numbered(name: string, numberOf: (customerId: number) => bigint): Variant {
  const customers = (world: World) => [...world.portalCustomerById.keys()];
  const inSandbox = (world: World, text: string) =>
    customers(world).find((customerId) => String(numberOf(customerId)) === text) ?? Number.MAX_SAFE_INTEGER;
  return variant(
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
        (answer, { operation }) =>
          operation.startsWith('portal.') && typeof answer.body === 'object'
            ? {
                ...answer,
                body: new RawText(
                  JSON.stringify(answer.body).replaceAll(
                    /"(customerId|parentId)":(\d+)/g,
                    (_, member, customerId) => `"${member}":${numberOf(Number(customerId))}`,
                  ),
                ),
              }
            : undefined,
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
    middleware: [
      (answer, { operation }) => {
        if (operation !== 'portal.login' || answer.status !== 200) return undefined;
        const { sessionId, ...user } = answer.body as { sessionId: string };
        begun.set(written(sessionId), sessionId);
        return { ...answer, body: { ...user, sessionId: written(sessionId) } };
      },
    ],
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
  thoroughly(variant('0 is the root of all', 'Customer: parentId is an integer', rootOfAll)),
  {
    ...variant('a customer below two others is listed twice', 'getCustomerHierarchy: customers under the given id', {
      middleware: [belowTwo],
    }),
    // With this seed its own hierarchy is asked for.
    run: { seed: 16_615 },
  },
  variant(
    "a customer that is below another partner's, too, is listed twice",
    'getCustomerHierarchy: customers under the given id',
    { middleware: [belowForeign] },
  ),
  variant('hierarchies show no customerId', 'Customer: no member is said to be always there', {
    middleware: [
      (answer, { operation }) => {
        if (operation !== HIERARCHY || answer.status !== 200) return undefined;
        const { items } = answer.body as { items: Body[] };
        return { ...answer, body: { items: items.map(({ customerId: _, ...others }) => others) } };
      },
    ],
  }),
  variant('one comes and one goes at any time', 'Customer: nothing says that the list stands still', {
    middleware: [comingAndGoing()],
  }),
  thoroughly(
    variant(
      'session identifiers are ULIDs, in any case of letters',
      'Authentication: the form of sessionId is not said',
      sessionsAs('0123456789ABCDEFGHJKMNPQRSTVWXYZ', '01', 24),
    ),
  ),
  thoroughly(
    variant(
      'session identifiers are base32, in any case of letters',
      'Authentication: the form of sessionId is not said',
      sessionsAs('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', '', 27),
    ),
  ),
  variant(
    'one user, whose session is given again while it is active, is both that of the run and the restricted one',
    'Authentication: how many sessions a user has is not said',
    { rules: { sessionId: 'same-while-active' } },
    restrictedItself,
  ),
  variant(
    'one user, whose sessions all end with one, is both that of the run and the restricted one',
    'Authentication: how many sessions a user has is not said',
    { rules: { logoutEndsAll: true } },
    restrictedItself,
  ),
];
