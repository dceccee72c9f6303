/** Faults of the operations that change cards: money, states, provisioning, PIN and reissue, and calls that are refused yet take effect. */
import type { Refusal, RefusalKind } from '../../sandbox/exchange.ts';
import type { AnswerFilter } from '../../sandbox/index.ts';
import type { OperationId } from '../../sandbox/operations.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { Card } from '../../sandbox/world.ts';
import { broken, letThrough } from './broken.ts';
import type { Fault } from './fault.ts';

const is = (operation: OperationId, kind: RefusalKind, name?: string) => (refusal: Refusal) =>
  refusal.operation === operation && refusal.kind === kind && (name === undefined || refusal.name === name);

const ofTransfer = (kind: RefusalKind, name?: string) => is('cards.transfer', kind, name);

const MOVES = 'cards.transfer.moves-amount';
const CONSERVES = 'cards.transfer.conserves-money';

/** The amount of a transfer that is refused for want of funds stays where the next one from the card takes it from. */
function staleAmount(): Fault {
  const stale = new WeakMap<Card, number>();
  let moving = 0;
  const keep: AnswerFilter = (_answer, { refusal, request }) => {
    const { card, kind } = refusal ?? {};
    if (card && kind === 'funds') stale.set(card, Math.round((request.body as { amount: number }).amount * 100));
    return undefined;
  };
  return {
    name: 'a transfer after one that is refused for want of funds moves the amount of that one',
    condemns: [MOVES],
    sandbox: {
      middleware: [keep],
      rules: {
        transferDebit: (cents, _exact, source) => {
          moving = stale.get(source) ?? cents;
          stale.delete(source);
          return moving;
        },
        transferCredit: () => moving,
      },
    },
  };
}

const amountFaults: Fault[] = [
  staleAmount(),
  broken('cents are cut off for the target alone', [MOVES, CONSERVES], {
    transferCredit: (_cents, exact) => Math.floor(exact),
  }),
  broken('a transfer has no effect', [MOVES, 'cards.transfer.required-only', 'cards.transfer.claims-truly'], {
    takesEffect: (operation) => operation !== 'cards.transfer',
  }),
  broken('a transfer without a comment is refused', 'cards.transfer.required-only', {
    requires: (operation, name, byDefault) => (operation === 'cards.transfer' && name === 'comment') || byDefault,
  }),
  broken('refused transfers are answered as successes', 'cards.transfer.claims-truly', {
    transferRefusalStyle: () => '200-with-failed-status',
    transferStatusName: () => 'Completed',
  }),
];

const refusedTransferFaults: Fault[] = [
  broken('an amount as text is taken', 'cards.transfer.body-types', letThrough(ofTransfer('member-type', 'amount'))),
  broken('a missing body is answered with 422', 'cards.transfer.missing-body-400', {
    refusalStatus: (refusal, byDefault) => (ofTransfer('missing-body')(refusal) ? 422 : byDefault),
  }),
];

const unusualAmountFaults: Fault[] = [
  broken('a negative amount is made of nothing', CONSERVES, {
    ...letThrough(ofTransfer('amount', 'negative')),
    transferCredit: (cents) => Math.max(cents, 0),
  }),
  broken('a thousandth of the unit becomes a cent', CONSERVES, {
    ...letThrough(ofTransfer('amount', 'fraction')),
    transferCredit: (cents, exact) => (exact > 0 ? Math.max(cents, 1) : cents),
  }),
  broken('zero makes a cent', CONSERVES, {
    ...letThrough(ofTransfer('amount', 'zero')),
    transferCredit: (cents) => cents || 1,
  }),
];

const noEffect = (operation: OperationId, condemns: readonly string[]) =>
  broken(`${operation} has no effect`, condemns, { takesEffect: (of) => of !== operation });

/** No card with a balance can be emptied by one transfer. */
const smallTransfers: Partial<Rules> = {
  alsoRefuses: ({ operation, body }) =>
    operation === 'cards.transfer' && ((body as { amount?: number } | undefined)?.amount ?? 0) > 2
      ? { kind: 'amount', name: 'limit' }
      : undefined,
};

const stateFaults: Fault[] = [
  noEffect('cards.markLost', ['cards.markLost.not-active']),
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
      ...smallTransfers,
      closesWithBalance: false,
      allowsFrom: (operation, { state }, byDefault) =>
        byDefault || (operation === 'cards.activate' && state === 'closed'),
    },
  ),
];

const bodyFaults: Fault[] = (['cards.setPin', 'cards.reissue'] as const).flatMap((operation) => [
  broken(`${operation}: a body may be missing that is declared as JSON`, `${operation}.missing-body`, {
    requires: (of, _name, byDefault, { raw, headers }) =>
      !(of === operation && raw.length === 0 && headers['content-type'] !== undefined) && byDefault,
  }),
  broken(`${operation}: a missing body is answered with 422`, `${operation}.missing-body-400`, {
    refusalStatus: (refusal, byDefault) => (is(operation, 'missing-body')(refusal) ? 422 : byDefault),
  }),
  broken(`${operation}: another type is taken`, `${operation}.body-types`, letThrough(is(operation, 'member-type'))),
]);

const pinFault: Fault = {
  name: 'the PIN comes back',
  condemns: ['cards.setPin.pin-not-echoed'],
  sandbox: {
    middleware: [
      (answer, { operation, request }) =>
        operation === 'cards.setPin' && answer.status === 200
          ? { ...answer, body: { card: { newPIN: (request.body as { pin: string }).pin } } }
          : undefined,
    ],
  },
};

const tokenFaults: Fault[] = [
  broken('a suspension is not challenged', 'cards.suspend.challenge', {
    refusalHeaders: ({ operation }, byDefault) => (operation === 'cards.suspend' ? {} : byDefault),
  }),
];

const now = [
  ...amountFaults,
  ...refusedTransferFaults,
  ...unusualAmountFaults,
  ...stateFaults,
  ...bodyFaults,
  pinFault,
  ...tokenFaults,
];

export const changingCardFaults: readonly Fault[] = [...now];
