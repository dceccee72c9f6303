/** Sound implementations: how listings, look-ups and refusals of the users and cards interface may differ. */
import type { AnswerFilter, OperationId, SandboxRequest } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { Card, Customer, World } from '../../sandbox/world.ts';
import { thoroughly, type Variant } from './variant.ts';

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

/** A small stock of cards, of which the target lists all. */
const FEW_CARDS = { customers: 20, cards: 20, pools: { active: 4, disposable: 5, unused: 2, fraud: 2, foreign: 2 } };

/** A card that somebody else ordered. */
function orderCard({ ownCards, cardById }: World, number: number): void {
  const [model] = ownCards as [Card];
  const card = {
    ...model,
    identifier: crypto.randomUUID(),
    externalIdentifier: `NEW-${number}`,
    proxyNumber: `9900${number}`,
  };
  ownCards.push(card);
  cardById.set(card.identifier, card);
}

/** Every record shows its proxyNumber so. */
const proxiesShown = (name: string, as: (proxyNumber: string) => string): Variant => ({
  name: `proxyNumber: ${name}`,
  basis: 'card, proxyNumber: its format is not shown',
  sandbox: {
    middleware: [
      (answer, { operation }) => {
        if (!['cards.get', 'cards.list', 'cards.listRelated'].includes(operation) || answer.status >= 300) return;
        const body = answer.body as { results?: Record<string, unknown>[] } & Record<string, unknown>;
        for (const record of body.results ?? [body]) record.proxyNumber = as(String(record.proxyNumber));
        return undefined;
      },
    ],
  },
});

/** In the program that the filters of the fixtures file name, another card has the proxy of the fixtures file. */
function proxiesOfPrograms(): Variant {
  let proxyNumber = '';
  let program = '';
  return {
    name: 'proxies are counted within a program',
    basis: 'GET card: programIdentifier is required when byProxy is true',
    sandbox: {
      rules: {
        meanwhile: ({ ownCards, cardByProxy }, { operation, query }) => {
          const namesakes = ownCards.filter((card) => card.proxyNumber === proxyNumber);
          const first = ownCards.find((card) => card.programIdentifier === program);
          if (operation !== 'cards.get' || !first || namesakes.length === 0) return;
          const [own] = namesakes.filter((card) => card !== first) as [Card];
          Object.assign(first, { proxyNumber, isDigital: own.isDigital });
          cardByProxy.set(proxyNumber, query.programIdentifier === program ? first : own);
        },
      },
    },
    configure: ({ fixtures }) => {
      ({ proxyNumber = '' } = fixtures.cards?.byProxy ?? {});
      program = fixtures.cards?.filters?.programIdentifier ?? '';
    },
  };
}

/** Customers, or cards, that others make for a moment: each is in so many listings, and in none after. */
function shortLived(operation: 'users.list' | 'cards.list', name: string, lives: number, each: number): Variant {
  const ends = new Map<string, number>();
  return {
    name: `${operation}: ${name}`,
    basis: 'others work with the target',
    sandbox: {
      ...(operation === 'cards.list' ? FEW_CARDS : {}),
      rules: {
        meanwhile: ({ ownCustomers, ownCards }, request) => {
          if (request.operation !== operation) return;
          const listed = (operation === 'cards.list' ? ownCards : ownCustomers) as (Card | Customer)[];
          const ended = listed.findIndex(({ identifier }) => (ends.get(identifier) ?? Infinity) <= request.callNumber);
          if (ended >= 0) listed.splice(ended, 1);
          if (request.callNumber % each !== 0 || request.query.token) return;
          const [model] = operation === 'cards.list' ? ownCards : ownCustomers.slice(1);
          const parentIdentifier = ownCustomers[1]!.identifier;
          const identifier = crypto.randomUUID();
          const made = { ...model!, identifier, name: 'Short Harbour', parentIdentifier, v1Identifier: identifier };
          ends.set(made.identifier, request.callNumber + lives);
          listed.unshift(made);
        },
      },
    },
  };
}

/** The first requests for each key alone are answered. */
const counted = (name: string, operation: OperationId, most: number, keyOf: (request: SandboxRequest) => string) => {
  const asked = new WeakMap<World, Map<string, number>>();
  return using(`${operation}: ${name}`, {
    alsoRefuses: (request, world) => {
      const card = world.cardById.get(request.params.identifier ?? '');
      if (request.operation !== operation || card?.tenant !== 'own') return undefined;
      const counts = asked.get(world) ?? new Map<string, number>();
      asked.set(world, counts);
      const count = (counts.get(keyOf(request)) ?? 0) + 1;
      counts.set(keyOf(request), count);
      return count > most ? { kind: 'range', name: 'count' } : undefined;
    },
  });
};

/** The world of a request: what a filter is asked does not say. */
const worlds = new WeakMap<SandboxRequest, World>();
const numbered = (externalIdentifier: string) => externalIdentifier.replace(/^EXT-/, '00');

const SUB_PROGRAMS = ['PRG-1001', 'PRG-1002', 'PRG-1003', 'PRG-1004', 'PRG-1005'];
const ABOVE_THEM = 'PRG-1000';

export const readingVariants: readonly Variant[] = [
  shortLived('users.list', 'customers who are there for one listing', 1, 1),
  shortLived('users.list', 'customers who are there for one listing, and come at every third', 1, 3),
  shortLived('users.list', 'customers who are there for five listings', 5, 5),
  shortLived('cards.list', 'cards that are there for one listing', 1, 1),
  shortLived('cards.list', 'cards that are there for two listings', 2, 2),
  counted('once a card', 'cards.createToken', 1, ({ params }) => params.identifier!),
  {
    name: 'a program finds the cards of the programs below it',
    basis: 'grant_type: programs and sub programs',
    sandbox: {
      rules: {
        matchesFilter: ({ name, value, item }, byDefault) =>
          name === 'programIdentifier' && value === ABOVE_THEM && 'programIdentifier' in item
            ? SUB_PROGRAMS.includes(item.programIdentifier)
            : byDefault,
      },
    },
    configure: ({ fixtures }) => {
      fixtures.cards!.filters!.programIdentifier = ABOVE_THEM;
    },
  },
  ...(['children', 'descendants'] as const).map((parentFinds) =>
    thoroughly(
      using(`a customer finds the cards of all below it, a parent its ${parentFinds}`, {
        parentFinds,
        meanwhile: (world, request) => {
          worlds.set(request, world);
        },
        matchesFilter: ({ operation, name, value, item, request }, byDefault) => {
          const world = worlds.get(request)!;
          const isMeant = operation === 'cards.list' && name === 'customerIdentifier' && 'customerIdentifier' in item;
          return byDefault || (isMeant && world.isBelow(world.customerById.get(item.customerIdentifier)!, value));
        },
      }),
    ),
  ),
  thoroughly({
    name: 'an externalIdentifier is a number, compared without the zeros before it',
    basis: 'externalIdentifier: what the client supplied',
    sandbox: {
      rules: {
        meanwhile: ({ ownCards }) => {
          for (const card of ownCards) card.externalIdentifier = numbered(card.externalIdentifier);
        },
        matchesFilter: ({ name, value, item }, byDefault) =>
          name === 'externalIdentifier' && 'externalIdentifier' in item
            ? Number(value) === Number(item.externalIdentifier)
            : byDefault,
      },
    },
    configure: ({ fixtures }) => {
      const { filters } = fixtures.cards!;
      filters!.externalIdentifier = numbered(filters!.externalIdentifier!);
    },
  }),
  using('names are searched by letters alone', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'users.list' && /[^\p{L} ]/u.test(query.name ?? '') ? { kind: 'range', name: 'name' } : undefined,
  }),
  using('an externalIdentifier is looked for within a program alone, an order by itself', {
    alsoRefuses: ({ operation, query: { externalIdentifier, programIdentifier, orderIdentifier } }) =>
      operation === 'cards.list' &&
      ((externalIdentifier && !programIdentifier) || (orderIdentifier && (externalIdentifier || programIdentifier)))
        ? { kind: 'range', name: 'filters' }
        : undefined,
  }),
  { name: 'ten thousand customers and five thousand cards', sandbox: { customers: 10_000, cards: 5000 } },
  {
    name: 'ten thousand customers and no narrower filter',
    sandbox: { customers: 10_000 },
    configure: ({ fixtures }) => {
      fixtures.users = { customerIdentifier: fixtures.users!.customerIdentifier! };
    },
  },
  using('customers who come meanwhile', {
    meanwhile: ({ ownCustomers, customerById }, { operation, callNumber }) => {
      if (operation !== 'users.list') return;
      const one = newcomer(ownCustomers.at(-1)!, callNumber);
      customerById.set(one.identifier, one);
      (ownCustomers as Customer[]).unshift(one);
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
  using('a proxy is found whatever the program', {
    enforces: ({ operation, kind }) => !(operation === 'cards.get' && kind === 'mismatch'),
  }),
  proxiesShown('written in groups', (proxy) => proxy.replace(/(.{4})(?=.)/g, '$1-')),
  proxiesShown('that of a reissue, the one before still finds the card', (proxy) => `88${proxy.slice(2)}`),
  proxiesOfPrograms(),
  ...[1, 3].map((each) => ({
    name: `a small target whose cards are ordered meanwhile, one at every ${each}. listing`,
    basis: 'others work with the target',
    sandbox: {
      ...FEW_CARDS,
      rules: {
        meanwhile: (world: World, { operation, callNumber }: SandboxRequest) => {
          if (operation === 'cards.list' && callNumber % each === 0) orderCard(world, callNumber);
        },
      },
    },
  })),
  using('temporary tokens are no authorization tokens', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'cards.get' && query.byToken === 'true' ? { kind: 'unknown', name: 'temporary-token' } : undefined,
  }),
  using('bad tokens redirected to a login', {
    refusalStatus: ({ kind }, byDefault) => (kind === 'token' ? 302 : byDefault),
    refusalHeaders: () => ({ location: 'https://login.invalid/' }),
  }),
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
    name: 'listings without their member when it is empty, and with other arrays beside it',
    sandbox: {
      middleware: [
        (answer) => {
          const body = answer.body as { results?: unknown[]; items?: unknown[] } | undefined;
          const name = body?.results ? 'results' : body?.items ? 'items' : undefined;
          if (!name) return undefined;
          if (body![name]!.length === 0) delete body![name];
          const beside = { links: [{ rel: 'self', href: '/' }], facets: { status: ['Active'] }, pages: [1] };
          return { ...answer, body: { ...beside, ...body } };
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
