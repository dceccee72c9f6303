/** The order of a run: all checks at once, those that disturb others, those that let time pass, then what every exchange showed. */
import type { Check, Suite } from './check.ts';
import { Context } from './context.ts';
import { exchangeRequirements, execute, judgeExchanges, type Outcome } from './execute.ts';
import type { Run } from './run.ts';

/** Checks that run at once; a stage begins when the one before is done. */
export interface Stage {
  name: string;
  checks: Check[];
}

/** The stages of a run. Where a test clock moves the target's time for everyone, what lets time pass is the last. */
export function stages(run: Run, suite: Suite): Stage[] {
  const inPhase = (...phases: Check['phase'][]) =>
    suite.checks.filter((check) => phases.includes(check.phase) && check.applies(run.configuration));
  const clockIsLast = run.configuration.target.testClockUrl !== undefined;
  return [
    { name: 'checks', checks: clockIsLast ? inPhase('main') : inPhase('main', 'clock') },
    { name: 'checks that disturb others', checks: inPhase('last') },
    { name: 'checks that move the clock', checks: clockIsLast ? inPhase('clock') : [] },
  ].filter(({ checks }) => checks.length > 0);
}

/** Gathers what is observed once all checks are done. An observation that cannot be made is not there: it fails nothing. */
export async function observeAfterwards(run: Run, suite: Suite): Promise<void> {
  for (const observer of suite.observers ?? []) {
    const context = new Context(run, 'observations');
    try {
      await observer(context);
    } catch (error) {
      run.note(`An observation could not be made: ${(error as Error).message}`);
    } finally {
      await context.end();
    }
  }
}

/** Runs a whole suite without a test runner: for the proof of the suite itself, which runs it hundreds of times. */
export async function conduct(run: Run, suite: Suite): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { checks } of stages(run, suite))
    outcomes.push(...(await Promise.all(checks.map((check) => execute(run, check)))));
  await observeAfterwards(run, suite);
  return [...outcomes, ...exchangeRequirements.map((requirement) => judgeExchanges(run, requirement))];
}
