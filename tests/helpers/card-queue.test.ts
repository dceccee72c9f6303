import { expect, test } from 'vitest';
import { CardQueue } from '../../helpers/cards/card-queue.ts';

test('requests about a card go one at a time, the highest priority first; those about other cards wait for none', async () => {
  const queue = new CardQueue();
  const began: string[] = [];
  const work = (name: string, cards: string[], priority: number) => {
    const ended = Promise.withResolvers<void>();
    const done = queue.inTurn(
      cards,
      () => priority,
      () => {
        began.push(name);
        return ended.promise;
      },
    );
    const end = () => {
      ended.resolve();
      return done;
    };
    return { end };
  };
  const first = work('first', ['a', 'b'], 0);
  const low = work('low', ['a'], 1);
  const high = work('high', ['a'], 2);
  work('both', ['b', 'c'], 3);
  work('other', ['d'], 0);
  expect(began).toEqual(['first', 'other']);
  await first.end();
  expect(began).toEqual(['first', 'other', 'high', 'both']);
  await high.end();
  expect(began.at(-1)).toBe('low');
  await low.end();
});

test('a request that fails lets the next one go', async () => {
  const queue = new CardQueue();
  const failing = queue.inTurn(
    ['a'],
    () => 0,
    () => Promise.reject(new Error('lost')),
  );
  const next = queue.inTurn(
    ['a'],
    () => 0,
    () => Promise.resolve('sent'),
  );
  await expect(failing).rejects.toThrow('lost');
  expect(await next).toBe('sent');
});
