import { expect, onTestFinished, test } from 'vitest';
import { CONSUMED } from '../../helpers/doctor/consumed.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { conducted, configurationOf } from '../real-targets/runs.ts';

test.each([
  ['many cards', { active: 8, disposable: 10, unused: 5, fraud: 4, foreign: 4 }],
  ['the cards that suffice', { active: 2, disposable: 2, unused: 1, fraud: 1, foreign: 1 }],
])('a run uses up what the doctor says, and sees everything, with %s', async (_, pools) => {
  const sandbox = await startSandbox({ pools });
  onTestFinished(() => sandbox.close());
  const { run, outcomes } = await conducted(await configurationOf(sandbox.environment, sandbox.fixtures));
  const used = run.pools.report().map(({ pool, given, left }) => [pool, given - left]);
  expect(Object.fromEntries(used)).toEqual(CONSUMED);
  const unseen = outcomes.filter(({ verdict }) => verdict !== 'passed');
  expect(unseen.map(({ requirement, message }) => `${requirement}: ${message}`)).toEqual([]);
});
