import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Budget, type Exclusivity, type Settle } from '../../helpers/budget.ts';

/** Asks for leave, and notes under the name when it is given. */
function asking(limit: number) {
  const budget = new Budget('RUN_MAX_ORDERS', limit);
  const begun: string[] = [];
  const ask = async (name: string, exclusivity: Exclusivity, priority = 0): Promise<Settle | undefined> => {
    const settle = await budget.reserve(exclusivity, () => priority);
    begun.push(settle ? name : `${name}: none left`);
    return settle;
  };
  /** Has so many requests accepted, one after the other. */
  const spend = async (count: number, name: string, exclusivity: Exclusivity = 'alone') => {
    for (let n = 1; n <= count; n++) (await ask(`${name} ${n}`, exclusivity))?.(true);
  };
  return { begun, ask, spend };
}

test('what may be accepted goes alone, the highest priority first', async () => {
  const { begun, ask } = asking(10);
  const first = await ask('first', 'alone');
  const later = [ask('low', 'alone', 1), ask('high', 'alone', 2)];
  await turn();
  expect(begun).toEqual(['first']);
  first!(true);
  (await later[1])!(false);
  (await later[0])!(false);
  expect(begun).toEqual(['first', 'high', 'low']);
});

test('malformed requests go together once nobody waits to go alone', async () => {
  const { begun, ask } = asking(10);
  const first = await ask('first', 'alone');
  const malformed = [ask('one', 'malformed'), ask('other', 'malformed')];
  const second = ask('second', 'alone');
  first!(true);
  await turn();
  expect(begun).toEqual(['first', 'second']);
  (await second)!(true);
  await Promise.all(malformed);
  expect(begun).toEqual(['first', 'second', 'one', 'other']);
});

test('malformed requests that have begun go on until none waits: each change to those that go alone costs the time of an answer', async () => {
  const { begun, ask } = asking(2);
  const malformed = ['one', 'other', 'third'].map((name) => ask(name, 'malformed'));
  const alone = ask('alone', 'alone', 1);
  const [one, other] = await Promise.all(malformed.slice(0, 2));
  one!(false);
  await turn();
  expect(begun).toEqual(['one', 'other', 'third']);
  other!(false);
  (await malformed[2])!(false);
  await alone;
  expect(begun).toEqual(['one', 'other', 'third', 'alone']);
});

test('a request under way may turn out not to count: the last place is waited for', async () => {
  const { begun, ask } = asking(1);
  const first = await ask('first', 'malformed');
  const second = ask('second', 'malformed');
  await turn();
  expect(begun).toEqual(['first']);
  first!(false);
  (await second)!(true);
  await ask('third', 'malformed');
  expect(begun).toEqual(['first', 'second', 'third: none left']);
});

test('a part is left to malformed requests, which do not wait for those that find none left', async () => {
  const { begun, ask, spend } = asking(8);
  await spend(6, 'right');
  const last = await ask('right 7', 'alone');
  const others = [ask('right 8', 'alone', 2), ask('malformed', 'malformed', 1), ask('right 9', 'alone')];
  last!(true);
  await Promise.all(others);
  expect(begun.slice(-3).toSorted()).toEqual(['malformed', 'right 8: none left', 'right 9: none left']);
});

test('what is tried again may use what is kept for malformed requests', async () => {
  const { begun, spend } = asking(16);
  await spend(15, 'usual');
  await spend(3, 'again', 'again');
  expect(begun.slice(14)).toEqual(['usual 15: none left', 'again 1', 'again 2', 'again 3: none left']);
});
