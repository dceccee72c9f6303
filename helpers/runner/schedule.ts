/** The order of a run: most checks at once, then those that disturb others and those that let time pass. */
import { setImmediate } from 'node:timers/promises';
import type { Operation } from '../../contracts/operation.ts';
import { operation } from '../../contracts/operations.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Check, Observer, Suite } from '../check.ts';
import { accuses, type Interface, isDone, isWhollySelected } from '../configuration/scope.ts';
import type { Configuration } from '../configuration/types.ts';
import { Context } from '../context.ts';
import { retryReadings } from '../engine/refused-once.ts';
import type { Run } from '../run.ts';
import { Verdict } from '../verdict.ts';
import { exchangeRequirements, execute, judgeExchanges, reasonHindered } from './execute.ts';
import { readCardsLeft } from './left.ts';
import { concluded, type Outcome } from './outcome.ts';

interface Running {
  /** The outcome of each check; never rejects. */
  outcomes: Map<Check, Promise<Outcome>>;
  /** Resolves when all checks are done and all observations made. */
  done: Promise<void>;
}

/**
 * Runs checks concurrently as far as they do not disturb each other; see {@link Check.phase}. The target's time passes
 * while nobody has a session that it could end. If all else is done by the time the portal's sessions have ended, its
 * 'end' checks run after the time has passed, else before. On v3 they always run after, unless the token that they need
 * would end for good.
 */
export function runChecks(run: Run, { checks, observers: all = [] }: Pick<Suite, 'checks' | 'observers'>): Running {
  // One that judges single requirements observes nothing besides.
  const observers = all.filter(({ operation: id }) => isWhollySelected(run.configuration, id));
  const phaseOf = phasesIn(run.configuration);
  const outcomes = new Map<Check, Promise<Outcome>>();
  /** Starts checks after a promise. @returns a promise for both */
  const begin = async (phase: Check['phase'], isIncluded: (of: Interface) => boolean, after?: Promise<unknown>) => {
    const meant = checks.filter((check) => phaseOf(check) === phase && isIncluded(interfaceOf(check)));
    let turn: Promise<unknown> = Promise.resolve(after);
    const begun = meant.map((check, index) => {
      if (index > 0 && index % CHECKS_PER_TURN === 0) turn = turn.then(() => setImmediate());
      const outcome = turn.then(() => execute(run, check)).then((one) => endAtFailure(run, one));
      outcomes.set(check, outcome);
      return outcome;
    });
    await Promise.all([after, ...begun]);
  };
  const observe = (isIncluded: (of: Interface) => boolean) =>
    observeAfterwards(
      run,
      observers.filter((observer) => isIncluded(operation(observer.operation).interface)),
    );
  /** Observing a portal operation needs what that operation's checks leave over, and waits for no others. */
  const observePortal = () =>
    observers
      .filter((observer) => isPortal(operation(observer.operation).interface))
      .map(async (observer) => {
        const ofOperation = [...outcomes].filter(([check]) => operationOf(check).id === observer.operation);
        await Promise.all(ofOperation.map(([, outcome]) => outcome));
        await observeAfterwards(run, [observer]);
      });
  let isOtherDone = false;
  let endsFirst = false;
  const portalMain = begin('main', isPortal);
  const portal = begin('last', isPortal, Promise.all([portalMain, ...observePortal()]));
  // The portal starts first: its orders, which run one at a time, are the longest chain.
  const otherMain = begin('main', isOther, setImmediate());
  const other = begin('last', isOther, otherMain).then(() => {
    isOtherDone = true;
  });
  const end = begin(
    'end',
    isPortal,
    portal.then(() => {
      if (isOtherDone) return timeHasStopped;
      endsFirst = true;
      return undefined;
    }),
  );
  void Promise.all([other, portal])
    .then(() => (endsFirst ? end : undefined))
    .then(() => run.timeMayPass.resolve());
  // Requests needed before the time passes run alongside the portal's checks.
  const clock = Promise.all([other, begin('clock', () => true, otherMain)]);
  const timeHasStopped = Promise.race([run.timeHasStopped.promise, clock]);
  const observedCalls = Promise.all([other, timeHasStopped]).then(() => observe((of) => of === 'v3'));
  const later = begin('later', isPortal, Promise.all([end, timeHasStopped]));
  const otherEnd = begin('end', isOther, timeHasStopped);
  // A target may lock a client after a wrong or missing secret, so this waits until nothing needs a token any more.
  const observed = Promise.all([clock, observedCalls, otherEnd]).then(() => observe((of) => of === 'token'));
  return {
    outcomes,
    done: Promise.all([later, observed])
      .then(() => retryReadings(run))
      .then(() => readCardsLeft(run)),
  };
}

const isPortal = (of: Interface) => of === 'v1';
const isOther = (of: Interface) => of !== 'v1';

/** The phase of a check: without a test clock no time passes, and a token that is not renewed must end last. */
function phasesIn({ target }: Configuration): (check: Check) => Check['phase'] {
  const hasClock = target.testClockUrl !== undefined;
  const isRenewed = hasClock && target.accessToken === undefined;
  return (check) => {
    if (check.phase === 'clock' && !hasClock) return 'main';
    return check.phase === 'end' && isOther(interfaceOf(check)) && !isRenewed ? 'last' : check.phase;
  };
}

/** Number of checks that start in one turn of the event loop, so that the first answers need not wait for all. */
const CHECKS_PER_TURN = 25;

/** Ends the run at the first failed must with `--bail`. */
function endAtFailure(run: Run, outcome: Outcome): Outcome {
  const { configuration } = run;
  const failed = outcome.verdict === 'failed' && accuses(configuration, requirementById(outcome.requirement));
  if (configuration.run.bail && failed) run.end('a must failed (--bail)');
  return outcome;
}

const operationOf = ({ requirement }: Check): Operation => operation(requirementById(requirement).operations[0]!);

const interfaceOf = (check: Check): Interface => operationOf(check).interface;

async function observeAfterwards(run: Run, observers: readonly Observer[]): Promise<void> {
  if (run.ended) return;
  const observing = observers.map(async ({ observe, operation: id }) => {
    const quiet = run.quietOf(operation(id).interface);
    quiet.enter();
    const context = new Context(run, 'observations', { quiet });
    try {
      await observe(context);
    } catch (error) {
      if (!(error instanceof Verdict)) run.defect('an observation', error);
    } finally {
      await context.end();
      quiet.leave();
    }
  });
  await Promise.all(observing);
}

/** The checks that belong to a run with its configuration. */
export const checksOf = (run: Pick<Run, 'configuration'>, suite: Suite): Check[] =>
  suite.checks.filter((check) => isDone(check, run.configuration));

/**
 * Runs a whole suite in this process, without a test runner.
 * @param onOutcome called when a check is done, with the total number of checks
 */
export async function runSuite(
  run: Run,
  suite: Suite,
  onOutcome?: (outcome: Outcome, total: number) => void,
): Promise<Outcome[]> {
  const { outcomes: running, done } = runChecks(run, { ...suite, checks: checksOf(run, suite) });
  const noted = async (running: Promise<Outcome>, total: number) => {
    const outcome = await running;
    onOutcome?.(outcome, total);
    return outcome;
  };
  const outcomes = await Promise.all(Array.from(running.values(), (one) => noted(one, running.size)));
  await done;
  return concluded([
    ...outcomes,
    ...exchangeRequirements.map((one) => judgeExchanges(run, one, reasonHindered(run, one))),
  ]);
}
