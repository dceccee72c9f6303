/** What is left of the cards that runs use up, and for how many runs that does. */
import type { Conformance } from '../contracts/record.ts';
import { requirements as catalogue } from '../contracts/requirements/index.ts';
import { count, some, visible } from './text.ts';

type Recorded = Pick<Conformance, 'run' | 'requirements'>;

/** The pools that a run looked into: at a lower risk, or with --only, it knows nothing of the others. */
const usedPools = ({ run: { pools = [] } }: Pick<Conformance, 'run'>) =>
  pools.filter(({ used, spentBefore }) => used + spentBefore > 0);

/** The number of whole runs for which the cards of all pools do; undefined if the run used up none. */
function runsLeft(conformance: Pick<Conformance, 'run'>): number | undefined {
  const all = usedPools(conformance).flatMap(({ runsLeft }) => runsLeft ?? []);
  return all.length > 0 ? Math.min(...all) : undefined;
}

/** @example active 8 of 8, disposable 8 of 10, unused 4 of 5, fraud 3 of 4; enough for 3 more runs */
export function cardsLeftInWords(conformance: Pick<Conformance, 'run'>): string {
  const pools = usedPools(conformance).map(({ pool, given, left }) => `${visible(pool)} ${left} of ${given}`);
  const runs = runsLeft(conformance);
  return pools.join(', ') + (runs === undefined || runs === 0 ? '' : `; enough for ${count(runs, 'more run')}`);
}

/**
 * Warns before the cards are used up, and once they are says what could not be judged without fresh ones: sentences, none
 * as long as they do for two more runs.
 */
export function wearInWords(conformance: Recorded): string[] {
  const runs = runsLeft(conformance);
  if (runs === undefined || runs > 1) return [];
  const scarce = usedPools(conformance).filter((pool) => (pool.runsLeft ?? Number.POSITIVE_INFINITY) <= 1);
  const keys = scarce.map(({ pool, left }) => `cards.${pool} (${left} left)`).join(', ');
  const lasts = runs === 0 ? 'do not do for another run' : 'do for one more run';
  const missed = missedFor(
    conformance,
    new Set(scarce.filter(({ left }) => left === 0).map(({ pool }) => `cards.${pool}`)),
  );
  return [
    `The cards of the fixtures file ${lasts}: ${visible(keys)}. Add fresh ones, or let RUN_FIXTURES_COMMAND print them (docs/fixtures.md).`,
    ...(missed.length > 0
      ? [`Only fresh cards could show ${count(missed.length, 'requirement')}: ${some(missed, 6)}.`]
      : []),
  ];
}

/** Ids of requirements that need a pool and were not judged. */
function missedFor({ requirements }: Recorded, pools: ReadonlySet<string>): string[] {
  const needing = new Set(catalogue.filter(({ needs }) => needs.some((key) => pools.has(key))).map(({ id }) => id));
  return requirements
    .filter(({ id, verdict }) => needing.has(id) && (verdict === 'inconclusive' || verdict === 'skipped'))
    .map(({ id }) => id);
}
