import { expect, test } from 'vitest';
import { Limiter, type QueuedRequest } from '../../../helpers/client/http/limiter.ts';

const limiterOf = (concurrency: number) => new Limiter({ concurrency, rate: 0, signal: new AbortController().signal });

const request = (over: Partial<QueuedRequest> = {}): QueuedRequest => {
  return { origin: 'http://target.example', queue: 'v3', priority: 0, isRetry: false, urgent: false, ...over };
};

/** The order in which requests go, one at a time, that are made at once. */
async function orderOf(requests: Record<string, Partial<QueuedRequest>>): Promise<string> {
  const limiter = limiterOf(1);
  const order: string[] = [];
  const entered = Object.entries(requests).map(async ([name, over]) => {
    await limiter.enter(request(over));
    order.push(name);
    await Promise.resolve();
    limiter.leave(request(over).queue);
  });
  await Promise.all(entered);
  expect([limiter.inFlight, limiter.queued]).toEqual([0, 0]);
  return order.join(' ');
}

test('within an interface the longest chain goes first, equals in the order in which they came', async () => {
  const chains = { first: {}, a: { priority: 1 }, b: { priority: 3 }, c: { priority: 3 } };
  expect(await orderOf({ ...chains, d: { urgent: true }, e: { isRetry: true } })).toBe('first d e b c a');
});

test('with one request in flight the interfaces take turns, and what is sent again waits for neither', async () => {
  const [v3, v1] = [{ queue: 'v3' }, { queue: 'v1' }];
  const requests = { a1: v3, a2: v3, a3: v3, b1: v1, b2: v1, b3: { ...v1, isRetry: true } };
  expect(await orderOf(requests)).toBe('a1 b3 a2 b1 a3 b2');
});

test('the interface with fewer requests in flight goes first, whatever waits on the other', async () => {
  const limiter = limiterOf(2);
  const order: string[] = [];
  const waiting = ['v3', 'v3', 'v3', 'v1', 'v1'].map(async (queue) => {
    await limiter.enter(request({ queue, priority: queue === 'v3' ? 9 : 0 }));
    order.push(queue);
  });
  await Promise.all(waiting.slice(0, 2));
  for (let left = 0; left < 3; left++) {
    limiter.leave(order[left]!);
    await new Promise(setImmediate);
  }
  expect(order).toEqual(['v3', 'v3', 'v1', 'v3', 'v1']);
});

test('a target that throttles after many answers counts them in a time, not those in flight: the concurrency stays', () => {
  const limiter = limiterOf(8);
  const inFlight = () => {
    for (let i = 0; i < 10; i++) void limiter.enter(request());
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
