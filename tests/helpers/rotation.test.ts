import { expect, test } from 'vitest';
import { Budget } from '../../helpers/budget.ts';
import { rotated, rotatedMade } from '../../helpers/rotation.ts';
import type { Run } from '../../helpers/run.ts';

const forms = ['a', 'b', 'c'];

/** A run, and what its record is told of the forms that it tries. */
function run(seed: number, thorough = false, limit = 60) {
  const recorded: unknown[] = [];
  const recordRotation = (...what: unknown[]) => recorded.push(what);
  const budgetOf = () => new Budget('RUN_MAX_ORDERS', limit);
  return { run: { configuration: { run: { seed, thorough } }, budgetOf, recordRotation } as unknown as Run, recorded };
}

test('consecutive runs try all forms, and the record names them', () => {
  const tried = [1, 2, 3].flatMap((seed) => {
    const one = run(seed);
    const chosen = rotated(one.run, 'letters', forms);
    expect(one.recorded).toEqual([['letters', chosen, 3]]);
    return chosen;
  });
  expect(tried.toSorted()).toEqual(forms);
});

test('operations that follow one another try other forms of the same, so that together they try all', () => {
  const some = ['cards.get', 'cards.getBalance', 'cards.getStatus'];
  const tried = some.flatMap((operation) => rotated(run(1).run, `${operation}: misnamed`, forms));
  expect(tried.toSorted()).toEqual(forms);
});

test('--thorough tries all of them at once, of those that cost where that leaves enough for the other checks', () => {
  expect(rotated(run(1, true).run, 'letters', forms)).toEqual(forms);
  const triedOf = (limit: number) => rotated(run(1, true, limit).run, 'letters', forms, { costs: 'portal.orderCards' });
  expect(triedOf(60)).toHaveLength(1);
  expect(triedOf(200)).toEqual(forms);
});

test('what has a name is recorded by it', () => {
  const one = run(1);
  rotated(one.run, 'people', [{ name: 'Ada' }]);
  rotated(one.run, 'sizes', [{ size: 7 }], { name: ({ size }) => String(size) });
  expect(one.recorded.flat()).toEqual(['people', ['Ada'], 1, 'sizes', ['7'], 1]);
});

test('of forms that take requests to make only those are made that the run tries; another is tried in place of one that is not to be had', async () => {
  const made: string[] = [];
  const make = async (form: string) => {
    made.push(form);
    return form === 'b' ? undefined : form.toUpperCase();
  };
  const tried = [];
  for (const seed of [1, 2, 3]) tried.push(...(await rotatedMade(run(seed).run, 'letters', forms, make)));
  expect(new Set(tried.map(([, what]) => what))).toEqual(new Set(['A', 'C']));
  expect(made).toHaveLength(4);
  expect(await rotatedMade(run(1).run, 'letters', ['b'], make)).toEqual([]);
});
