/**
 * Sound implementations whose money moves for reasons of its own: fees that not every transfer has, or that are booked later, what a change
 * of state costs, a deposit at any moment; and that want something else of one card than of another.
 */
import type { AnswerContext, Card, OperationId, Rules, SandboxOptions } from '../../sandbox/index.ts';
import { answering, reading, refusing } from '../changed-sandbox.ts';
import { BY_ITSELF, cardOf, REFUSED_CARD, rule } from './v3-rule.ts';
import { thoroughly, type Variant, variant } from './variant.ts';

const FEES = 'fees: not shown';

/** How often something happened to a card, this time included. */
function counter(): (card: Card) => number {
  const counts = new WeakMap<Card, number>();
  return (card) => {
    counts.set(card, (counts.get(card) ?? 0) + 1);
    return counts.get(card)!;
  };
}

/** What happens after each accepted request about a card. */
const afterwards = (operation: OperationId, then: (context: AnswerContext, card: Card) => void): SandboxOptions =>
  answering(operation, (_, context) => {
    if (context.card) then(context, context.card);
  });

const debit = (name: string, of: (cents: number, source: Card) => number): Variant =>
  rule(`money: ${name}`, FEES, {
    transferDebit: (cents, _exact, source) => (cents > 0 ? cents + of(cents, source) : cents),
  });

/** What the transfers of a card cost once so many were free. */
function onceFree(free: number, fee: number): Variant {
  const count = counter();
  return debit(`${free} transfers of a card are free, then each costs ${fee} cents`, (_cents, source) =>
    count(source) > free ? fee : 0,
  );
}

/** Interest of a part of a cent, below what balances are compared to, at each reading. */
function partsOfCents(cents: number): Variant {
  const read = new WeakMap<Card, number>();
  return variant(`money: each reading of a balance finds ${cents} cents more`, BY_ITSELF, {
    middleware: [
      (answer, { operation, card }) => {
        if (!card || answer.status >= 300 || !['cards.getBalance', 'cards.get'].includes(operation)) return undefined;
        if (operation === 'cards.getBalance') read.set(card, (read.get(card) ?? 0) + 1);
        (answer.body as { balance: number }).balance = (card.balanceCents + cents * (read.get(card) ?? 0)) / 100;
        return undefined;
      },
    ],
  });
}

/** A card that was declined so often is blocked. */
function blockedAfter(declined: number): Variant {
  const count = counter();
  return variant(`money: a card that is declined ${declined} times is closed`, 'Transitions: not shown', {
    middleware: [
      (_answer, { operation, card, refusal }) => {
        const isDeclined = operation === 'cards.transfer' && refusal?.kind === 'state';
        if (!card || !isDeclined || count(card) !== declined) return undefined;
        card.state = 'closed';
        card.record.state = 'closed';
        return undefined;
      },
    ],
  });
}

/** A fee that is booked some time after its transfer. */
const bookedLater = (milliseconds: number): Variant =>
  variant(
    `money: a fee that is booked ${milliseconds} ms after its transfer`,
    FEES,
    afterwards('cards.transfer', ({ request }, source) => {
      const { amount = 0, targetCardIdentifier } = request.body as { amount?: number; targetCardIdentifier?: string };
      if (amount <= 0 || targetCardIdentifier === source.identifier) return;
      setTimeout(() => {
        source.balanceCents -= 30;
      }, milliseconds);
    }),
    { run: { settleMs: 300 } },
  );

/** Each own card gets something once, or pays it, when its balance is read for the nth time. */
function deposit(nth: number, cents = 550): Partial<Rules> {
  const count = counter();
  return reading('cards.getBalance', (request, world) => {
    const card = cardOf(request, world);
    if (card?.tenant === 'own' && count(card) === nth) card.balanceCents += cents;
  });
}

/** What a card pays that is asked for so much: a share of it, too, and something for each transfer. */
const shareAndMore = (cents: number): number => (cents > 0 ? cents + 30 + Math.ceil(cents * 0.029) : cents);

const stateCosts = (operation: OperationId, fee: number): Variant =>
  variant(
    `money: ${operation} costs ${fee} cents`,
    FEES,
    afterwards(operation, (_context, card) => {
      card.balanceCents -= fee;
    }),
  );

/** What a suspended card is paid waits until it is free. */
function creditedOnceFree(): SandboxOptions {
  const waiting = new WeakMap<Card, number>();
  return {
    rules: {
      paysTo: ({ state }, byDefault) => byDefault || state === 'suspended',
      transferCredit(cents, _exact, target) {
        if (target.state !== 'suspended') return cents;
        waiting.set(target, (waiting.get(target) ?? 0) + cents);
        return 0;
      },
    },
    ...afterwards('cards.unsuspend', (_context, card) => {
      card.balanceCents += waiting.get(card) ?? 0;
      waiting.delete(card);
    }),
  };
}

/** How long after they are asked for transfers show. */
const BOOKED_AFTER_MS = 60;
const bookedLate: Partial<Rules> = {
  effectDelayMs: (operation) => (operation === 'cards.transfer' ? BOOKED_AFTER_MS : 0),
};

export const moneyVariants: readonly Variant[] = [
  // More transfers than a run asks for by default.
  thoroughly(onceFree(10, 50)),
  debit('what is more than 3.00 costs 2 %', (cents) => (cents > 300 ? Math.round((cents - 300) * 0.02) : 0)),
  debit('some cards pay a fee', (_cents, source) => (Number(source.proxyNumber[7]) % 2 === 1 ? 25 : 0)),
  partsOfCents(0.006),
  blockedAfter(1),
  blockedAfter(2),
  bookedLater(20),
  thoroughly(bookedLater(100)),
  ...[4, 6, 24].map((nth) =>
    rule(`money: each card gets 5.50 once, at the ${nth}th reading of its balance`, BY_ITSELF, deposit(nth)),
  ),
  rule('money: each card gets 5.50 once, at the 10th reading of its balance, and transfers have a fee', FEES, {
    ...deposit(10),
    transferDebit: shareAndMore,
  }),
  ...[7, 12].map((nth) =>
    rule(`money: each card pays 1.37 once, at the ${nth}th reading of its balance, and transfers have a fee`, FEES, {
      ...deposit(nth, -137),
      transferDebit: (cents) => (cents > 0 ? cents + 25 : cents),
    }),
  ),
  rule('money: each card pays 5.50 once, at the 7th reading of its balance, and transfers cost a share', FEES, {
    ...deposit(7, -550),
    transferDebit: shareAndMore,
  }),
  stateCosts('cards.reissue', 1500),
  stateCosts('cards.setPin', 1500),
  stateCosts('cards.unsuspend', 200),
  variant(
    'money: what a suspended card is paid is credited once it is free',
    'transfer to a suspended card: not shown',
    creditedOnceFree(),
    { run: { only: ['cards.unsuspend.nothing-else', 'cards.transfer.conserves-money'] } },
  ),
  variant(
    `money: an accepted transfer has the errorCode 0, and shows ${BOOKED_AFTER_MS} ms later`,
    'transfer, errorCode: values not shown',
    {
      rules: { ...bookedLate, transferRefusalStyle: () => '200-with-error-code' },
      ...answering('cards.transfer', (body, { refusal }) => {
        if (!refusal) Object.assign(body, { errorCode: '0', errorMessage: 'OK' });
      }),
    },
    { run: { settleMs: 150 } },
  ),
  variant(
    `money: transfers are booked ${BOOKED_AFTER_MS} ms after they are asked for, and every second is answered after that`,
    'transfer: when the money is there is not shown',
    {
      rules: bookedLate,
      middleware: [
        (answer, { operation, request }) =>
          operation === 'cards.transfer' && request.callNumber % 2 === 1
            ? { ...answer, transport: { delayMs: BOOKED_AFTER_MS + 20 } }
            : undefined,
      ],
    },
    { run: { settleMs: 150 } },
  ),
  variant('cards.activate is for every other card', 'Transitions: not shown', {
    rules: refusing(REFUSED_CARD, (request, world) => {
      const { tenant, proxyNumber = '' } = cardOf(request, world) ?? {};
      return request.operation === 'cards.activate' && tenant === 'own' && Number(proxyNumber.slice(2, 8)) % 2 !== 0;
    }),
  }),
];
