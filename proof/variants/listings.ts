/** Sound implementations: how they list customers and cards, and what they have to list. */
import type { Variant } from './variant.ts';

/** A place that differs from one listing to the next. */
function rank({ identifier }: { identifier: string }, seed: number): number {
  let hash = seed;
  for (const character of identifier) hash = Math.imul(hash ^ character.charCodeAt(0), 0x85ebca6b);
  return hash;
}

/** Identifiers from 1 on, in the order in which they are asked for. */
function counted(): (uuid: string) => string {
  const numbers = new Map<string, string>();
  return (uuid) => {
    if (!numbers.has(uuid)) numbers.set(uuid, String(numbers.size + 1));
    return numbers.get(uuid)!;
  };
}

export const listingVariants: readonly Variant[] = [
  {
    name: 'cards in another order at every listing',
    sandbox: {
      rules: {
        listingOrder: (operation, items, request) =>
          operation === 'cards.list'
            ? items.toSorted((a, b) => rank(a, request.callNumber) - rank(b, request.callNumber))
            : items,
      },
    },
  },
  {
    name: 'a small target whose cards are all of one program',
    sandbox: {
      customers: 5,
      cards: 4,
      pools: { active: 2, disposable: 2, unused: 1, fraud: 1, foreign: 1 },
      rules: {
        meanwhile: ({ ownCards }) => {
          for (const card of ownCards) card.programIdentifier = 'PRG-1001';
        },
      },
    },
    configure: ({ fixtures }) => {
      fixtures.cards!.filters!.programIdentifier = 'PRG-1001';
      fixtures.cards!.byProxy!.programIdentifier = 'PRG-1001';
    },
  },
  { name: 'identifiers are counted from 1', sandbox: { identifier: counted() } },
  {
    name: 'continuation tokens differ in their last letters alone',
    sandbox: {
      rules: { continuationToken: ({ from, page }) => `${'eyJhZnRlciI6'.repeat(100)}${from}-${page}` },
    },
  },
];
