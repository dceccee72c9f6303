/** A process that tries one mutant after the other, as its parent asks. */
import type { Verdict } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { condemns, runSuite, type Started } from '../proof/run-suite.ts';
import { loadCopy, type Subject, subjects } from './build.ts';
import { installRuntime } from './runtime.ts';

/** What a worker is asked to try. */
export interface Trial {
  subject: Subject['name'];
  number: number;
  /** Whether the mutant takes effect when its module is loaded. */
  atLoad: boolean;
  /** What is tried first: a whole run follows where that condemns nothing. */
  first: readonly string[];
  /** Whether to learn which mutants a run reaches: the whole run, whatever fails. */
  whole?: boolean;
}

/** What came of it. */
export interface Tried {
  number: number;
  /** Must requirements that failed; the first are enough to condemn. */
  killedBy: string[];
  /** Whether must requirements were blocked instead, since no answer came: the run is incomplete, and so not passed. */
  incomplete: boolean;
  /** Must requirements that are inconclusive or skipped. */
  undecided: string[];
  /** Why there is no verdict: the target did not start, hung, or took the process with it. */
  broke?: string;
  /** Mutants whose place was reached, of a whole run. */
  reached?: number[];
}

async function attempt({ subject, number, atLoad, first, whole = false }: Trial): Promise<Tried> {
  globalThis.__reached.clear();
  try {
    globalThis.__mutant = atLoad ? number : 0;
    const start = await loadCopy(subjects.find(({ name }) => name === subject)!, globalThis.__mutant);
    globalThis.__mutant = number;
    const near = first.length > 0 ? await judge(start, { untilCondemned: true, only: first }) : undefined;
    const tried = near && near.killedBy.length > 0 ? near : await judge(start, { untilCondemned: !whole });
    return { number, ...tried, ...(whole ? { reached: [...globalThis.__reached] } : {}) };
  } catch (error) {
    return { number, killedBy: [], incomplete: true, undecided: [], broke: (error as Error).message };
  } finally {
    globalThis.__mutant = 0;
  }
}

async function judge(
  start: () => Promise<Started>,
  options: Parameters<typeof runSuite>[1],
): Promise<Omit<Tried, 'number'>> {
  const target = await start();
  try {
    const { outcomes } = await runSuite(target, options);
    const killedBy = [...new Set(outcomes.filter(condemns).map(({ requirement }) => requirement))];
    const withVerdict = (...verdicts: Verdict[]) => outcomes.filter(({ verdict }) => verdicts.includes(verdict));
    const undecided = new Set(withVerdict('inconclusive', 'skipped').map(({ requirement }) => requirement));
    return {
      killedBy,
      incomplete: killedBy.length === 0 && withVerdict('blocked').length > 0,
      undecided: [...undecided].filter((id) => requirementById(id).level === 'must'),
    };
  } finally {
    await target.close().catch(() => {});
  }
}

installRuntime();
// A target that breaks says so, again and again.
process.removeAllListeners('warning');
process.on('message', async (trial: Trial) => {
  process.send!(await attempt(trial));
});
process.on('disconnect', () => process.exit());
