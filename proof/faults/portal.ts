/** Faults of the portal. */
import type { Fault } from './fault.ts';
import { portalAccessFaults } from './portal-access.ts';
import { portalCipFaults } from './portal-cip.ts';
import { portalLoginFaults } from './portal-logins.ts';
import { portalLookupFaults } from './portal-lookups.ts';
import { orderMemoryFaults } from './portal-order-memory.ts';
import { portalOrderFaults } from './portal-orders.ts';

export const portalFaults: readonly Fault[] = [
  ...portalLoginFaults,
  ...portalAccessFaults,
  ...portalLookupFaults,
  ...portalCipFaults,
  ...portalOrderFaults,
  ...orderMemoryFaults,
];
