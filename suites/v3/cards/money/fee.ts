/** Fees: costs of transfers in addition to their amounts (reading 27). */
import { numbers } from '../../../../contracts/numbers.ts';
import * as Effects from './effects.ts';

/** The cost of a transfer in cents: what the source paid beyond the amount, and what the target received less. */
type Cost = { from: string; cents: number; paid: number; kept: number };

/** Bounds of fees: these may have tiers, and a single cent may come from rounding. */
const { sameCents, mostOfSmallFee, largestFeeShare, feeStep, leastFee, leastShare, charges: enough } = numbers;

/**
 * Whether the costs of transfers may be fees: alike each time for each card, or a share of all amounts.
 * @param others of the same transfers at another time, which show more amounts
 */
export function mayBeFees(costs: readonly Cost[], others: readonly Cost[] = []): boolean {
  const charged = ofCards(costs).filter((ofCard) => ofCard.some(isCharge));
  return costs.filter(isCharge).length > 1 && (charged.every(isFee) || isShare(ofCards([...costs, ...others]).flat()));
}

/** The costs of each card, without the largest amount that it paid no more than: of a whole balance nothing is left to pay a fee from. */
const ofCards = (costs: readonly Cost[]): Cost[][] =>
  [...Map.groupBy(costs, ({ from }) => from).values()].map((own) => {
    const isFree = ({ cents, paid, kept }: Cost) => paid <= sameCents && kept <= mostBesideFree(cents);
    const most = Math.max(...own.filter(isFree).map(({ cents }) => cents));
    return own.filter((cost) => !isFree(cost) || cost.cents < most);
  });

/** Whether a transfer had a cost. */
const isCharge = (cost: Cost): boolean => feeOf(cost) > sameCents;

/**
 * Whether the costs of a card's transfers, in the order in which they were made, may be fees: equal amounts cost the same, and larger ones
 * never less. That covers a flat fee, a share of the amount, both together, with a minimum or maximum, and tiers. Small amounts and the
 * first transfers may be free; of a flat fee any transfer may be, as when every third one is charged.
 */
function isFee(costs: readonly Cost[]): boolean {
  if (!costs.every(({ paid, kept }) => paid > -sameCents && kept > -sameCents)) return false;
  const charges = costs.filter(isCharge);
  const isPlausible = (one: Cost) => feeOf(one) >= leastFee && feeOf(one) <= mostBesideFree(one.cents);
  const arePlausible = charges.every(isPlausible);
  if (areWhatWasMoved(charges)) return false;
  if (isFlat(charges) && (arePlausible || charges.some(({ cents }) => cents !== charges[0]!.cents))) return true;
  if (charges.length < costs.length && !arePlausible) return false;
  const since = costs.slice(costs.findIndex(isCharge)).toSorted((a, b) => a.cents - b.cents);
  return since.slice(1).every((more, index) => growsAsFee(since[index]!, more));
}

/** Whether each cost is the amount that was moved, whatever that was: it was booked twice, or is lost. */
const areWhatWasMoved = (charges: readonly Cost[]): boolean =>
  charges.every((one) => Effects.sameCents(feeOf(one), one.cents)) &&
  new Set(charges.map(({ cents }) => cents)).size > 1;

/** Whether the costs of all transfers are one share of their amounts, rounded to cents. */
export function isShare(shared: readonly Cost[]): boolean {
  const least = Math.max(...shared.map((cost) => (feeOf(cost) - 1) / cost.cents));
  const largest = Math.min(...shared.map((cost) => (feeOf(cost) + 1) / cost.cents));
  return least < Math.min(largest, largestFeeShare) && shared.some((cost) => feeOf(cost) >= leastShare);
}

/** Whether all are charged the same, and more than rounding explains: not the fraction cut off each amount. */
const isFlat = (charges: readonly Cost[]): boolean =>
  !charges.every((one) => [10, 100].some((unit) => Effects.sameCents(one.cents % unit, feeOf(one)))) &&
  charges.every((one) => feeOf(one) >= leastFee && Effects.sameCents(feeOf(one), feeOf(charges[0]!)));

/** Whether enough costs show that they are no fees. */
export const areNoFees = (costs: readonly Cost[]): boolean =>
  costs.filter(isCharge).length >= enough && !mayBeFees(costs);

const feeOf = ({ paid, kept }: Cost): number => paid + kept;

const mostBesideFree = (cents: number): number =>
  Math.max(Math.min(mostOfSmallFee, cents / 2), largestFeeShare * cents);

function growsAsFee(less: Cost, more: Cost): boolean {
  const step = feeOf(more) - feeOf(less);
  if (more.cents === less.cents) return Effects.sameCents(step, 0);
  const most = isCharge(less) ? largestFeeShare * (more.cents - less.cents) + feeStep : mostBesideFree(more.cents);
  return step > -sameCents && step <= most;
}
