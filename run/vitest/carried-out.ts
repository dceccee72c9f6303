/** The test that fails where a run judged nothing, or broke off: a test runner is content when everything is skipped. */
import type { Conformance } from '../../contracts/record.ts';
import { hindrances } from '../../reports/headline.ts';
import { isSelected } from '../../reports/selection.ts';
import { cut } from '../../reports/text.ts';
import { unseen } from '../../reports/unseen.ts';

/** Name of that test; it is not a check. */
export const CARRIED_OUT = 'the run was carried out';

/** Length of a reason in a message, in characters. */
const LONGEST_REASON = 500;

/** A run that judged nothing, or broke off. */
export class NotCarriedOut extends Error {
  override readonly name = 'NotCarriedOut';
  constructor(reasons: readonly string[]) {
    super(reasons.map((reason) => cut(reason, LONGEST_REASON)).join('; '));
    this.stack = `${this.name}: ${this.message}`;
  }
}

/**
 * Why `run` would end with 2 or 3; empty if it would not.
 * @param isFiltered whether the test runner left checks out: then the others are not missed, and one judgement is enough
 */
export function reasonsNotCarriedOut(
  { run, summary, requirements }: Pick<Conformance, 'run' | 'summary' | 'requirements'>,
  isFiltered: boolean,
): string[] {
  if (run.interrupted) return [];
  if (run.outOfReach?.length) return [...(run.incompleteBecause ? [run.incompleteBecause] : []), ...run.outOfReach];
  const chosen = requirements.filter((one) => one.inScope && isSelected(one));
  if (chosen.length === 0) return ['no requirement is selected'];
  if (chosen.every(({ verdict }) => verdict === 'skipped'))
    return ['every requirement was skipped', ...unseenBecause(chosen)];
  if (summary.must.failed > 0) return [];
  if (!run.complete || summary.must.blocked > 0)
    return hindrances({ run, requirements: chosen }).map(([what, why]) => `${what}: ${why}`);
  const judged = chosen.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed');
  if (isFiltered ? judged.length > 0 : summary.must.passed > 0) return [];
  return [
    isFiltered ? 'no selected requirement could be judged' : 'no must requirement passed',
    ...unseenBecause(chosen),
  ];
}

/** Number of reasons that a message names. */
const MOST_REASONS = 3;

/** Why requirements were not seen, most of them first. */
const unseenBecause = (requirements: Conformance['requirements']): string[] =>
  unseen({ requirements })
    .slice(0, MOST_REASONS)
    .map(({ kind, reason }) => `${kind}: ${reason}`);
