import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
