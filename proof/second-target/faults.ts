import { accessFaults } from './faults/access.ts';
import { answerFaults } from './faults/answers.ts';
import { cardFaults } from './faults/cards.ts';
import type { Fault } from './faults/fault.ts';
import { listingFaults } from './faults/listings.ts';
import { onceMissed } from './faults/once-missed.ts';
import { orderFaults } from './faults/orders.ts';
import { personFaults } from './faults/people.ts';
import { portalFaults } from './faults/portal.ts';

export type { Fault } from './faults/fault.ts';

/** All faults: ways to break a statement of the documents. */
export const faults: readonly Fault[] = [
  ...accessFaults,
  ...listingFaults,
  ...cardFaults,
  ...answerFaults,
  ...portalFaults,
  ...personFaults,
  ...orderFaults,
  ...onceMissed,
];
