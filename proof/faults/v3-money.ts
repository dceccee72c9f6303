/** Faults of money and states that show beside something else: an empty card, an ended one, a large amount, and requests that cross. */
import type { AnswerContext, AnswerFilter, CardState, OperationId, SandboxRequest } from '../../sandbox/index.ts';
import { bodyIn, broken, letThrough, misanswered, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const MOVES = 'cards.transfer.moves-amount';

/** Requests of one kind that are under way together take this long. */
const IN_FLIGHT_MS = 50;

const paysLarge = (state: CardState, condemns: string): Fault =>
  thoroughly(
    broken(
      `a card that is ${state} pays 10.00`,
      condemns,
      letThrough(
        ({ operation, kind, name, card, request }) =>
          operation === 'cards.transfer' &&
          kind === 'state' &&
          name === 'source' &&
          card?.state === state &&
          Number(bodyIn(request).amount) >= 10,
      ),
    ),
  );

/** A second request for the same card while one is under way is answered with 500. */
function locked(operation: OperationId): Fault {
  const underWay = new Map<string, number>();
  const filter: AnswerFilter = (answer, { operation: of, request }) => {
    if (of !== operation || answer.status === 401) return undefined;
    const card = request.params.identifier ?? '';
    const others = underWay.get(card) ?? 0;
    underWay.set(card, others + 1);
    setTimeout(() => underWay.set(card, underWay.get(card)! - 1), IN_FLIGHT_MS - 5);
    const transport = { delayMs: IN_FLIGHT_MS };
    return others > 0 ? { ...answer, status: 500, body: [], transport } : { ...answer, transport };
  };
  return {
    name: `500: ${operation} of a card twice at the same moment`,
    condemns: [`${operation}.status`],
    sandbox: { middleware: [filter] },
    also: ['cards.suspend.stops-payments'],
  };
}

/** Transfers between two cards in both directions, with few cards: one is lost, or answered with 500. */
function crossing(name: string, condemns: string, isRefused: boolean): Fault {
  const underWay = new Set<readonly [from: unknown, to: unknown]>();
  const crosses = new WeakSet<SandboxRequest>();
  let loses = false;
  return {
    name: `few cards: of two transfers in both directions at the same moment one is ${name}`,
    condemns: [condemns],
    sandbox: {
      pools: { active: 4 },
      rules: {
        meanwhile: (_world, request) => {
          if (request.operation !== 'cards.transfer') return;
          const now = [request.params.identifier, bodyIn(request).targetCardIdentifier] as const;
          loses = [...underWay].some(([from, to]) => from === now[1] && to === now[0]);
          if (loses) crosses.add(request);
          underWay.add(now);
          setTimeout(() => underWay.delete(now), IN_FLIGHT_MS - 5);
        },
        transferCredit: (cents) => (loses && !isRefused ? 0 : cents),
        alsoRefuses: (request) => (isRefused && crosses.has(request) ? { kind: 'state', name: 'deadlock' } : undefined),
        refusalStatus: ({ name: reason }, byDefault) => (reason === 'deadlock' ? 500 : byDefault),
      },
      middleware: [
        (answer, { operation }) =>
          operation === 'cards.transfer' ? { ...answer, transport: { delayMs: IN_FLIGHT_MS } } : undefined,
      ],
    },
    isSlow: true,
  };
}

/** Each amount is moved once, whoever pays it. */
function onceEachAmount(): Fault {
  const moved = new Set<unknown>();
  return broken('a transfer of an amount that was moved before moves nothing', 'cards.transfer.repeated', {
    takesEffect: (operation, request) => {
      if (operation !== 'cards.transfer') return true;
      const { amount } = bodyIn(request);
      return !moved.has(amount) && Boolean(moved.add(amount));
    },
  });
}

const failing = (name: string, operation: OperationId, isMeant: (context: AnswerContext) => boolean) =>
  thoroughly({
    name: `500: ${name}`,
    condemns: [`${operation}.status`],
    sandbox: {
      middleware: [
        (answer, context) =>
          context.operation === operation && answer.status !== 401 && isMeant(context)
            ? { ...answer, status: 500, body: [] }
            : undefined,
      ],
    },
  });

const isCommented = (isMeant: (comment: string) => boolean) => (context: AnswerContext) => {
  const { comment } = bodyIn(context.request);
  return typeof comment === 'string' && isMeant(comment);
};

export const moneyFaults: readonly Fault[] = [
  broken('a cent is left of the whole balance', MOVES, {
    transferDebit: (cents, _exact, source) => (cents === source.balanceCents && cents > 0 ? cents - 1 : cents),
  }),
  broken('10.00 is read as 1.00', MOVES, {
    transferDebit: (cents) => (cents === 1000 ? 100 : cents),
    transferCredit: (cents) => (cents === 1000 ? 100 : cents),
  }),
  broken('a card that is empty is credited a hundredth', MOVES, {
    transferCredit: (cents, _exact, { balanceCents }) => (balanceCents === 0 ? Math.round(cents / 100) : cents),
  }),
  paysLarge('closed', 'cards.close.stops-payments'),
  locked('cards.unsuspend'),
  crossing('answered with 500', 'cards.transfer.status', true),
  onceEachAmount(),
  failing(
    'a comment with a letter beyond the basic plane',
    'cards.transfer',
    isCommented((comment) => /[\u{10000}-\u{10ffff}]/u.test(comment)),
  ),
  failing(
    'an empty comment',
    'cards.transfer',
    isCommented((comment) => comment === ''),
  ),
  thoroughly(
    misanswered('a comment of digits is answered as a number', 'cards.transfer.shape', 'cards.transfer', (body) => {
      if (/^\d+$/.test(String(body.comment))) body.comment = Number(body.comment);
    }),
  ),
  failing('an empty nonce', 'cards.encryptForVde', ({ request }) => bodyIn(request).nonce === ''),
];
