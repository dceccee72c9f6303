/**
 * Sound implementations whose money moves for reasons of its own: fees that not every transfer has, or that are booked later, what a change
 * of state costs, a deposit at any moment; and that want something else of one card than of another.
 */
import type {
  AnswerContext,
  AnswerFilter,
  Card,
  OperationId,
  Rules,
  SandboxOptions,
  World,
} from '../../sandbox/index.ts';
import { thoroughly, type Variant } from './variant.ts';

const FEES = 'fees: not shown';
const variant = (name: string, basis: string, sandbox: SandboxOptions, settleMs?: number): Variant => ({
  name,
  basis,
  sandbox,
  ...(settleMs !== undefined && { run: { settleMs } }),
});

/** Filters that look at each accepted request. */
const afterwards = (operation: OperationId, then: (context: AnswerContext, card: Card) => void): SandboxOptions => {
  const filter: AnswerFilter = (answer, context) => {
    if (context.operation === operation && answer.status < 300 && context.card) then(context, context.card);
    return undefined;
  };
  return { middleware: [filter] };
};

const debit = (name: string, of: (cents: number, source: Card) => number): Variant =>
  variant(`money: ${name}`, FEES, {
    rules: { transferDebit: (cents, _exact, source) => (cents > 0 ? cents + of(cents, source) : cents) },
  });

/** What the transfers of a card cost once so many were free. */
function onceFree(free: number, fee: number): Variant {
  const made = new WeakMap<Card, number>();
  return debit(`${free} transfers of a card are free, then each costs ${fee} cents`, (_cents, source) => {
    made.set(source, (made.get(source) ?? 0) + 1);
    return made.get(source)! > free ? fee : 0;
  });
}

/** What the first transfer of a card costs. */
function firstCosts(fee: number): Variant {
  const charged = new WeakSet<Card>();
  return debit(`the first transfer of a card costs ${fee} cents`, (_cents, source) => {
    if (charged.has(source)) return 0;
    charged.add(source);
    return fee;
  });
}

/** What each so manieth transfer of a card costs. */
function everyNth(n: number, fee: number): Variant {
  const made = new WeakMap<Card, number>();
  return debit(`each transfer number ${n} of a card costs ${fee} cents`, (_cents, source) => {
    const count = (made.get(source) ?? 0) + 1;
    made.set(source, count);
    return count % n === 0 ? fee : 0;
  });
}

/** Interest of a part of a cent, below what balances are compared to, at each reading. */
function partsOfCents(cents: number): Variant {
  const read = new WeakMap<Card, number>();
  return variant(
    `money: each reading of a balance finds ${cents} cents more`,
    'a balance may change when nothing is asked for',
    {
      middleware: [
        (answer, { operation, card }) => {
          if (!card || answer.status >= 300 || !['cards.getBalance', 'cards.get'].includes(operation)) return undefined;
          if (operation === 'cards.getBalance') read.set(card, (read.get(card) ?? 0) + 1);
          (answer.body as { balance: number }).balance = (card.balanceCents + cents * (read.get(card) ?? 0)) / 100;
          return undefined;
        },
      ],
    },
  );
}

/** A card that was declined so often is blocked. */
function blockedAfter(declined: number): Variant {
  const counts = new WeakMap<Card, number>();
  return variant(`money: a card that is declined ${declined} times is closed`, 'Transitions: not shown', {
    middleware: [
      (_answer, { operation, card, refusal }) => {
        if (operation !== 'cards.transfer' || !card || refusal?.kind !== 'state') return undefined;
        counts.set(card, (counts.get(card) ?? 0) + 1);
        if (counts.get(card) !== declined) return undefined;
        card.state = 'closed';
        card.record.state = 'closed';
        return undefined;
      },
    ],
  });
}

const isOdd = ({ proxyNumber }: Card) => Number(proxyNumber[7]) % 2 === 1;

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
    300,
  );

/** Each own card gets something once, when its balance is read for the nth time. */
function deposit(reading: number): Variant {
  const read = new WeakMap<Card, number>();
  const meanwhile: Rules['meanwhile'] = ({ cardById }, { operation, params }) => {
    const card = cardById.get(params.identifier ?? '');
    if (operation !== 'cards.getBalance' || card?.tenant !== 'own') return;
    read.set(card, (read.get(card) ?? 0) + 1);
    if (read.get(card) === reading) card.balanceCents += 550;
  };
  return variant(
    `money: each card gets 5.50 once, at the ${reading}th reading of its balance`,
    'a balance may change when nothing is asked for',
    { rules: { meanwhile } },
  );
}

/** The same, where each transfer costs something, too. */
const depositBesideFee = (reading: number): Variant => {
  const { name, sandbox } = deposit(reading);
  const paysFee: Rules['transferDebit'] = (cents) => (cents > 0 ? cents + 30 + Math.ceil(cents * 0.029) : cents);
  return variant(`${name}, and transfers have a fee`, FEES, { rules: { ...sandbox.rules, transferDebit: paysFee } });
};

const stateCosts = (operation: OperationId, fee: number): Variant =>
  variant(
    `money: ${operation} costs ${fee} cents`,
    FEES,
    afterwards(operation, (_context, card) => {
      card.balanceCents -= fee;
    }),
  );

/** Money for a suspended card is taken from its source, and given back when the card is freed. */
function givenBack(): Variant {
  const waiting = new WeakMap<Card, { source: Card; cents: number }[]>();
  const filter: AnswerFilter = (answer, { operation, card, request, world }) => {
    if (answer.status >= 300 || !card) return undefined;
    if (operation === 'cards.transfer') {
      const { targetCardIdentifier, amount = 0 } = request.body as { targetCardIdentifier?: string; amount?: number };
      const target = world.cardById.get(targetCardIdentifier ?? '');
      if (target?.state !== 'suspended') return undefined;
      const cents = Math.round(amount * 100);
      target.balanceCents -= cents;
      waiting.set(target, [...(waiting.get(target) ?? []), { source: card, cents }]);
    }
    if (operation === 'cards.unsuspend') {
      for (const { source, cents } of waiting.get(card) ?? []) source.balanceCents += cents;
      waiting.delete(card);
    }
    return undefined;
  };
  return variant('money: what a suspended card is sent is given back when it is freed', 'a transfer to it: not shown', {
    rules: { paysTo: ({ state }, byDefault) => byDefault || state === 'suspended' },
    middleware: [filter],
  });
}

/** What is left on a card that is closed goes to another card of its program, at once or some time later. */
const paidOut = (place: number, milliseconds = 0): Variant =>
  variant(
    `money: a closed card pays out to the ${place + 1}th of its program, ${milliseconds} ms later`,
    'close: what becomes of the balance is not shown',
    afterwards('cards.close', ({ world }, card) => {
      const others = world.ownCards.filter(
        ({ programIdentifier, balanceCents }) =>
          programIdentifier === card.programIdentifier && balanceCents >= LEAST_OF_ACTIVE,
      );
      const payOut = () => {
        others[place]!.balanceCents += card.balanceCents;
        card.balanceCents = 0;
      };
      if (milliseconds > 0) setTimeout(payOut, milliseconds);
      else payOut();
    }),
    milliseconds > 0 ? 200 : undefined,
  );
/** What every card of the pool of active ones has at least. */
const LEAST_OF_ACTIVE = 5000;

/** An accepted transfer has the errorCode 0, and shows some time later. */
const noError = (milliseconds: number): Variant =>
  variant(
    `money: an accepted transfer has the errorCode 0, and shows ${milliseconds} ms later`,
    'transfer, errorCode: values not shown',
    {
      rules: {
        effectDelayMs: (operation) => (operation === 'cards.transfer' ? milliseconds : 0),
        transferRefusalStyle: () => '200-with-error-code',
      },
      middleware: [
        (answer, { operation, refusal }) => {
          if (operation === 'cards.transfer' && answer.status < 300 && !refusal)
            Object.assign(answer.body as object, { errorCode: '0', errorMessage: 'OK' });
          return undefined;
        },
      ],
    },
    150,
  );

/** Transfers are booked some time after they are asked for; every second is answered after that, the others before. */
const bookedBeforeAnswer = (milliseconds: number): Variant =>
  variant(
    `money: transfers are booked ${milliseconds} ms after they are asked for, and every second is answered after that`,
    'transfer: when the money is there is not shown',
    {
      rules: { effectDelayMs: (operation) => (operation === 'cards.transfer' ? milliseconds : 0) },
      middleware: [
        (answer, { operation, request }) =>
          operation === 'cards.transfer' && request.callNumber % 2 === 1
            ? { ...answer, transport: { delayMs: milliseconds + 20 } }
            : undefined,
      ],
    },
    150,
  );

/** An accepted transfer says so in other words each time. */
function inOtherWords(name: string, status: (times: number) => string): Variant {
  let times = 0;
  return variant(`money: an accepted transfer is ${name}`, 'transfer, status: values not shown', {
    middleware: [
      (answer, { operation }) => {
        if (operation === 'cards.transfer' && answer.status < 300)
          (answer.body as { status: string }).status = status(++times);
        return undefined;
      },
    ],
  });
}

/** Cards of a pool, by turns: every other one is not taken. */
const onlyOthers = (operation: OperationId, isTaken: (card: Card, world: World) => boolean): Variant =>
  variant(`${operation} is for every other card`, 'Transitions: not shown', {
    rules: {
      alsoRefuses: ({ operation: of, params }, world) => {
        const card = world.cardById.get(params.identifier ?? '');
        return of === operation && card?.tenant === 'own' && !isTaken(card, world)
          ? { kind: 'state', name: 'card' }
          : undefined;
      },
    },
  });

export const moneyVariants: readonly Variant[] = [
  onceFree(3, 50),
  // More transfers than a run asks for by default.
  thoroughly(onceFree(10, 50)),
  firstCosts(150),
  debit('transfers up to 3.00 are free, others cost 0.20', (cents) => (cents > 300 ? 20 : 0)),
  debit('transfers up to 5.00 are free, others cost 0.25', (cents) => (cents > 500 ? 25 : 0)),
  debit('what is more than 3.00 costs 2 %', (cents) => (cents > 300 ? Math.round((cents - 300) * 0.02) : 0)),
  debit('some cards pay a fee', (_cents, source) => (isOdd(source) ? 25 : 0)),
  debit('the other cards pay a fee', (_cents, source) => (isOdd(source) ? 0 : 25)),
  variant('money: some cards pay for what they get', FEES, {
    rules: { transferCredit: (cents, _exact, target) => (cents > 25 && isOdd(target) ? cents - 25 : cents) },
  }),
  variant('money: the other cards pay for what they get', FEES, {
    rules: { transferCredit: (cents, _exact, target) => (cents > 25 && !isOdd(target) ? cents - 25 : cents) },
  }),
  everyNth(3, 25),
  partsOfCents(0.006),
  blockedAfter(1),
  blockedAfter(2),
  bookedLater(20),
  thoroughly(bookedLater(100)),
  ...[4, 6, 7, 10, 15, 17, 24, 31, 38, 45].map(deposit),
  depositBesideFee(10),
  stateCosts('cards.suspend', 200),
  stateCosts('cards.reissue', 1500),
  stateCosts('cards.setPin', 1500),
  stateCosts('cards.unsuspend', 200),
  givenBack(),
  paidOut(6),
  thoroughly(paidOut(5, 80)),
  noError(60),
  bookedBeforeAnswer(60),
  inOtherWords('settled or booked', (times) => (times % 2 === 0 ? 'Booked' : 'Settled')),
  inOtherWords('booked under a number', (times) => `Booked in batch ${times}`),
  ...(['cards.activate', 'cards.unmarkFraud'] as const).map((operation) =>
    onlyOthers(operation, ({ proxyNumber }) => Number(proxyNumber.slice(2, 8)) % 2 === 0),
  ),
];
