/** Faults of the operations that change cards: money, states, provisioning, PIN and reissue, and calls that are refused yet take effect. */
import type { Refusal, RefusalKind } from '../../sandbox/exchange.ts';
import type { OperationId } from '../../sandbox/operations.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { Fault } from './fault.ts';

const fault = (name: string, condemns: string | readonly string[], rules: Partial<Rules>): Fault => ({
  name,
  condemns: typeof condemns === 'string' ? [condemns] : condemns,
  sandbox: { rules },
});

const is = (operation: OperationId, kind: RefusalKind, name?: string) => (refusal: Refusal) =>
  refusal.operation === operation && refusal.kind === kind && (name === undefined || refusal.name === name);

const ofTransfer = (kind: RefusalKind, name?: string) => is('cards.transfer', kind, name);

/** Refused, and done all the same. */
const doneYetRefused = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  refusedStillTakesEffect: isMeant,
});
/** Not refused at all. */
const letThrough = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  enforces: (refusal) => !isMeant(refusal),
});

/** The fault, shown some time after the answer. */
const late = ({ name, condemns, sandbox }: Fault): Fault => ({
  name: `${name}, after 150 ms`,
  condemns,
  sandbox: { rules: { ...sandbox.rules, effectDelayMs: () => 150 } },
  configure: ({ run }) => {
    run.settleMs = 500;
  },
});

const MOVES = 'cards.transfer.moves-amount';
const CONSERVES = 'cards.transfer.conserves-money';

const amountFaults: Fault[] = [
  fault('cents are counted in binary fractions and cut off', MOVES, {
    transferDebit: (_cents, exact) => Math.floor(exact),
    transferCredit: (_cents, exact) => Math.floor(exact),
  }),
  fault('cents are counted in binary fractions and rounded up', MOVES, {
    transferDebit: (_cents, exact) => Math.ceil(exact),
    transferCredit: (_cents, exact) => Math.ceil(exact),
  }),
  fault('cents are cut off for the target alone', [MOVES, CONSERVES], {
    transferCredit: (_cents, exact) => Math.floor(exact),
  }),
  fault('amounts are rounded to whole units', MOVES, {
    transferDebit: (cents) => Math.round(cents / 100) * 100,
    transferCredit: (cents) => Math.round(cents / 100) * 100,
  }),
  fault('amounts are rounded to tenths', MOVES, {
    transferDebit: (cents) => Math.round(cents / 10) * 10,
    transferCredit: (cents) => Math.round(cents / 10) * 10,
  }),
  fault('the target gains nothing', [MOVES, CONSERVES], { transferCredit: () => 0 }),
  fault('the source loses nothing', [MOVES, CONSERVES], { transferDebit: () => 0 }),
  fault('the source pays a fee of a cent', [MOVES, CONSERVES], { transferDebit: (cents) => cents + 1 }),
  fault('amounts above 4.00 are a cent short', MOVES, {
    transferDebit: (cents) => (cents > 400 ? cents - 1 : cents),
    transferCredit: (cents) => (cents > 400 ? cents - 1 : cents),
  }),
  fault('money moves from the target to the source', MOVES, {
    transferDebit: (cents) => -cents,
    transferCredit: (cents) => -cents,
  }),
  fault('a transfer has no effect', [MOVES, 'cards.transfer.required-only', 'cards.transfer.claims-truly'], {
    takesEffect: (operation) => operation !== 'cards.transfer',
  }),
  fault('a transfer is refused by an answer of 200', [MOVES, 'cards.transfer.required-only'], {
    alsoRefuses: ({ operation }) => (operation === 'cards.transfer' ? { kind: 'funds', name: 'amount' } : undefined),
    transferRefusalStyle: () => '200-with-error-code',
  }),
  fault('a transfer without a comment is refused', 'cards.transfer.required-only', {
    requires: (operation, name, byDefault) => (operation === 'cards.transfer' && name === 'comment') || byDefault,
  }),
  fault('a transfer with a comment is refused', MOVES, {
    alsoRefuses: ({ operation, body }) =>
      operation === 'cards.transfer' && (body as { comment?: unknown } | undefined)?.comment !== undefined
        ? { kind: 'range', name: 'comment' }
        : undefined,
  }),
  {
    name: 'the amount answered is in cents',
    condemns: ['cards.transfer.amount-answered'],
    sandbox: {
      middleware: [
        ({ body, status }, { operation }) => {
          if (operation === 'cards.transfer' && status === 200) (body as { amount: number }).amount *= 100;
          return undefined;
        },
      ],
    },
  },
  fault('refused transfers are answered as successes', 'cards.transfer.claims-truly', {
    transferRefusalStyle: () => '200-with-failed-status',
    transferStatusName: () => 'Completed',
  }),
];

const refusedTransferFaults: Fault[] = [
  fault('zero bytes move a default amount', 'cards.transfer.missing-body', {
    requires: (operation, _name, byDefault, { raw }) =>
      !(operation === 'cards.transfer' && raw.length === 0) && byDefault,
  }),
  fault('zero bytes that are not declared as JSON move a default amount', 'cards.transfer.missing-body', {
    requires: (operation, _name, byDefault, { raw, headers }) =>
      !(operation === 'cards.transfer' && raw.length === 0 && headers['content-type'] === undefined) && byDefault,
  }),
  fault('without a target the money goes elsewhere', 'cards.transfer.no-target', {
    requires: (operation, name, byDefault) =>
      !(operation === 'cards.transfer' && name === 'targetCardIdentifier') && byDefault,
  }),
  fault('without an amount a default is moved', 'cards.transfer.no-amount', {
    requires: (operation, name, byDefault) => !(operation === 'cards.transfer' && name === 'amount') && byDefault,
  }),
  fault(
    'no amount is refused, yet moves',
    'cards.transfer.no-amount',
    doneYetRefused(ofTransfer('missing-member', 'amount')),
  ),
  fault(
    'an unknown target takes the money',
    'cards.transfer.unknown-target',
    letThrough(ofTransfer('unknown-reference')),
  ),
  fault(
    'an unknown target is refused, yet the source pays',
    'cards.transfer.unknown-target',
    doneYetRefused(ofTransfer('unknown-reference')),
  ),
  fault('a card that pays itself gains', 'cards.transfer.to-itself', {
    ...letThrough(ofTransfer('self')),
    selfTransfer: 'credit-only',
  }),
  fault('a card that pays itself loses', 'cards.transfer.to-itself', {
    ...letThrough(ofTransfer('self')),
    selfTransfer: 'debit-only',
  }),
  fault(
    'a foreign card is paid',
    'cards.transfer.foreign-target',
    letThrough(ofTransfer('foreign', 'targetCardIdentifier')),
  ),
  fault(
    'a foreign card is paid, though that is refused',
    'cards.transfer.foreign-target',
    doneYetRefused(ofTransfer('foreign', 'targetCardIdentifier')),
  ),
  fault(
    'a foreign card pays, though that is refused',
    'cards.transfer.foreign',
    doneYetRefused(ofTransfer('foreign', 'identifier')),
  ),
  fault('an amount as text is taken', 'cards.transfer.body-types', letThrough(ofTransfer('member-type', 'amount'))),
  fault('a missing body is answered with 422', 'cards.transfer.missing-body-400', {
    refusalStatus: (refusal, byDefault) => (ofTransfer('missing-body')(refusal) ? 422 : byDefault),
  }),
];

/** What a binary fraction leaves is no fraction that was meant. */
const isWhole = (cents: number) => Math.abs(cents - Math.round(cents)) < 0.001;

const unusualAmountFaults: Fault[] = [
  fault(
    'a negative amount draws from the target',
    'cards.transfer.negative-amount',
    letThrough(ofTransfer('amount', 'negative')),
  ),
  fault(
    'a negative amount is refused, yet draws from the target',
    'cards.transfer.negative-amount',
    doneYetRefused(ofTransfer('amount', 'negative')),
  ),
  fault('a negative amount is made of nothing', CONSERVES, {
    ...letThrough(ofTransfer('amount', 'negative')),
    transferCredit: (cents) => Math.max(cents, 0),
  }),
  fault('half a cent is rounded for either side alone', CONSERVES, {
    ...letThrough(ofTransfer('amount', 'fraction')),
    transferDebit: (cents, exact) => (isWhole(exact) ? cents : Math.floor(exact)),
    transferCredit: (cents, exact) => (isWhole(exact) ? cents : Math.ceil(exact)),
  }),
  fault('a thousandth of the unit becomes a cent', CONSERVES, {
    ...letThrough(ofTransfer('amount', 'fraction')),
    transferCredit: (cents, exact) => (exact > 0 ? Math.max(cents, 1) : cents),
  }),
  fault('a source that has too little loses what it has', CONSERVES, {
    ...letThrough(ofTransfer('funds')),
    transferDebit: (cents, _exact, source) => Math.min(cents, source.balanceCents),
  }),
  fault('zero makes a cent', CONSERVES, {
    ...letThrough(ofTransfer('amount', 'zero')),
    transferCredit: (cents) => cents || 1,
  }),
];

const noEffect = (operation: OperationId, condemns: readonly string[]) =>
  fault(`${operation} has no effect`, condemns, { takesEffect: (of) => of !== operation });

const stateFaults: Fault[] = [
  noEffect('cards.suspend', ['cards.suspend.not-active', 'cards.suspend.stops-payments']),
  noEffect('cards.unsuspend', ['cards.unsuspend.active', 'cards.unsuspend.pays-again']),
  noEffect('cards.activate', ['cards.activate.active']),
  noEffect('cards.close', ['cards.close.not-active', 'cards.close.stops-payments']),
  noEffect('cards.markLost', ['cards.markLost.not-active']),
  noEffect('cards.markWalletProvisioned', ['cards.markWalletProvisioned.provisioned']),
  fault('a suspended card pays', 'cards.suspend.stops-payments', {
    paysFrom: ({ state }, byDefault) => byDefault || state === 'suspended',
  }),
  fault(
    'a suspended card pays, though that is refused',
    'cards.suspend.stops-payments',
    doneYetRefused(ofTransfer('state', 'source')),
  ),
  fault('a suspended card reads Active', 'cards.suspend.not-active', {
    statusName: (state) => (['active', 'suspended'].includes(state) ? 'Active' : state),
    statusNumber: (state) => (['active', 'suspended'].includes(state) ? 1 : 2),
  }),
  fault('unsuspend leaves a card deactivated', 'cards.unsuspend.active', {
    stateAfter: (operation, _card, byDefault) => (operation === 'cards.unsuspend' ? 'deactivated' : byDefault),
  }),
  fault('a card that is unsuspended does not pay', 'cards.unsuspend.pays-again', {
    paysFrom: ({ history }, byDefault) => byDefault && !history.includes('cards.unsuspend'),
  }),
  fault('activate leaves a card deactivated', 'cards.activate.active', {
    stateAfter: (operation, _card, byDefault) => (operation === 'cards.activate' ? 'deactivated' : byDefault),
  }),
  fault('a closed card pays', 'cards.close.stops-payments', {
    paysFrom: ({ state }, byDefault) => byDefault || state === 'closed',
  }),
  fault('a closed card reads Active', 'cards.close.not-active', {
    stateAfter: (operation, _card, byDefault) => (operation === 'cards.close' ? 'active' : byDefault),
  }),
  fault('cards are closed neither with a balance nor without', 'cards.close.required-only', {
    allowsFrom: (operation, _card, byDefault) => operation !== 'cards.close' && byDefault,
  }),
  ...(
    [
      'cards.suspend',
      'cards.unsuspend',
      'cards.activate',
      'cards.unmarkFraud',
      'cards.markLost',
      'cards.markWalletProvisioned',
    ] as const
  ).map((operation) =>
    fault(`${operation} is refused in every state`, `${operation}.required-only`, {
      allowsFrom: (of, _card, byDefault) => of !== operation && byDefault,
    }),
  ),
  fault('the balance is read without refreshing the record', 'cards.getBalance.refreshes-record', {
    recordFollows: (_operation, member) => member === 'status',
  }),
  fault('the status is read without refreshing the record', 'cards.getStatus.refreshes-record', {
    recordFollows: (_operation, member) => member === 'balance',
  }),
  fault('the status is read from a record that nothing refreshes', 'cards.getStatus.refreshes-record', {
    recordFollows: (_operation, member) => member === 'balance',
    statusNumber: () => 1,
  }),
];

const bodyFaults: Fault[] = (['cards.setPin', 'cards.reissue'] as const).flatMap((operation) => [
  fault(`${operation}: a body may be missing`, `${operation}.missing-body`, {
    requires: (of, _name, byDefault, { raw }) => !(of === operation && raw.length === 0) && byDefault,
  }),
  fault(`${operation}: a body may be missing that is declared as JSON`, `${operation}.missing-body`, {
    requires: (of, _name, byDefault, { raw, headers }) =>
      !(of === operation && raw.length === 0 && headers['content-type'] !== undefined) && byDefault,
  }),
  fault(`${operation}: a missing body is answered with 422`, `${operation}.missing-body-400`, {
    refusalStatus: (refusal, byDefault) => (is(operation, 'missing-body')(refusal) ? 422 : byDefault),
  }),
  fault(`${operation}: another type is taken`, `${operation}.body-types`, letThrough(is(operation, 'member-type'))),
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

/** Operations whose effect can be read back. */
const READABLE = [
  'cards.transfer',
  'cards.suspend',
  'cards.unsuspend',
  'cards.activate',
  'cards.close',
  'cards.markLost',
  'cards.unmarkFraud',
  'cards.markWalletProvisioned',
] as const;

const tokenFaults: Fault[] = [
  ...READABLE.map((operation) =>
    fault(
      `${operation} without a good token is refused, yet done`,
      `${operation}.requires-token`,
      doneYetRefused(is(operation, 'token')),
    ),
  ),
  fault('a suspension is not challenged', 'cards.suspend.challenge', {
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

export const changingCardFaults: readonly Fault[] = [
  ...now,
  ...now.filter(({ name }) => /yet|though|elsewhere|a cent short/.test(name)).map(late),
];
