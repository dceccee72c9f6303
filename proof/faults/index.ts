/** Every fault that the suite is proved by. */
import { adviceFaults } from './advice.ts';
import type { Fault } from './fault.ts';
import { contractFaults } from './from-contracts.ts';
import { generatedFaults } from './generated.ts';
import { portalFaults } from './portal.ts';
import { cardStateFaults } from './v3-card-states.ts';
import { changingCardFaults } from './v3-changing.ts';
import { filterFaults } from './v3-filters.ts';
import { guardFaults } from './v3-guards.ts';
import { listingFaults } from './v3-listings.ts';
import { readingFaults } from './v3-reading.ts';
import { tokenFaults } from './v3-token.ts';

export const faults: readonly Fault[] = [
  ...contractFaults,
  ...adviceFaults,
  ...portalFaults,
  ...changingCardFaults,
  ...cardStateFaults,
  ...listingFaults,
  ...filterFaults,
  ...readingFaults,
  ...tokenFaults,
  ...guardFaults,
  ...generatedFaults,
];
