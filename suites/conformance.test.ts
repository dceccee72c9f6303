/** The vitest entry: every check of the suites as a test, then what every exchange showed. */
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { Run } from '../helpers/run.ts';
import { exchangeRequirements, judgeExchanges, type Outcome } from '../helpers/runner/execute.ts';
import { observeAfterwards, stages, type Turn } from '../helpers/runner/schedule.ts';
import { WorkerLink } from '../helpers/runner/worker-channel.ts';
import { suite } from './index.ts';

const configuration = inject('configuration');
const link = new WorkerLink();
const run = new Run(configuration, suite.rules, (waiting) => link.waitingFor(waiting));
const inOrder = stages(run, suite);
link.onInterrupt(() => run.end('interrupted'));
const timer = setTimeout(
  () => run.end(`the time was up (RUN_MAX_MINUTES=${configuration.run.maxMinutes})`),
  configuration.run.maxMinutes * 60_000,
);

/** The first requests go out while vitest prepares its tests. */
const begun = run.begin().then((beginning) => {
  const total = inOrder.flatMap(({ turns }) => turns).length + exchangeRequirements.length;
  link.started(total, beginning, run);
});

afterAll(async () => {
  clearTimeout(timer);
  link.finished(run);
  await run.close();
  link.close();
}, 0);

/** Reports an outcome as vitest knows it: what was not seen is skipped, with the reason. */
function report(skip: (note: string) => void, outcome: Outcome): void {
  link.outcome(outcome);
  if (outcome.verdict === 'failed') throw new Error(outcome.message);
  if (outcome.verdict !== 'passed') skip(`${outcome.verdict}: ${outcome.message}`);
}

function declare({ check, take }: Turn): void {
  test(`${check.requirement}: ${check.name}`, async ({ skip }) => {
    await begun;
    report(skip, await take());
  });
}

// Sibling suites that are concurrent themselves would all run at once: only what is inside of a stage is.
for (const { name, turns } of inOrder)
  describe(name, () => {
    describe.concurrent('at once', () => turns.forEach(declare));
  });

describe('every exchange', () => {
  beforeAll(() => observeAfterwards(run, suite), 0);
  for (const requirement of exchangeRequirements)
    test(`${requirement.id}: every exchange`, ({ skip }) => report(skip, judgeExchanges(run, requirement)));
});
