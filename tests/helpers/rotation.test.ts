import { expect, test } from 'vitest';
import { Budget } from '../../helpers/budget.ts';
import { tonights, tonightsAtCost } from '../../helpers/rotation.ts';
import type { Run } from '../../helpers/run.ts';

const forms = ['a', 'b', 'c'];

function run(seed: number, thorough = false, limit = 60) {
  const recorded: unknown[] = [];
  const rotates = (...what: unknown[]) => recorded.push(what);
  const budgetOf = () => new Budget('RUN_MAX_ORDERS', limit);
  return { run: { configuration: { run: { seed, thorough } }, budgetOf, rotates } as unknown as Run, recorded };
}

test('consecutive nights try all forms, and the record names them', () => {
  const tried = [1, 2, 3].map((seed) => {
    const night = run(seed);
    const chosen = tonights(night.run, 'letters', forms);
    expect(night.recorded).toEqual([['letters', chosen, 3]]);
    return chosen;
  });
  expect(tried.flat().toSorted()).toEqual(forms);
});

test('--thorough tries all of them at once', () => {
  expect(tonights(run(1, true).run, 'letters', forms)).toEqual(forms);
});

test('of forms that cost --thorough tries all where that leaves enough for the other checks', () => {
  const triedOf = (limit: number) => tonightsAtCost(run(1, true, limit).run, 'portal.orderCards', 'letters', forms);
  expect(triedOf(60)).toHaveLength(1);
  expect(triedOf(200)).toEqual(forms);
});

test('what has a name is recorded by it', () => {
  const night = run(1);
  tonights(night.run, 'people', [{ name: 'Ada' }], 1);
  tonights(night.run, 'sizes', [{ size: 7 }], 1, ({ size }) => String(size));
  expect(night.recorded).toEqual([
    ['people', ['Ada'], 1],
    ['sizes', ['7'], 1],
  ]);
});
