/** Sound implementations: how they list customers and cards, and what they have to list. */
import type { Variant } from './variant.ts';

export const listingVariants: readonly Variant[] = [
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
];
