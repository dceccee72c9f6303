import { expect, test } from 'vitest';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { conducted, configurationOf } from './runs.ts';

test('a target with 10,000 customers and cards is not accused, and costs no more requests than a small one', async () => {
  const requests: number[] = [];
  for (const size of [200, 10_000]) {
    const sandbox = await sandboxFor({ customers: size, cards: size });
    const env = { ...sandbox.environment, RUN_SEED: '1' };
    const { run, outcomes } = await conducted(await configurationOf(env, sandbox.fixtures));
    const accused = outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');
    expect(accused.map(({ requirement, message }) => `${requirement}: ${message}`)).toEqual([]);
    requests.push(run.transport.stats().requests);
  }
  const [small, large] = requests as [number, number];
  // Walks end after 40 pages, and there are few of them.
  expect(large).toBeLessThan(small + 120);
});
