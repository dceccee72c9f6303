import { expect, test } from 'vitest';
import { CONSUMED } from '../../helpers/cards/pools.ts';
import { conducted, configurationOf } from '../run/real-targets/runs.ts';
import { environmentOf, sandboxFor } from '../tools/sandboxes.ts';
import { diagnose, linesOf } from './targets.ts';

test.each([
  ['many cards', { active: 8, disposable: 10, unused: 5, fraud: 4, foreign: 4 }],
  ['the cards that suffice', { active: 2, disposable: 2, unused: 1, fraud: 1, foreign: 1 }],
])('a run uses up what the doctor says, and sees everything, with %s', async (_, pools) => {
  const sandbox = await sandboxFor({ pools });
  const { run, outcomes } = await conducted(await configurationOf(sandbox.environment, sandbox.fixtures));
  const used = run.pools.report(run.states).map(({ pool, given, left }) => [pool, given - left]);
  expect(Object.fromEntries(used)).toEqual(CONSUMED);
  // What no answer was about, such as the shape of a 400 where no form of this run gets one, needs no card.
  const unseen = outcomes.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'notApplicable');
  expect(unseen.map(({ requirement, message }) => `${requirement}: ${message}`)).toEqual([]);
});

test('consecutive nights see everything while unused and fraud cards last, and the doctor says for how long', async () => {
  const nights = 3;
  const sandbox = await sandboxFor({ pools: { disposable: 10, unused: nights, fraud: nights } });
  for (let left = nights; left > 0; left--) {
    const lines = linesOf(await diagnose(environmentOf(sandbox))).join('\n');
    for (const pool of ['unused', 'fraud'])
      expect(lines).toMatch(new RegExp(`cards\\.${pool}: ${left} of ${nights} .* enough for ${left} run`));
    const configuration = await configurationOf(sandbox.environment, sandbox.fixtures, { seed: String(left) });
    const { run, outcomes } = await conducted(configuration);
    const unseen = outcomes.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'notApplicable');
    expect(unseen.map(({ requirement, message }) => `${left} left: ${requirement}: ${message}`)).toEqual([]);
    const report = run.pools.report(run.states).filter(({ pool }) => pool === 'unused' || pool === 'fraud');
    expect(report.map((pool) => pool.left)).toEqual([left - 1, left - 1]);
  }
});

test('an unused card that is all there is, and was activated before, accuses nobody the next night', async () => {
  const sandbox = await sandboxFor({ pools: { active: 2, disposable: 1, unused: 1, fraud: 1 } });
  for (const seed of ['1', '2', '3']) {
    const { outcomes } = await conducted(await configurationOf(sandbox.environment, sandbox.fixtures, { seed }));
    const failed = outcomes.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ requirement, message }) => `${requirement}: ${message}`)).toEqual([]);
  }
});
