/** The order of a run: all checks at once, those that disturb others after these, those that let time pass, then what every exchange showed. */
import { operation } from '../../contracts/operations.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Check, Suite } from '../check.ts';
import { Context } from '../context.ts';
import type { Run } from '../run.ts';
import { exchangeRequirements, execute, judgeExchanges, type Outcome } from './execute.ts';

/** A check, and what runs it when its turn has come. */
export interface Turn {
  check: Check;
  take(): Promise<Outcome>;
}

/** Turns that are taken at once; a stage begins when the one before is done. */
export interface Stage {
  name: string;
  turns: Turn[];
}

/** The stages of a run. Where a test clock moves the target's time for everyone, what lets time pass is the last. */
export function stages(run: Run, suite: Suite): Stage[] {
  const clockIsLast = run.configuration.target.testClockUrl !== undefined;
  const checks = suite.checks.filter((check) => check.applies(run.configuration));
  const isOfLastStage = ({ phase }: Check) => clockIsLast && phase === 'clock';
  return [
    {
      name: 'checks',
      turns: turnsOf(
        run,
        checks.filter((check) => !isOfLastStage(check)),
      ),
    },
    { name: 'checks that move the clock', turns: turnsOf(run, checks.filter(isOfLastStage)) },
  ].filter(({ turns }) => turns.length > 0);
}

/** The turns of a stage: what disturbs the others of its interface begins when these are done. */
function turnsOf(run: Run, checks: readonly Check[]): Turn[] {
  const others = checks
    .filter(({ phase }) => phase !== 'last')
    .map((check) => ({ check, done: Promise.withResolvers<void>() }));
  const othersOf = (disturbing: Check) =>
    others.filter(({ check }) => interfaceOf(check) === interfaceOf(disturbing)).map(({ done }) => done.promise);
  return [
    ...others.map(({ check, done }) => ({ check, take: () => execute(run, check).finally(done.resolve) })),
    ...checks
      .filter(({ phase }) => phase === 'last')
      .map((check) => ({ check, take: () => Promise.all(othersOf(check)).then(() => execute(run, check)) })),
  ];
}

const interfaceOf = ({ requirement }: Check) => operation(requirementById(requirement).operations[0]!).interface;

/** Gathers what is observed once all checks are done. An observation that cannot be made is not there: it fails nothing. */
export async function observeAfterwards(run: Run, suite: Suite): Promise<void> {
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

/** Runs a whole suite without a test runner: for the proof of the suite itself, which runs it hundreds of times. */
export async function conduct(run: Run, suite: Suite): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { turns } of stages(run, suite)) outcomes.push(...(await Promise.all(turns.map((turn) => turn.take()))));
  await observeAfterwards(run, suite);
  return [...outcomes, ...exchangeRequirements.map((requirement) => judgeExchanges(run, requirement))];
}
