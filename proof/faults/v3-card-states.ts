/** Faults of the states of cards: what a card may do in one, what leads out of it, and what an operation does besides. */
import { LEAVING_ALONE, STATE_CHANGING } from '../../contracts/v3/cards.ts';
import type { Card, OperationId, World } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import {
  answering,
  type Body,
  bodyIn,
  is,
  letThrough,
  memory,
  reading,
  refusedYetDone,
  refusing,
} from '../changed-sandbox.ts';
import { broken, fault, misanswered, withSeed } from './broken.ts';
import type { Fault } from './fault.ts';

// ---- what an operation does besides ------------------------------------------------------------------------------

/** What an accepted operation on a card does besides. */
const alsoDoes = (
  operation: OperationId,
  name: string,
  does: (card: Card, world: World, before: Card['state']) => void,
  more: Partial<Fault> = {},
): Fault => {
  const before = new WeakMap<Card, Card['state']>();
  const sandbox = {
    rules: reading(operation, ({ params }, { ownCards }) => {
      const card = ownCards.find(({ identifier }) => identifier === params.identifier);
      if (card) before.set(card, card.state);
    }),
    ...answering(operation, (_, { card, world }) => {
      if (card) does(card, world, before.get(card) ?? card.state);
    }),
  };
  return fault(`${operation} ${name}`, `${operation}.nothing-else`, sandbox, more);
};

/** With so few customers that each has cards in every state. */
const ofFewCustomers = (fault: Fault): Fault => ({ ...fault, sandbox: { ...fault.sandbox, customers: 5 } });

/** Where all cards that are listed are of the pools, so that others are to be tried from there. */
function ofPoolsAlone({ name, condemns, sandbox: { rules, ...sandbox } }: Fault): Fault {
  let pooled: readonly string[] = [];
  const hides: Rules['hides'] = (operation, item) =>
    operation === 'cards.list' && !pooled.includes((item as Card).identifier);
  return fault(
    `${name}, and no other cards are listed`,
    condemns,
    { ...sandbox, rules: { ...rules, hides } },
    {
      configure: ({ fixtures: { cards } }) => {
        pooled = [cards?.active, cards?.disposable, cards?.unused, cards?.fraud].flatMap((of) => of ?? []);
      },
    },
  );
}

const suspendIt = (card: Card) => {
  if (card.state === 'active') card.state = 'suspended';
};

const takeAll = (card: Card) => {
  card.balanceCents = 0;
};

const besides: readonly Fault[] = [
  ...(STATE_CHANGING as readonly OperationId[]).map((operation) =>
    alsoDoes(operation, 'is done to every card in that state', (card, { ownCards }, before) => {
      for (const other of ownCards) if (other.state === before) other.state = card.state;
    }),
  ),
  alsoDoes('cards.markWalletProvisioned', 'provisions all cards in that state', ({ state }, { ownCards }) => {
    for (const card of ownCards) if (card.state === state) card.isProvisionedToWallet = true;
  }),
  ...(LEAVING_ALONE as readonly OperationId[]).map((operation) => alsoDoes(operation, 'suspends the card', suspendIt)),
  ofPoolsAlone(alsoDoes('cards.createToken', 'suspends the card', suspendIt)),
  ofPoolsAlone(alsoDoes('cards.encryptForVde', 'suspends the card', suspendIt)),
  ofPoolsAlone(
    alsoDoes('cards.unmarkFraud', 'frees all cards with reported fraud', (_, { ownCards }) => {
      for (const card of ownCards) if (card.state === 'fraud') card.state = 'active';
    }),
  ),
  alsoDoes('cards.suspend', 'takes the balance', takeAll),
  alsoDoes('cards.unsuspend', 'takes the balance', takeAll),
  alsoDoes('cards.markLost', 'takes the balance', takeAll),
  alsoDoes('cards.markWalletProvisioned', 'takes the money of the card', takeAll, withSeed(1)),
  alsoDoes('cards.reissue', 'takes the money of the card', takeAll, withSeed(1)),
  alsoDoes('cards.close', 'passes the balance on to another card of the customer', (closed, { ownCards }) => {
    const isHeir = ({ state, customerIdentifier }: Card) =>
      state === 'active' && customerIdentifier === closed.customerIdentifier;
    const heir = ownCards.find(isHeir);
    if (heir) heir.balanceCents += closed.balanceCents;
    takeAll(closed);
  }),
  ofFewCustomers(
    alsoDoes('cards.activate', 'is done to all cards of the customer', ({ customerIdentifier }, { ownCards }) => {
      for (const card of ownCards) if (card.customerIdentifier === customerIdentifier) card.state = 'active';
    }),
  ),
  ofFewCustomers(
    alsoDoes('cards.suspend', 'is done to all cards of the customer', ({ customerIdentifier }, { ownCards }) => {
      for (const card of ownCards) if (card.customerIdentifier === customerIdentifier) suspendIt(card);
    }),
  ),
  alsoDoes('cards.suspend', 'is done to all cards of the order', ({ orderIdentifier }, { ownCards }) => {
    for (const card of ownCards) if (card.orderIdentifier === orderIdentifier) suspendIt(card);
  }),
  ofFewCustomers(
    alsoDoes('cards.suspend', 'takes the money of the other cards of the customer', (suspended, { ownCards }) => {
      for (const card of ownCards)
        if (card.state === 'active' && card.customerIdentifier === suspended.customerIdentifier)
          card.record.balanceCents = card.balanceCents = 0;
    }),
  ),
];

// ---- suspended cards ---------------------------------------------------------------------------------------------

/** Cards that were unsuspended pay nothing any more. */
function neverPaysAgain(): Fault {
  const freedIn = memory(() => new Set<string>());
  let freed: ReadonlySet<string> = new Set();
  return fault(
    'a card that was unsuspended never pays again',
    'cards.unsuspend.pays-again',
    {
      rules: {
        meanwhile: (world) => {
          freed = freedIn(world);
        },
        paysFrom: ({ identifier }, byDefault) => byDefault && !freed.has(identifier),
      },
      ...answering('cards.unsuspend', (_, { card, world }) => {
        if (card) freedIn(world).add(card.identifier);
      }),
    },
    // What suspends all cards of the pool, so that none of them pays any more.
    { also: ['cards.suspend', 'cards.transfer'] },
  );
}

/** What a suspended card was paid is gone once it is unsuspended. */
function restoresBalance(): Fault {
  const heldIn = memory(() => new Map<string, number>());
  const suspend = answering('cards.suspend', (_, { card, world }) => {
    if (card) heldIn(world).set(card.identifier, card.balanceCents);
  });
  const unsuspend = answering('cards.unsuspend', (_, { card, world }) => {
    const held = card && heldIn(world).get(card.identifier);
    if (held !== undefined) card!.balanceCents = held;
  });
  return fault('cards.unsuspend puts back the balance at the suspension', 'cards.transfer.conserves-money', {
    rules: { paysTo: ({ state }, byDefault) => byDefault || state === 'suspended' },
    middleware: [suspend, unsuspend].flatMap(({ middleware = [] }) => middleware),
  });
}

const suspended: readonly Fault[] = [
  neverPaysAgain(),
  restoresBalance(),
  {
    ...broken(
      'reported fraud is never unmarked',
      'cards.unmarkFraud.required-only',
      refusing({ kind: 'range', name: 'fraud' }, ({ operation }) => operation === 'cards.unmarkFraud'),
    ),
    also: ['cards.activate'],
  },
  broken(
    'the record of a suspended card cannot be read',
    'cards.suspend.record-readable',
    refusing(
      { kind: 'state', name: 'suspended' },
      ({ operation, params }, { ownCards }) =>
        operation === 'cards.get' &&
        ownCards.some(({ identifier, state }) => identifier === params.identifier && state === 'suspended'),
    ),
  ),
  broken(
    'a suspended card that somebody pays is Active',
    'cards.suspend.not-active',
    reading('cards.transfer', (request, { cardById }) => {
      const card = cardById.get(String(bodyIn(request).targetCardIdentifier));
      if (card?.state === 'suspended') card.state = 'active';
    }),
  ),
  broken('an unsuspended card is deactivated', 'cards.unsuspend.active', {
    stateAfter: (operation, _card, byDefault) => (operation === 'cards.unsuspend' ? 'deactivated' : byDefault),
  }),
];

// ---- activated and ended cards -----------------------------------------------------------------------------------

const isActiveAgain = (operation: OperationId, { state }: Card) => operation === 'cards.activate' && state === 'active';

/** A card comes from one state into another whenever somebody asks for an operation, though that may be refused. */
const comes = (
  name: string,
  condemns: string,
  [from, to]: readonly [Card['state'], Card['state']],
  isMeant: (operation: OperationId, card: Card) => boolean,
): Fault =>
  fault(name, condemns, {
    middleware: [
      (_, { operation, card, refusal }) => {
        if (card?.state === from && card.history.length > 0 && refusal?.kind !== 'token' && isMeant(operation, card))
          card.record.state = card.state = to;
        return undefined;
      },
    ],
  });

const others: readonly Fault[] = [
  broken('a second activation is refused, and closes the card', 'cards.activate.active', {
    refusedStillTakesEffect: ({ operation, kind, card }) =>
      kind === 'state' && card !== undefined && isActiveAgain(operation, card),
    stateAfter: (operation, card, byDefault) => (isActiveAgain(operation, card) ? 'closed' : byDefault),
  }),
  broken('a second activation deactivates the card', 'cards.activate.active', {
    allowsFrom: (operation, card, byDefault) => byDefault || isActiveAgain(operation, card),
    stateAfter: (operation, card, byDefault) => (isActiveAgain(operation, card) ? 'deactivated' : byDefault),
  }),
  comes(
    'a card that was activated is unused once its balance is read',
    'cards.activate.active',
    ['active', 'unused'],
    (operation, { history }) => operation === 'cards.getBalance' && history.at(-1) === 'cards.activate',
  ),
  comes(
    'a closed card is Active after cards.markWalletProvisioned',
    'cards.close.stays-closed',
    ['closed', 'active'],
    (operation) => operation === 'cards.markWalletProvisioned',
  ),
  broken('a transfer to a closed card is taken and lost', 'cards.transfer.to-closed-loses-nothing', {
    ...letThrough(is('cards.transfer', { kind: 'state', name: /^(?!source$)/ })),
    transferCredit: (cents, _exact, target) => (target.state === 'closed' ? 0 : cents),
  }),
  broken('a transfer to a lost card is taken and lost', 'cards.transfer.to-closed-loses-nothing', {
    ...letThrough(is('cards.transfer', { kind: 'state', name: /^(?!source$)/ })),
    transferCredit: (cents, _exact, target) => (target.state === 'lost' ? 0 : cents),
  }),
  broken(
    'cards.markLost without a good token is refused and done, and the card is not found',
    'cards.markLost.requires-token',
    {
      ...refusedYetDone(is('cards.markLost', { kind: 'token' })),
      ...refusing({ kind: 'unknown', name: 'identifier' }, ({ params }, { cardById }) =>
        /^(closed|lost)$/.test(cardById.get(params.identifier ?? '')?.state ?? ''),
      ),
    },
  ),
  broken(
    'activating a lost card is refused, yet done',
    'cards.markLost.refused-changes-nothing',
    refusedYetDone((refusal) => is('cards.activate', { kind: 'state' })(refusal) && refusal.card?.state === 'lost'),
  ),
];

// ---- provisioned cards, and balances -----------------------------------------------------------------------------

const PROVISIONING = 'cards.markWalletProvisioned';

/** What was provisioned is not any more once the balance was asked for: the reading itself still shows it. */
function provisioningUndone(): Fault {
  const beforeIn = memory(() => new Map<Card, Pick<Card, 'state' | 'isProvisionedToWallet'>>());
  return fault(`${PROVISIONING} is undone by cards.getBalance`, 'cards.markWalletProvisioned.provisioned', {
    rules: reading(PROVISIONING, ({ params }, world) => {
      const card = world.cardById.get(params.identifier ?? '');
      if (!card || beforeIn(world).has(card)) return;
      beforeIn(world).set(card, { state: card.state, isProvisionedToWallet: card.isProvisionedToWallet });
    }),
    ...answering('cards.getBalance', (_, { card, world }) => {
      const before = beforeIn(world).get(card!);
      if (!before) return;
      Object.assign(card!, before);
      card!.record.state = before.state;
      beforeIn(world).delete(card!);
    }),
  });
}

const provisioned: readonly Fault[] = [
  provisioningUndone(),
  misanswered(
    'a card is provisioned in the year 1970',
    'cards.markWalletProvisioned.date-about-now',
    'cards.get',
    (body) => {
      if (body.provisionedDate !== undefined) body.provisionedDate = '1970-01-01T00:00:00Z';
    },
  ),
  {
    ...misanswered(
      'a card that is provisioned is found by its proxy as not provisioned',
      'cards.markWalletProvisioned.provisioned',
      'cards.get',
      (body, { request }) => {
        if (request.query.byProxy === 'true') body.isProvisionedToWallet = false;
      },
    ),
    // The program of the cards of all pools.
    configure: ({ fixtures }) => {
      fixtures.cards!.filters!.programIdentifier = 'PRG-1010';
    },
  },
  fault(
    'a card that is provisioned is listed among related cards as not provisioned',
    'cards.markWalletProvisioned.provisioned',
    {
      rules: { relatedCards: (card, byDefault) => (byDefault.length > 0 ? byDefault : [card]) },
      ...answering('cards.listRelated', ({ results }) => {
        for (const card of results as Body[]) card.isProvisionedToWallet = false;
      }),
    },
  ),
  broken('the record of a card keeps the balance that it had at first', 'cards.getBalance.refreshes-record', {
    recordFollows: (_operation, member) => member !== 'balance',
  }),
];

export const cardStateFaults: readonly Fault[] = [...besides, ...suspended, ...others, ...provisioned];
