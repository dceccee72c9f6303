/**
 * Faults of cards that one request does not show: a node that never learns of a change, another card's data under the right identifier,
 * what is sent beside a payment that is to be refused, three cards at the same moment, a filter that takes what resembles a value, a state that something harmless ends.
 */
import type { AnswerContext, AnswerFilter, Card, CardState, OperationId } from '../../sandbox/index.ts';
import { broken, seeded } from './broken.ts';
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

// ---- at the same moment ------------------------------------------------------------------------------------------

// ---- at the same moment ------------------------------------------------------------------------------------------

const IN_FLIGHT_MS = 60;
interface Way {
  from: string;
  to: string;
}
/** What a transfer credits is lost where another one is under way that pays its source from its target. */
function lostBeside(): Fault {
  const underWay = new Set<Way>();
  let loses = false;
  return {
    name: 'of two transfers between two cards in both directions at the same moment one is lost',
    condemns: ['cards.transfer.simultaneous'],
    sandbox: {
      rules: {
        meanwhile: (_world, { operation, params, body }) => {
          if (operation !== 'cards.transfer') return;
          const { targetCardIdentifier } = (body ?? {}) as { targetCardIdentifier?: string };
          const now = { from: params.identifier ?? '', to: targetCardIdentifier ?? '' };
          loses = [...underWay].some(({ from, to }) => from === now.to && to === now.from);
          underWay.add(now);
          setTimeout(() => underWay.delete(now), IN_FLIGHT_MS - 5);
        },
        transferCredit: (cents) => (loses ? 0 : cents),
      },
      middleware: [
        (answer, { operation }) =>
          operation === 'cards.transfer' ? { ...answer, transport: { delayMs: IN_FLIGHT_MS } } : undefined,
      ],
    },
    isSlow: true,
  };
}

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

const filters: Fault[] = [finds('is a pattern', 'customerIdentifier', isLike)];

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

const states: Fault[] = [
  reopenedBy('cards.markWalletProvisioned'),
  broken('a suspended card that somebody pays is Active', 'cards.suspend.not-active', {
    meanwhile: ({ cardById }, { operation, body }) => {
      const { targetCardIdentifier } = (body ?? {}) as { targetCardIdentifier?: string };
      const card = cardById.get(targetCardIdentifier ?? '');
      if (operation === 'cards.transfer' && card?.state === 'suspended') card.state = 'active';
    },
  }),
  filtering('a card that was activated is unused once its balance is read', 'cards.activate.active', (_, context) => {
    const isRead = context.operation === 'cards.getBalance' && context.card?.history.at(-1) === 'cards.activate';
    if (isRead) make(context, 'active', 'unused');
    return undefined;
  }),
];

export const cardFaults: readonly Fault[] = [...others, lostBeside(), ...filters, ...states];
