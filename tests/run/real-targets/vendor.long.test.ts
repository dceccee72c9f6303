import { expect, test } from 'vitest';
import { readConformance, startRun } from '../../../proof/hostile/run.ts';
import { environmentOf } from '../../tools/sandboxes.ts';
import { type Gateway, othersAtWork, startGateway } from './gateway.ts';
import { identifiersIn } from './runs.ts';

/** A run as a person starts it. */
const runOn = ({ environment, sandbox: { fixtures } }: Gateway) =>
  startRun(environmentOf({ environment, fixtures })).ended;

test('a run on a slow, throttled target behind gateway and proxy, with few cards and data that changes, ends well', async () => {
  let untouched: ReadonlySet<string> = new Set();
  const pools = { active: 3, disposable: 3, unused: 2, fraud: 2, foreign: 2 };
  const rules = { meanwhile: othersAtWork(() => untouched) };
  const gateway = await startGateway({ perSecond: 20, sandbox: { pools, rules } });
  untouched = identifiersIn(gateway.sandbox.fixtures);
  const ended = await runOn(gateway);
  const { requirements, run } = readConformance(ended.reports);
  const told = (which: string) =>
    requirements.filter(({ verdict }) => verdict === which).map(({ id, reason }) => `${id}: ${reason}`);
  expect([...told('failed'), ...told('blocked')]).toEqual([]);
  for (const reason of told('skipped')) expect(reason).toMatch(/needs |not in scope/);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(run.notes?.join()).toMatch(/throttled .* RUN_RATE/);
  expect(gateway.seen.withoutKey).toBe(0);
  expect(gateway.seen.busiestSecond).toBeLessThanOrEqual(20);
});

test('a target that answers few requests at once is asked fewer, and the run ends well', async () => {
  const gateway = await startGateway({ atOnce: 3 });
  const ended = await runOn(gateway);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(gateway.seen.throttled).toBeLessThan(gateway.seen.requests / 10);
});
