/** Number of cards that a run uses up. */
import type { PoolName } from '../helpers/cards/pools.ts';

/** Number of cards of each pool that a complete run with risk irreversible changes for good. */
export const CONSUMED: Record<PoolName, number> = { active: 0, disposable: 2, unused: 1, fraud: 1 };
