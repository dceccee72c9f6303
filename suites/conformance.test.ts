/** The vitest entry: every check of the suites as a test, then what every exchange showed. */
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import type { Check } from '../helpers/check.ts';
import { observeAfterwards, stages } from '../helpers/conduct.ts';
import { exchangeRequirements, execute, judgeExchanges, type Outcome } from '../helpers/execute.ts';
import { Run } from '../helpers/run.ts';
import { WorkerLink } from '../helpers/worker-link.ts';
import { suite } from './index.ts';

declare module 'vitest' {
  interface TaskMeta {
    outcome?: Outcome;
  }
}

const configuration = inject('configuration');
const link = new WorkerLink();
const run = new Run(configuration, suite.rules, (waiting) => link.waitingFor(waiting));
const inOrder = stages(run, suite);
link.onInterrupt(() => run.end('interrupted'));
const timer = setTimeout(
  () => run.end(`the time was up (RUN_MAX_MINUTES=${configuration.run.maxMinutes})`),
  configuration.run.maxMinutes * 60_000,
);

beforeAll(async () => {
  const total = inOrder.flatMap(({ checks }) => checks).length + exchangeRequirements.length;
  link.started(total, await run.begin(), run);
}, 0);

afterAll(async () => {
  clearTimeout(timer);
  link.finished(run);
  await run.close();
  link.close();
}, 0);

/** Reports an outcome as vitest knows it: what was not seen is skipped, with the reason. */
function report(task: { meta: { outcome?: Outcome } }, skip: (note: string) => void, outcome: Outcome): void {
  task.meta.outcome = outcome;
  link.outcome(outcome);
  if (outcome.verdict === 'failed') throw new Error(outcome.message);
  if (outcome.verdict !== 'passed') skip(`${outcome.verdict}: ${outcome.message}`);
}

function declare(check: Check): void {
  test(`${check.requirement}: ${check.name}`, async ({ task, skip }) => report(task, skip, await execute(run, check)));
}

// Sibling suites that are concurrent themselves would all run at once: only what is inside of a stage is.
for (const { name, checks } of inOrder)
  describe(name, () => {
    describe.concurrent('at once', () => checks.forEach(declare));
  });

describe('every exchange', () => {
  beforeAll(() => observeAfterwards(run, suite), 0);
  for (const requirement of exchangeRequirements)
    test(`${requirement.id}: every exchange`, ({ task, skip }) => report(task, skip, judgeExchanges(run, requirement)));
});
