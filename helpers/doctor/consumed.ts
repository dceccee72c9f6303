/** What a run uses up. */
import type { PoolName } from '../cards/pools.ts';

/** Cards of each pool that a whole run of risk irreversible leaves in another state than it found them. */
export const CONSUMED: Record<PoolName, number> = { active: 0, disposable: 2, unused: 1, fraud: 1 };
