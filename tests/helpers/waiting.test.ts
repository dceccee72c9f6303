import { expect, test } from 'vitest';
import { Waiting } from '../../helpers/waiting.ts';

/** Takes all who wait, in their turn. */
function inTurn(waiting: Waiting<{ name: string; priority: () => number }>): string[] {
  const names: string[] = [];
  for (let next = waiting.take(() => true); next; next = waiting.take(() => true)) names.push(next.name);
  return names;
}

test('the highest priority goes first, which may have risen since it was asked with, then who asked first', () => {
  const waiting = new Waiting<{ name: string; priority: () => number }>();
  let risen = 0;
  waiting.add({ name: 'low', priority: () => 1 });
  waiting.add({ name: 'high', priority: () => 2 });
  waiting.add({ name: 'as high', priority: () => 2 });
  waiting.add({ name: 'rising', priority: () => risen });
  risen = 3;
  expect(inTurn(waiting)).toEqual(['rising', 'high', 'as high', 'low']);
});

test('who may not go yet waits on, whatever the priority', () => {
  const waiting = new Waiting<{ name: string; priority: () => number }>();
  waiting.add({ name: 'high', priority: () => 2 });
  waiting.add({ name: 'low', priority: () => 1 });
  expect(waiting.take(({ name }) => name === 'low')?.name).toBe('low');
  expect(waiting.take(() => false)).toBeUndefined();
  expect(inTurn(waiting)).toEqual(['high']);
});
