/** Fees: costs of transfers in addition to their amounts (reading 27). */
import { numbers } from '../../../../contracts/numbers.ts';
import * as Effects from './effects.ts';

/** The cost of a transfer, in cents. */
interface Cost {
  /** The card that pays. */
  from: string;
  /** The amount that was asked for. */
  cents: number;
  /** What the source paid beyond it. */
  paid: number;
  /** What the target received less. */
  kept: number;
}

/** Bounds of fees: these may have tiers, and a single cent may come from rounding. */
const {
  sameCents,
  mostOfSmallFee,
  largestFeeShare,
  feeStep,
  leastFee,
  leastShare,
  charges: enough,
  disturbed: mostDisturbed,
} = numbers;

/** Costs of a card, at the most, among which those of others are looked for, since every two are tried: a recording may hold thousands. */
const FEW = 40;

/**
 * The costs of transfers that may be fees: alike each time for each card, or a share of all amounts; none where they may not. Where enough costs of
 * a card are, it leaves out a few, which somebody else made meanwhile.
 * @param others of the same transfers at another time, which show more amounts
 */
export function feesAmong<C extends Cost>(costs: readonly C[], others: readonly Cost[] = []): readonly C[] {
  if (costs.filter(isCharge).length < 2 || areWhatWasMoved([...costs, ...others].filter(isCharge))) return [];
  const ofEach = ofCards(costs)
    .filter((ofCard) => ofCard.some(isCharge))
    .map(disturbedIn);
  if (ofEach.every((disturbed) => disturbed !== undefined)) {
    const all = new Set(ofEach.flat());
    return costs.filter((cost) => !all.has(cost));
  }
  return isShare(ofCards<Cost>([...costs, ...others]).flat()) ? costs : [];
}

/** As few costs of a card as possible without which the others may be fees; undefined where there are too few others. */
function disturbedIn<C extends Cost>(costs: readonly C[]): readonly C[] | undefined {
  const most = costs.length > FEW ? 0 : mostDisturbed;
  for (let size = 0; size <= most; size++)
    for (const disturbed of choicesOf(costs, size)) {
      const others = costs.filter((cost) => !disturbed.includes(cost));
      if (isFee(others) && others.filter(isCharge).length >= size * enough) return disturbed;
    }
  return undefined;
}

/** Each choice of so many, in order. */
function* choicesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  if (size === 0) yield [];
  else
    for (const [index, first] of all.entries())
      for (const others of choicesOf(all.slice(index + 1), size - 1)) yield [first, ...others];
}

/** Whether the costs of transfers may be fees, all but a few of them. */
export const mayBeFees = (costs: readonly Cost[]): boolean => feesAmong(costs).length > 0;

/** The costs of each card, without the largest amount that it paid no more than: of a whole balance nothing is left to pay a fee from. */
const ofCards = <C extends Cost>(costs: readonly C[]): C[][] =>
  [...Map.groupBy(costs, ({ from }) => from)].map(([, own]) => {
    const most = Math.max(...own.filter(isFree).map(({ cents }) => cents));
    return own.filter((cost) => !isFree(cost) || cost.cents < most);
  });

/** Whether the card paid the amount alone, and what did not arrive of it may be a fee. */
const isFree = (cost: Cost): boolean =>
  !isGain(cost) && cost.paid <= sameCents && cost.kept <= mostBesideFree(cost.cents);

/** Whether a transfer had a cost. */
const isCharge = (cost: Cost): boolean => feeOf(cost) > sameCents;

/**
 * Whether the costs of a card's transfers, in the order in which they were made, may be fees: equal amounts cost the same, and larger ones
 * never less. That covers a flat fee, a share of the amount, both together, with a minimum or maximum, and tiers. Small amounts and the
 * first transfers may be free; of a flat fee any transfer may be, as when every third one is charged.
 */
function isFee(costs: readonly Cost[]): boolean {
  const charges = costs.filter(isCharge);
  if (costs.some(isGain) || areWhatWasMoved(charges)) return false;
  const arePlausible = charges.every(isPlausible);
  const areOfSeveral = charges.some(({ cents }) => cents !== charges[0]!.cents);
  if (isFlat(charges) && (arePlausible || areOfSeveral)) return true;
  if (charges.length < costs.length && !arePlausible) return false;
  const since = costs.slice(costs.findIndex(isCharge)).toSorted((a, b) => a.cents - b.cents);
  return since.slice(1).every((more, index) => growsAsFee(since[index]!, more));
}

/** Whether the source paid less than the amount, or the target received more. */
const isGain = ({ paid, kept }: Cost): boolean => paid <= -sameCents || kept <= -sameCents;

const isPlausible = (cost: Cost): boolean => feeOf(cost) >= leastFee && feeOf(cost) <= mostBesideFree(cost.cents);

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

/** Whether all are charged the same, and more than rounding explains. */
function isFlat(charges: readonly Cost[]): boolean {
  if (charges.every(isCutOff)) return false;
  const [first] = charges;
  return charges.every((one) => feeOf(one) >= leastFee && Effects.sameCents(feeOf(one), feeOf(first!)));
}

/** Whether the cost is the fraction that is cut off an amount. */
const isCutOff = (cost: Cost): boolean => [10, 100].some((unit) => Effects.sameCents(cost.cents % unit, feeOf(cost)));

/** Whether enough costs show that they are no fees. Where a card got something, that came from somebody else, or shows again. */
export function areNoFees(costs: readonly Cost[]): boolean {
  const own = costs.filter((cost) => !isGain(cost));
  return own.filter(isCharge).length >= enough && !mayBeFees(own);
}

const feeOf = ({ paid, kept }: Cost): number => paid + kept;

/** Most that may be charged, in cents, where other transfers are free. */
const mostBesideFree = (cents: number): number =>
  Math.max(Math.min(mostOfSmallFee, cents / 2), largestFeeShare * cents);

/** Whether the cost of a larger amount may be a fee, beside that of a smaller one. */
function growsAsFee(less: Cost, more: Cost): boolean {
  const step = feeOf(more) - feeOf(less);
  if (more.cents === less.cents) return Effects.sameCents(step, 0);
  const most = isCharge(less) ? largestFeeShare * (more.cents - less.cents) + feeStep : mostBesideFree(more.cents);
  return step > -sameCents && step <= most;
}
