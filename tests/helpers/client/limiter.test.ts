import { describe, expect, test } from 'vitest';
import { serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureOf, get, statusesOf, transport } from './transport.ts';

/** A server that notes the order of requests and how many were in it at once. */
async function serveSlowly(milliseconds = 10) {
  const seen = { order: [] as string[], at: [] as number[], most: 0 };
  let inside = 0;
  const url = await serve((request, response) => {
    seen.order.push(request.url!);
    seen.at.push(performance.now());
    seen.most = Math.max(seen.most, ++inside);
    setTimeout(() => {
      inside--;
      response.end();
    }, milliseconds);
  });
  return { url, seen };
}

describe('the limiter', () => {
  test('keeps to the concurrency, and uses it', async () => {
    const { url, seen } = await serveSlowly();
    const by = transport({ concurrency: 3 });
    const sent = statusesOf(12, by, url);
    expect(by.stats()).toMatchObject({ inFlight: 3, queued: 9 });
    await sent;
    expect(seen.most).toBe(3);
    expect(by.stats()).toEqual({ requests: 12, inFlight: 0, queued: 0, throttled: 0 });
  });

  test('has fewer in flight where the target counts these, and tries one more now and then', async () => {
    let [inside, throttled] = [0, 0];
    const url = await serve((_request, response) => {
      response.setHeader('retry-after', '0');
      if (inside === 3) {
        throttled++;
        response.statusCode = 429;
        return response.end();
      }
      inside++;
      return setTimeout(() => {
        inside--;
        response.end();
      }, 5);
    });
    const by = transport();
    expect(await statusesOf(450, by, url)).toEqual([200]);
    expect(throttled).toBeGreaterThan(2);
    expect(throttled).toBeLessThan(20);
  });

  test('keeps to the rate', async () => {
    const { url, seen } = await serveSlowly(0);
    await statusesOf(11, transport({ rate: 50 }), url);
    expect(seen.at.at(-1)! - seen.at[0]!).toBeGreaterThan(180);
  });

  test('counts the time limit from the sending, not from the queueing', async () => {
    const { url } = await serveSlowly(60);
    const by = transport({ concurrency: 1, timeoutMs: 1000 });
    expect(await statusesOf(20, by, url, () => CHANGING)).toEqual([200]);
  });
});

describe('when the run is over', () => {
  test('what is in flight finishes, what is queued is refused, what is urgent goes', async () => {
    const { url, seen } = await serveSlowly(30);
    const run = new AbortController();
    const by = transport({ concurrency: 1, signal: run.signal });
    const inFlight = get(by, `${url}/in-flight`);
    const queued = failureOf(get(by, `${url}/queued`));
    const urgentQueued = get(by, `${url}/undo-1`, { ...CHANGING, urgent: true });
    run.abort();
    expect(await queued).toMatchObject({ kind: 'aborted', message: 'not sent: the run is over' });
    expect((await failureOf(get(by, `${url}/late`))).kind).toBe('aborted');
    await get(by, `${url}/undo-2`, { ...CHANGING, urgent: true });
    expect((await inFlight).status).toBe(200);
    expect((await urgentQueued).status).toBe(200);
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
});
