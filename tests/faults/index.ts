/** Every fault that the suite is proved by. */
import type { Fault } from './fault.ts';
import { contractFaults } from './from-contracts.ts';
import { portalFaults } from './portal.ts';

export const faults: readonly Fault[] = [...contractFaults, ...portalFaults];
