/** Faults of the states of cards: what a card may do in one, what leads out of it, and what a reading undoes. */
import type { AnswerFilter, Card, OperationId, Rules, SandboxRequest, World } from '../../sandbox/index.ts';
import { answering, broken, letThrough, misanswered, refusedYetDone, seeded, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

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

/** With few cards, an operation on one frees all others that are suspended. */
function freeingOthers(name: string, operation: OperationId): Fault {
  let cards: readonly Card[] = [];
  return {
    name: `few cards: ${name}`,
    condemns: ['cards.suspend.not-active'],
    sandbox: {
      pools: { active: 4 },
      rules: {
        meanwhile: (world) => {
          cards = world.data.cards;
        },
        stateAfter: (of, card, byDefault) => {
          const others = cards.filter((other) => other !== card && other.state === 'suspended');
          if (of === operation) for (const other of others) other.state = 'active';
          return byDefault;
        },
      },
    },
  };
}

/** What is asked of a lost card, by the seed. */
const LOST_MAY_BE_ASKED = [
  'cards.markLost',
  'cards.reissue',
  'cards.activate',
  'cards.suspend',
  'cards.setPin',
  'cards.close',
] as const;

/** An operation that fails where a card is in a state that it does not know. @param seenBy what is judged of a card in that state */
const failingIn = (state: Card['state'], operation: OperationId, seenBy: string): Fault =>
  thoroughly({
    ...broken(`${operation} of a card that is ${state} is answered with 500`, `${operation}.status`, {
      alsoRefuses: (request, { cardById }) =>
        request.operation === operation && cardById.get(request.params.identifier ?? '')?.state === state
          ? { kind: 'state', name: state }
          : undefined,
      refusalStatus: ({ name }, byDefault) => (name === state ? 500 : byDefault),
    }),
    also: [seenBy],
  });

/** A card that is not Active has no readable balance, and no readable status. */
const UNREADABLE: Partial<Rules> = {
  alsoRefuses: ({ operation, params }, { cardById }) => {
    const state = cardById.get(params.identifier ?? '')?.state ?? 'active';
    const isMeant = ['cards.getBalance', 'cards.getStatus'].includes(operation) && state !== 'active';
    return isMeant ? { kind: 'state', name: 'card' } : undefined;
  },
};

/** The fault, of a target whose records show no status. */
const unseen = (name: string, condemns: string, rules: Partial<Rules>): Fault => ({
  name: `${name}, and no record shows a status`,
  condemns: [condemns],
  sandbox: {
    rules,
    ...answering('cards.get', (body) => {
      delete body.status;
    }),
  },
});

/** A card that is not Active is freed by unsuspend, and every card has the same number. */
const sameNumber = (state: Card['state']): Fault => {
  const { name, condemns, sandbox } = reopens('cards.unsuspend', state, 'cards.unsuspend.leaves-others');
  return {
    name: `${name}, and all have one number`,
    condemns,
    sandbox: { rules: { ...sandbox.rules, statusNumber: () => 1 } },
  };
};

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

/** Hours after an operation its effect is undone. */
function undoneHoursLater(name: string, operation: OperationId, condemns: string): Fault {
  const done = new WeakMap<World, Map<Card, number>>();
  return {
    name,
    condemns: [condemns],
    sandbox: {
      middleware: [
        ({ status }, { operation: of, card, world, nowMs }) => {
          if (!done.has(world)) done.set(world, new Map());
          const since = done.get(world)!;
          if (of === operation && status < 300 && card) since.set(card, nowMs);
          for (const [one, at] of since)
            if (nowMs > at + HOUR_MS) {
              one.state = 'active';
              one.record.state = 'active';
            }
          return undefined;
        },
      ],
    },
  };
}

/** The program of the cards of all pools. */
const PROGRAM_OF_POOLS = 'PRG-1010';

/** Milliseconds of an hour. */
const HOUR_MS = 3_600_000;

/** With so few customers that each has cards in every state. */
const ofFewCustomers = (fault: Fault): Fault => ({ ...fault, sandbox: { ...fault.sandbox, customers: 5 } });

/** What an accepted operation on a card does besides. */
const alsoDoes = (
  operation: OperationId,
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
  {
    name: 'the balance of a suspended card reads 0 until it is freed',
    condemns: ['cards.suspend.nothing-else'],
    sandbox: {
      middleware: [
        (answer, { operation, card }) =>
          operation === 'cards.getBalance' && answer.status === 200 && card?.state === 'suspended'
            ? { ...answer, body: { balance: 0 } }
            : undefined,
      ],
    },
  },
  broken('the record of a suspended card cannot be read', 'cards.suspend.record-readable', {
    alsoRefuses: ({ operation, params }, { ownCards }) =>
      operation === 'cards.get' &&
      ownCards.some(({ identifier, state }) => identifier === params.identifier && state === 'suspended')
        ? { kind: 'state', name: 'suspended' }
        : undefined,
  }),
  {
    name: 'the listing shows suspended and closed cards as they were made',
    condemns: ['cards.list.agrees-with-record'],
    also: ['cards.close.not-active'],
    sandbox: answering('cards.list', (body) => {
      for (const card of body.results as Record<string, unknown>[])
        if (card.status === 'Suspended' || card.status === 'Closed') card.status = 'Active';
    }),
  },
  {
    name: 'the listing shows suspended cards as Active',
    condemns: ['cards.list.agrees-with-record'],
    sandbox: answering('cards.list', (body) => {
      for (const card of body.results as Record<string, unknown>[])
        if (card.status === 'Suspended') card.status = 'Active';
    }),
  },
  {
    name: 'the listing shows a balance of one cent more',
    condemns: ['cards.list.agrees-with-record'],
    sandbox: answering('cards.list', (body) => {
      for (const card of body.results as Record<string, unknown>[])
        if (typeof card.balance === 'number') card.balance += 0.01;
    }),
  },
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
  undoneHoursLater('a closed card is Active hours later', 'cards.close', 'cards.close.stays-closed'),
  endedUnguarded('cards.close'),
  endedUnguarded('cards.markLost'),
  ...(['suspend', 'close'] as const).map((operation) =>
    unseen(`cards.${operation} is refused in every state`, `cards.${operation}.required-only`, {
      allowsFrom: (of, _card, byDefault) => byDefault && of !== `cards.${operation}`,
    }),
  ),
  unseen('cards.unsuspend has no effect', 'cards.unsuspend.pays-again', {
    takesEffect: (operation) => operation !== 'cards.unsuspend',
  }),
  sameNumber('unused'),
  sameNumber('fraud'),
  broken('a suspended card pays, and has no readable balance', 'cards.suspend.stops-payments', {
    ...UNREADABLE,
    paysFrom: (card, byDefault) => byDefault || card.state === 'suspended',
  }),
  broken('a card that is unsuspended does not pay, and has no readable balance before', 'cards.unsuspend.pays-again', {
    ...UNREADABLE,
    paysFrom: (card, byDefault) => byDefault && !card.history.includes('cards.unsuspend'),
  }),
  thoroughly(
    broken('a temporary token of a suspended card ends its suspension', 'cards.suspend.stops-payments', {
      meanwhile: (world, { operation, params }) => {
        const card = world.cardById.get(params.identifier ?? '');
        if (operation === 'cards.createToken' && card?.state === 'suspended') card.state = 'active';
      },
    }),
  ),
  broken(
    'a closed card pays, though that is refused',
    'cards.close.stops-payments',
    refusedYetDone(
      ({ operation, kind, card }) => operation === 'cards.transfer' && kind === 'state' && card?.state === 'closed',
    ),
  ),
  broken('a lost or closed card that was suspended before is unsuspended', 'cards.unsuspend.leaves-others', {
    allowsFrom: (operation, { state, history }, byDefault) =>
      byDefault ||
      (operation === 'cards.unsuspend' && ['lost', 'closed'].includes(state) && history.includes('cards.suspend')),
  }),
  broken(
    'unsuspending a closed card is refused, yet done',
    'cards.unsuspend.leaves-others',
    refusedYetDone(
      ({ operation, kind, card }) => operation === 'cards.unsuspend' && kind === 'state' && card?.state === 'closed',
    ),
  ),
  broken(
    'activating a closed card is refused, yet done',
    'cards.activate.leaves-closed',
    refusedYetDone(
      ({ operation, kind, card }) => operation === 'cards.activate' && kind === 'state' && card?.state === 'closed',
    ),
  ),
  broken(
    'activating a lost card is refused, yet done',
    'cards.markLost.refused-changes-nothing',
    refusedYetDone(
      ({ operation, kind, card }) => operation === 'cards.activate' && kind === 'state' && card?.state === 'lost',
    ),
  ),
  freeingOthers('one is suspended at a time', 'cards.suspend'),
  freeingOthers('the end of one suspension ends all', 'cards.unsuspend'),
  ...LOST_MAY_BE_ASKED.map((operation) => failingIn('lost', operation, 'cards.markLost.refused-changes-nothing')),
  failingIn('lost', 'cards.createToken', 'cards.markLost.refused-changes-nothing'),
  failingIn('closed', 'cards.listRelated', 'cards.close.stays-closed'),
  failingIn('unused', 'cards.encryptForVde', 'cards.activate.active'),
  failingIn('fraud', 'cards.createToken', 'cards.unmarkFraud.required-only'),
  broken('a second activation is refused, and closes the card', 'cards.activate.active', {
    refusedStillTakesEffect: ({ operation, kind, card }) =>
      operation === 'cards.activate' && kind === 'state' && card?.state === 'active',
    stateAfter: (operation, { state }, byDefault) =>
      operation === 'cards.activate' && state === 'active' ? 'closed' : byDefault,
  }),
  broken('where transfers cost a fee, a card is not suspended a second time', 'cards.suspend.not-active', {
    transferDebit: (cents) => (cents > 0 ? cents + 25 : cents),
    stateAfter: (operation, { history }, byDefault) =>
      operation === 'cards.suspend' && history.includes('cards.unsuspend') ? 'active' : byDefault,
  }),
  broken('a card that is unsuspended twice pays no more', 'cards.unsuspend.pays-again', {
    allowsFrom: (operation, { state }, byDefault) =>
      (operation === 'cards.unsuspend' && state === 'active') || byDefault,
    paysFrom: ({ history }, byDefault) =>
      byDefault && !(history.at(-1) === 'cards.unsuspend' && history.at(-2) === 'cards.unsuspend'),
  }),
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
  {
    name: 'a card that is provisioned is listed as not provisioned',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: answering('cards.list', (body) => {
      for (const card of body.results as Record<string, unknown>[]) card.isProvisionedToWallet = false;
    }),
  },
  misanswered(
    'a card is provisioned in the year 1970',
    'cards.markWalletProvisioned.date-about-now',
    'cards.get',
    (body) => {
      if (body.provisionedDate !== undefined) body.provisionedDate = '1970-01-01T00:00:00Z';
    },
  ),
  misanswered('a card that is not provisioned was so at an empty time', 'cards.get.shape', 'cards.get', (body) => {
    body.provisionedDate ??= '';
  }),
  {
    name: 'a card that is provisioned twice is not provisioned any more',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: {
      middleware: [
        ({ status }, { operation, card }) => {
          const times = card?.history.filter((one) => one === 'cards.markWalletProvisioned').length;
          if (operation === 'cards.markWalletProvisioned' && status === 201 && times === 2)
            card!.isProvisionedToWallet = false;
          return undefined;
        },
      ],
    },
  },
  {
    ...broken('an Active card without balance is not closed', 'cards.close.not-active', {
      stateAfter: (operation, { state, balanceCents }, byDefault) =>
        operation === 'cards.close' && state === 'active' && balanceCents === 0 ? 'active' : byDefault,
    }),
    // What ends a card that was activated depends on the seed; on the sandbox, sequences close one, too.
    configure: ({ run, target }) => {
      run.seed = 20_261;
      target.embedded = false;
    },
  },
  ...(['cards.setPin', 'cards.markWalletProvisioned'] as const).map((operation) =>
    broken(`${operation} ends a suspension`, 'cards.suspend.not-active', {
      meanwhile: (world, { operation: of, params }) => {
        const card = world.cardById.get(params.identifier ?? '');
        if (of === operation && card?.state === 'suspended') card.state = 'active';
      },
    }),
  ),
  broken('a card that is suspended again pays', 'cards.suspend.stops-payments', {
    paysFrom: ({ state, history }, byDefault) =>
      byDefault || (state === 'suspended' && history.includes('cards.unsuspend')),
  }),
  broken('a suspended card pays a suspended one', 'cards.suspend.stops-payments', {
    ...letThrough(
      ({ operation, kind, request, card }) =>
        operation === 'cards.transfer' && kind === 'state' && card?.state === 'suspended' && bothSuspended(request),
    ),
    meanwhile: (world, request) => void worlds.set(request, world),
  }),
  {
    name: 'a PIN takes a card out of its wallet',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: {
      rules: {
        meanwhile: (world, { operation, params }) => {
          const card = world.cardById.get(params.identifier ?? '');
          if (operation === 'cards.setPin' && card) card.isProvisionedToWallet = false;
        },
      },
    },
  },
  {
    name: 'a card that is provisioned is found by its temporary token as not provisioned',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: answering('cards.get', (body, { request }) => {
      if (request.query.byToken === 'true') body.isProvisionedToWallet = false;
    }),
  },
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
  {
    name: 'the record never shows that a card is provisioned',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: answering('cards.get', (body) => {
      body.isProvisionedToWallet = false;
    }),
  },
  undoneBy('cards.get', 'cards.suspend', 'cards.suspend.not-active'),
  undoneBy('cards.get', 'cards.unsuspend', 'cards.unsuspend.active'),
  undoneBy('cards.getBalance', 'cards.unsuspend', 'cards.unsuspend.active'),
  undoneBy('cards.get', 'cards.activate', 'cards.activate.active'),
  undoneBy('cards.getBalance', 'cards.markWalletProvisioned', 'cards.markWalletProvisioned.provisioned'),
  ...(['cards.getBalance', 'cards.createToken', 'cards.setPin', 'cards.markWalletProvisioned'] as const).map(
    (operation) =>
      alsoDoes(operation, 'suspends the card', (card) => {
        if (card.state === 'active') card.state = 'suspended';
      }),
  ),
  ...(['cards.setPin', 'cards.markWalletProvisioned', 'cards.reissue'] as const).map((operation) =>
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
