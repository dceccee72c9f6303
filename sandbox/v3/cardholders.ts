/** The cardholders resource, listed only, in a simple form. Source: "Cardholders". */
import type { Call } from '../call.ts';
import type { Card, Cardholder } from '../world.ts';
import { shownCards } from './cards.ts';

const firstPage = 50;

/**
 * The cards of the holder that the path names. @throws Refused when the holder does not exist, or belongs to another
 * tenant
 */
function cardsOfHolder(call: Call): readonly Card[] {
  const cards = call.world.cardsByHolder.get(call.request.params.identifier ?? '') ?? [];
  call.check(cards.length > 0, 'unknown', 'identifier', 'There is no such cardholder.');
  const isOwn = cards.every((card) => card.tenant === 'own');
  call.check(isOwn, 'foreign', 'identifier', 'There is no such cardholder.');
  return cards;
}

function holderOf(call: Call): Cardholder | { identifier: string } {
  return cardsOfHolder(call)[0]?.cardholder ?? { identifier: call.request.params.identifier ?? '' };
}

/** GET /cardholders: the first page. */
export function listCardholders(call: Call): unknown {
  const holders = new Map<string, Cardholder>();
  for (const { cardholder } of call.rules.listsForeign(call.id) ? call.world.allCards : call.world.ownCards) {
    if (cardholder) holders.set(cardholder.identifier, cardholder);
    if (holders.size === firstPage) break;
  }
  return { results: [...holders.values()] };
}

/** GET /cardholders/{identifier} */
export function getCardholder(call: Call): unknown {
  return holderOf(call);
}

/** PUT /cardholders/{identifier}: sets the members that were sent as text. */
export function updateCardholder(call: Call): unknown {
  const holder = holderOf(call) as unknown as Record<string, unknown>;
  const wanted = call.object();
  call.effect(() => {
    for (const [name, value] of Object.entries(wanted)) {
      if (name !== 'identifier' && typeof holder[name] === 'string' && typeof value === 'string') holder[name] = value;
    }
  });
  return holder;
}

/** GET /cardholders/{identifier}/cards */
export function listCardsOfHolder(call: Call): unknown {
  return shownCards(call, cardsOfHolder(call));
}
