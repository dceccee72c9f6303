/** Sound portals by how they number customers and sessions, and by who is below whom: the document says that customerId and parentId are integers. */
import { type AnswerFilter, RawText } from '../../sandbox/exchange.ts';
import type { Rules, SandboxOptions, World } from '../../sandbox/index.ts';
import { type Body, replacing } from '../changed-sandbox.ts';
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

const UNDER_ID = 'getCustomerHierarchy: customers under the given id';

const customers = (name: string, basis: string, sandbox: SandboxOptions, configure?: Variant['configure']): Variant =>
  variant(`portal customers: ${name}`, basis, sandbox, { configure });

/** Every customer has the number that it has in the sandbox, but for one. */
const numberOf = (customerId: number) => BigInt(customerId === BRANCH ? -LOGIN_CUSTOMER : customerId);

const customerOf = ({ portalCustomerById }: World, text: string): number =>
  [...portalCustomerById.keys()].find((customerId) => String(numberOf(customerId)) === text) ?? Number.MAX_SAFE_INTEGER;

const negative: SandboxOptions = {
  rules: {
    meanwhile: (world, { operation, query, body, raw }) => {
      if (/^-?\d+$/.test(query.customerId ?? '')) query.customerId = String(customerOf(world, query.customerId!));
      const [, ordered] = /"customerId":(-?\d+)/.exec(raw.toString()) ?? [];
      if (operation === 'portal.orderCards' && ordered) (body as Body).customerId = customerOf(world, ordered);
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
};

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

/** At every listing another customer has just come, and the one before is gone. */
function comingAndGoing(): AnswerFilter {
  let latest = 60_000;
  return entriesAs((items, asked) =>
    [LOGIN_CUSTOMER, BRANCH].includes(asked) ? [...items, { customerId: ++latest, parentId: BRANCH }] : items,
  );
}

/** Session identifiers of another form, read in any case of letters. */
function sessionsAs(name: string, alphabet: string, begin: string, length: number): Variant {
  const written = (id: string) =>
    begin + [...id.slice(0, length)].map((letter) => alphabet[letter.charCodeAt(0) % alphabet.length]).join('');
  const begun = new Map<string, string>();
  const basis = 'Authentication: the form of sessionId is not said';
  return thoroughly(
    customers(`session identifiers are ${name}, in any case of letters`, basis, {
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
    }),
  );
}

/** The login that is not entitled to everything is the one of the run. */
const restrictedItself = (which: string, rules: Partial<Rules>): Variant =>
  customers(
    `one user, ${which} both that of the run and the restricted one`,
    'Authentication: how many sessions a user has is not said',
    { rules },
    ({ fixtures, target }) => {
      const restrictedLogin = { loginID: target.portalLoginId!, password: target.portalPassword! };
      fixtures.portal = { ...fixtures.portal, restrictedLogin };
    },
  );

export const portalCustomerVariants: readonly Variant[] = [
  customers(
    'one below the login has its number, negative',
    'Customer: customerId and parentId are integers; how they are given is not said',
    negative,
    ({ fixtures }) => {
      const customerId = numberOf(Number(fixtures.portal!.customerId));
      const foreignCustomerId = numberOf(Number(fixtures.portal!.foreignCustomerId));
      fixtures.portal = { ...fixtures.portal, customerId, foreignCustomerId };
    },
  ),
  thoroughly(customers('0 is the root of all', 'Customer: parentId is an integer', rootOfAll)),
  {
    ...customers('a customer below two others is listed twice', UNDER_ID, {
      middleware: [
        entriesAs((items, asked) => {
          if (![LOGIN_CUSTOMER, BRANCH, OTHER_BRANCH].includes(asked)) return items;
          const rest = items.filter(({ customerId }) => customerId !== CHILD_OF_BRANCH);
          const child = { customerId: CHILD_OF_BRANCH, name: 'Joint Venture' };
          return [...rest, { ...child, parentId: BRANCH }, { ...child, parentId: OTHER_BRANCH }];
        }),
      ],
    }),
    // With this seed its own hierarchy is asked for.
    run: { seed: 16_615 },
  },
  customers("a customer that is below another partner's, too, is listed twice", UNDER_ID, {
    middleware: [
      entriesAs((items) =>
        items.flatMap((item) =>
          item.customerId === CHILD_OF_BRANCH ? [{ ...item, parentId: FOREIGN }, item] : [item],
        ),
      ),
    ],
  }),
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
  sessionsAs('ULIDs', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', '01', 24),
  sessionsAs('base32', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', '', 27),
  restrictedItself('whose session is given again while it is active, is', { sessionId: 'same-while-active' }),
  restrictedItself('whose sessions all end with one, is', { logoutEndsAll: true }),
];
