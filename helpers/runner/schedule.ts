/** The order of a run: all checks at once, those that disturb others after these, those that let time pass, then what every exchange showed. */
import type { Operation } from '../../contracts/operation.ts';
import { operation } from '../../contracts/operations.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Check, Suite } from '../check.ts';
import { accuses } from '../configuration/scope.ts';
import { Context } from '../context.ts';
import type { Run } from '../run.ts';
import { exchangeRequirements, execute, judgeExchanges } from './execute.ts';
import type { Outcome } from './outcome.ts';

/**
 * Runs checks at once, as far as they leave each other alone: a check of phase 'last' begins when the others of its interface are
 * done, and one of phase 'clock', where a test clock moves the target's time for everyone, when all others are.
 * @returns the outcome of each, which never rejects
 */
export function runChecks(run: Run, checks: readonly Check[]): Map<Check, Promise<Outcome>> {
  const clockIsShared = run.configuration.target.testClockUrl !== undefined;
  const phaseOf = ({ phase }: Check) => (phase === 'clock' && !clockIsShared ? 'main' : phase);
  const outcomes = new Map<Check, Promise<Outcome>>();
  for (const phase of ['main', 'last', 'clock'] as const) {
    const earlier = [...outcomes];
    const disturbed = (of: Operation['interface']) =>
      Promise.all(
        earlier.flatMap(([other, outcome]) => (phase === 'clock' || interfaceOf(other) === of ? [outcome] : [])),
      );
    const done = { token: disturbed('token'), v3: disturbed('v3'), v1: disturbed('v1') };
    for (const check of checks.filter((check) => phaseOf(check) === phase))
      outcomes.set(
        check,
        done[interfaceOf(check)].then(() => execute(run, check)).then((outcome) => endAtFailure(run, outcome)),
      );
  }
  return outcomes;
}

/** Ends the run with `--bail`. */
function endAtFailure(run: Run, outcome: Outcome): Outcome {
  const { configuration } = run;
  const failed = outcome.verdict === 'failed' && accuses(configuration, requirementById(outcome.requirement));
  if (configuration.run.bail && failed) run.end('a must failed (--bail)');
  return outcome;
}

const interfaceOf = ({ requirement }: Check) => operation(requirementById(requirement).operations[0]!).interface;

/** Gathers what is observed once all checks are done. An observation that cannot be made is not there: it fails nothing. */
export async function observeAfterwards(run: Run, suite: Suite): Promise<void> {
  if (run.ended) return;
  const observing = (suite.observers ?? []).map(async (observer) => {
    const context = new Context(run, 'observations');
    try {
      await observer(context);
    } catch (error) {
      run.note(`An observation could not be made: ${(error as Error).message}`);
    } finally {
      await context.end();
    }
  });
  await Promise.all(observing);
}

/** The checks that are part of a run with its configuration. */
export const checksOf = (run: Pick<Run, 'configuration'>, suite: Suite): Check[] =>
  suite.checks.filter((check) => check.applies(run.configuration));

/**
 * Runs a whole suite in this process, without a test runner.
 * @param onOutcome called whenever a check is done, with the number of all
 */
export async function conduct(
  run: Run,
  suite: Suite,
  onOutcome?: (outcome: Outcome, total: number) => void,
): Promise<Outcome[]> {
  const running = runChecks(run, checksOf(run, suite));
  const noted = async (running: Promise<Outcome>, total: number) => {
    const outcome = await running;
    onOutcome?.(outcome, total);
    return outcome;
  };
  const outcomes = await Promise.all(Array.from(running.values(), (one) => noted(one, running.size)));
  await observeAfterwards(run, suite);
  return [...outcomes, ...exchangeRequirements.map((requirement) => judgeExchanges(run, requirement))];
}
