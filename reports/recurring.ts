/** What nights add up to: what each of them suspected and none confirmed, and how often what is right is refused (reading 7). */
import type { PastRun, Seen, TargetHistory } from './history.ts';

/** Of so many nights, in how many something has to be suspected to be named. */
const SUSPECTED = { nights: 7, least: 3 };
const FAILED: readonly (Seen | undefined)[] = ['failed', 'known'];
/** Over how many nights refusals of what is right are counted. */
const RATED_NIGHTS = 30;
/** How many refusals, and in how many nights, are needed to name their rate, and how much of it they must show for certain. */
const RATED = { refused: 3, nights: 2, share: 0.01 };
/** Of the normal distribution, how many standard deviations hold 95 %. */
const Z_95 = 1.96;

/** The same suspicion in several nights, none of which confirmed it. */
export interface Recurring {
  requirement: string;
  check: string;
  /** Of how many nights. */
  of: number;
  /** The nights that suspected it, the latest first, with what showed it. */
  nights: { startedAt: string; shown: readonly string[] }[];
}

/** What three of the last seven nights suspected, and none confirmed, most often suspected first. */
export function recurring({ runs }: TargetHistory): Recurring[] {
  const last = runs.slice(-SUSPECTED.nights).reverse();
  const suspicions = last.flatMap(({ startedAt, suspected = [] }) => suspected.map((one) => ({ startedAt, ...one })));
  // What failed last is confirmed, and said elsewhere.
  const isOpen = ({ requirement }: { requirement: string }) => !FAILED.includes(last[0]?.seen.get(requirement));
  return [...Map.groupBy(suspicions.filter(isOpen), ({ requirement, check }) => `${requirement}: ${check}`).values()]
    .filter((same) => same.length >= SUSPECTED.least)
    .map((same) => ({
      requirement: same[0]!.requirement,
      check: same[0]!.check,
      of: last.length,
      nights: same.map(({ startedAt, shown }) => ({ startedAt, shown })),
    }))
    .sort((a, b) => b.nights.length - a.nights.length);
}

/** How often an operation refuses readings that it accepts when they are repeated, over some nights. */
export interface RefusalRate {
  operation: string;
  asked: number;
  refused: number;
  nights: number;
  /** The interval that holds the true rate with 95 % (Wilson's), as shares of 1. */
  interval: readonly [low: number, high: number];
}

/** The operations that refuse what is right so often, in several nights with the version of the last one, that it is no accident. */
export function refusalRates({ runs }: TargetHistory): RefusalRate[] {
  const version = runs.at(-1)?.version;
  const nights = runs.filter((run) => run.version === version && run.readings).slice(-RATED_NIGHTS);
  const operations = new Set(nights.flatMap(({ readings }) => [...readings!.keys()]));
  return [...operations]
    .map((operation) => rateOf(operation, nights))
    .filter(({ isTold }) => isTold)
    .map(({ rate }) => rate);
}

function rateOf(operation: string, nights: readonly PastRun[]): { rate: RefusalRate; isTold: boolean } {
  const counted = nights.flatMap(({ readings }) => readings!.get(operation) ?? []);
  const asked = counted.reduce((sum, one) => sum + one.asked, 0);
  const refused = counted.reduce((sum, one) => sum + one.refused, 0);
  const interval = wilsonInterval(refused, asked);
  const refusing = counted.filter((one) => one.refused > 0).length;
  return {
    rate: { operation, asked, refused, nights: counted.length, interval },
    isTold: refused >= RATED.refused && refusing >= RATED.nights && interval[0] >= RATED.share,
  };
}

/** The interval that holds a share with 95 % (Wilson 1927). @param asked greater than 0 */
export function wilsonInterval(shown: number, asked: number): readonly [low: number, high: number] {
  const share = shown / asked;
  const squared = Z_95 ** 2;
  const middle = share + squared / (2 * asked);
  const half = Z_95 * Math.sqrt((share * (1 - share)) / asked + squared / (4 * asked ** 2));
  const whole = 1 + squared / asked;
  return [Math.max(0, (middle - half) / whole), Math.min(1, (middle + half) / whole)];
}
