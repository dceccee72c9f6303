/** Faults of the portal. */
import type { Fault } from './fault.ts';
import { portalBlindSpotFaults } from './portal-blind-spots.ts';
import { portalCipFaults } from './portal-cip.ts';
import { portalCustomerFaults } from './portal-customers.ts';
import { furtherPortalFaults } from './portal-further.ts';
import { portalOrderFaults } from './portal-orders.ts';
import { orderAndCipFaults } from './portal-orders-and-cip.ts';
import { portalSessionFaults } from './portal-sessions.ts';

export const portalFaults: readonly Fault[] = [
  ...portalSessionFaults,
  ...portalCustomerFaults,
  ...portalCipFaults,
  ...portalOrderFaults,
  ...portalBlindSpotFaults,
  ...furtherPortalFaults,
  ...orderAndCipFaults,
];
