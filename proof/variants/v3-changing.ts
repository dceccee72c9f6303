/** Sound implementations that differ in what changes cards: transitions, refusals, amounts and fixtures. */
import type { CardState, Rules, SandboxOptions } from '../../sandbox/index.ts';
import { is, letThrough } from '../changed-sandbox.ts';
import { ruled, type Variant } from './variant.ts';

const CHANGES = /^cards\.(activate|suspend|unsuspend|unmarkFraud|markLost|close)$/;
const ENDED: readonly CardState[] = ['closed', 'lost'];

/** A closed card stays closed, and unsuspend makes no card Active that it does not apply to (reading 29). */
const staysAsItIs = (operation: string, state: CardState): boolean =>
  state === 'closed' || (operation === 'cards.unsuspend' && ['lost', 'unused', 'fraud'].includes(state));

const pools = (name: string, sizes: SandboxOptions['pools']): Variant => ({ name, sandbox: { pools: sizes } });

const delayed = (name: string, rules: Partial<Rules>): Variant => ({
  name,
  sandbox: { rules: { effectDelayMs: () => 200, ...rules }, middleware: [] },
  run: { settleMs: 600 },
});

export const changingCardVariants: readonly Variant[] = [
  ruled('a suspended card is paid', { paysTo: ({ state }) => !ENDED.includes(state) }),
  ruled('a transfer to itself is accepted and moves nothing', letThrough(is('cards.transfer', { kind: 'self' }))),
  ruled('transitions repeated are accepted', {
    allowsFrom: (operation, { state }, byDefault) =>
      byDefault || (CHANGES.test(operation) && !ENDED.includes(state) && !staysAsItIs(operation, state)),
  }),
  ruled('every transition is accepted in every state, and one that does not apply changes nothing', {
    allowsFrom: () => true,
    stateAfter: (operation, { state }, byDefault) => (staysAsItIs(operation, state) ? state : byDefault),
  }),
  ruled('cards with reported fraud read Active, and were freed before', {
    statusName: (state) => (state === 'active' || state === 'fraud' ? 'Active' : state),
    allowsFrom: (operation, _card, byDefault) => operation !== 'cards.unmarkFraud' && byDefault,
  }),
  ruled('one number for every status', { statusNumber: () => 1 }),
  ruled('cards that are provisioned before are refused', {
    meanwhile: ({ data }) => {
      for (const card of data.cards) card.isProvisionedToWallet ||= card.history.length === 0;
    },
    allowsFrom: (operation, { isProvisionedToWallet }, byDefault) =>
      byDefault && !(operation === 'cards.markWalletProvisioned' && isProvisionedToWallet),
  }),
  ruled('ended cards are no longer found', {
    alsoRefuses: ({ params }, { cardById }) =>
      ENDED.includes(cardById.get(params.identifier ?? '')?.state as CardState)
        ? { kind: 'unknown', name: 'identifier' }
        : undefined,
  }),
  ruled('cards with a balance are not closed, and foreign currencies are not exchanged', {
    closesWithBalance: false,
    alsoRefuses: ({ operation, params }, { cardById }) =>
      operation === 'cards.transfer' && (cardById.get(params.identifier ?? '')?.balanceCents ?? 0) < 5000
        ? { kind: 'mismatch', name: 'currency' }
        : undefined,
  }),
  delayed('effects that show after 200 ms, transfers refused by an answer of 200', {
    transferRefusalStyle: () => '200-with-failed-status',
  }),
  delayed('effects that show after 200 ms, a source may owe money', {
    enforces: ({ kind }) => kind !== 'funds' && kind !== 'amount',
    transferDebit: Math.abs,
    transferCredit: Math.abs,
  }),
  pools('fewer cards than the documentation wants', { active: 2, disposable: 1, unused: 1, fraud: 1, foreign: 1 }),
  pools('one active card', { active: 1, disposable: 2, unused: 1, fraud: 1, foreign: 1 }),
  pools('no active card', { active: 0, disposable: 3, unused: 0, fraud: 0, foreign: 0 }),
];
