import { expect, test } from 'vitest';
import { Limiter, type QueuedRequest } from '../../../helpers/client/http/limiter.ts';

async function orderOf(turns: (Partial<QueuedRequest> & { name: string })[], concurrency: number): Promise<string[]> {
  const limiter = new Limiter({ concurrency, rate: 0, signal: new AbortController().signal });
  const order: string[] = [];
  const entered = turns.map(async ({ name, queue = 'v3', priority = 0, isRetry = false, urgent = false }) => {
    await limiter.enter({ origin: 'http://target.example', queue, priority, isRetry, urgent });
    order.push(name);
    await Promise.resolve();
    limiter.leave(queue);
  });
  await Promise.all(entered);
  expect(limiter.inFlight).toBe(0);
  expect(limiter.queued).toBe(0);
  return order;
}

test('within an interface the longest chain goes first, equals in the order in which they came', async () => {
  const order = await orderOf(
    [
      { name: 'first' },
      { name: 'a', priority: 1 },
      { name: 'b', priority: 3 },
      { name: 'c', priority: 3 },
      { name: 'd', urgent: true },
      { name: 'e', isRetry: true },
    ],
    1,
  );
  expect(order).toEqual(['first', 'd', 'e', 'b', 'c', 'a']);
});

test('the interface with fewer requests in flight goes first, whatever waits on the other', async () => {
  const limiter = new Limiter({ concurrency: 2, rate: 0, signal: new AbortController().signal });
  const order: string[] = [];
  const enter = (queue: string, priority: number) =>
    limiter
      .enter({ origin: 'http://target.example', queue, priority, isRetry: false, urgent: false })
      .then(() => order.push(queue));
  const waiting = [enter('v3', 9), enter('v3', 9), enter('v3', 9), enter('v1', 0), enter('v1', 0)];
  await Promise.all(waiting.slice(0, 2));
  for (let left = 0; left < 3; left++) {
    limiter.leave(order[left]!);
    await new Promise(setImmediate);
  }
  expect(order).toEqual(['v3', 'v3', 'v1', 'v3', 'v1']);
});

test('with one request in flight the interfaces take turns, and what is sent again waits for neither', async () => {
  const order = await orderOf(
    [
      { name: 'a1', queue: 'v3' },
      { name: 'a2', queue: 'v3' },
      { name: 'a3', queue: 'v3' },
      { name: 'b1', queue: 'v1' },
      { name: 'b2', queue: 'v1' },
      { name: 'b3', queue: 'v1', isRetry: true },
    ],
    1,
  );
  expect(order).toEqual(['a1', 'b3', 'a2', 'b1', 'a3', 'b2']);
});

test('a target that throttles after many answers counts them in a time, not those in flight: the concurrency stays', () => {
  const limiter = new Limiter({ concurrency: 8, rate: 0, signal: new AbortController().signal });
  const inFlight = () => {
    for (let i = 0; i < 10; i++)
      void limiter.enter({ origin: 'http://target.example', queue: 'v3', priority: 0, isRetry: false, urgent: false });
    return limiter.inFlight;
  };
  const throttledAfter = (answers: number) => {
    for (let i = 0; i < answers; i++) limiter.answered();
    limiter.throttled(Number.POSITIVE_INFINITY);
  };
  throttledAfter(20);
  throttledAfter(20);
  expect(inFlight()).toBe(8);
  throttledAfter(3);
  for (let i = 0; i < 8; i++) limiter.leave('v3');
  expect(inFlight()).toBe(4);
});
