import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { cardShape, holderShape } from '../shapes.ts';
import type { Card } from '../world.ts';

function reachable(x: Exchange): Card[] {
  return x.world.cards.filter((card) => card.owner.ours);
}

function cardsOfHolder(x: Exchange): Card[] {
  const held = reachable(x).filter((card) => card.holder.identifier === x.path.identifier);
  x.refuseIf(!held.length, 'unknown-card', 'identifier');
  return held;
}

/** GET cardholders: the document only lists it; all of them are shown. */
export function list(x: Exchange): Reply {
  const holders = new Map(reachable(x).map(({ holder }) => [holder.identifier, holder]));
  return ok({ results: [...holders.values()].map((holder) => ({ ...holder })) });
}

/** GET one cardholder. */
export function get(x: Exchange): Reply {
  return ok(holderShape(cardsOfHolder(x)[0]!.holder));
}

/** PUT a cardholder: names, e-mail and phone can be changed. */
export function update(x: Exchange): () => Reply {
  const { holder } = cardsOfHolder(x)[0]!;
  const sent = x.json();
  return () => {
    for (const name of ['firstName', 'lastName', 'email', 'phone'] as const) {
      if (typeof sent[name] === 'string') holder[name] = sent[name];
    }
    return ok(holderShape(holder));
  };
}

/** GET the cards of a cardholder. */
export function listCards(x: Exchange): Reply {
  return ok({ results: cardsOfHolder(x).map((card) => cardShape(card, x)) });
}
