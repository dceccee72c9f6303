/** Worker process: tries the mutants that its parent sends, one after the other. */
import type { Verdict } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { condemns, type Given, runSuite } from '../selfcheck/run-suite.ts';
import { loadCopy, type Subject, subjects } from './build.ts';
import { installRuntime } from './runtime.ts';

/** A mutant to try. */
export interface Trial {
  subject: Subject['name'];
  number: number;
  /** Whether the mutant takes effect when its module is loaded. */
  atLoad: boolean;
  /** Selection of checks to try first; a whole run follows if they condemn nothing. */
  first: readonly string[];
  /** Whether to run to the end despite failures, to learn which mutants a run reaches. */
  whole?: boolean;
}

/** The result of a trial. */
export interface Tried {
  number: number;
  /** Must requirements that failed before the run ended. */
  killedBy: string[];
  /** Whether none failed but some were blocked for want of an answer: the run is incomplete, and so not passed. */
  incomplete: boolean;
  /** Must requirements that are inconclusive or skipped. */
  undecided: string[];
  /** Why there is no verdict: the target did not start, hung, or crashed the process. */
  broke?: string;
  /** Numbers of the mutants that a whole run reached. */
  reached?: number[];
}

async function attempt({ subject, number, atLoad, first, whole = false }: Trial): Promise<Tried> {
  globalThis.__reached.clear();
  try {
    globalThis.__mutant = atLoad ? number : 0;
    const make = await loadCopy(subjects.find(({ name }) => name === subject)!, globalThis.__mutant);
    globalThis.__mutant = number;
    const near = first.length > 0 ? await judge(make, { untilCondemned: true, only: first }) : undefined;
    const tried = near && near.killedBy.length > 0 ? near : await judge(make, { untilCondemned: !whole });
    return { number, ...tried, ...(whole ? { reached: [...globalThis.__reached] } : {}) };
  } catch (error) {
    return { number, killedBy: [], incomplete: true, undecided: [], broke: (error as Error).message };
  } finally {
    globalThis.__mutant = 0;
  }
}

async function judge(make: () => Given, options: Parameters<typeof runSuite>[1]): Promise<Omit<Tried, 'number'>> {
  const { outcomes } = await runSuite(make(), options);
  const killedBy = [...new Set(outcomes.filter(condemns).map(({ requirement }) => requirement))];
  const withVerdict = (...verdicts: Verdict[]) => outcomes.filter(({ verdict }) => verdicts.includes(verdict));
  const undecided = new Set(withVerdict('inconclusive', 'skipped').map(({ requirement }) => requirement));
  return {
    killedBy,
    incomplete: killedBy.length === 0 && withVerdict('blocked').length > 0,
    undecided: [...undecided].filter((id) => requirementById(id).level === 'must'),
  };
}

installRuntime();
// Broken targets cause endless warnings.
process.removeAllListeners('warning');
process.on('message', async (trial: Trial) => {
  process.send!(await attempt(trial));
});
process.on('disconnect', () => process.exit());
