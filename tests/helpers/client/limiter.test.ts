import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Limiter, type QueuedRequest } from '../../../helpers/client/http/limiter.ts';
import { serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureOf, get, statusesOf, transport } from './transport.ts';

/** A server that notes the order of requests and how many were in it at once. */
async function serveSlowly(milliseconds = 10) {
  const seen = { order: [] as string[], at: [] as number[], most: 0 };
  let inside = 0;
  const url = await serve(async (request, response) => {
    seen.order.push(request.url!);
    seen.at.push(performance.now());
    seen.most = Math.max(seen.most, ++inside);
    await sleep(milliseconds);
    inside--;
    response.end();
  });
  return { url, seen };
}

test('the limiter keeps to the concurrency, and uses it', async () => {
  const { url, seen } = await serveSlowly();
  const by = transport({ concurrency: 3 });
  const sent = statusesOf(12, by, url);
  expect(by.stats()).toMatchObject({ inFlight: 3, queued: 9 });
  await sent;
  expect(seen.most).toBe(3);
  expect(by.stats()).toEqual({ requests: 12, inFlight: 0, queued: 0, throttled: 0 });
});

test('the limiter has fewer in flight where the target counts these, and tries one more now and then', async () => {
  let [inside, throttled] = [0, 0];
  const url = await serve(async (_request, response) => {
    const isThrottled = inside === 3;
    if (isThrottled) throttled++;
    else {
      inside++;
      await sleep(5);
      inside--;
    }
    response.writeHead(isThrottled ? 429 : 200, { 'retry-after': '0' }).end();
  });
  expect(await statusesOf(450, transport(), url)).toEqual([200]);
  expect(throttled).toBeGreaterThan(2);
  expect(throttled).toBeLessThan(20);
});

test('the limiter keeps to the rate', async () => {
  const { url, seen } = await serveSlowly(0);
  await statusesOf(11, transport({ rate: 50 }), url);
  expect(seen.at.at(-1)! - seen.at[0]!).toBeGreaterThan(180);
});

test('the limiter counts the time limit from the sending, not from the queueing', async () => {
  const { url } = await serveSlowly(60);
  const by = transport({ concurrency: 1, timeoutMs: 1000 });
  expect(await statusesOf(20, by, url, () => CHANGING)).toEqual([200]);
});

test('when the run is over, what is in flight finishes, what is queued is refused, what is urgent goes', async () => {
  const { url, seen } = await serveSlowly(30);
  const run = new AbortController();
  const by = transport({ concurrency: 1, signal: run.signal });
  const urgent = { ...CHANGING, urgent: true };
  const inFlight = get(by, `${url}/in-flight`);
  const queued = failureOf(get(by, `${url}/queued`));
  const urgentQueued = get(by, `${url}/undo-1`, urgent);
  run.abort();
  expect(await queued).toMatchObject({ kind: 'aborted', message: 'not sent: the run is over' });
  expect((await failureOf(get(by, `${url}/late`))).kind).toBe('aborted');
  const answers = await Promise.all([inFlight, urgentQueued, get(by, `${url}/undo-2`, urgent)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(seen.order).toEqual(['/in-flight', '/undo-1', '/undo-2']);
});

test('closing ends what is in flight', async () => {
  const url = await serveSockets(() => {});
  const by = transport();
  const failure = failureOf(get(by, url, CHANGING));
  await expect.poll(() => by.stats().inFlight).toBe(1);
  await by.close();
  expect((await failure).kind).toBe('aborted');
});

const limiterOf = (concurrency: number) => new Limiter({ concurrency, rate: 0, signal: new AbortController().signal });

const request = (over: Partial<QueuedRequest> = {}): QueuedRequest => {
  return { origin: 'http://target.example', queue: 'v3', priority: () => 0, isRetry: false, urgent: false, ...over };
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
  const chains = { first: {}, a: { priority: () => 1 }, b: { priority: () => 3 }, c: { priority: () => 3 } };
  expect(await orderOf({ ...chains, d: { urgent: true }, e: { isRetry: true } })).toBe('first d e b c a');
});

test('whoever comes to wait for a request that waits to be sent moves it ahead', async () => {
  const limiter = limiterOf(1);
  const priorities: Record<string, number> = { first: 9, a: 2, b: 1, c: 0 };
  const order: string[] = [];
  const entered = Object.keys(priorities).map(async (name) => {
    await limiter.enter(request({ priority: () => priorities[name]! }));
    order.push(name);
    if (name === 'first') priorities.c = 3;
    limiter.reorder();
    limiter.leave('v3');
  });
  await Promise.all(entered);
  expect(order).toEqual(['first', 'c', 'a', 'b']);
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
    await limiter.enter(request({ queue, priority: () => (queue === 'v3' ? 9 : 0) }));
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
