/**
 * States of a card and the operations that change them. Source: "States and transitions"; undocumented transitions are
 * our choice.
 */
import type { Call } from '../call.ts';
import type { OperationId } from '../operations.ts';
import type { Card, CardState } from '../world.ts';

interface Transition {
  from: readonly CardState[];
  to: CardState;
}

const transitions = {
  'cards.activate': { from: ['unused', 'deactivated'], to: 'active' },
  'cards.suspend': { from: ['active'], to: 'suspended' },
  'cards.unsuspend': { from: ['suspended'], to: 'active' },
  'cards.unmarkFraud': { from: ['fraud'], to: 'active' },
  'cards.markLost': { from: ['unused', 'active', 'deactivated', 'suspended', 'fraud'], to: 'lost' },
  'cards.close': { from: ['unused', 'active', 'deactivated', 'suspended', 'lost', 'fraud'], to: 'closed' },
} satisfies Partial<Record<OperationId, Transition>>;

export type TransitionId = keyof typeof transitions;

/** States in which an operation that does not change the state is refused. */
const closedTo: Partial<Record<OperationId, readonly CardState[]>> = {
  'cards.markWalletProvisioned': ['closed', 'lost'],
  'cards.reissue': ['closed'],
  'cards.setPin': ['closed'],
  'cards.encryptForVde': ['closed'],
};

/** @throws Refused when the card's state forbids the operation */
export function checkState(call: Call, card: Card): void {
  const transition: Transition | undefined = transitions[call.id as TransitionId];
  const byDefault = transition ? transition.from.includes(card.state) : !closedTo[call.id]?.includes(card.state);
  const allowed = call.rules.allowsFrom(call.id, card, byDefault);
  call.check(allowed, 'state', 'card', `The card is ${call.rules.statusName(card.state)}.`);
}

/** Moves the card to the state that follows the operation. */
export function move(call: Call, card: Card): void {
  const id = call.id as TransitionId;
  call.effect(() => {
    card.state = call.rules.stateAfter(id, card, transitions[id].to);
    touch(call, card);
  }, card);
}

/** Records that an operation took effect on the card, and refreshes its stored record as the rules say. */
export function touch(call: Call, card: Card): void {
  card.history.push(call.id);
  card.lastUpdateDate = call.now;
  refreshRecord(call, card, 'status');
  refreshRecord(call, card, 'balance');
}

/** Refreshes one member of the stored record, if the operation does that. */
export function refreshRecord(call: Call, card: Card, member: 'status' | 'balance'): void {
  if (!call.rules.recordFollows(call.id, member)) return;
  if (member === 'status') card.record.state = card.state;
  else card.record.balanceCents = card.balanceCents;
}
