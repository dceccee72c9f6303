/** Worker process: runs the suite against targets with the faults that its parent sends, and returns what a report would say. */
import { causeInWords } from '../../reports/first-screen.ts';
import { type View, viewOf } from '../../reports/view.ts';
import { assemble } from '../../run/assemble.ts';
import { type TargetName, targets } from './planted.ts';
import { answerParent } from './pool.ts';
import { runSuite } from './run-suite.ts';

/** A target with faults. */
export interface Shown {
  target: TargetName;
  faults: string[];
}

/** What a report of a run against it says. */
export interface ShownBy extends Shown {
  /** The must requirements that failed. */
  failed: string[];
  /** The requirements without a conclusion. */
  unseen: string[];
  /** Each finding in one line, and the requirements that it explains and hides. */
  findings: { line: string; requirements: string[]; unseen: string[] }[];
}

answerParent(async ({ target, faults }: Shown): Promise<ShownBy> => {
  const { close, ...given } = await targets[target].having(faults);
  const startedAt = new Date();
  const { outcomes, run, exchanges } = await runSuite(given).finally(close);
  const conformance = assemble(run.configuration, {
    startedAt,
    finishedAt: new Date(),
    outcomes,
    facts: run.facts(),
    reachability: { reached: ['token', 'v3', 'v1'], blocked: new Map() },
  });
  return { target, faults, ...saidBy(viewOf(conformance, { exchanges })) };
});

const saidBy = ({ conformance: { requirements }, findings: { failures } }: View): Omit<ShownBy, keyof Shown> => ({
  failed: requirements.filter(({ verdict, level }) => verdict === 'failed' && level === 'must').map(({ id }) => id),
  unseen: requirements.filter(({ verdict }) => ['inconclusive', 'blocked'].includes(verdict)).map(({ id }) => id),
  findings: failures.map((one) => ({
    line: causeInWords(one),
    requirements: one.requirements.map(({ id }) => id),
    unseen: one.unseen.map(({ id }) => id),
  })),
});
