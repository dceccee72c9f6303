/** Faults of the portal. */
import type { Fault } from './fault.ts';
import { portalBlindSpotFaults } from './portal-blind-spots.ts';
import { portalCipFaults } from './portal-cip.ts';
import { cipValueFaults } from './portal-cip-values.ts';
import { portalCustomerFaults } from './portal-customers.ts';
import { furtherPortalFaults } from './portal-further.ts';
import { orderValueFaults } from './portal-order-values.ts';
import { portalOrderFaults } from './portal-orders.ts';
import { portalSessionFaults } from './portal-sessions.ts';

export const portalFaults: readonly Fault[] = [
  ...portalSessionFaults,
  ...portalCustomerFaults,
  ...portalCipFaults,
  ...portalOrderFaults,
  ...portalBlindSpotFaults,
  ...furtherPortalFaults,
  ...cipValueFaults,
  ...orderValueFaults,
];
