/** Faults of transfers: amounts, repetitions, transfers at the same moment, and refusals that move money. */
import type { AnswerFilter, Card, OperationId, World } from '../../sandbox/index.ts';
import { answering, broken, letThrough, refusedYetDone, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const IN_FLIGHT_MS = 60;

/** An amount in whole units where its cents are more than half of one. */
const upFromHalf = (cents: number) => (cents % 100 > 50 ? Math.ceil(cents / 100) * 100 : cents);

/** Requests whose answers are on their way still, by what they are about. */
function inFlight() {
  const until = new WeakMap<object, Map<string, number>>();
  return (owner: object, key: string): boolean => {
    const keys = until.get(owner) ?? new Map<string, number>();
    until.set(owner, keys);
    const isBusy = (keys.get(key) ?? 0) > performance.now();
    keys.set(key, performance.now() + IN_FLIGHT_MS - 5);
    return isBusy;
  };
}

const slowly =
  (operation: OperationId): AnswerFilter =>
  (answer, context) =>
    context.operation === operation ? { ...answer, transport: { delayMs: IN_FLIGHT_MS } } : undefined;

function lostUpdate(side: 'transferDebit' | 'transferCredit', name: string): Fault {
  const busy = inFlight();
  return {
    name,
    condemns: ['cards.transfer.simultaneous'],
    sandbox: {
      rules: { [side]: (cents: number, _exact: number, card: Card) => (busy(card, side) ? 0 : cents) },
      middleware: [slowly('cards.transfer')],
    },
    isSlow: true,
  };
}

/** The balance is looked at before another transfer of the same card is booked. */
function spentTwice(): Fault {
  const busy = inFlight();
  return {
    name: 'two transfers at the same moment spend the same money',
    condemns: ['cards.transfer.simultaneous'],
    sandbox: {
      rules: {
        transferDebit: (cents: number, _exact: number, card: Card) => {
          busy(card, 'debit');
          return cents;
        },
        ...letThrough(({ kind, card }) => kind === 'funds' && card !== undefined && busy(card, 'debit')),
      },
      middleware: [slowly('cards.transfer')],
    },
    isSlow: true,
  };
}

function swallowed(times: number): Fault {
  const counts = new WeakMap<World, Map<string, number>>();
  return broken(`the same transfer moves nothing the ${times}. time`, 'cards.transfer.repeated', {
    takesEffect: (operation, { params, raw }, card) => {
      if (operation !== 'cards.transfer' || !card) return true;
      const seen = counts.get(card as unknown as World) ?? new Map<string, number>();
      counts.set(card as unknown as World, seen);
      const key = `${params.identifier} ${raw.toString()}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      return seen.get(key) !== times;
    },
  });
}

const amountIs = (amount: number) => (cents: number) => Math.abs(cents - amount * 100) < 0.01;

/** The money goes to the card that the source paid before. */
function paysTheTargetBefore(): Fault {
  const last = new Map<unknown, string>();
  return broken('money goes to the target of the transfer before', 'cards.transfer.moves-amount', {
    meanwhile: (_world, { operation, params, body }) => {
      const sent = (body ?? {}) as { targetCardIdentifier?: string };
      if (operation !== 'cards.transfer' || typeof sent.targetCardIdentifier !== 'string') return;
      const before = last.get(params.identifier);
      last.set(params.identifier, sent.targetCardIdentifier);
      if (before !== undefined && before !== params.identifier) sent.targetCardIdentifier = before;
    },
  });
}

/** The record of a card follows its balance by whole units. */
function recordedInWholeUnits(): Fault {
  const begun = new WeakMap<Card, number>();
  return {
    name: 'the record of a card follows its balance by whole units',
    condemns: ['cards.getBalance.refreshes-record'],
    sandbox: answering('cards.get', (body, { card }) => {
      const balance = body.balance as number;
      if (!begun.has(card!)) begun.set(card!, balance);
      body.balance = begun.get(card!)! + Math.trunc(balance - begun.get(card!)!);
    }),
  };
}

export const transferFaults: readonly Fault[] = [
  lostUpdate('transferDebit', 'of two transfers from a card at the same moment one costs nothing'),
  lostUpdate('transferCredit', 'of two transfers to a card at the same moment one is lost'),
  spentTwice(),
  broken(
    'a transfer with a comment that is a number is refused and moves money',
    'cards.transfer.refused-moves-nothing',
    {
      refusedStillTakesEffect: ({ operation, kind, name }) =>
        operation === 'cards.transfer' && kind === 'member-type' && name === 'comment',
    },
  ),
  broken('a transfer to a suspended card is refused and moves money', 'cards.transfer.refused-moves-nothing', {
    refusedStillTakesEffect: ({ operation, kind, name }) =>
      operation === 'cards.transfer' && kind === 'state' && name === 'target',
  }),
  broken(
    'an unknown card pays, though that is refused',
    'cards.transfer.unknown-identifier',
    refusedYetDone(({ operation, kind }) => operation === 'cards.transfer' && kind === 'unknown'),
  ),
  broken(
    'more than the balance is refused, yet moves',
    'cards.transfer.refused-moves-nothing',
    refusedYetDone(({ operation, kind }) => operation === 'cards.transfer' && kind === 'funds'),
  ),
  broken(
    'a fraction of a cent is refused, yet moves',
    'cards.transfer.refused-moves-nothing',
    refusedYetDone(
      ({ operation, kind, name }) => operation === 'cards.transfer' && kind === 'amount' && name === 'fraction',
    ),
  ),
  swallowed(2),
  swallowed(3),
  thoroughly(
    broken('0.01 moves two cents to the target', 'cards.transfer.conserves-money', {
      transferCredit: (cents) => (amountIs(0.01)(cents) ? 2 : cents),
    }),
  ),
  thoroughly(
    broken('-0.01 draws from the target', 'cards.transfer.negative-amount', {
      enforces: ({ kind, name, request }) =>
        !(
          kind === 'amount' &&
          name === 'negative' &&
          Math.abs(Number((request.body as { amount?: number }).amount)) < 0.05
        ),
    }),
  ),
  broken('of more than five units five are credited', 'cards.transfer.moves-amount', {
    transferCredit: (cents) => (cents > 500 && cents <= 800 ? 500 : cents),
  }),
  paysTheTargetBefore(),
  {
    name: 'a transfer without a body is answered with an identifier',
    condemns: ['cards.transfer.missing-body'],
    sandbox: {
      middleware: [
        (answer, { operation, request }) =>
          operation === 'cards.transfer' && request.raw.length === 0 && answer.status === 400
            ? { ...answer, status: 200, body: { identifier: 'none' } }
            : undefined,
      ],
    },
  },
  {
    name: 'getBalance rounds to whole units',
    condemns: ['cards.transfer.moves-amount'],
    sandbox: answering('cards.getBalance', (body) => {
      body.balance = Math.round(body.balance as number);
    }),
  },
  recordedInWholeUnits(),
  broken('transfers: more than half a unit is rounded up to a whole one', 'cards.transfer.moves-amount', {
    transferDebit: upFromHalf,
    transferCredit: upFromHalf,
  }),
];
