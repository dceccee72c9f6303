import { type Action, ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Card, CardFacts, CardState } from '../world.ts';
import { cardOfPath } from './guard.ts';

/** The operation that moves a card from state to state as the chosen transitions say. */
function transition(action: Action): (x: Exchange) => () => Reply {
  return (x) => {
    const card = cardOfPath(x);
    const next = x.choices.transitions[action];
    x.refuseIf(next[card.facts.state] === undefined, 'transition', 'status');
    return () => {
      // What an overlooked refusal leads to is the state that the operation usually ends in.
      const state = next[card.facts.state] ?? Object.values(next)[0]!;
      if (state !== card.facts.state) touch(x, card, { state });
      return ok();
    };
  };
}

export const activate = transition('activate');
export const close = transition('close');
export const suspend = transition('suspend');
export const unsuspend = transition('unsuspend');
export const unmarkFraud = transition('unmarkFraud');
export const markLost = transition('markLost');

function touch(x: Exchange, card: Card, changed: Partial<CardFacts>): void {
  x.world.alter(card, (facts) => Object.assign(facts, changed, { updated: x.world.now() }));
}

function cardIn(x: Exchange, states: readonly CardState[]): Card {
  const card = cardOfPath(x);
  x.refuseIf(!states.includes(card.facts.state), 'wrong-state', 'status');
  return card;
}

/** POST wallet-provisioned. */
export function markWalletProvisioned(x: Exchange): () => Reply {
  const card = cardIn(x, ['active', 'suspended']);
  return () => {
    touch(x, card, { provisioned: x.world.now() });
    return { status: 201 };
  };
}

/** POST reissue: the card is printed again. */
export function reissue(x: Exchange): () => Reply {
  const card = cardIn(x, ['active', 'lost', 'suspended', 'unused']);
  const { externalIdentifier } = x.json();
  const bad = externalIdentifier !== undefined && typeof externalIdentifier !== 'string';
  x.refuseIf(bad, 'bad-field', 'externalIdentifier');
  return () => {
    touch(x, card, {});
    return ok();
  };
}

/** POST replace: as reissue, without anything to send. */
export function replace(x: Exchange): () => Reply {
  const card = cardIn(x, ['active', 'lost', 'suspended']);
  return () => {
    touch(x, card, {});
    return ok();
  };
}

/** POST pin. */
export function setPin(x: Exchange): () => Reply {
  const card = cardIn(x, ['active', 'unused', 'suspended']);
  const { pin } = x.json();
  x.refuseIf(typeof pin !== 'string' || !x.choices.pin(pin), 'bad-pin', 'pin');
  return () => {
    card.pin = String(pin);
    touch(x, card, {});
    return ok();
  };
}
