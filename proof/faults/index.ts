/** Every fault that the suite is proved by. */
import { adviceFaults } from './advice.ts';
import type { Fault } from './fault.ts';
import { contractFaults } from './from-contracts.ts';
import { formFaults, generatedFaults } from './generated.ts';
import { portalFaults } from './portal.ts';
import { v3AnswerFaults } from './v3-answers.ts';
import { cardStateFaults } from './v3-card-states.ts';
import { cardFaults } from './v3-cards.ts';
import { changingCardFaults } from './v3-changing.ts';
import { filterFaults } from './v3-filters.ts';
import { guardFaults } from './v3-guards.ts';
import { identifierFaults } from './v3-identifiers.ts';
import { listingFaults } from './v3-listings.ts';
import { lookAlikeFaults } from './v3-look-alikes.ts';
import { moneyFaults } from './v3-money.ts';
import { readingFaults } from './v3-reading.ts';
import { tokenFaults } from './v3-token.ts';
import { tokenLifeFaults } from './v3-token-life.ts';
import { transferFaults } from './v3-transfers.ts';

export const faults: readonly Fault[] = [
  ...contractFaults,
  ...adviceFaults,
  ...portalFaults,
  ...changingCardFaults,
  ...listingFaults,
  ...filterFaults,
  ...readingFaults,
  ...tokenFaults,
  ...tokenLifeFaults,
  ...formFaults,
  ...generatedFaults,
  ...guardFaults,
  ...identifierFaults,
  ...v3AnswerFaults,
  ...transferFaults,
  ...moneyFaults,
  ...cardStateFaults,
  ...lookAlikeFaults,
  ...cardFaults,
];
