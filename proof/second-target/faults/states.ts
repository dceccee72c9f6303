/** What faults about the states of cards have in common. */
import type { Action, Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { type Operations, onReply, succeeded } from '../tools.ts';
import type { CardState } from '../world.ts';

export const unsuspends = 'v3, States: unsuspend applies to a suspended card';

export const activates = 'v3, States: activate applies to a deactivated or unused card';

export const closes = 'v3, POST close: closes the account';

export const loses = 'v3, POST marklost: marks the account lost';

export function moves(action: Action, from: CardState, to: CardState): (c: Choices) => void {
  return (c) => {
    c.transitions[action] = { ...c.transitions[action], [from]: to };
  };
}

/** Leaves a card in a state after some operation succeeded on it, whatever that operation is for. */
export function afterwards(
  c: Choices,
  meant: Operations,
  from: CardState,
  to: CardState,
  when: (x: Exchange) => boolean = () => true,
): void {
  onReply(c, meant, (reply, x) => {
    if (succeeded(reply) && x.card?.facts.state === from && when(x))
      x.world.alter(x.card, (facts) => void Object.assign(facts, { state: to }));
  });
}

export const card = ({ card }: Exchange) => card;
