/**
 * Faults of cards that one request does not show: a node that never learns of a change, another card's data under the right identifier,
 * what is sent beside a payment that is to be refused, three cards at the same moment, a filter that takes what resembles a value, a state that something harmless ends.
 */
import type { AnswerContext, AnswerFilter, Card, CardState, OperationId } from '../../sandbox/index.ts';
import { broken, letThrough, seeded } from './broken.ts';
import type { Fault } from './fault.ts';

const thoroughly = (fault: Fault): Fault => ({
  ...fault,
  configure: ({ run }) => {
    run.thorough = true;
  },
});
const filtering = (name: string, condemns: string, filter: AnswerFilter): Fault => ({
  name,
  condemns: [condemns],
  sandbox: { middleware: [filter] },
});

// ---- nodes that never learn --------------------------------------------------------------------------------------

/** Every second reading of a card whose state was changed is by a node that shows it as it was, for good. */
function halfForgotten(state: CardState, shown: string, condemns: string): Fault {
  const readings = new WeakMap<Card, number>();
  return filtering(`every second record of a card that is ${state} says ${shown}`, condemns, (answer, context) => {
    const { operation, card } = context;
    if (operation !== 'cards.get' || card?.state !== state || card.history.length === 0) return undefined;
    readings.set(card, (readings.get(card) ?? 0) + 1);
    if (readings.get(card)! % 2 === 0) (answer.body as { status: string }).status = shown;
    return undefined;
  });
}

const nodes: Fault[] = [halfForgotten('active', 'Suspended', 'cards.unsuspend.active')];

// ---- another card ------------------------------------------------------------------------------------------------

/** The identifier is that of the card, and the rest the next one's. */
const restOfTheNext = (flag: 'byToken' | 'byProxy', condemns: string): Fault =>
  filtering(`a card that is looked up ${flag} has the data of the next one`, condemns, (answer, context) => {
    const { operation, request, card, world } = context;
    if (operation !== 'cards.get' || request.query[flag] !== 'true' || answer.status >= 300) return undefined;
    const next = world.ownCards[world.ownCards.indexOf(card!) + 1]!;
    const { customerIdentifier, externalIdentifier, cardNumberLastFour } = next;
    Object.assign(answer.body as object, { customerIdentifier, externalIdentifier, cardNumberLastFour });
    return undefined;
  });

/** A transfer to what resembles the identifier of a card pays that card. */
const targetFoundBy = (name: string, finds: (sent: string, identifier: string) => boolean): Fault =>
  broken(name, 'cards.transfer.unknown-target', {
    meanwhile: ({ cardById, ownCards }, { operation, body }) => {
      const asked = (body ?? {}) as { targetCardIdentifier?: unknown };
      const { targetCardIdentifier: sent } = asked;
      if (operation !== 'cards.transfer' || typeof sent !== 'string' || cardById.has(sent)) return;
      const found = ownCards.find(({ identifier }) => finds(sent, identifier));
      if (found) asked.targetCardIdentifier = found.identifier;
    },
  });

const others: Fault[] = [
  restOfTheNext('byToken', 'cards.get.by-token'),
  seeded(
    targetFoundBy(
      'a transfer pays the card that begins with its target',
      (sent, card) => sent.length > 12 && card.startsWith(sent),
    ),
    2,
  ),
];

// ---- beside a payment that is to be refused ----------------------------------------------------------------------

type Body = { comment?: unknown; customFields?: unknown };
/** A card that is to pay nothing pays some amounts. */
const paysAmounts = (
  name: string,
  condemns: string,
  state: CardState,
  isMeant: (cents: number, card: Card) => boolean,
) =>
  thoroughly(
    broken(
      `a ${state} card pays ${name}`,
      condemns,
      letThrough(({ operation, kind, name: what, card, request }) => {
        const { amount } = (request.body ?? {}) as { amount?: unknown };
        const isOfSource = operation === 'cards.transfer' && kind === 'state' && what === 'source';
        return isOfSource && card?.state === state && isMeant(Math.round(Number(amount) * 100), card);
      }),
    ),
  );
const ofState = (state: CardState, condemns: string): Fault[] => [
  paysAmounts('nearly all it has', condemns, state, (cents, { balanceCents }) => cents >= balanceCents - 1),
];

const payments: Fault[] = [
  seeded(
    broken(
      'a foreign card is paid where there is a comment',
      'cards.transfer.foreign-target',
      letThrough(
        ({ kind, name, request }) =>
          kind === 'foreign' && name === 'targetCardIdentifier' && (request.body as Body).comment !== undefined,
      ),
    ),
    1,
  ),
];

// ---- at the same moment ------------------------------------------------------------------------------------------

const IN_FLIGHT_MS = 60;
interface Way {
  from: string;
  to: string;
}
/** A side of a transfer is lost where another one that touches its cards otherwise than it does is under way. */
function lostBeside(
  name: string,
  side: 'transferDebit' | 'transferCredit',
  isLost: (now: Way, other: Way) => boolean,
): Fault {
  const underWay = new Set<Way>();
  let loses = false;
  return {
    name,
    condemns: ['cards.transfer.simultaneous'],
    sandbox: {
      rules: {
        meanwhile: (_world, { operation, params, body }) => {
          if (operation !== 'cards.transfer') return;
          const { targetCardIdentifier } = (body ?? {}) as { targetCardIdentifier?: string };
          const now = { from: params.identifier ?? '', to: targetCardIdentifier ?? '' };
          loses = [...underWay].some((other) => isLost(now, other));
          underWay.add(now);
          setTimeout(() => underWay.delete(now), IN_FLIGHT_MS - 5);
        },
        [side]: (cents: number) => (loses ? 0 : cents),
      },
      middleware: [
        (answer, { operation }) =>
          operation === 'cards.transfer' ? { ...answer, transport: { delayMs: IN_FLIGHT_MS } } : undefined,
      ],
    },
    isSlow: true,
  };
}

const atOnce: Fault[] = [
  lostBeside(
    'of two transfers between two cards in both directions at the same moment one is lost',
    'transferCredit',
    (now, other) => now.from === other.to && now.to === other.from,
  ),
];

// ---- filters -----------------------------------------------------------------------------------------------------

type MemberFilter = 'customerIdentifier' | 'externalIdentifier';
const finds = (name: string, filter: MemberFilter, isFound: (value: string, carried: string) => boolean): Fault =>
  thoroughly(
    broken(`cards.list: ${filter} ${name}`, 'cards.list.filtered-members', {
      matchesFilter: ({ operation, name: of, value, item }, byDefault) =>
        operation === 'cards.list' && of === filter ? isFound(value, (item as Card)[filter]) : byDefault,
    }),
  );
/** A pattern of SQL's LIKE. */
const isLike = (pattern: string, text: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
  ).test(text);

const filters: Fault[] = [
  finds('is a pattern', 'externalIdentifier', isLike),
  finds('is a pattern', 'customerIdentifier', isLike),
];

// ---- states that something harmless ends -------------------------------------------------------------------------

/** The operation makes a card Active that was closed, though it may refuse it. */
const reopenedBy = (operation: OperationId): Fault =>
  filtering(`a closed card is Active after ${operation}`, 'cards.close.stays-closed', (_answer, context) => {
    if (context.operation === operation) make(context, 'closed', 'active');
    return undefined;
  });

function make({ card, refusal }: AnswerContext, from: CardState, to: CardState): void {
  if (card?.state !== from || card.history.length === 0 || refusal?.kind === 'token') return;
  card.state = to;
  card.record.state = to;
}

/** Only the card that was suspended last is suspended. */
function oneSuspended(): Fault {
  const last = new WeakMap<object, Card>();
  return filtering('a card that is suspended frees the one before', 'cards.suspend.not-active', (answer, context) => {
    const { operation, card, world } = context;
    if (operation !== 'cards.suspend' || !card || answer.status >= 300) return undefined;
    const before = last.get(world);
    if (before && before !== card && before.state === 'suspended') before.state = before.record.state = 'active';
    last.set(world, card);
    return undefined;
  });
}

const states: Fault[] = [
  reopenedBy('cards.getBalance'),
  reopenedBy('cards.markWalletProvisioned'),
  broken('a suspended card that somebody pays is Active', 'cards.suspend.not-active', {
    meanwhile: ({ cardById }, { operation, body }) => {
      const { targetCardIdentifier } = (body ?? {}) as { targetCardIdentifier?: string };
      const card = cardById.get(targetCardIdentifier ?? '');
      if (operation === 'cards.transfer' && card?.state === 'suspended') card.state = 'active';
    },
  }),
  ...ofState('suspended', 'cards.suspend.stops-payments'),
  ...ofState('closed', 'cards.close.stops-payments'),
  filtering('a card that was activated is unused once its balance is read', 'cards.activate.active', (_, context) => {
    const isRead = context.operation === 'cards.getBalance' && context.card?.history.at(-1) === 'cards.activate';
    if (isRead) make(context, 'active', 'unused');
    return undefined;
  }),
  oneSuspended(),
];

export const cardFaults: readonly Fault[] = [...nodes, ...others, ...payments, ...atOnce, ...filters, ...states];
