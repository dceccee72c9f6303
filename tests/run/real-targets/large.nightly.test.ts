import { expect, test } from 'vitest';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { accusations, conductedOn } from './runs.ts';

test('a target with 10,000 customers and cards is not accused, and costs no more requests than a small one', async () => {
  const requestsOf = async (size: number) => {
    const { run, outcomes } = await conductedOn(await sandboxFor({ customers: size, cards: size }), { RUN_SEED: '1' });
    expect(accusations(outcomes)).toEqual([]);
    return run.transport.stats().requests;
  };
  // Walks end after 40 pages, and there are few of them.
  expect(await requestsOf(10_000)).toBeLessThan((await requestsOf(200)) + 120);
});
