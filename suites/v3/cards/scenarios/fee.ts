/** Fees: what transfers cost beside their amounts (reading 27). */
import { sameCents, TOLERANCE_CENTS } from './balance-changes.ts';

/** What a transfer cost beside its amount, in cents: what the source paid more, and what the target got less. */
export interface Cost {
  cents: number;
  paid: number;
  kept: number;
}

/** Largest share of the amount by which a fee may grow. */
const LARGEST_SHARE = 0.1;
/** Largest step, in cents, between two fees whose amounts are alike: a fee may have tiers. */
const LARGEST_STEP = 25;
/** What is charged at least, and of a small amount at most, in cents, where some transfers are free: a cent may be a matter of rounding. */
const LEAST_BESIDE_FREE = 2;
const MOST_BESIDE_FREE = 100;

/** Whether a transfer cost something. */
export const isCharge = ({ paid, kept }: Cost): boolean => paid + kept > TOLERANCE_CENTS;

/**
 * Whether what the transfers of a card cost beside their amounts, in the order in which they were made, may be a fee: the same amount
 * costs always the same, and more never less. That is a flat fee, a share of the amount to the cent, both together, a least or a most of
 * it, tiers. Small amounts may be free, and so may be the first transfers; and of a flat fee any: it may be taken at each third transfer.
 */
export function isFee(costs: readonly Cost[]): boolean {
  if (!costs.every(({ paid, kept }) => paid > -TOLERANCE_CENTS && kept > -TOLERANCE_CENTS)) return false;
  const charges = costs.filter(isCharge);
  const arePlausible = charges.every(isPlausibleBesideFree);
  if (isFlat(charges) && (arePlausible || charges.some(({ cents }) => cents !== charges[0]!.cents))) return true;
  if (charges.length < costs.length && !arePlausible) return false;
  const since = costs.slice(costs.findIndex(isCharge)).toSorted((a, b) => a.cents - b.cents);
  return since.slice(1).every((more, index) => growsAsFee(since[index]!, more));
}

/** Whether all are charged alike, and by more than what may be a matter of rounding: it is not what is cut off each of them. */
const isFlat = (charges: readonly Cost[]): boolean =>
  !charges.every(isCutOff) &&
  charges.every((one) => feeOf(one) >= LEAST_BESIDE_FREE && sameCents(feeOf(one), feeOf(charges[0]!)));

const isCutOff = (cost: Cost): boolean => [10, 100].some((unit) => sameCents(cost.cents % unit, feeOf(cost)));

const feeOf = ({ paid, kept }: Cost): number => paid + kept;

const mostBesideFree = (cents: number): number =>
  Math.max(Math.min(MOST_BESIDE_FREE, cents / 2), LARGEST_SHARE * cents);

const isPlausibleBesideFree = (cost: Cost): boolean =>
  feeOf(cost) >= LEAST_BESIDE_FREE && feeOf(cost) <= mostBesideFree(cost.cents);

function growsAsFee(less: Cost, more: Cost): boolean {
  const step = feeOf(more) - feeOf(less);
  if (more.cents === less.cents) return sameCents(step, 0);
  const most = isCharge(less) ? LARGEST_SHARE * (more.cents - less.cents) + LARGEST_STEP : mostBesideFree(more.cents);
  return step > -TOLERANCE_CENTS && step <= most;
}
