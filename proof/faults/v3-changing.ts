/** Faults of the operations that change cards: transfers, states, PIN and reissue, and calls that are refused yet take effect. */
import type { Card, OperationId } from '../../sandbox/index.ts';
import { altering, bodyIn, is, letThrough, refusedYetDone, replacing } from '../changed-sandbox.ts';
import { broken, fault, misanswered, misrefused, tolerated } from './broken.ts';
import type { Fault } from './fault.ts';

const TRANSFER = 'cards.transfer';
const MOVES = 'cards.transfer.moves-amount';
const CONSERVES = 'cards.transfer.conserves-money';

// ---- transfers ---------------------------------------------------------------------------------------------------

/** The amount of a transfer that is refused for want of funds stays where the next one from the card takes it from. */
function staleAmount(): Fault {
  const stale = new WeakMap<Card, number>();
  let moving = 0;
  return fault('a transfer after one that is refused for want of funds moves the amount of that one', MOVES, {
    ...altering((_, { refusal, request }) => {
      const { card, kind } = refusal ?? {};
      if (card && kind === 'funds') stale.set(card, Math.round(Number(bodyIn(request).amount) * 100));
      return undefined;
    }),
    rules: {
      transferDebit: (cents, _exact, source) => {
        moving = stale.get(source) ?? cents;
        stale.delete(source);
        return moving;
      },
      transferCredit: () => moving,
    },
  });
}

/** Each amount is moved once, whoever pays it. */
function onceEachAmount(): Fault {
  const moved = new Set<unknown>();
  return broken('a transfer of an amount that was moved before moves nothing', 'cards.transfer.repeated', {
    takesEffect: (operation, request) => {
      const { amount } = bodyIn(request);
      return operation !== TRANSFER || (!moved.has(amount) && Boolean(moved.add(amount)));
    },
  });
}

/** The same amount back is taken for a reversal, which is answered and not booked. */
function backIsReversal(): Fault {
  let last = '';
  return broken('a transfer of the same amount back moves nothing', 'cards.transfer.repeated', {
    takesEffect(operation, request) {
      if (operation !== TRANSFER) return true;
      const { amount, targetCardIdentifier: to } = bodyIn(request);
      const from = request.params.identifier;
      const isBack = last === [to, from, amount].join();
      last = isBack ? '' : [from, to, amount].join();
      return !isBack;
    },
  });
}

const IN_FLIGHT_MS = 60;

/** What a transfer credits is lost where another one is under way that pays its source from its target. */
function lostBeside(): Fault {
  const underWay = new Set<{ from: unknown; to: unknown }>();
  let loses = false;
  return fault(
    'of two transfers between two cards in both directions at the same moment one is lost',
    'cards.transfer.simultaneous',
    {
      rules: {
        meanwhile: (_world, request) => {
          if (request.operation !== TRANSFER) return;
          const now = { from: request.params.identifier, to: bodyIn(request).targetCardIdentifier };
          loses = [...underWay].some(({ from, to }) => from === now.to && to === now.from);
          underWay.add(now);
          setTimeout(() => underWay.delete(now), IN_FLIGHT_MS - 5);
        },
        transferCredit: (cents) => (loses ? 0 : cents),
      },
      ...altering((_, { operation }) => operation === TRANSFER && { transport: { delayMs: IN_FLIGHT_MS } }),
    },
    { isSlow: true },
  );
}

/** Every third transfer of a sandbox takes money that nobody gets. */
function everyThirdLost(): Fault {
  let transfers = 0;
  return broken('every third transfer is not credited', CONSERVES, {
    transferCredit: (cents) => (++transfers % 3 === 0 ? 0 : cents),
  });
}

const transfers: readonly Fault[] = [
  staleAmount(),
  onceEachAmount(),
  backIsReversal(),
  lostBeside(),
  broken('a transfer is debited and not credited', [CONSERVES, MOVES], { transferCredit: () => 0 }),
  broken('a transfer is debited twice', [CONSERVES, MOVES], { transferDebit: (cents) => 2 * cents }),
  broken('a transfer is credited half', [CONSERVES, MOVES], { transferCredit: (cents) => Math.floor(cents / 2) }),
  broken('a transfer from 7.00 on is debited twice', [CONSERVES, MOVES], {
    transferDebit: (cents) => (cents >= 700 ? 2 * cents : cents),
  }),
  everyThirdLost(),
  broken('cents are cut off for the target alone', [MOVES, CONSERVES], {
    transferCredit: (_cents, exact) => Math.floor(exact),
  }),
  broken('a card that is empty is credited a hundredth', MOVES, {
    transferCredit: (cents, _exact, { balanceCents }) => (balanceCents === 0 ? Math.round(cents / 100) : cents),
  }),
  broken('0.01 moves two cents to the target', CONSERVES, { transferCredit: (cents) => (cents === 1 ? 2 : cents) }),
  broken('a transfer has no effect', [MOVES, 'cards.transfer.required-only', 'cards.transfer.claims-truly'], {
    takesEffect: (operation) => operation !== TRANSFER,
  }),
  broken('a transfer without a comment is refused', 'cards.transfer.required-only', {
    requires: (operation, name, byDefault) => (operation === TRANSFER && name === 'comment') || byDefault,
  }),
  misanswered('a comment of digits is answered as a number', 'cards.transfer.shape', TRANSFER, (body) => {
    if (/^\d+$/.test(String(body.comment))) body.comment = Number(body.comment);
  }),
  broken('refused transfers are answered as successes', 'cards.transfer.claims-truly', {
    transferRefusalStyle: () => '200-with-failed-status',
    transferStatusName: () => 'Completed',
  }),
  tolerated('an amount as text is taken', 'cards.transfer.body-types', { kind: 'member-type', name: 'amount' }),
  misrefused('a missing body is answered with 422', 'cards.transfer.missing-body-400', 422, { kind: 'missing-body' }),
  broken(
    'a transfer to a suspended card is refused and moves money',
    'cards.transfer.refused-moves-nothing',
    refusedYetDone(is(TRANSFER, { kind: 'state', name: 'target' })),
  ),
  broken(
    'a fraction of a cent is refused, yet moves',
    'cards.transfer.refused-moves-nothing',
    refusedYetDone(is(TRANSFER, { kind: 'amount', name: 'fraction' })),
  ),
  broken('a negative amount is made of nothing', CONSERVES, {
    ...letThrough(is(TRANSFER, { kind: 'amount', name: 'negative' })),
    transferCredit: (cents) => Math.max(cents, 0),
  }),
  broken('a thousandth of the unit becomes a cent', CONSERVES, {
    ...letThrough(is(TRANSFER, { kind: 'amount', name: 'fraction' })),
    transferCredit: (cents, exact) => (exact > 0 ? Math.max(cents, 1) : cents),
  }),
  broken('zero makes a cent', CONSERVES, {
    ...letThrough(is(TRANSFER, { kind: 'amount', name: 'zero' })),
    transferCredit: (cents) => cents || 1,
  }),
];

// ---- states ------------------------------------------------------------------------------------------------------

const states: readonly Fault[] = [
  broken('cards.markLost has no effect', 'cards.markLost.not-active', {
    takesEffect: (operation) => operation !== 'cards.markLost',
  }),
  broken('a suspended card pays', 'cards.suspend.stops-payments', {
    paysFrom: ({ state }, byDefault) => byDefault || state === 'suspended',
  }),
  broken('activate leaves a card deactivated', 'cards.activate.active', {
    stateAfter: (operation, _card, byDefault) => (operation === 'cards.activate' ? 'deactivated' : byDefault),
  }),
  broken(
    'empty cards alone are closed, transfers are too small to empty one, and a closed card is activated',
    ['cards.close.stays-closed', 'cards.activate.leaves-closed'],
    {
      alsoRefuses: (request) =>
        request.operation === TRANSFER && Number(bodyIn(request).amount) > 2
          ? { kind: 'amount', name: 'limit' }
          : undefined,
      closesWithBalance: false,
      allowsFrom: (operation, { state }, byDefault) =>
        byDefault || (operation === 'cards.activate' && state === 'closed'),
    },
  ),
  broken('a suspension is not challenged', 'cards.suspend.challenge', {
    refusalHeaders: ({ operation }, byDefault) => (operation === 'cards.suspend' ? {} : byDefault),
  }),
];

// ---- bodies ------------------------------------------------------------------------------------------------------

const bodyFaults = (operation: OperationId): Fault[] => [
  broken(`${operation}: a body may be missing that is declared as JSON`, `${operation}.missing-body`, {
    requires: (of, _name, byDefault, { raw, headers }) =>
      !(of === operation && raw.length === 0 && headers['content-type'] !== undefined) && byDefault,
  }),
  misrefused(`${operation}: a missing body is answered with 422`, `${operation}.missing-body-400`, 422, {
    kind: 'missing-body',
  }),
  tolerated(`${operation}: another type is taken`, `${operation}.body-types`, { kind: 'member-type' }),
];

export const changingCardFaults: readonly Fault[] = [
  ...transfers,
  ...states,
  ...bodyFaults('cards.setPin'),
  ...bodyFaults('cards.reissue'),
  fault(
    'the PIN comes back',
    'cards.setPin.pin-not-echoed',
    replacing('cards.setPin', (_, { request }) => ({ body: { card: { newPIN: bodyIn(request).pin } } })),
  ),
];
