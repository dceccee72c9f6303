import { expect, onTestFinished, test } from 'vitest';
import { readConformance, startRun } from '../../../proof/hostile/run.ts';
import { environmentOf } from '../../tools/sandboxes.ts';
import { type Gateway, othersAtWork, startGateway } from './gateway.ts';
import { identifiersIn } from './runs.ts';

/** A run as a person starts it. */
const runOn = ({ environment, sandbox: { fixtures } }: Gateway) =>
  startRun(environmentOf({ environment, fixtures })).ended;

test('a run on a slow, throttled target behind gateway and proxy, with few cards and data that changes, ends well', async () => {
  let untouched: ReadonlySet<string> = new Set();
  const gateway = await startGateway({
    latencyMs: 40,
    perSecond: 20,
    sandbox: {
      pools: { active: 3, disposable: 3, unused: 2, fraud: 2, foreign: 2 },
      rules: { meanwhile: othersAtWork(() => untouched) },
    },
  });
  onTestFinished(() => gateway.close());
  untouched = identifiersIn(gateway.sandbox.fixtures);
  const ended = await runOn(gateway);
  const { requirements, run } = readConformance(ended.reports);
  const verdicts = Object.groupBy(requirements, ({ verdict }) => verdict);
  const told = (list: typeof requirements = []) => list.map(({ id, reason }) => `${id}: ${reason}`);
  expect(told(verdicts.failed)).toEqual([]);
  expect(told(verdicts.blocked)).toEqual([]);
  for (const reason of told(verdicts.skipped)) expect(reason).toMatch(/needs |not in scope/);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(run.notes?.join()).toMatch(/throttled .* RUN_RATE/);
  expect(gateway.seen.withoutKey).toBe(0);
  expect(gateway.seen.busiestSecond).toBeLessThanOrEqual(20);
}, 600_000);

test('a target that answers few requests at once is asked fewer, and the run ends well', async () => {
  const gateway = await startGateway({ perSecond: Number.POSITIVE_INFINITY, atOnce: 3 });
  onTestFinished(() => gateway.close());
  const ended = await runOn(gateway);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(gateway.seen.throttled).toBeLessThan(gateway.seen.requests / 10);
}, 600_000);
