/** Every fault that the suite is proved by. */
import { adviceFaults } from './advice.ts';
import type { Fault } from './fault.ts';
import { contractFaults } from './from-contracts.ts';
import { operatorFaults } from './from-operators.ts';
import { generatedFaults } from './generated.ts';
import { portalFaults } from './portal.ts';
import { unforeseenFaults } from './unforeseen.ts';
import { blindSpotFaults } from './v3-blind-spots.ts';
import { cardFaults } from './v3-cards.ts';
import { changingCardFaults } from './v3-changing.ts';
import { furtherV3Faults } from './v3-further.ts';
import { listingFaults } from './v3-listings.ts';
import { lookAlikeFaults } from './v3-look-alikes.ts';
import { moneyFaults } from './v3-money.ts';
import { readingFaults } from './v3-reading.ts';
import { tokenFaults } from './v3-token.ts';

export const faults: readonly Fault[] = [
  ...contractFaults,
  ...adviceFaults,
  ...portalFaults,
  ...changingCardFaults,
  ...listingFaults,
  ...readingFaults,
  ...tokenFaults,
  ...generatedFaults,
  ...unforeseenFaults,
  ...Object.values(blindSpotFaults).flat(),
  ...furtherV3Faults,
  ...moneyFaults,
  ...lookAlikeFaults,
  ...operatorFaults,
  ...cardFaults,
];
