import { accessFaults } from './faults/access.ts';
import { answerFaults } from './faults/answers.ts';
import { boundaryFilterFaults } from './faults/boundary-filters.ts';
import { boundaryMoneyFaults } from './faults/boundary-money.ts';
import { boundaryPeopleFaults } from './faults/boundary-people.ts';
import { cardStateFaults } from './faults/card-states.ts';
import { effectFaults } from './faults/effects.ts';
import { listingElementFaults } from './faults/elements-listings.ts';
import { orderElementFaults } from './faults/elements-orders.ts';
import type { Fault } from './faults/fault.ts';
import { guardFaults } from './faults/guards.ts';
import { credentialFaults } from './faults/inputs-credentials.ts';
import { valueFaults } from './faults/inputs-values.ts';
import { limitFaults } from './faults/limits.ts';
import { listingFaults } from './faults/listings.ts';
import { memoryFaults } from './faults/memory.ts';
import { plainFaults } from './faults/plain.ts';
import { portalCustomerFaults } from './faults/portal-customers.ts';
import { portalOrderFaults } from './faults/portal-orders.ts';
import { portalPersonFaults } from './faults/portal-people.ts';
import { portalSessionFaults } from './faults/portal-sessions.ts';
import { shownErrorFaults } from './faults/shown-errors.ts';
import { shownIdentityFaults } from './faults/shown-identities.ts';
import { shownRecordFaults } from './faults/shown-records.ts';
import { simultaneityFaults } from './faults/simultaneity.ts';
import { sporadicFaults } from './faults/sporadic.ts';
import { cardStatementFaults } from './faults/statements-cards.ts';
import { orderStatementFaults } from './faults/statements-orders.ts';
import { portalStatementFaults } from './faults/statements-portal.ts';
import { keptStateFaults } from './faults/states-kept.ts';
import { leftStateFaults } from './faults/states-left.ts';
import { timeFaults } from './faults/time.ts';
import { transferFaults } from './faults/transfers.ts';

export type { Fault } from './faults/fault.ts';

/** All faults: ways to break a statement of the documents. */
export const faults: readonly Fault[] = [
  ...plainFaults,
  ...credentialFaults,
  ...valueFaults,
  ...guardFaults,
  ...limitFaults,
  ...simultaneityFaults,
  ...effectFaults,
  ...listingElementFaults,
  ...orderElementFaults,
  ...memoryFaults,
  ...leftStateFaults,
  ...keptStateFaults,
  ...timeFaults,
  ...boundaryFilterFaults,
  ...boundaryPeopleFaults,
  ...boundaryMoneyFaults,
  ...sporadicFaults,
  ...portalStatementFaults,
  ...cardStatementFaults,
  ...orderStatementFaults,
  ...shownRecordFaults,
  ...shownIdentityFaults,
  ...shownErrorFaults,
  ...accessFaults,
  ...listingFaults,
  ...transferFaults,
  ...cardStateFaults,
  ...answerFaults,
  ...portalSessionFaults,
  ...portalCustomerFaults,
  ...portalPersonFaults,
  ...portalOrderFaults,
];
