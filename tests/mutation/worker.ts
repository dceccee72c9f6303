/** A process that tries one mutant after the other, as its parent asks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requirementById } from '../../contracts/requirements/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { Run } from '../../helpers/run.ts';
import { exchangeRequirements, judgeExchanges, type Outcome } from '../../helpers/runner/execute.ts';
import { stages } from '../../helpers/runner/schedule.ts';
import { suite } from '../../suites/index.ts';
import { type Started, type Subject, startCopy, subjects } from './build.ts';
import { installRuntime } from './runtime.ts';

/** What a worker is asked to try. */
export interface Trial {
  subject: Subject['name'];
  number: number;
  /** Only to learn which mutants a run reaches: the whole run, whatever fails. */
  whole?: boolean;
}

/** What came of it. */
export interface Tried {
  number: number;
  /** Must requirements that failed; the first are enough to condemn. */
  killedBy: string[];
  /** What the target could not do: it did not start, or broke in a way that is no answer. */
  broke?: string;
  /** Mutants whose place was reached. */
  reached?: number[];
  milliseconds: number;
}

const SEED = '20260';

/** Runs the suite against a target, until a must requirement fails. */
async function attempt({ subject, number, whole = false }: Trial): Promise<Tried> {
  const begun = performance.now();
  const reportDir = mkdtempSync(join(tmpdir(), 'mutant-'));
  const killedBy = new Set<string>();
  const milliseconds = () => Math.round(performance.now() - begun);
  const note = ({ requirement, verdict }: Outcome) => {
    if (verdict === 'failed' && requirementById(requirement).level === 'must') killedBy.add(requirement);
  };
  let target: Started | undefined;
  globalThis.__mutant = number;
  globalThis.__reached.clear();
  try {
    target = await startCopy(subjects.find(({ name }) => name === subject)!);
    const fixtures = join(reportDir, 'fixtures.json');
    writeFileSync(fixtures, JSON.stringify(target.fixtures));
    const configuration = await readConfiguration({
      env: { ...target.environment, TARGET_FIXTURES: fixtures },
      options: { 'report-dir': reportDir, seed: SEED },
      cwd: reportDir,
    });
    const run = new Run(configuration, suite.rules);
    await run.begin();
    for (const { turns } of stages(run, suite))
      await Promise.all(
        turns.map(async (turn) => {
          note(await turn.take());
          if (killedBy.size > 0 && !whole) run.end('a must requirement failed');
        }),
      );
    for (const requirement of exchangeRequirements) note(judgeExchanges(run, requirement));
    await run.close();
    return {
      number,
      killedBy: [...killedBy],
      milliseconds: milliseconds(),
      ...(whole ? { reached: [...globalThis.__reached] } : {}),
    };
  } catch (error) {
    return { number, killedBy: [...killedBy], broke: (error as Error).message, milliseconds: milliseconds() };
  } finally {
    globalThis.__mutant = 0;
    await target?.close().catch(() => {});
    rmSync(reportDir, { recursive: true, force: true });
  }
}

installRuntime();
process.on('message', async (trial: Trial) => {
  process.send!(await attempt(trial));
});
process.on('disconnect', () => process.exit());
