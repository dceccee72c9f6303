/** What changed between two runs: at the target, apart from what only another run tried (reading 52), and from what comes and goes. */
import type { Comparison, RequirementChange } from './compare.ts';
import type { TargetHistory } from './history.ts';

/**
 * How a requirement differs from the baseline, in the order of the reports. `new` and `fixed`: by what both runs tried. `new to us`: it fails by what the
 * baseline did not try, or was not judged there. `not tried again`: it passes, and what failed was not tried. `flaky`: see the history's courses.
 */
export const CHANGES = [
  'new',
  'failing otherwise',
  'no longer seen',
  'new to us',
  'flaky',
  'not tried again',
  'fixed',
] as const;
export type Change = (typeof CHANGES)[number];

/** A requirement that differs from the baseline, and how. */
export interface Changed {
  change: Change;
  requirement: RequirementChange;
}

/** What differs between two runs, in the order of {@link CHANGES}. @param history of the target, by which what comes and goes is known */
export function changesOf(comparison: Comparison, history?: TargetHistory): Changed[] {
  const courseOf = ({ id }: RequirementChange) => history?.courses.get(id);
  const isPassing = (one: RequirementChange) =>
    one.isTriedInBoth || (courseOf(one)?.passedAgain ?? '') > comparison.before.startedAt;
  const all = [
    ...comparison.newlyFailing.map((requirement): Changed => {
      if (courseOf(requirement)?.isFlaky) return { change: 'flaky', requirement };
      return { change: requirement.isTriedInBoth ? 'new' : 'new to us', requirement };
    }),
    // What fails otherwise by other forms may have done so before.
    ...comparison.failingDifferently
      .filter(({ isTriedInBoth }) => isTriedInBoth)
      .map((requirement): Changed => ({ change: 'failing otherwise', requirement })),
    ...comparison.newlyNotSeen.map((requirement): Changed => ({ change: 'no longer seen', requirement })),
    ...comparison.fixed.map((requirement): Changed => {
      if (courseOf(requirement)?.isFlaky) return { change: 'flaky', requirement };
      return { change: isPassing(requirement) ? 'fixed' : 'not tried again', requirement };
    }),
  ];
  return all.toSorted((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change));
}
