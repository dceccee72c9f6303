/** A process that tries one mutant after the other, as its parent asks. */
import { condemns, runSuite } from '../proof/run-suite.ts';
import { type Subject, startCopy, subjects } from './build.ts';
import { installRuntime } from './runtime.ts';

/** What a worker is asked to try. */
export interface Trial {
  subject: Subject['name'];
  number: number;
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
  /** Why there is no verdict: the target did not start, hung, or took the process with it. */
  broke?: string;
  /** Mutants whose place was reached, of a whole run. */
  reached?: number[];
}

async function attempt({ subject, number, first, whole = false }: Trial): Promise<Tried> {
  globalThis.__mutant = number;
  globalThis.__reached.clear();
  const chosen = subjects.find(({ name }) => name === subject)!;
  try {
    const near = first.length > 0 ? await judge(chosen, { untilCondemned: true, only: first }) : undefined;
    const tried = near && near.killedBy.length > 0 ? near : await judge(chosen, { untilCondemned: !whole });
    return { number, ...tried, ...(whole ? { reached: [...globalThis.__reached] } : {}) };
  } catch (error) {
    return { number, killedBy: [], incomplete: true, broke: (error as Error).message };
  } finally {
    globalThis.__mutant = 0;
  }
}

async function judge(subject: Subject, options: Parameters<typeof runSuite>[1]): Promise<Omit<Tried, 'number'>> {
  const target = await startCopy(subject);
  try {
    const { outcomes } = await runSuite(target, options);
    const killedBy = [...new Set(outcomes.filter(condemns).map(({ requirement }) => requirement))];
    return { killedBy, incomplete: killedBy.length === 0 && outcomes.some(({ verdict }) => verdict === 'blocked') };
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
