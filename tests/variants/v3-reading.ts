/** Sound implementations: how listings, look-ups and refusals of the users and cards interface may differ. */
import type { AnswerFilter } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { Customer } from '../../sandbox/world.ts';
import type { Variant } from './variant.ts';

const using = (name: string, rules: Partial<Rules>): Variant => ({ name, sandbox: { rules } });

/** Entries of both listings without identifier. */
const nameless: AnswerFilter = (answer, { operation }) => {
  const { results } = (answer.body ?? {}) as { results?: Record<string, unknown>[] };
  if (operation.endsWith('.list')) for (const entry of results ?? []) delete entry.identifier;
  return undefined;
};

/** Cards without related ones, which are all but that of the fixtures, are answered with 404. */
function unrelated(): Variant {
  let withRelated: string | undefined;
  const filter: AnswerFilter = (answer, { operation, request }) =>
    operation === 'cards.listRelated' && answer.status === 200 && request.params.identifier !== withRelated
      ? { ...answer, status: 404, body: [{ errorCode: '404', errorMessage: 'no related cards' }] }
      : undefined;
  return {
    name: 'a card without related cards is answered with 404',
    sandbox: { middleware: [filter] },
    configure: ({ fixtures }) => {
      withRelated = fixtures.cards?.withRelated;
    },
  };
}

/** Somebody new, who is listed first. */
const newcomer = (model: Customer, number: number): Customer => ({
  ...model,
  identifier: `newcomer-${number}`,
  name: `Newcomer Harbour ${number}`,
  v1Identifier: `8${number}`,
});

export const readingVariants: readonly Variant[] = [
  { name: 'ten thousand customers and five thousand cards', sandbox: { customers: 10_000, cards: 5000 } },
  {
    name: 'ten thousand customers and no narrower filter',
    sandbox: { customers: 10_000 },
    configure: ({ fixtures }) => {
      fixtures.users = { customerIdentifier: fixtures.users!.customerIdentifier! };
    },
  },
  { name: 'fifty customers and fifty cards', sandbox: { customers: 50, cards: 50, portalCustomers: 5 } },
  { name: 'fifty-one customers', sandbox: { customers: 51, portalCustomers: 5 } },
  using('customers who come meanwhile', {
    meanwhile: ({ ownCustomers, customerById }, { operation, callNumber }) => {
      if (operation !== 'users.list') return;
      const one = newcomer(ownCustomers.at(-1)!, callNumber);
      customerById.set(one.identifier, one);
      (ownCustomers as Customer[]).unshift(one);
    },
  }),
  using('customers who go meanwhile', {
    meanwhile: ({ ownCustomers }, { operation, query }) => {
      if (operation === 'users.list' && query.token && ownCustomers.length > 60)
        (ownCustomers as Customer[]).splice(20, 1);
    },
  }),
  using('the customer that was changed last is listed first', {
    listingOrder: (operation, items, { callNumber }) => {
      if (operation !== 'users.list') return items;
      const touched = callNumber % items.length;
      return [...items.slice(touched, touched + 1), ...items.slice(0, touched), ...items.slice(touched + 1)];
    },
  }),
  unrelated(),
  using('unknown values of filters are refused', { unknownFilterValue: () => 'refuse' }),
  using('parentIdentifier finds children alone', { parentFinds: 'children' }),
  using('parentIdentifier finds the parent, too', { parentFindsItself: true }),
  using('name looks at the case of letters', { nameMatchesCase: true }),
  using('a proxy is found whatever the program', {
    enforces: ({ operation, kind }) => !(operation === 'cards.get' && kind === 'mismatch'),
  }),
  using('temporary tokens are no authorization tokens', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'cards.get' && query.byToken === 'true' ? { kind: 'unknown', name: 'temporary-token' } : undefined,
  }),
  using('any max of cards is taken', {
    pageSize: (_operation, asked, byDefault) => byDefault ?? Math.min(Math.abs(asked ?? 50) || 50, 50),
  }),
  using('bad tokens redirected to a login', {
    refusalStatus: ({ kind }, byDefault) => (kind === 'token' ? 302 : byDefault),
    refusalHeaders: () => ({ location: 'https://login.invalid/' }),
  }),
  using('expired tokens answered with 400', {
    refusalStatus: ({ kind, name }, byDefault) => (kind === 'token' && name === 'expired' ? 400 : byDefault),
  }),
  using('only Bearer with a capital letter', { acceptsScheme: (scheme) => scheme === 'Bearer' }),
  {
    name: 'identifiers in other letters than asked for',
    sandbox: {
      middleware: [
        (answer, { operation }) => {
          const body = answer.body as { identifier?: string } | undefined;
          if (['users.get', 'users.setPermissions', 'cards.get'].includes(operation) && body?.identifier)
            body.identifier = body.identifier.toUpperCase();
          return undefined;
        },
      ],
    },
  },
  { name: 'listings without identifiers', sandbox: { middleware: [nameless] } },
  {
    name: 'empty listings without results',
    sandbox: {
      middleware: [
        (answer) => {
          const body = answer.body as { results?: unknown[] } | undefined;
          if (body?.results?.length === 0) delete body.results;
          return undefined;
        },
      ],
    },
  },
  {
    name: 'cards of the pools alone are listed',
    sandbox: {
      cards: 4,
      rules: {
        hides: (operation, item) =>
          operation === 'cards.list' && 'programIdentifier' in item && item.programIdentifier !== 'PRG-1010',
      },
    },
    configure: ({ fixtures }) => {
      fixtures.cards = { ...fixtures.cards };
      for (const key of ['withRelated', 'byProxy', 'filters'] as const) delete fixtures.cards[key];
    },
  },
];
