/**
 * Sound implementations with business rules of which the documents say nothing (readings 46 to 51): least and largest amounts, daily
 * counts, cool-downs, preconditions, formats of texts, replicas that lag, one request a card at a time.
 */
import type { OperationId, Rules, SandboxRequest, World } from '../../sandbox/index.ts';
import type { Variant } from './variant.ts';

type Refuses = NonNullable<Rules['alsoRefuses']>;

/** A rule that remembers, once for each sandbox. */
const remembering = <Memory>(
  begin: () => Memory,
  refuses: (memory: Memory, ...given: Parameters<Refuses>) => ReturnType<Refuses>,
): Refuses => {
  const memories = new WeakMap<World, Memory>();
  return (request, world) => {
    const memory = memories.get(world) ?? begin();
    memories.set(world, memory);
    return refuses(memory, request, world);
  };
};

const REFUSAL = { kind: 'range', name: 'amount' } as const;
type Counts = (request: SandboxRequest, world: World) => boolean;
const cardOf = ({ params }: SandboxRequest, world: World) => world.cardById.get(params.identifier ?? '');
const transferOf = ({ operation, body }: SandboxRequest) =>
  operation === 'cards.transfer' ? ((body ?? {}) as Record<string, unknown>) : undefined;
const amountOf = (request: SandboxRequest): number | undefined => {
  const amount = transferOf(request)?.amount;
  return typeof amount === 'number' ? amount : undefined;
};
/** Whether a transfer is one that nothing of the documents refuses. */
const isWhole = (request: SandboxRequest, world: World): boolean => {
  const target = world.cardById.get(String(transferOf(request)?.targetCardIdentifier));
  const source = cardOf(request, world);
  return (
    source?.tenant === 'own' && target?.tenant === 'own' && source.state === 'active' && (amountOf(request) ?? 0) > 0
  );
};

const variant = (name: string, basis: string, rules: Partial<Rules>, settleMs?: number): Variant => ({
  name,
  basis,
  sandbox: { rules },
  ...(settleMs !== undefined && {
    configure: ({ run }) => {
      run.settleMs = settleMs;
    },
  }),
});

const BUSINESS = 'business rules: not shown';
const TRANSITIONS = 'Transitions: not shown';

const fromTwenty: Variant['configure'] = ({ fixtures }) => {
  Object.assign(fixtures.cards!, { transferAmounts: { least: 20, most: 30, step: 1 } });
};

const amounts = (name: string, isTaken: (amount: number) => boolean, more: Partial<Rules> = {}): Variant =>
  variant(`transfers: ${name}`, BUSINESS, {
    ...more,
    alsoRefuses: (request) => {
      const amount = amountOf(request);
      return amount === undefined || isTaken(amount) ? undefined : REFUSAL;
    },
  });

const counted = (
  name: string,
  most: number,
  keyOf: (request: SandboxRequest) => string,
  isCounted: Counts = isWhole,
): Variant =>
  variant(`transfers: ${name}`, BUSINESS, {
    alsoRefuses: remembering(
      () => new Map<string, number>(),
      (counts, request, world) => {
        if (transferOf(request) === undefined || !isCounted(request, world)) return undefined;
        const key = keyOf(request);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        return count > most ? { kind: 'range', name: 'count' } : undefined;
      },
    ),
  });

/** Refuses transfers whose comment is not as it wants it. */
const comments = (name: string, isTaken: (comment: unknown) => boolean): Variant =>
  variant(`transfers: ${name}`, 'cardTransferFunds: required flags and formats not shown', {
    alsoRefuses: (request) =>
      transferOf(request) === undefined || isTaken(transferOf(request)?.comment)
        ? undefined
        : { kind: 'range', name: 'comment' },
  });

const fee = (name: string, of: (cents: number) => number): Variant =>
  variant(`transfers: a fee ${name}`, BUSINESS, { transferDebit: (cents) => (cents > 0 ? cents + of(cents) : cents) });

const transfers: Variant[] = [
  amounts('at least 5.00', (amount) => amount >= 5),
  { ...amounts('at least 20.00, which the fixtures say', (amount) => amount >= 20), configure: fromTwenty },
  {
    ...amounts('at least 20.00, which the fixtures say, and refused by an answer of 200', (amount) => amount >= 20, {
      transferRefusalStyle: () => '200-with-failed-status',
    }),
    configure: fromTwenty,
  },
  amounts('at most 3.00', (amount) => amount <= 3),
  amounts('at most 1.50', (amount) => amount <= 1.5),
  amounts('whole amounts only', (amount) => Number.isInteger(amount)),
  amounts('multiples of 5.00', (amount) => Math.abs(amount) % 5 === 0),
  counted('one a card', 1, ({ params }) => params.identifier ?? ''),
  counted('two a card', 2, ({ params }) => params.identifier ?? ''),
  counted(
    'three a card, refused ones too',
    3,
    ({ params }) => params.identifier ?? '',
    () => true,
  ),
  counted(
    'two of a kind: the same amount between the same cards',
    2,
    (request) => `${request.params.identifier} ${JSON.stringify(request.body)}`,
  ),
  counted('three in all', 3, () => ''),
  counted('ten in all', 10, () => ''),
  comments('a comment is required', (comment) => typeof comment === 'string' && comment !== ''),
  comments(
    'comments of letters and digits',
    (comment) => comment === undefined || /^[A-Za-z0-9]*$/.test(String(comment)),
  ),
  comments('comments of 20 characters at most', (comment) => String(comment ?? '').length <= 20),
  variant('transfers: comment and customFields are not taken together', BUSINESS, {
    alsoRefuses: (request) =>
      transferOf(request)?.comment !== undefined && transferOf(request)?.customFields !== undefined
        ? REFUSAL
        : undefined,
  }),
  variant('transfers: in one direction only', BUSINESS, {
    alsoRefuses: (request, world) => {
      const target = String(transferOf(request)?.targetCardIdentifier ?? '');
      return isWhole(request, world) && (request.params.identifier ?? '') > target
        ? { kind: 'mismatch', name: 'direction' }
        : undefined;
    },
  }),
  variant('transfers: not the same again at once', BUSINESS, {
    alsoRefuses: remembering(
      () => ({ last: '' }),
      (memory, request) => {
        if (transferOf(request) === undefined) return undefined;
        const asked = `${request.params.identifier} ${JSON.stringify(request.body)}`;
        const isAgain = asked === memory.last;
        memory.last = asked;
        return isAgain ? { kind: 'duplicate', name: 'amount' } : undefined;
      },
    ),
  }),
  variant('transfers: a fee of 0.25 that the source pays', BUSINESS, {
    transferDebit: (cents) => (cents > 0 ? cents + 25 : cents),
  }),
  variant('transfers: a fee of 0.10 that the target pays', BUSINESS, {
    transferCredit: (cents) => (cents > 10 ? cents - 10 : cents),
  }),
  variant('transfers: a fee of a cent that the source pays', BUSINESS, {
    transferDebit: (cents) => (cents > 0 ? cents + 1 : cents),
  }),
  fee('of 0.30 and 2.9 % that the source pays', (cents) => 30 + Math.round(cents * 0.029)),
  fee('of 1 %, at least 0.05', (cents) => Math.max(5, Math.round(cents * 0.01))),
  fee('of 5 %, at most 0.15', (cents) => Math.min(15, Math.round(cents * 0.05))),
  fee('of 0.10 below 3.00, else of 0.20', (cents) => (cents < 300 ? 10 : 20)),
  variant('transfers: a fee of 0.30 and 2.9 % that the target pays', BUSINESS, {
    transferCredit: (cents) => (cents > 35 ? cents - 30 - Math.round(cents * 0.029) : cents),
  }),
  {
    name: 'transfers: a fee of 0.25 that the source pays, to itself, too',
    basis: BUSINESS,
    sandbox: {
      rules: {
        transferDebit: (cents) => (cents > 0 ? cents + 25 : cents),
        enforces: ({ kind }) => kind !== 'self',
      },
      middleware: [
        (answer, { operation, card, request }) => {
          const isToItself = transferOf(request)?.targetCardIdentifier === card?.identifier;
          if (operation === 'cards.transfer' && isToItself && answer.status < 300) card!.balanceCents -= 25;
          return undefined;
        },
      ],
    },
  },
  variant('balances: interest of a cent from time to time', 'a balance may change when nothing is asked for', {
    meanwhile: ({ ownCards }, { callNumber, operation }) => {
      if (operation === 'cards.getBalance' && callNumber % 9 === 0) for (const card of ownCards) card.balanceCents += 1;
    },
  }),
  variant('balances: purchases at the terminal meanwhile', 'a balance may change when nothing is asked for', {
    meanwhile: ({ ownCards }, { callNumber, operation }) => {
      if (operation === 'cards.getBalance' && callNumber % 7 === 3)
        for (const card of ownCards.slice(0, 20)) if (card.balanceCents > 100) card.balanceCents -= 37;
    },
  }),
  variant(
    'transfers: a cool-down of 150 ms for each card',
    BUSINESS,
    { alsoRefuses: coolDown(150, ['cards.transfer']) },
    400,
  ),
];

/** Refuses an operation on a card for some time after one of the same kind was asked for and may have been done. */
function coolDown(milliseconds: number, operations: readonly OperationId[]): Refuses {
  return remembering(
    () => new Map<string, number>(),
    (last, request) => {
      if (!operations.includes(request.operation)) return undefined;
      const card = request.params.identifier ?? '';
      const isTooSoon = performance.now() - (last.get(card) ?? Number.NEGATIVE_INFINITY) < milliseconds;
      if (!isTooSoon) last.set(card, performance.now());
      return isTooSoon ? { kind: 'state', name: 'card' } : undefined;
    },
  );
}

/** An operation on a card that wants another one before. */
const after = (operation: OperationId, before: OperationId): Variant =>
  variant(`${operation} wants ${before} before`, TRANSITIONS, {
    alsoRefuses: remembering(
      () => new Set<string>(),
      (done, request) => {
        const card = request.params.identifier ?? '';
        if (request.operation === before) done.add(card);
        return request.operation === operation && !done.has(card) ? { kind: 'state', name: 'card' } : undefined;
      },
    ),
  });

const onlyFrom = (operation: OperationId, name: string, states: readonly string[]): Variant =>
  variant(`${operation} ${name}`, TRANSITIONS, {
    allowsFrom: (of, { state }, byDefault) => (of === operation ? states.includes(state) : byDefault),
  });

const onceEach = (name: string, operations: readonly OperationId[]): Variant =>
  variant(name, BUSINESS, {
    alsoRefuses: remembering(
      () => new Set<string>(),
      (done, request, world) => {
        const card = cardOf(request, world);
        if (!operations.includes(request.operation) || card?.tenant !== 'own') return undefined;
        const key = `${request.operation} ${card.identifier}`;
        if (done.has(key)) return { kind: 'state', name: 'card' };
        if (card.state === (request.operation === 'cards.suspend' ? 'active' : 'suspended')) done.add(key);
        return undefined;
      },
    ),
  });

const states: Variant[] = [
  onlyFrom('cards.close', 'only of a suspended card', ['suspended']),
  onlyFrom('cards.markLost', 'only of a suspended card', ['suspended']),
  onlyFrom('cards.markWalletProvisioned', 'only of a suspended card', ['suspended']),
  after('cards.close', 'cards.encryptForVde'),
  after('cards.markLost', 'cards.encryptForVde'),
  after('cards.markWalletProvisioned', 'cards.encryptForVde'),
  variant('cards.close and cards.markLost only of an empty card', TRANSITIONS, {
    closesWithBalance: false,
    allowsFrom: (operation, { balanceCents }, byDefault) =>
      byDefault && !(operation === 'cards.markLost' && balanceCents > 0),
  }),
  variant('cards.close only of an empty card, transfers at least 5.00', TRANSITIONS, {
    closesWithBalance: false,
    alsoRefuses: (request) => ((amountOf(request) ?? 5) >= 5 ? undefined : REFUSAL),
  }),
  variant('cards.close not of a card that took part in a transfer today', TRANSITIONS, {
    alsoRefuses: ({ operation, params }, { transfers: booked }) =>
      operation === 'cards.close' &&
      booked.some((one) => [one.sourceIdentifier, one.targetIdentifier].includes(params.identifier ?? ''))
        ? { kind: 'state', name: 'card' }
        : undefined,
  }),
  onceEach('a card is suspended once a day', ['cards.suspend']),
  onceEach('a card is suspended and freed once a day', ['cards.suspend', 'cards.unsuspend']),
  variant('states: a cool-down of 200 ms after each change', TRANSITIONS, { alsoRefuses: stateCoolDown(200) }, 500),
  variant(
    'states: a suspended card is freed 200 ms later at the earliest',
    TRANSITIONS,
    { alsoRefuses: freedLater(200) },
    500,
  ),
  variant('a suspended card has no readable balance', 'a suspended card: what may be read is not shown', {
    alsoRefuses: (request, world) =>
      request.operation === 'cards.getBalance' && cardOf(request, world)?.state === 'suspended'
        ? { kind: 'state', name: 'card' }
        : undefined,
  }),
  {
    name: 'the balance of a suspended card reads 0 until it is freed',
    basis: 'a suspended card: what may be read is not shown',
    sandbox: {
      middleware: [
        (answer, { operation, card }) =>
          operation === 'cards.getBalance' && answer.status === 200 && card?.state === 'suspended'
            ? { ...answer, body: { balance: 0 } }
            : undefined,
      ],
    },
  },
  variant(
    'a card that is not Active has no readable balance and status',
    'what may be read of which card is not shown',
    {
      alsoRefuses: (request, world) =>
        ['cards.getBalance', 'cards.getStatus'].includes(request.operation) &&
        cardOf(request, world)?.state !== 'active' &&
        cardOf(request, world)?.tenant === 'own'
          ? { kind: 'state', name: 'card' }
          : undefined,
    },
  ),
  variant('a reissued card is no longer closed, provisioned or given a PIN', TRANSITIONS, {
    allowsFrom: (operation, { history }, byDefault) =>
      byDefault &&
      !(
        history.includes('cards.reissue') &&
        ['cards.close', 'cards.setPin', 'cards.markWalletProvisioned'].includes(operation)
      ),
  }),
  variant('a reissue takes a card out of use, and an identifier of any type', TRANSITIONS, {
    allowsFrom: (operation, { history }, byDefault) =>
      byDefault && !(history.includes('cards.reissue') && operation === 'cards.markWalletProvisioned'),
    enforces: ({ operation, kind }) => !(operation === 'cards.reissue' && kind === 'member-type'),
  }),
  variant('the first look-up by proxy, and some other requests, meet a conflict', '409: not shown', {
    alsoRefuses: remembering(
      () => ({ lookedUp: false }),
      (memory, { operation, callNumber, query }) => {
        const isFirst = query.byProxy === 'true' && query.programIdentifier !== undefined && !memory.lookedUp;
        memory.lookedUp ||= isFirst;
        const isConflict =
          (operation === 'users.setPermissions' && callNumber % 5 === 0) ||
          (operation === 'cards.listRelated' && callNumber % 2 === 0);
        return isFirst || isConflict ? { kind: 'state', name: 'busy' } : undefined;
      },
    ),
    refusalStatus: ({ name }, byDefault) => (name === 'busy' ? 409 : byDefault),
  }),
  variant('cards: twenty look-ups in all', BUSINESS, {
    alsoRefuses: ({ operation, callNumber }) =>
      operation === 'cards.get' && callNumber > 20 ? { kind: 'state', name: 'card' } : undefined,
  }),
  variant('cards: the identifier is not given back', 'required flags: not shown', {}, undefined),
];
states.at(-1)!.sandbox = {
  middleware: [
    (answer, { operation }) => {
      if (operation !== 'cards.get' || answer.status !== 200) return undefined;
      const { identifier: _identifier, ...body } = answer.body as Record<string, unknown>;
      return { ...answer, body };
    },
  ],
};

/** Refuses a change of a card's state soon after another one. */
function stateCoolDown(milliseconds: number): Refuses {
  const changes: readonly OperationId[] = [
    'cards.suspend',
    'cards.unsuspend',
    'cards.activate',
    'cards.markLost',
    'cards.close',
  ];
  return remembering(
    () => new Map<string, { at: number; length: number }>(),
    (last, request, world) => {
      const card = cardOf(request, world);
      if (!card || !changes.includes(request.operation)) return undefined;
      const seen = last.get(card.identifier);
      if (!seen || seen.length !== card.history.length)
        last.set(card.identifier, { at: seen ? performance.now() : 0, length: card.history.length });
      return performance.now() - last.get(card.identifier)!.at < milliseconds
        ? { kind: 'state', name: 'card' }
        : undefined;
    },
  );
}

/** Refuses the end of a suspension for some time after it was first asked for. */
function freedLater(milliseconds: number): Refuses {
  return remembering(
    () => new Map<string, number>(),
    (suspended, request) => {
      const card = request.params.identifier ?? '';
      if (request.operation === 'cards.suspend') suspended.set(card, performance.now());
      const since = performance.now() - (suspended.get(card) ?? 0);
      return request.operation === 'cards.unsuspend' && since < milliseconds
        ? { kind: 'state', name: 'card' }
        : undefined;
    },
  );
}

/** Only nonces of one form are taken. */
const nonces = (name: string, form: RegExp): Variant =>
  variant(`encryption: nonces are ${name}`, 'nonce: format not shown', {
    alsoRefuses: ({ operation, body }) => {
      const nonce = (body as { nonce?: unknown } | undefined)?.nonce;
      return operation === 'cards.encryptForVde' && typeof nonce === 'string' && !form.test(nonce)
        ? { kind: 'range', name: 'nonce' }
        : undefined;
    },
  });

/** Answers of reading operations as they were some time ago, by every second reading: replicas that lag. */
function lagging(milliseconds: number): Variant {
  interface Seen {
    at: number;
    body: unknown;
  }
  const histories = new WeakMap<World, Map<string, Seen[]>>();
  return {
    name: `every second reading is by a replica that lags by ${milliseconds} ms`,
    basis: 'consistency: not shown; RUN_SETTLE_MS says how long an effect may take to show',
    sandbox: {
      middleware: [
        (answer, { operation, request, world }) => {
          if (!['cards.getBalance', 'cards.getStatus', 'cards.get'].includes(operation) || answer.status !== 200)
            return undefined;
          if (Object.keys(request.query).length > 0) return undefined;
          const seen = histories.get(world) ?? new Map<string, Seen[]>();
          histories.set(world, seen);
          const key = `${operation} ${request.params.identifier}`;
          const history = seen.get(key) ?? [];
          seen.set(key, [...history, { at: performance.now(), body: answer.body }]);
          if (request.callNumber % 2 === 0) return undefined;
          const past = history.findLast(
            ({ at }) => performance.now() - at <= milliseconds && performance.now() - at > 0,
          );
          const old = history.find(({ at }) => performance.now() - at <= milliseconds) ?? past;
          return old ? { ...answer, body: old.body } : undefined;
        },
      ],
    },
    configure: ({ run }) => {
      run.settleMs = milliseconds + 200;
    },
  };
}

/** A card is asked for one thing at a time: a second request gets 409. */
function oneAtATime(operations: (operation: string) => boolean): Variant {
  const busy = new WeakMap<World, Map<string, number>>();
  return {
    name: `one request a card at a time, ${operations('cards.get') ? 'reading ones' : 'changing ones'} included`,
    basis: '409 on concurrent requests: not shown',
    sandbox: {
      rules: {
        alsoRefuses: (request, world) => {
          const card = request.params.identifier;
          if (card === undefined || !request.operation.startsWith('cards.') || !operations(request.operation))
            return undefined;
          const until = busy.get(world) ?? new Map<string, number>();
          busy.set(world, until);
          if ((until.get(card) ?? 0) > performance.now()) return { kind: 'state', name: 'busy' };
          until.set(card, performance.now() + 8);
          return undefined;
        },
        refusalStatus: ({ name }, byDefault) => (name === 'busy' ? 409 : byDefault),
      },
      middleware: [
        (answer, { operation, refusal }) =>
          operation.startsWith('cards.') && refusal?.name !== 'busy'
            ? { ...answer, transport: { delayMs: 9 } }
            : undefined,
      ],
    },
  };
}

/** A later page is asked for by its token alone, which brings the filters along. */
function tokenAlone(): Variant {
  const queries = new Map<string, Record<string, string>>();
  let tokens = 0;
  return {
    name: 'a continuation token is sent alone',
    basis: 'token: whether max and filters are sent again is not shown',
    sandbox: {
      rules: {
        meanwhile: (_world, { operation, query }) => {
          if (operation === 'users.list' && Object.keys(query).length === 1)
            Object.assign(query, queries.get(query.token ?? ''));
        },
        // Of one listing alone, since it stands for the filters of it.
        continuationToken: (_state, byDefault) => `${byDefault}.${++tokens}`,
        alsoRefuses: ({ operation, url }) =>
          operation === 'users.list' && /[?&]token=/.test(url) && url.includes('&')
            ? { kind: 'mismatch', name: 'token' }
            : undefined,
      },
      middleware: [
        (answer, { operation, request: { query } }) => {
          const next = (answer.body as { continuationToken?: string } | undefined)?.continuationToken;
          const { token: _token, ...rest } = query;
          if (operation === 'users.list' && next) queries.set(next, rest);
          return undefined;
        },
      ],
    },
  };
}

const listings: Variant[] = [
  variant(
    'a newer listing of customers ends earlier continuation tokens',
    'continuationToken: how long it holds is not shown',
    {
      alsoRefuses: remembering(
        () => ({ latest: '' }),
        (memory, { operation, query, url }) => {
          if (operation !== 'users.list') return undefined;
          const listing = `${query.max} ${query.name} ${query.parentIdentifier} ${query.v1Identifier}`;
          if (query.token === undefined) memory.latest = listing;
          return query.token !== undefined && memory.latest !== listing
            ? { kind: 'continuation', name: url }
            : undefined;
        },
      ),
    },
  ),
  tokenAlone(),
  variant('names are searched by three letters or digits at least', 'name: format not shown', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'users.list' && query.name !== undefined && !/^[\w .-]{3,40}$/.test(query.name)
        ? { kind: 'range', name: 'name' }
        : undefined,
  }),
  variant('identifiers are refused unless they are UUIDs or short codes', 'format of identifiers: not shown', {
    alsoRefuses: ({ operation, query }) =>
      operation.endsWith('.list') &&
      Object.entries(query).some(([name, value]) => name.endsWith('Identifier') && !/^[\w-]{1,40}$/.test(value))
        ? { kind: 'range', name: 'identifier' }
        : undefined,
  }),
  variant('a gateway refuses what looks like an attack with 403 and a page', 'gateways: not shown', {
    alsoRefuses: ({ operation, url, raw }) =>
      /^(users|cards)\./.test(operation) &&
      (/%27|%22|%3C|%25|'|%00/i.test(url) || /['<>%;]|--/.test(raw.toString('utf8').replaceAll('"', '')))
        ? { kind: 'route', name: 'attack' }
        : undefined,
    refusalStatus: ({ name }, byDefault) => (name === 'attack' ? 403 : byDefault),
  }),
  variant('texts are ASCII of at most 64 characters', 'format of texts: not shown', {
    alsoRefuses: ({ operation, url, raw }) =>
      /%[89a-f]/i.test(url) ||
      /[\u0080-\uffff]/.test(raw.toString('utf8')) ||
      (operation === 'cards.transfer' && /"[^"]{65,}"/.test(raw.toString('utf8')))
        ? { kind: 'range', name: 'text' }
        : undefined,
  }),
];

export const businessRuleVariants: readonly Variant[] = [
  ...transfers,
  ...states,
  nonces('UUIDs', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  nonces('hexadecimal', /^[0-9a-f]{16,}$/i),
  nonces('base64 of 16 bytes', /^[A-Za-z0-9+/]{22}==$/),
  lagging(150),
  oneAtATime((operation) => operation !== 'cards.get' && !/\.(get|list)/.test(operation)),
  oneAtATime(() => true),
  ...listings,
];
