/**
 * Faults of the users and cards interfaces by where a wrong implementation hides, one family for each blind spot: one form of bad input,
 * one form of a good request, nothing at the same time, refusals that are not read back, the first of a list, a memory of one step, states
 * reached one way, time, values left to chance, flickering answers, what exchanges show and nobody looks at. Each was written down with
 * the requirement that it breaks before a check saw it.
 */
import type {
  AnswerFilter,
  Card,
  Customer,
  OperationId,
  Refusal,
  Rules,
  SandboxRequest,
  World,
} from '../../sandbox/index.ts';
import { answering, broken, letThrough, misanswered, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

// ---- one form of bad input ---------------------------------------------------------------------------------------

const bearerOf = ({ headers }: SandboxRequest): string => String(headers.authorization ?? '').replace(/^\S+\s*/, '');

/** A guard that takes more than the tokens that were issued: what it makes of a text that resembles one. */
function tokensCompared(
  name: string,
  resembles: (sent: string, issued: string) => boolean,
  operations: readonly OperationId[],
): Fault {
  const issued = new Set<string>();
  const remember: AnswerFilter = (answer, { operation }) => {
    const token = (answer.body as { access_token?: string } | undefined)?.access_token;
    if (operation === 'token.issue' && token) issued.add(token);
    return undefined;
  };
  return thoroughly({
    name: `tokens: ${name}`,
    condemns: operations.map((operation) => `${operation}.requires-token`),
    sandbox: {
      rules: letThrough(
        ({ kind, name: what, request }) =>
          kind === 'token' &&
          what !== 'scheme' &&
          what !== 'expired' &&
          [...issued].some((token) => resembles(bearerOf(request), token)),
      ),
      middleware: [remember],
    },
  });
}

/** Operations of every kind: a listing, a thing, a payload, a change of state, one that is only listed. */
const SOME: readonly OperationId[] = [
  'users.list',
  'cards.get',
  'cards.encryptForVde',
  'cards.suspend',
  'cardholders.list',
];

const schemeTaken = (scheme: string, operation: OperationId): Fault =>
  thoroughly(
    broken(`${operation}: the scheme ${scheme} is taken`, `${operation}.requires-token`, {
      acceptsScheme: (given, of) => /^bearer$/i.test(given) || (of === operation && given === scheme),
    }),
  );

const findsBy = (
  name: string,
  operation: OperationId,
  condemns: string,
  meant: (sent: string, card: Card) => boolean,
): Fault =>
  thoroughly(
    broken(name, condemns, {
      meanwhile: (world, request) => {
        if (request.operation !== operation || request.params.identifier === undefined) return;
        if (world.cardById.has(request.params.identifier)) return;
        const card = world.ownCards.find((one) => meant(request.params.identifier!, one));
        if (card) request.params.identifier = card.identifier;
      },
    }),
  );

const badInput: Fault[] = [
  tokensCompared(
    'compared by their first 16 characters',
    (sent, token) => sent.length >= 16 && sent.slice(0, 16) === token.slice(0, 16),
    SOME,
  ),
  tokensCompared(
    'compared by their last 16 characters',
    (sent, token) => sent.length >= 16 && sent.slice(-16) === token.slice(-16),
    SOME,
  ),
  tokensCompared('one that is continued is taken', (sent, token) => sent.startsWith(token), SOME),
  tokensCompared('one that is cut off is taken', (sent, token) => sent.length > 8 && token.startsWith(sent), SOME),
  tokensCompared('compared without case', (sent, token) => sent.toLowerCase() === token.toLowerCase(), SOME),
  thoroughly(
    broken(
      'tokens: a UUID is good enough',
      SOME.map((operation) => `${operation}.requires-token`),
      {
        enforces: ({ kind, request }) => !(kind === 'token' && /^[0-9a-f-]{36}$/i.test(bearerOf(request))),
      },
    ),
  ),
  thoroughly(
    broken(
      'tokens: the algorithm none is taken',
      SOME.map((operation) => `${operation}.requires-token`),
      {
        tokenFormat: 'jwt',
        enforces: ({ kind, request }) => {
          const [head = ''] = bearerOf(request).split('.');
          return !(kind === 'token' && /"alg"\s*:\s*"none"/i.test(Buffer.from(head, 'base64url').toString()));
        },
      },
    ),
  ),
  tokensCompared(
    'one that something stands before is taken',
    (sent, token) => sent.length > token.length && sent.endsWith(token),
    SOME,
  ),
  tokensCompared(
    'compared but for their last character',
    (sent, token) => sent.length === token.length && sent.slice(0, -1) === token.slice(0, -1),
    SOME,
  ),
  thoroughly(
    broken(
      'tokens: the word null is good enough',
      SOME.map((operation) => `${operation}.requires-token`),
      letThrough(({ kind, request }) => kind === 'token' && bearerOf(request) === 'null'),
    ),
  ),
  thoroughly(
    broken(
      'tokens: a JSON Web Token of anybody is good enough',
      SOME.map((operation) => `${operation}.requires-token`),
      letThrough(({ kind, request }) => kind === 'token' && bearerOf(request).split('.').length === 3),
    ),
  ),
  schemeTaken('Basic', 'cards.getBalance'),
  schemeTaken('Token', 'users.get'),
  schemeTaken('Token', 'cards.close'),
  {
    ...thoroughly(
      broken('an empty Bearer is taken', ['cards.listRelated.requires-token', 'cards.activate.requires-token'], {
        enforces: ({ kind, request }) =>
          !(kind === 'token' && request.headers.authorization !== undefined && bearerOf(request) === ''),
      }),
    ),
  },
  thoroughly(
    broken('a client_secret is compared by its beginning', 'token.issue.wrong-secret-refused', {
      enforces: ({ kind, name, request }) =>
        !(kind === 'credentials' && name === 'client_secret' && (request.form?.client_secret ?? '').length > 8),
    }),
  ),
  thoroughly(
    broken('a client_secret that is cut off is taken', 'token.issue.wrong-secret-refused', {
      enforces: ({ kind, name, request }) =>
        !(kind === 'credentials' && name === 'client_secret' && isCut(request.form?.client_secret ?? '')),
    }),
  ),
  findsBy(
    'a card is found by the beginning of its identifier',
    'cards.getBalance',
    'cards.getBalance.unknown-identifier',
    (sent, { identifier }) => identifier.length < sent.length && sent.startsWith(identifier),
  ),
  findsBy(
    'a card is found by a part of its identifier',
    'cards.getStatus',
    'cards.getStatus.unknown-identifier',
    (sent, { identifier }) => sent.length > 12 && sent.length < identifier.length && identifier.startsWith(sent),
  ),
  findsBy(
    'a card is closed by the beginning of its identifier',
    'cards.close',
    'cards.close.unknown-identifier',
    (sent, { identifier }) => identifier.length < sent.length && sent.startsWith(identifier),
  ),
  findsBy(
    'a card is found by a pattern',
    'cards.listRelated',
    'cards.listRelated.unknown-identifier',
    (sent, { identifier }) => sent.endsWith('%') && identifier.startsWith(sent.slice(0, -1)),
  ),
];

/** The secret of the sandbox, cut off: known by its length alone. */
let longest = 0;
function isCut(secret: string): boolean {
  longest = Math.max(longest, secret.length);
  return secret.length > 4 && secret.length < longest;
}

// ---- one form of a good request ----------------------------------------------------------------------------------

const unguarded = (name: string, operation: OperationId, isForm: (request: SandboxRequest) => boolean): Fault =>
  thoroughly(
    broken(`${name} needs no token`, `${operation}.requires-token`, {
      enforces: ({ kind, operation: of, request }) => !(kind === 'token' && of === operation && isForm(request)),
    }),
  );
const unguardedWhenExpired = (
  name: string,
  operation: OperationId,
  isForm: (request: SandboxRequest) => boolean,
): Fault =>
  thoroughly(
    broken(`${name} takes an expired token`, `${operation}.requires-live-token`, {
      enforces: ({ kind, name: what, operation: of, request }) =>
        !(kind === 'token' && what === 'expired' && of === operation && isForm(request)),
    }),
  );

const FILTERS = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'] as const;

const goodForms: Fault[] = [
  unguarded('a look-up by token', 'cards.get', ({ query }) => query.byToken === 'true'),
  unguarded('a look-up by proxy', 'cards.get', ({ query }) => query.byProxy === 'true'),
  unguarded('a later page of customers', 'users.list', ({ query }) => query.token !== undefined),
  unguarded('a search of customers by name', 'users.list', ({ query }) => query.name !== undefined),
  unguarded('a search of customers by parent', 'users.list', ({ query }) => query.parentIdentifier !== undefined),
  ...FILTERS.map((filter) =>
    unguarded(`a listing of cards by ${filter}`, 'cards.list', ({ query }) => query[filter] !== undefined),
  ),
  unguardedWhenExpired('a look-up by token', 'cards.get', ({ query }) => query.byToken === 'true'),
  unguardedWhenExpired('a look-up by proxy', 'cards.get', ({ query }) => query.byProxy === 'true'),
  unguardedWhenExpired('a later page of customers', 'users.list', ({ query }) => query.token !== undefined),
  unguardedWhenExpired(
    'a listing of cards by customer',
    'cards.list',
    ({ query }) => query.customerIdentifier !== undefined,
  ),
  broken('cards of a foreign customer are listed by a filter', 'cards.list.foreign', {
    meanwhile: bring('customerIdentifier'),
  }),
  thoroughly(
    broken('a foreign card is shown when byProxy is false', 'cards.get.foreign', {
      ...letThrough(
        ({ operation, kind, request }) =>
          operation === 'cards.get' && kind === 'foreign' && request.query.byProxy === 'false',
      ),
    }),
  ),
  ...[
    { name: 'on a later page', isForm: ({ query }: SandboxRequest) => query.token !== undefined },
    { name: 'when max is written 051', isForm: ({ query }: SandboxRequest) => query.max?.startsWith('0') === true },
  ].map(({ name, isForm }) =>
    thoroughly({
      name: `more than 50 customers are listed ${name}`,
      condemns: ['users.list.at-most-50'],
      sandbox: {
        customers: 300,
        rules: letThrough(
          ({ operation, kind, name: what, request }) =>
            operation === 'users.list' && kind === 'limit' && what === 'max' && isForm(request),
        ),
      },
    }),
  ),
  broken('more than 50 customers are listed by a name', ['users.list.never-more-than-50'], {
    pageSize: (operation, asked, byDefault) => (operation === 'users.list' && (asked ?? 0) > 50 ? asked : byDefault),
  }),
  thoroughly({
    name: 'more than 50 customers are listed below a parent',
    condemns: ['users.list.at-most-50'],
    sandbox: {
      customers: 300,
      rules: {
        alsoRefuses: ({ operation, query }) =>
          operation === 'users.list' && Number(query.max) > 50 && query.parentIdentifier === undefined
            ? { kind: 'limit', name: 'max' }
            : undefined,
        pageSize: (operation, asked, byDefault) =>
          operation === 'users.list' && (asked ?? 0) > 50 ? asked : byDefault,
      },
    },
  }),
  thoroughly(
    broken('a filter of cards is ignored with a large max', 'cards.list.filter-program', {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault || (operation === 'cards.list' && name === 'programIdentifier' && Number(request.query.max) > 50),
    }),
  ),
  thoroughly(
    broken('a filter of cards is ignored without max', 'cards.list.filter-order', {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault || (operation === 'cards.list' && name === 'orderIdentifier' && request.query.max === undefined),
    }),
  ),
  broken('a name is ignored with a small max', 'users.list.filter-name', {
    matchesFilter: ({ operation, name, request }, byDefault) =>
      byDefault || (operation === 'users.list' && name === 'name' && Number(request.query.max) < 10),
  }),
  thoroughly(
    broken('a parent is ignored where max is 1', 'users.list.filter-parent', {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault || (operation === 'users.list' && name === 'parentIdentifier' && request.query.max === '1'),
    }),
  ),
  ...[
    { name: 'Active cards', isFound: ({ state }: Card) => state === 'active' },
    { name: 'cards that have a holder', isFound: ({ cardholder }: Card) => cardholder !== undefined },
  ].map(({ name: which, isFound }) =>
    thoroughly(
      broken(`an externalIdentifier finds none but ${which}`, 'cards.list.filter-external', {
        matchesFilter: ({ operation, name, item }, byDefault) =>
          byDefault && (operation !== 'cards.list' || name !== 'externalIdentifier' || isFound(item as Card)),
      }),
    ),
  ),
  broken('a name is compared with whole words', 'users.list.filter-name', {
    matchesFilter: ({ operation, name, value, item }, byDefault) =>
      operation === 'users.list' && name === 'name' ? (item as Customer).name.split(' ').includes(value) : byDefault,
  }),
  broken('a v1Identifier is ignored beside a name', 'users.list.filter-v1-identifier', {
    matchesFilter: ({ operation, name, request }, byDefault) =>
      byDefault || (operation === 'users.list' && name === 'v1Identifier' && request.query.name !== undefined),
  }),
];

/** Cards of the other tenant come into a listing that asks for their customer. */
function bring(filter: 'customerIdentifier'): Rules['meanwhile'] {
  return (world, { operation, query }) => {
    if (operation !== 'cards.list') return;
    const foreign = world.allCards.filter((card) => card.tenant === 'other' || brought.get(world)?.has(card));
    brought.set(world, new Set(foreign));
    for (const card of foreign) {
      const isAskedFor = query[filter] !== undefined && card[filter] === query[filter];
      card.tenant = isAskedFor ? 'own' : 'other';
      const at = (world.ownCards as Card[]).indexOf(card);
      if (isAskedFor && at < 0) (world.ownCards as Card[]).push(card);
      if (!isAskedFor && at >= 0) (world.ownCards as Card[]).splice(at, 1);
    }
  };
}
const brought = new WeakMap<World, Set<Card>>();

// ---- nothing at the same time on one thing -----------------------------------------------------------------------

const IN_FLIGHT_MS = 60;
/** Requests whose answers are on their way still, by what they are about. */
function inFlight() {
  const until = new WeakMap<object, Map<string, number>>();
  return (owner: object, key: string): boolean => {
    const keys = until.get(owner) ?? new Map<string, number>();
    until.set(owner, keys);
    const isBusy = (keys.get(key) ?? 0) > performance.now();
    keys.set(key, performance.now() + IN_FLIGHT_MS - 5);
    return isBusy;
  };
}
const slowly =
  (operation: OperationId): AnswerFilter =>
  (answer, context) =>
    context.operation === operation ? { ...answer, transport: { delayMs: IN_FLIGHT_MS } } : undefined;

function lostUpdate(side: 'transferDebit' | 'transferCredit', name: string): Fault {
  const busy = inFlight();
  return {
    name,
    condemns: ['cards.transfer.simultaneous'],
    sandbox: {
      rules: { [side]: (cents: number, _exact: number, card: Card) => (busy(card, side) ? 0 : cents) },
      middleware: [slowly('cards.transfer')],
    },
  };
}

/** The balance is looked at before another transfer of the same card is booked. */
function spentTwice(): Fault {
  const busy = inFlight();
  return {
    name: 'two transfers at the same moment spend the same money',
    condemns: ['cards.transfer.simultaneous'],
    sandbox: {
      rules: {
        transferDebit: (cents: number, _exact: number, card: Card) => {
          busy(card, 'debit');
          return cents;
        },
        ...letThrough(({ kind, card }) => kind === 'funds' && card !== undefined && busy(card, 'debit')),
      },
      middleware: [slowly('cards.transfer')],
    },
  };
}

/** Answers to requests that are under way together are given to one another. */
function swapped(operation: OperationId, condemns: string): Fault {
  const last = new WeakMap<World, { at: number; body: unknown; url: string }>();
  return {
    name: `${operation}: requests at the same moment get the answer of the first`,
    condemns: [condemns],
    sandbox: {
      middleware: [
        (answer, context) => {
          if (context.operation !== operation || answer.status >= 300) return undefined;
          const earlier = last.get(context.world);
          const isTogether =
            earlier && performance.now() - earlier.at < IN_FLIGHT_MS - 5 && earlier.url !== context.request.url;
          if (!isTogether)
            last.set(context.world, { at: performance.now(), body: answer.body, url: context.request.url });
          return { ...answer, body: isTogether ? earlier.body : answer.body, transport: { delayMs: IN_FLIGHT_MS } };
        },
      ],
    },
  };
}

const simultaneous: Fault[] = [
  lostUpdate('transferDebit', 'of two transfers from a card at the same moment one costs nothing'),
  lostUpdate('transferCredit', 'of two transfers to a card at the same moment one is lost'),
  spentTwice(),
  swapped('cards.get', 'cards.get.same-card'),
  swapped('cards.getBalance', 'cards.getBalance.refreshes-record'),
  swapped('users.get', 'users.get.same-customer'),
  swapped('cards.createToken', 'cards.get.by-token'),
  endsTogether(),
];

/** Of tokens that are issued at the same moment only the last one works. */
function endsTogether(): Fault {
  let last: { at: number; token: string } | undefined;
  const ended = new Set<string>();
  return {
    name: 'of tokens that are issued at the same moment only the last works',
    condemns: ['token.issue.earlier-token-lives'],
    sandbox: {
      middleware: [
        (answer, { operation, request }) => {
          if (ended.has(bearerOf(request)))
            return { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: undefined };
          const token = (answer.body as { access_token?: string } | undefined)?.access_token;
          if (operation !== 'token.issue' || !token) return undefined;
          if (last && performance.now() - last.at < IN_FLIGHT_MS - 5) ended.add(last.token);
          last = { at: performance.now(), token };
          return { ...answer, transport: { delayMs: IN_FLIGHT_MS } };
        },
      ],
    },
  };
}

// ---- refusals that are not read back -----------------------------------------------------------------------------

const yetDone = (name: string, condemns: string, isMeant: (refusal: Refusal) => boolean): Fault =>
  broken(name, condemns, { refusedStillTakesEffect: isMeant });

const readBack: Fault[] = [
  thoroughly(
    broken('a temporary token of a suspended card ends its suspension', 'cards.suspend.stops-payments', {
      meanwhile: (world, { operation, params }) => {
        const card = world.cardById.get(params.identifier ?? '');
        if (operation === 'cards.createToken' && card?.state === 'suspended') card.state = 'active';
      },
    }),
  ),
  broken(
    'a transfer with a comment that is a number is refused and moves money',
    'cards.transfer.refused-moves-nothing',
    {
      refusedStillTakesEffect: ({ operation, kind, name }) =>
        operation === 'cards.transfer' && kind === 'member-type' && name === 'comment',
    },
  ),
  broken('a transfer to a suspended card is refused and moves money', 'cards.transfer.refused-moves-nothing', {
    refusedStillTakesEffect: ({ operation, kind, name }) =>
      operation === 'cards.transfer' && kind === 'state' && name === 'target',
  }),
  yetDone(
    'an unknown card pays, though that is refused',
    'cards.transfer.unknown-identifier',
    ({ operation, kind }) => operation === 'cards.transfer' && kind === 'unknown',
  ),
  yetDone(
    'a closed card pays, though that is refused',
    'cards.close.stops-payments',
    ({ operation, kind, card }) => operation === 'cards.transfer' && kind === 'state' && card?.state === 'closed',
  ),
  yetDone(
    'more than the balance is refused, yet moves',
    'cards.transfer.refused-moves-nothing',
    ({ operation, kind }) => operation === 'cards.transfer' && kind === 'funds',
  ),
  yetDone(
    'a fraction of a cent is refused, yet moves',
    'cards.transfer.refused-moves-nothing',
    ({ operation, kind, name }) => operation === 'cards.transfer' && kind === 'amount' && name === 'fraction',
  ),
  ...(
    [
      'cards.transfer',
      'cards.suspend',
      'cards.unsuspend',
      'cards.activate',
      'cards.close',
      'cards.markLost',
      'cards.markWalletProvisioned',
    ] as const
  ).map((operation) =>
    yetDone(
      `${operation} with an expired token is refused, yet done`,
      `${operation}.requires-live-token`,
      ({ operation: of, kind, name }) => of === operation && kind === 'token' && name === 'expired',
    ),
  ),
  broken('a lost or closed card that was suspended before is unsuspended', 'cards.unsuspend.leaves-others', {
    allowsFrom: (operation, { state, history }, byDefault) =>
      byDefault ||
      (operation === 'cards.unsuspend' && ['lost', 'closed'].includes(state) && history.includes('cards.suspend')),
  }),
  yetDone(
    'unsuspending a closed card is refused, yet done',
    'cards.unsuspend.leaves-others',
    ({ operation, kind, card }) => operation === 'cards.unsuspend' && kind === 'state' && card?.state === 'closed',
  ),
  yetDone(
    'activating a closed card is refused, yet done',
    'cards.activate.leaves-closed',
    ({ operation, kind, card }) => operation === 'cards.activate' && kind === 'state' && card?.state === 'closed',
  ),
  ...(['cards.markLost', 'cards.reissue'] as const).map((operation) => ({
    ...broken(`${operation} of a lost card is answered with 500`, `${operation}.status`, {
      alsoRefuses: (request, { cardById }) =>
        request.operation === operation && cardById.get(request.params.identifier ?? '')?.state === 'lost'
          ? { kind: 'state', name: 'lost' }
          : undefined,
      refusalStatus: ({ name }, byDefault) => (name === 'lost' ? 500 : byDefault),
    }),
    also: ['cards.markLost.not-active'],
  })),
  broken('a second activation is refused, and closes the card', 'cards.activate.active', {
    refusedStillTakesEffect: ({ operation, kind, card }) =>
      operation === 'cards.activate' && kind === 'state' && card?.state === 'active',
    stateAfter: (operation, { state }, byDefault) =>
      operation === 'cards.activate' && state === 'active' ? 'closed' : byDefault,
  }),
];

// ---- the first and the last of a list ----------------------------------------------------------------------------

const lists: Fault[] = [
  broken('a parent without children finds everybody', 'users.list.filter-parent', {
    matchesFilter: ({ operation, name, value, item }, byDefault) =>
      byDefault ||
      (operation === 'users.list' && name === 'parentIdentifier' && 'v1Identifier' in item && isLeaf(value)),
    meanwhile: (world, { query }) => {
      if (query.parentIdentifier !== undefined)
        leaves.set(
          query.parentIdentifier,
          !world.ownCustomers.some(({ parentIdentifier }) => parentIdentifier === query.parentIdentifier),
        );
    },
  }),
  broken('a customer without cards finds all cards', 'cards.list.filter-customer', {
    matchesFilter: ({ operation, name, value }, byDefault) =>
      byDefault || (operation === 'cards.list' && name === 'customerIdentifier' && cardless.get(value) === true),
    meanwhile: (world, { operation, query }) => {
      if (operation === 'cards.list' && query.customerIdentifier !== undefined)
        cardless.set(
          query.customerIdentifier,
          world.ownCustomers.some(({ identifier }) => identifier === query.customerIdentifier) &&
            !world.ownCards.some(({ customerIdentifier }) => customerIdentifier === query.customerIdentifier),
        );
    },
  }),
  broken('a customer is left out between the third page and the fourth', 'users.list.pagination-same-set', {
    pageWindow: ({ number }, byDefault) =>
      number === 3 && byDefault.next !== null ? { ...byDefault, next: byDefault.next + 1 } : byDefault,
  }),
  broken('a customer is repeated on the third page', 'users.list.pagination-repeats-nobody', {
    pageWindow: ({ number, from }, byDefault) => (number === 3 ? { ...byDefault, from: from - 1 } : byDefault),
  }),
  ...[2, 3].map((index) =>
    thoroughly(
      broken(`the foreign card number ${index + 1} is open`, 'cards.getBalance.foreign', {
        enforces: ({ kind, card, operation, request }) => {
          if (kind !== 'foreign' || operation !== 'cards.getBalance') return true;
          const seen = foreignSeen.get(index) ?? [];
          foreignSeen.set(index, seen);
          const identifier = card?.identifier ?? request.params.identifier ?? '';
          if (!seen.includes(identifier)) seen.push(identifier);
          return seen.indexOf(identifier) !== index;
        },
      }),
    ),
  ),
];
const leaves = new Map<string, boolean>();
const isLeaf = (identifier: string) => leaves.get(identifier) === true;
const cardless = new Map<string, boolean>();
const foreignSeen = new Map<number, string[]>();

// ---- a memory of one step ----------------------------------------------------------------------------------------

function swallowed(times: number): Fault {
  const counts = new WeakMap<World, Map<string, number>>();
  return broken(`the same transfer moves nothing the ${times}. time`, 'cards.transfer.repeated', {
    takesEffect: (operation, { params, raw }, card) => {
      if (operation !== 'cards.transfer' || !card) return true;
      const seen = counts.get(card as unknown as World) ?? new Map<string, number>();
      counts.set(card as unknown as World, seen);
      const key = `${params.identifier} ${raw.toString()}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      return seen.get(key) !== times;
    },
  });
}

const memory: Fault[] = [
  swallowed(2),
  swallowed(3),
  thirdToken(),
  broken('a card that is unsuspended twice pays no more', 'cards.unsuspend.pays-again', {
    allowsFrom: (operation, { state }, byDefault) =>
      (operation === 'cards.unsuspend' && state === 'active') || byDefault,
    paysFrom: ({ history }, byDefault) =>
      byDefault && !(history.at(-1) === 'cards.unsuspend' && history.at(-2) === 'cards.unsuspend'),
  }),
];

/** A third token ends the first one. */
function thirdToken(): Fault {
  const issued: string[] = [];
  const uses = new Map<string, number>();
  return {
    name: 'only the two latest tokens work',
    condemns: ['token.issue.earlier-token-lives'],
    sandbox: {
      middleware: [
        (answer, { operation, request }) => {
          const token = (answer.body as { access_token?: string } | undefined)?.access_token;
          if (operation === 'token.issue' && token) issued.push(token);
          const sent = bearerOf(request);
          uses.set(sent, (uses.get(sent) ?? 0) + 1);
          const at = issued.indexOf(sent);
          const isOld = at >= 0 && at < issued.length - 2;
          return isOld ? { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: undefined } : undefined;
        },
      ],
    },
  };
}

// ---- states reached one way --------------------------------------------------------------------------------------

const reopens = (operation: OperationId, state: Card['state'], condemns: string): Fault =>
  broken(`${operation} makes a card Active that is ${state}`, condemns, {
    allowsFrom: (of, card, byDefault) => byDefault || (of === operation && card.state === state),
    stateAfter: (of, card, byDefault) => (of === operation && card.state === state ? 'active' : byDefault),
  });

/** Milliseconds after which the record of a card shows what refreshed it. */
const RECORD_LAG_MS = 60;

/** The fault where the record of a card shows its status a little later than it was refreshed. */
function withLateRecord(fault: Fault): Fault {
  const records = new WeakMap<World, Map<string, { shown: unknown; next: unknown; since: number }>>();
  return {
    ...fault,
    name: `${fault.name}, in a record that shows it late`,
    sandbox: {
      ...fault.sandbox,
      middleware: [
        (answer, { operation, request, world }) => {
          const { identifier } = request.params;
          if (operation !== 'cards.get' || answer.status !== 200 || identifier === undefined) return undefined;
          const { status } = answer.body as { status?: unknown };
          if (!records.has(world)) records.set(world, new Map());
          const known = records.get(world)!;
          const record = known.get(identifier) ?? { shown: status, next: status, since: 0 };
          known.set(identifier, record);
          if (record.next !== status) Object.assign(record, { next: status, since: performance.now() });
          if (performance.now() - record.since >= RECORD_LAG_MS) record.shown = status;
          return { ...answer, body: { ...(answer.body as object), status: record.shown } };
        },
      ],
    },
    configure: ({ run }) => {
      run.settleMs = 200;
    },
  };
}

const states: Fault[] = [
  withLateRecord(reopens('cards.unsuspend', 'lost', 'cards.unsuspend.leaves-others')),
  reopens('cards.unsuspend', 'closed', 'cards.unsuspend.leaves-others'),
  reopens('cards.unsuspend', 'lost', 'cards.unsuspend.leaves-others'),
  reopens('cards.unsuspend', 'unused', 'cards.unsuspend.leaves-others'),
  reopens('cards.unsuspend', 'fraud', 'cards.unsuspend.leaves-others'),
  reopens('cards.activate', 'closed', 'cards.activate.leaves-closed'),
  reopens('cards.unmarkFraud', 'closed', 'cards.close.stays-closed'),
  reopens('cards.suspend', 'closed', 'cards.close.stays-closed'),
  {
    ...broken(
      'a suspended card pays 5.00 and more',
      'cards.suspend.stops-payments',
      letThrough(
        ({ operation, kind, name, request }) =>
          operation === 'cards.transfer' &&
          kind === 'state' &&
          name === 'source' &&
          Number((request.body as { amount?: unknown }).amount) >= 5,
      ),
    ),
    configure: ({ run }) => {
      run.seed = 3;
    },
  },
  broken('a suspended card that is reissued pays', 'cards.suspend.stops-payments', {
    paysFrom: ({ state, history }, byDefault) =>
      byDefault || (state === 'suspended' && history.includes('cards.transfer')),
  }),
  broken('a closed card that is suspended and freed is Active', 'cards.close.stays-closed', {
    allowsFrom: (operation, { state }, byDefault) => byDefault || (state === 'closed' && operation === 'cards.suspend'),
    stateAfter: (_operation, _card, byDefault) => byDefault,
  }),
];

// ---- time --------------------------------------------------------------------------------------------------------

const livesFor = (operation: OperationId, minutes: number): Fault =>
  thoroughly(
    broken(`${operation} takes a token for ${minutes} minutes`, 'token.issue.lives-60-minutes', {
      tokenLifetimeSeconds: (of) => (of === operation ? minutes * 60 : 3600),
    }),
  );

/** Every second token works on when it is too old. */
function everySecondLivesOn(): Fault {
  const issued = new Map<string, number>();
  return {
    name: 'every second token lives two hours',
    condemns: ['token.issue.ends-after-60-minutes'],
    sandbox: {
      rules: letThrough(
        ({ kind, name, request }) =>
          kind === 'token' && name === 'expired' && (issued.get(bearerOf(request)) ?? 0) % 2 === 1,
      ),
      middleware: [
        (answer, { operation }) => {
          const token = (answer.body as { access_token?: string } | undefined)?.access_token;
          if (operation === 'token.issue' && token) issued.set(token, issued.size);
          return undefined;
        },
      ],
    },
  };
}

/** A service that asks for a token once takes it for good as long as it is remembered. */
function rememberedBy(operation: OperationId): Fault {
  const REMEMBERED_MS = 300_000;
  const seen = new Map<string, number>();
  let now = 0;
  return {
    name: `${operation} takes a token for five minutes after it was good`,
    condemns: ['token.issue.ends-after-60-minutes'],
    sandbox: {
      rules: letThrough(
        ({ kind, name, operation: of, request }) =>
          kind === 'token' &&
          name === 'expired' &&
          of === operation &&
          now - (seen.get(bearerOf(request)) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS,
      ),
      middleware: [
        (answer, { operation: of, request, nowMs }) => {
          now = nowMs;
          if (of === operation && answer.status < 300) seen.set(bearerOf(request), nowMs);
          return undefined;
        },
      ],
    },
  };
}

const time: Fault[] = [
  everySecondLivesOn(),
  ...(
    [
      'cards.getBalance',
      'cards.listRelated',
      'cards.encryptForVde',
      'cards.suspend',
      'cards.transfer',
      'users.get',
    ] as const
  ).map((operation) => livesFor(operation, 45)),
  livesFor('cards.getStatus', 20),
  livesFor('users.setPermissions', 58),
  rememberedBy('cards.get'),
  {
    ...thoroughly({
      name: 'a token ends at midnight',
      condemns: ['token.issue.lives-60-minutes'],
      sandbox: {
        middleware: [
          (answer, { tokenAgeSeconds, nowMs, operation }) => {
            if (tokenAgeSeconds === undefined || operation === 'token.issue') return undefined;
            const day = (ms: number) => Math.floor(ms / 86_400_000);
            return tokenAgeSeconds < 3600 && day(nowMs) !== day(nowMs - tokenAgeSeconds * 1000)
              ? { ...answer, status: 401, body: undefined }
              : undefined;
          },
        ],
      },
    }),
  },
  {
    ...thoroughly(
      broken('a second token ends the first after half an hour', 'token.issue.lives-60-minutes', {
        tokenLifetimeSeconds: () => 3600,
      }),
    ),
    sandbox: {
      middleware: [
        (answer, { tokenAgeSeconds, operation }) =>
          operation !== 'token.issue' && (tokenAgeSeconds ?? 0) > 1800 && (tokenAgeSeconds ?? 0) < 3600
            ? { ...answer, status: 401, body: undefined }
            : undefined,
      ],
    },
  },
];

// ---- values left to chance ---------------------------------------------------------------------------------------

/** Status 500 where something about a request is met. */
const fails = (
  name: string,
  condemns: string,
  operation: OperationId,
  isMet: (request: SandboxRequest) => boolean,
): Fault =>
  thoroughly({
    name: `500: ${name}`,
    condemns: [condemns],
    sandbox: {
      middleware: [
        (answer, context) =>
          context.operation === operation && isMet(context.request) && context.refusal?.kind !== 'token'
            ? { ...answer, status: 500, body: [{ errorCode: 'internal' }] }
            : undefined,
      ],
    },
  });

const commentOf = ({ body }: SandboxRequest) => String((body as { comment?: unknown } | undefined)?.comment ?? '');
const amountIs = (amount: number) => (cents: number) => Math.abs(cents - amount * 100) < 0.01;

/** Customers whose name contains one of the texts that are made of the one asked for. */
const searched = (textsOf: (value: string) => string[]): Partial<Rules> => ({
  matchesFilter: ({ operation, name, value, item }, byDefault) =>
    operation === 'users.list' && name === 'name' && 'name' in item
      ? textsOf(value.toLowerCase()).some((text) => item.name.toLowerCase().includes(text))
      : byDefault,
});

const values: Fault[] = [
  fails(
    'a comment of 300 characters',
    'cards.transfer.status',
    'cards.transfer',
    (request) => commentOf(request).length > 255,
  ),
  fails("a comment with '", 'cards.transfer.status', 'cards.transfer', (request) => commentOf(request).includes("'")),
  fails('a comment with %', 'cards.transfer.status', 'cards.transfer', (request) => commentOf(request).includes('%')),
  fails('a comment with letters beyond ASCII', 'cards.transfer.status', 'cards.transfer', (request) =>
    /[^ -~]/.test(commentOf(request)),
  ),
  fails('customFields without members', 'cards.transfer.status', 'cards.transfer', ({ body }) => {
    const fields = (body as { customFields?: object } | undefined)?.customFields;
    return fields !== undefined && Object.keys(fields).length === 0;
  }),
  fails("a name with '", 'users.list.status', 'users.list', ({ query }) => (query.name ?? '').includes("'")),
  fails('a name with "', 'users.list.status', 'users.list', ({ query }) => (query.name ?? '').includes('"')),
  fails('a name with #', 'users.list.status', 'users.list', ({ query }) => (query.name ?? '').includes('#')),
  fails('a name of 300 characters', 'users.list.status', 'users.list', ({ query }) => (query.name ?? '').length > 255),
  fails("an identifier of a card with '", 'cards.get.status', 'cards.get', ({ params }) =>
    (params.identifier ?? '').includes("'"),
  ),
  fails('an identifier of a card with %', 'cards.getStatus.status', 'cards.getStatus', ({ params }) =>
    (params.identifier ?? '').includes('%'),
  ),
  fails(
    'an externalIdentifier of 300 characters',
    'cards.list.status',
    'cards.list',
    ({ query }) => (query.externalIdentifier ?? '').length > 255,
  ),
  fails('max=0 of cards', 'cards.list.status', 'cards.list', ({ query }) => query.max === '0'),
  fails('max=-1 of customers', 'users.list.status', 'users.list', ({ query }) => query.max === '-1'),
  fails('the whole balance', 'cards.transfer.status', 'cards.transfer', ({ body, params }) =>
    wholeAsked(params.identifier, body),
  ),
  thoroughly(
    broken('* in a name is passed over', 'users.list.filter-name', {
      ...searched((value) => [value.replaceAll('*', '')]),
    }),
  ),
  thoroughly(
    broken('one word of a name is enough', 'users.list.unmatched-name-empty', {
      ...searched((value) => value.split(' ')),
    }),
  ),
  thoroughly(
    broken('a name of one character finds everybody', 'users.list.unmatched-name-empty', {
      ...searched((value) => [value.length === 1 ? '' : value]),
    }),
  ),
  thoroughly(
    broken('% in a name stands for any text', 'users.list.filter-name', {
      matchesFilter: ({ operation, name, value, item }, byDefault) =>
        operation === 'users.list' && name === 'name' && 'name' in item
          ? new RegExp(value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*'), 'i').test(item.name)
          : byDefault,
    }),
  ),
  thoroughly(
    broken('_ in a name stands for any character', 'users.list.filter-name', {
      matchesFilter: ({ operation, name, value, item }, byDefault) =>
        operation === 'users.list' && name === 'name' && 'name' in item
          ? new RegExp(value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '.'), 'i').test(item.name)
          : byDefault,
    }),
  ),
  thoroughly(
    broken('0.01 moves two cents to the target', 'cards.transfer.conserves-money', {
      transferCredit: (cents) => (amountIs(0.01)(cents) ? 2 : cents),
    }),
  ),
  thoroughly(
    broken('-0.01 draws from the target', 'cards.transfer.negative-amount', {
      enforces: ({ kind, name, request }) =>
        !(
          kind === 'amount' &&
          name === 'negative' &&
          Math.abs(Number((request.body as { amount?: number }).amount)) < 0.05
        ),
    }),
  ),
];

/** Balances as the sandbox shows them are not at hand here: the whole balance is an amount beyond what else is moved. */
function wholeAsked(_identifier: string | undefined, body: unknown): boolean {
  const { amount = 0, comment } = (body ?? {}) as { amount?: number; comment?: string };
  return comment === undefined && amount >= 10 && amount < 1e6;
}

// ---- flickering answers ------------------------------------------------------------------------------------------

const flickers = (operation: OperationId, status: number): Fault => {
  const successes = new WeakMap<World, number>();
  return {
    name: `one in five requests of ${operation} is answered with ${status}`,
    condemns: [`${operation}.required-only`],
    sandbox: {
      middleware: [
        (answer, { operation: of, world }) => {
          if (of !== operation || answer.status >= 300) return undefined;
          const count = (successes.get(world) ?? 0) + 1;
          successes.set(world, count);
          return count % 5 === 1 ? { ...answer, status, body: [{ errorCode: 'again' }] } : undefined;
        },
      ],
    },
  };
};

const flickering: Fault[] = [
  flickers('users.list', 400),
  flickers('users.get', 404),
  flickers('cards.list', 403),
  flickers('cards.get', 404),
  flickers('cards.getBalance', 400),
  flickers('cards.getStatus', 404),
  flickers('cards.encryptForVde', 422),
  flickers('cards.createToken', 400),
];

// ---- what exchanges show -----------------------------------------------------------------------------------------

const shown: Fault[] = [
  {
    name: 'a card that is provisioned is listed as not provisioned',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: answering('cards.list', (body) => {
      for (const card of body.results as Record<string, unknown>[]) card.isProvisionedToWallet = false;
    }),
  },
  misanswered('a proxy is found with another proxyNumber', 'cards.get.by-proxy', 'cards.get', (body, { request }) => {
    if (request.query.byProxy === 'true') body.proxyNumber = '0000000000';
  }),
  misanswered(
    'a card is provisioned in the year 1970',
    'cards.markWalletProvisioned.date-about-now',
    'cards.get',
    (body) => {
      if (body.provisionedDate !== undefined) body.provisionedDate = '1970-01-01T00:00:00Z';
    },
  ),
  thoroughly(
    broken('foreign cards are related to some cards', 'cards.listRelated.foreign', {
      listsForeign: (operation) => operation === 'cards.listRelated',
      relatedCards: (_card, byDefault) => byDefault,
      meanwhile: (world) => {
        const holder = world.ownCards.at(5)?.cardholder?.identifier;
        const foreign = world.allCards.find(({ tenant }) => tenant === 'other');
        const held = holder === undefined ? undefined : (world.cardsByHolder.get(holder) as Card[]);
        if (held && foreign && !held.includes(foreign)) held.push(foreign);
      },
    }),
  ),
  misanswered(
    'a card is found by its temporary token with another identifier in other letters',
    'cards.get.by-token',
    'cards.get',
    (body, { request }) => {
      if (request.query.byToken === 'true') body.identifier = `${body.identifier}0`;
    },
  ),
];

export const blindSpotFaults: Record<string, readonly Fault[]> = {
  'one form of bad input': badInput,
  'one form of a good request': goodForms,
  'nothing at the same time': simultaneous,
  'refusals that are not read back': readBack,
  'the first of a list': lists,
  'a memory of one step': memory,
  'states reached one way': states,
  time,
  'values left to chance': values,
  'flickering answers': flickering,
  'what exchanges show': shown,
};
