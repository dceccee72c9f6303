/** Faults of the portal. */
import type { Fault } from './fault.ts';
import { portalAccessFaults } from './portal-access.ts';
import { portalAnswerFaults } from './portal-answers.ts';
import { portalCipFaults } from './portal-cip.ts';
import { cipMemberFaults } from './portal-cip-members.ts';
import { cipValueFaults } from './portal-cip-values.ts';
import { portalCustomerFaults } from './portal-customers.ts';
import { portalLoginFaults } from './portal-logins.ts';
import { portalLookupFaults } from './portal-lookups.ts';
import { orderMemoryFaults } from './portal-order-memory.ts';
import { orderRuleFaults } from './portal-order-rules.ts';
import { orderValueFaults } from './portal-order-values.ts';
import { portalOrderFaults } from './portal-orders.ts';
import { portalSessionFaults } from './portal-sessions.ts';

export const portalFaults: readonly Fault[] = [
  ...portalSessionFaults,
  ...portalLoginFaults,
  ...portalAccessFaults,
  ...portalCustomerFaults,
  ...portalLookupFaults,
  ...portalCipFaults,
  ...cipMemberFaults,
  ...cipValueFaults,
  ...portalOrderFaults,
  ...orderMemoryFaults,
  ...orderRuleFaults,
  ...orderValueFaults,
  ...portalAnswerFaults,
];
