/** Sound implementations with rules of their own for the states of cards: preconditions, cool-downs, and what a card shows in one. */
import type { OperationId } from '../../sandbox/index.ts';
import { amountOf, BUSINESS, cardOf, REFUSAL, type Refuses, remembering, variant } from './v3-rule.ts';
import type { Variant } from './variant.ts';

const TRANSITIONS = 'Transitions: not shown';

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

/** Takes one card of three, and nothing that a card shows says which. */
const oneOfThree = (operation: OperationId): Variant =>
  variant(`${operation} is for one card of three`, BUSINESS, {
    alsoRefuses: (request, world) => {
      const place = world.data.cards.indexOf(cardOf(request, world)!);
      return request.operation === operation && place % 3 !== 2 ? { kind: 'state', name: 'card' } : undefined;
    },
  });

/** Takes one of the only two active cards that a run is given. */
function suspendsOneOfTwo(): Variant {
  let refused: string | undefined;
  return {
    ...variant('cards.suspend is for one of the only two active cards', BUSINESS, {
      alsoRefuses: ({ operation, params }) =>
        operation === 'cards.suspend' && params.identifier === refused ? { kind: 'state', name: 'card' } : undefined,
    }),
    configure: ({ fixtures: { cards } }) => {
      cards!.active = cards!.active!.slice(0, 2);
      [refused] = cards!.active;
    },
  };
}

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

export const stateRuleVariants: readonly Variant[] = [
  onlyFrom('cards.markWalletProvisioned', 'only of a suspended card', ['suspended']),
  after('cards.close', 'cards.encryptForVde'),
  after('cards.markLost', 'cards.encryptForVde'),
  after('cards.markWalletProvisioned', 'cards.encryptForVde'),
  ...(['cards.close', 'cards.markLost', 'cards.markWalletProvisioned'] as const).map((operation) =>
    variant(`${operation} only of a card with a PIN`, TRANSITIONS, {
      allowsFrom: (of, { pin }, byDefault) => byDefault && !(of === operation && pin === undefined),
    }),
  ),
  variant(
    'cards.close, cards.markLost and cards.markWalletProvisioned only of a card with a PIN, and no PIN is good enough',
    TRANSITIONS,
    {
      allowsFrom: (of, _card, byDefault) =>
        byDefault && !['cards.close', 'cards.markLost', 'cards.markWalletProvisioned'].includes(of),
      alsoRefuses: ({ operation }) => (operation === 'cards.setPin' ? { kind: 'range', name: 'pin' } : undefined),
    },
  ),
  variant('cards.close only of an empty card, transfers at least 5.00', TRANSITIONS, {
    closesWithBalance: false,
    alsoRefuses: (request) => ((amountOf(request) ?? 5) >= 5 ? undefined : REFUSAL),
  }),
  variant('cards.close only of an empty card, transfers at most 2.00', TRANSITIONS, {
    closesWithBalance: false,
    alsoRefuses: (request) => ((amountOf(request) ?? 2) <= 2 ? undefined : REFUSAL),
  }),
  variant('cards.close not of a card that took part in a transfer today', TRANSITIONS, {
    alsoRefuses: ({ operation, params }, { transfers: booked }) =>
      operation === 'cards.close' &&
      booked.some((one) => [one.sourceIdentifier, one.targetIdentifier].includes(params.identifier ?? ''))
        ? { kind: 'state', name: 'card' }
        : undefined,
  }),
  onceEach('a card is suspended once a day', ['cards.suspend']),
  variant('states: a cool-down of 200 ms after each change', TRANSITIONS, { alsoRefuses: stateCoolDown(200) }, 500),
  ...(
    ['cards.suspend', 'cards.activate', 'cards.markWalletProvisioned', 'cards.close', 'cards.encryptForVde'] as const
  ).map(oneOfThree),
  suspendsOneOfTwo(),
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
  {
    name: 'cards: the identifier is not given back',
    basis: 'required flags: not shown',
    sandbox: {
      middleware: [
        (answer, { operation }) => {
          if (operation !== 'cards.get' || answer.status !== 200) return undefined;
          const { identifier: _identifier, ...body } = answer.body as Record<string, unknown>;
          return { ...answer, body };
        },
      ],
    },
  },
];
