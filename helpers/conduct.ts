/** The order of a run: all checks at once, then those that let time pass, then what every exchange showed. */
import type { Check, Suite } from './check.ts';
import { exchangeRequirements, execute, judgeExchanges, type Outcome } from './execute.ts';
import type { Run } from './run.ts';

/** Checks of one phase. */
export const inPhase = (suite: Suite, phase: Check['phase']): Check[] =>
  suite.checks.filter((check) => check.phase === phase);

/** Whether the target's time may only pass when all else is done: a test clock moves it for everyone. */
export const clockIsLast = (run: Run): boolean => run.configuration.target.testClockUrl !== undefined;

/** Runs a whole suite without a test runner: for the proof of the suite itself, which runs it hundreds of times. */
export async function conduct(run: Run, suite: Suite): Promise<Outcome[]> {
  const main = Promise.all(inPhase(suite, 'main').map((check) => execute(run, check)));
  if (clockIsLast(run)) await main;
  const clock = Promise.all(inPhase(suite, 'clock').map((check) => execute(run, check)));
  const outcomes = [...(await main), ...(await clock)];
  return [...outcomes, ...exchangeRequirements.map((requirement) => judgeExchanges(run, requirement))];
}
