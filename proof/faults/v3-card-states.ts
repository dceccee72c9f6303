/** Faults of the states of cards: what a card may do in one, what leads out of it, and what a reading undoes. */
import { LEAVING_ALONE } from '../../contracts/v3/cards.ts';
import type { AnswerFilter, Card, OperationId, SandboxRequest, World } from '../../sandbox/index.ts';
import { answering, broken, letThrough, misanswered, refusedYetDone, seeded, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const worlds = new WeakMap<SandboxRequest, Parameters<NonNullable<Parameters<typeof broken>[2]['meanwhile']>>[0]>();

/** Whether both cards of a transfer are suspended. */
function bothSuspended(request: SandboxRequest): boolean {
  const { targetCardIdentifier } = (request.body ?? {}) as { targetCardIdentifier?: string };
  const world = worlds.get(request);
  const named = [request.params.identifier, targetCardIdentifier];
  return named.every((identifier) => world?.cardById.get(identifier ?? '')?.state === 'suspended');
}

/** A change of a card is undone once an operation was asked to read the card: the reading itself still shows it. */
function undoneBy(reading: OperationId, change: OperationId, condemns: string): Fault {
  const before = new WeakMap<World, Map<Card, Pick<Card, 'state' | 'isProvisionedToWallet'>>>();
  const undo: AnswerFilter = (answer, { operation, card, world }) => {
    const was = before.get(world)?.get(card!);
    if (operation !== reading || !was || answer.status >= 300) return undefined;
    Object.assign(card!, was);
    card!.record.state = was.state;
    before.get(world)!.delete(card!);
    return undefined;
  };
  return {
    name: `${change} is undone by ${reading}`,
    condemns: [condemns],
    sandbox: {
      rules: {
        meanwhile: (world, { operation, params }) => {
          const card = world.cardById.get(params.identifier ?? '');
          if (operation !== change || !card || before.get(world)?.has(card)) return;
          const { state, isProvisionedToWallet } = card;
          before.set(world, (before.get(world) ?? new Map()).set(card, { state, isProvisionedToWallet }));
        },
      },
      middleware: [undo],
    },
  };
}

/** What ends a card works without a good token though that is refused, and a card that came to its end is not found. */
const endedUnguarded = (operation: 'cards.close' | 'cards.markLost'): Fault =>
  broken(
    `${operation} without a good token is refused and done, and the card is not found`,
    `${operation}.requires-token`,
    {
      ...refusedYetDone(({ operation: of, kind }) => of === operation && kind === 'token'),
      alsoRefuses: ({ params }, { cardById }) =>
        ['closed', 'lost'].includes(cardById.get(params.identifier ?? '')?.state ?? '')
          ? { kind: 'unknown', name: 'identifier' }
          : undefined,
    },
  );

/** The program of the cards of all pools. */
const PROGRAM_OF_POOLS = 'PRG-1010';

/** With so few customers that each has cards in every state. */
const ofFewCustomers = (fault: Fault): Fault => ({ ...fault, sandbox: { ...fault.sandbox, customers: 5 } });

/** What an accepted operation on a card does besides. */
const alsoDoes = (
  operation: string,
  name: string,
  does: (card: Card, world: World, before: Card['state']) => void,
): Fault => {
  const before = new WeakMap<Card, Card['state']>();
  return {
    name: `${operation} ${name}`,
    condemns: [`${operation}.nothing-else`],
    sandbox: {
      rules: {
        meanwhile: ({ ownCards }, { operation: of, params }) => {
          const card = ownCards.find(({ identifier }) => of === operation && identifier === params.identifier);
          if (card) before.set(card, card.state);
        },
      },
      middleware: [
        (answer, { operation: of, card, world }) => {
          if (of === operation && answer.status < 300 && card) does(card, world, before.get(card) ?? card.state);
          return undefined;
        },
      ],
    },
  };
};

export const cardStateFaults: readonly Fault[] = [
  broken('the record of a suspended card cannot be read', 'cards.suspend.record-readable', {
    alsoRefuses: ({ operation, params }, { ownCards }) =>
      operation === 'cards.get' &&
      ownCards.some(({ identifier, state }) => identifier === params.identifier && state === 'suspended')
        ? { kind: 'state', name: 'suspended' }
        : undefined,
  }),
  broken('a transfer to a closed card is taken and lost', 'cards.transfer.to-closed-loses-nothing', {
    ...letThrough(
      ({ operation, name, kind }) => operation === 'cards.transfer' && kind === 'state' && name !== 'source',
    ),
    transferCredit: (cents, _exact, target) => (target.state === 'closed' ? 0 : cents),
  }),
  ...(
    [
      'cards.suspend',
      'cards.unsuspend',
      'cards.activate',
      'cards.markLost',
      'cards.unmarkFraud',
      'cards.close',
    ] as const
  ).map((operation) =>
    alsoDoes(operation, 'is done to every card in that state', (card, { ownCards }, before) => {
      for (const other of ownCards) if (other.state === before) other.state = card.state;
    }),
  ),
  ofFewCustomers(
    alsoDoes('cards.activate', 'is done to all cards of the customer', (card, { ownCards }) => {
      for (const other of ownCards) if (other.customerIdentifier === card.customerIdentifier) other.state = 'active';
    }),
  ),
  ...(['cards.suspend', 'cards.unsuspend'] as const).map((operation) =>
    alsoDoes(operation, 'takes the balance', (card) => {
      card.balanceCents = 0;
    }),
  ),
  endedUnguarded('cards.markLost'),
  broken(
    'activating a lost card is refused, yet done',
    'cards.markLost.refused-changes-nothing',
    refusedYetDone(
      ({ operation, kind, card }) => operation === 'cards.activate' && kind === 'state' && card?.state === 'lost',
    ),
  ),
  broken('a second activation is refused, and closes the card', 'cards.activate.active', {
    refusedStillTakesEffect: ({ operation, kind, card }) =>
      operation === 'cards.activate' && kind === 'state' && card?.state === 'active',
    stateAfter: (operation, { state }, byDefault) =>
      operation === 'cards.activate' && state === 'active' ? 'closed' : byDefault,
  }),
  misanswered(
    'a card is provisioned in the year 1970',
    'cards.markWalletProvisioned.date-about-now',
    'cards.get',
    (body) => {
      if (body.provisionedDate !== undefined) body.provisionedDate = '1970-01-01T00:00:00Z';
    },
  ),
  broken('a suspended card pays a suspended one', 'cards.suspend.stops-payments', {
    ...letThrough(
      ({ operation, kind, request, card }) =>
        operation === 'cards.transfer' && kind === 'state' && card?.state === 'suspended' && bothSuspended(request),
    ),
    meanwhile: (world, request) => void worlds.set(request, world),
  }),
  thoroughly({
    name: 'a card that is provisioned is found by its proxy as not provisioned',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: answering('cards.get', (body, { request }) => {
      if (request.query.byProxy === 'true') body.isProvisionedToWallet = false;
    }),
    configure: ({ fixtures }) => {
      fixtures.cards!.filters!.programIdentifier = PROGRAM_OF_POOLS;
    },
  }),
  {
    name: 'a card that is provisioned is listed among related cards as not provisioned',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: {
      rules: { relatedCards: (card, byDefault) => (byDefault.length > 0 ? byDefault : [card]) },
      ...answering('cards.listRelated', (body) => {
        for (const card of body.results as Record<string, unknown>[]) card.isProvisionedToWallet = false;
      }),
    },
  },
  {
    name: 'an unsuspended card is deactivated',
    condemns: ['cards.unsuspend.active'],
    sandbox: {
      rules: {
        stateAfter: (operation, _card, byDefault) => (operation === 'cards.unsuspend' ? 'deactivated' : byDefault),
      },
    },
  },
  broken('the record of a card keeps the balance that it had at first', 'cards.getBalance.refreshes-record', {
    recordFollows: (_operation, member) => member !== 'balance',
  }),
  undoneBy('cards.getBalance', 'cards.markWalletProvisioned', 'cards.markWalletProvisioned.provisioned'),
  ...LEAVING_ALONE.map((operation) =>
    alsoDoes(operation, 'suspends the card', (card) => {
      if (card.state === 'active') card.state = 'suspended';
    }),
  ),
  ...(['cards.markWalletProvisioned', 'cards.reissue'] as const).map((operation) =>
    seeded(
      alsoDoes(operation, 'takes the money of the card', (card) => {
        card.balanceCents = 0;
      }),
      1,
    ),
  ),
  ofFewCustomers(
    alsoDoes(
      'cards.suspend',
      'takes the money of the other cards of the customer',
      ({ customerIdentifier }, { ownCards }) => {
        for (const card of ownCards)
          if (card.state === 'active' && card.customerIdentifier === customerIdentifier)
            card.record.balanceCents = card.balanceCents = 0;
      },
    ),
  ),
  alsoDoes('cards.markWalletProvisioned', 'provisions all cards in that state', ({ state }, { ownCards }) => {
    for (const card of ownCards) if (card.state === state) card.isProvisionedToWallet = true;
  }),
  broken('a second activation deactivates the card', 'cards.activate.active', {
    allowsFrom: (of, card, byDefault) => byDefault || (of === 'cards.activate' && card.state === 'active'),
    stateAfter: (of, card, byDefault) =>
      of === 'cards.activate' && card.state === 'active' ? 'deactivated' : byDefault,
  }),
];
