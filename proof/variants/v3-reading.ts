/** Sound implementations: how listings, look-ups and refusals of the users and cards interface may differ. */
import type { Rules, SandboxRequest } from '../../sandbox/index.ts';
import type { Card, Customer, World } from '../../sandbox/world.ts';
import { bodyIn, is, letThrough, matching, memory, reading, replacing } from '../changed-sandbox.ts';
import { ownRule } from './portal-rule.ts';
import { cardOf, remembering } from './v3-rule.ts';
import { answered, implemented, ruled, thoroughly, type Variant, variant } from './variant.ts';

const OTHERS_WORK = 'others work with the target';

/** Cards without related ones, which are all but that of the fixtures, are answered with 404. */
function unrelated(): Variant {
  let withRelated: string | undefined;
  const none = { status: 404, body: [{ errorCode: '404', errorMessage: 'no related cards' }] };
  return implemented(
    'a card without related cards is answered with 404',
    replacing('cards.listRelated', (_, { request }) => request.params.identifier !== withRelated && none),
    {
      configure: ({ fixtures }) => {
        withRelated = fixtures.cards?.withRelated;
      },
    },
  );
}

/** A small stock of cards, of which the target lists all. */
const FEW_CARDS = { customers: 20, cards: 20, pools: { active: 4, disposable: 5, unused: 2, fraud: 2, foreign: 2 } };

/** Every record shows its proxyNumber so. */
const proxiesShown = (name: string, as: (proxyNumber: string) => string): Variant =>
  answered(
    `proxyNumber: ${name}`,
    (answer, { operation }) => {
      if (!['cards.get', 'cards.list', 'cards.listRelated'].includes(operation) || answer.status >= 300)
        return undefined;
      const body = answer.body as { results?: Record<string, unknown>[] } & Record<string, unknown>;
      for (const record of body.results ?? [body]) record.proxyNumber = as(String(record.proxyNumber));
      return undefined;
    },
    { basis: 'card, proxyNumber: its format is not shown' },
  );

/** Cards are numbered densely: where one character of an identifier is another, it is that of another card. */
const numberedDensely: Partial<Rules> = {
  meanwhile({ cardById, ownCards }, request) {
    const isNear = (named: string) => (other: Card) =>
      other.identifier.length === named.length &&
      [...other.identifier].filter((character, place) => character !== named[place]).length === 1;
    for (const named of [request.params.identifier ?? '', String(bodyIn(request).targetCardIdentifier)]) {
      const near = ownCards.find(isNear(named));
      if (near && !cardById.has(named)) cardById.set(named, { ...structuredClone(near), identifier: named });
    }
  },
};

/** The filter by a customer finds cards of those below it, too, and thirty listings of customers are given. */
function ofThoseBelow(): Partial<Rules> {
  const askedIn = memory(() => ({ times: 0 }));
  let customers: World['customerById'] = new Map();
  const isBelow = (identifier: unknown, of: string): boolean => {
    const customer = customers.get(String(identifier));
    return customer !== undefined && (customer.identifier === of || isBelow(customer.parentIdentifier, of));
  };
  return {
    ...ownRule((request, world) => {
      customers = world.customerById;
      return request.operation === 'users.list' && ++askedIn(world).times > 30;
    }, 403),
    ...matching('cards.list', 'customerIdentifier', (_, { value, item }) => isBelow(item.customerIdentifier, value)),
  };
}

/** In the program that the filters of the fixtures file name, another card has the proxy of the fixtures file. */
function proxiesOfPrograms(): Variant {
  let proxyNumber = '';
  let program = '';
  return variant(
    'proxies are counted within a program',
    'GET card: programIdentifier is required when byProxy is true',
    {
      rules: reading('cards.get', ({ query }, { ownCards, cardByProxy }) => {
        const first = ownCards.find((card) => card.programIdentifier === program);
        const own = ownCards.find((card) => card.proxyNumber === proxyNumber && card !== first);
        if (!first || !own) return;
        Object.assign(first, { proxyNumber, isDigital: own.isDigital });
        cardByProxy.set(proxyNumber, query.programIdentifier === program ? first : own);
      }),
    },
    {
      configure: ({ fixtures: { cards } }) => {
        proxyNumber = cards?.byProxy?.proxyNumber ?? '';
        program = cards?.filters?.programIdentifier ?? '';
      },
    },
  );
}

/** Customers, or cards, that others make for a moment: each is in so many listings, and in none after. */
function shortLived(operation: 'users.list' | 'cards.list', name: string, lives: number, each: number): Variant {
  const isOfCards = operation === 'cards.list';
  const ends = new Map<string, number>();
  const rules = reading(operation, ({ callNumber, query }, { ownCustomers, ownCards }) => {
    const listed = (isOfCards ? ownCards : ownCustomers) as (Card | Customer)[];
    const ended = listed.findIndex(({ identifier }) => (ends.get(identifier) ?? Infinity) <= callNumber);
    if (ended >= 0) listed.splice(ended, 1);
    if (callNumber % each !== 0 || query.token) return;
    const model = isOfCards ? ownCards[0]! : ownCustomers[1]!;
    const parentIdentifier = ownCustomers[1]!.identifier;
    const identifier = crypto.randomUUID();
    ends.set(identifier, callNumber + lives);
    listed.unshift({ ...model, identifier, name: 'Short Harbour', parentIdentifier, v1Identifier: identifier });
  });
  return variant(`${operation}: ${name}`, OTHERS_WORK, { ...(isOfCards && FEW_CARDS), rules });
}

/** The world of a request: what a filter is asked does not say. */
const worlds = new WeakMap<SandboxRequest, World>();
const numbered = (externalIdentifier: string) => externalIdentifier.replace(/^EXT-/, '00');

const ABOVE = 'PRG-1000';
const BELOW = /^PRG-100[1-5]$/;

export const readingVariants: readonly Variant[] = [
  thoroughly(ruled('cards are numbered densely', numberedDensely)),
  ruled(
    'cards of customers below are found by customerIdentifier, and thirty listings of customers are given',
    ofThoseBelow(),
  ),
  shortLived('users.list', 'customers who are there for one listing', 1, 1),
  shortLived('users.list', 'customers who are there for one listing, and come at every third', 1, 3),
  shortLived('users.list', 'customers who are there for five listings', 5, 5),
  shortLived('cards.list', 'cards that are there for one listing', 1, 1),
  shortLived('cards.list', 'cards that are there for two listings', 2, 2),
  ruled('cards.createToken: once a card', {
    alsoRefuses: remembering(
      () => new Set<Card>(),
      (asked, request, world) => {
        const card = cardOf(request, world);
        if (request.operation !== 'cards.createToken' || card?.tenant !== 'own') return undefined;
        const isAgain = asked.has(card);
        asked.add(card);
        return isAgain ? { kind: 'range', name: 'count' } : undefined;
      },
    ),
  }),
  ruled(
    'a program finds the cards of the programs below it',
    matching('cards.list', 'programIdentifier', (byDefault, { value, item }) =>
      value === ABOVE ? BELOW.test(String(item.programIdentifier)) : byDefault,
    ),
    {
      basis: 'grant_type: programs and sub programs',
      configure: ({ fixtures }) => {
        fixtures.cards!.filters!.programIdentifier = ABOVE;
      },
    },
  ),
  ...(['children', 'descendants'] as const).map((parentFinds) =>
    thoroughly(
      ruled(
        `a customer finds the cards of all below it, a parent its ${parentFinds}`,
        {
          parentFinds,
          meanwhile: (world, request) => {
            worlds.set(request, world);
          },
          matchesFilter: ({ operation, name, value, item, request }, byDefault) => {
            const world = worlds.get(request)!;
            const isMeant = operation === 'cards.list' && name === 'customerIdentifier' && 'customerIdentifier' in item;
            return byDefault || (isMeant && world.isBelow(world.customerById.get(item.customerIdentifier)!, value));
          },
        },
        { standsAlone: true },
      ),
    ),
  ),
  thoroughly(
    ruled(
      'an externalIdentifier is a number, compared without the zeros before it',
      {
        meanwhile: ({ ownCards }) => {
          for (const card of ownCards) card.externalIdentifier = numbered(card.externalIdentifier);
        },
        ...matching(
          'cards.list',
          'externalIdentifier',
          (_, { value, item }) => Number(value) === Number(item.externalIdentifier),
        ),
      },
      {
        basis: 'externalIdentifier: what the client supplied',
        configure: ({ fixtures }) => {
          const { filters } = fixtures.cards!;
          filters!.externalIdentifier = numbered(filters!.externalIdentifier!);
        },
      },
    ),
  ),
  ruled('names are searched by letters alone', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'users.list' && /[^\p{L} ]/u.test(query.name ?? '') ? { kind: 'range', name: 'name' } : undefined,
  }),
  ruled('an externalIdentifier is looked for within a program alone, an order by itself', {
    alsoRefuses: ({ operation, query: { externalIdentifier, programIdentifier, orderIdentifier } }) =>
      operation === 'cards.list' &&
      ((externalIdentifier && !programIdentifier) || (orderIdentifier && (externalIdentifier || programIdentifier)))
        ? { kind: 'range', name: 'filters' }
        : undefined,
  }),
  implemented('ten thousand customers and five thousand cards', { customers: 10_000, cards: 5000 }),
  {
    name: 'ten thousand customers and no narrower filter',
    sandbox: { customers: 10_000 },
    configure: ({ fixtures }) => {
      fixtures.users = { customerIdentifier: fixtures.users!.customerIdentifier! };
    },
  },
  ruled('customers who come meanwhile', {
    meanwhile: ({ ownCustomers, customerById }, { operation, callNumber }) => {
      if (operation !== 'users.list') return;
      const one = {
        ...ownCustomers.at(-1)!,
        identifier: `newcomer-${callNumber}`,
        name: `Newcomer Harbour ${callNumber}`,
        v1Identifier: `8${callNumber}`,
      };
      customerById.set(one.identifier, one);
      (ownCustomers as Customer[]).unshift(one);
    },
  }),
  ruled('the customer that was changed last is listed first', {
    listingOrder: (operation, items, { callNumber }) => {
      if (operation !== 'users.list') return items;
      const touched = callNumber % items.length;
      return [...items.slice(touched, touched + 1), ...items.slice(0, touched), ...items.slice(touched + 1)];
    },
  }),
  unrelated(),
  ruled('a proxy is found whatever the program', letThrough(is('cards.get', { kind: 'mismatch' }))),
  proxiesShown('written in groups', (proxy) => proxy.replace(/(.{4})(?=.)/g, '$1-')),
  proxiesShown('that of a reissue, the one before still finds the card', (proxy) => `88${proxy.slice(2)}`),
  proxiesOfPrograms(),
  ...[1, 3].map((each) =>
    variant(`a small target whose cards are ordered meanwhile, one at every ${each}. listing`, OTHERS_WORK, {
      ...FEW_CARDS,
      rules: reading('cards.list', ({ callNumber }, { ownCards, cardById }) => {
        if (callNumber % each !== 0) return;
        const numbers = { externalIdentifier: `NEW-${callNumber}`, proxyNumber: `9900${callNumber}` };
        const card = { ...ownCards[0]!, identifier: crypto.randomUUID(), ...numbers };
        ownCards.push(card);
        cardById.set(card.identifier, card);
      }),
    }),
  ),
  ruled('temporary tokens are no authorization tokens', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'cards.get' && query.byToken === 'true' ? { kind: 'unknown', name: 'temporary-token' } : undefined,
  }),
  ruled('bad tokens redirected to a login', {
    refusalStatus: ({ kind }, byDefault) => (kind === 'token' ? 302 : byDefault),
    refusalHeaders: () => ({ location: 'https://login.invalid/' }),
  }),
  answered('identifiers in other letters than asked for', (answer, { operation }) => {
    const body = answer.body as { identifier?: string } | undefined;
    if (['users.get', 'users.setPermissions', 'cards.get'].includes(operation) && body?.identifier)
      body.identifier = body.identifier.toUpperCase();
    return undefined;
  }),
  answered('listings without identifiers', (answer, { operation }) => {
    const { results } = (answer.body ?? {}) as { results?: Record<string, unknown>[] };
    if (operation.endsWith('.list')) for (const entry of results ?? []) delete entry.identifier;
    return undefined;
  }),
  answered('empty listings without results', (answer) => {
    const body = answer.body as { results?: unknown[] } | undefined;
    if (body?.results?.length === 0) delete body.results;
    return undefined;
  }),
  answered('listings without their member when it is empty, and with other arrays beside it', (answer) => {
    const body = answer.body as { results?: unknown[]; items?: unknown[] } | undefined;
    const name = body?.results ? 'results' : body?.items ? 'items' : undefined;
    if (!name) return undefined;
    if (body![name]!.length === 0) delete body![name];
    const beside = { links: [{ rel: 'self', href: '/' }], facets: { status: ['Active'] }, pages: [1] };
    return { ...answer, body: { ...beside, ...body } };
  }),
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
  {
    name: 'a small target whose cards are all of one program',
    sandbox: {
      customers: 5,
      cards: 4,
      pools: { active: 2, disposable: 2, unused: 1, fraud: 1, foreign: 1 },
      rules: {
        meanwhile: ({ ownCards }) => {
          for (const card of ownCards) card.programIdentifier = 'PRG-1001';
        },
      },
    },
    configure: ({ fixtures }) => {
      fixtures.cards!.filters!.programIdentifier = 'PRG-1001';
      fixtures.cards!.byProxy!.programIdentifier = 'PRG-1001';
    },
  },
];
