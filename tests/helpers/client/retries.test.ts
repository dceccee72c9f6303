import { describe, expect, test } from 'vitest';
import { retryAfterMs } from '../../../helpers/client/http/retry.ts';
import { serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureOf, get, SAFE, transport } from './transport.ts';

/** A server that gives these statuses one after the other, the last one for ever. */
async function serveStatuses(statuses: number[], headers: Record<string, string> = {}) {
  const seen = { asked: 0 };
  const url = await serve((_, response) => {
    const status = statuses[Math.min(seen.asked++, statuses.length - 1)]!;
    response.writeHead(status, headers).end();
  });
  return { url, seen };
}

describe('429', () => {
  test.each([SAFE, CHANGING])('is tried again after Retry-After, for any operation', async (options) => {
    const { url } = await serveStatuses([429, 429, 200], { 'retry-after': '0' });
    const by = transport();
    const answer = await get(by, url, options);
    expect(answer).toMatchObject({ status: 200, retries: [{ status: 429 }, { status: 429 }] });
    expect(by.stats()).toMatchObject({ requests: 3, throttled: 2, inFlight: 0, queued: 0 });
  });

  test('waits as long as asked, says so, and makes the others to that origin wait', async () => {
    const { url } = await serveStatuses([429, 200], { 'retry-after': '1' });
    const waits: string[] = [];
    const by = transport({ onWait: (waiting) => waits.push(waiting) });
    const first = get(by, url, CHANGING);
    await expect.poll(() => by.stats().throttled).toBe(1);
    expect(by.stats().waitingFor).toMatch(
      /^127\.0\.0\.1:\d+ answers 429 \(too many requests\): waiting 1 s as requested$/,
    );
    const second = await get(by, url);
    expect(second.sentAt).toBeGreaterThanOrEqual((await first).sentAt);
    expect((await first).retries[0]!.waitedMs).toBeGreaterThanOrEqual(990);
    expect(waits).toHaveLength(2);
    expect(waits[1]).toBe('');
    expect(by.stats().waitingFor).toBeUndefined();
  });

  test('for ever becomes the answer after ten retries', async () => {
    const { url, seen } = await serveStatuses([429], { 'retry-after': '0' });
    expect(await get(transport(), url, CHANGING)).toMatchObject({ status: 429 });
    expect(seen.asked).toBe(11);
  });

  test('for ever, to every request, ends the retrying', async () => {
    const { url, seen } = await serveStatuses([429], { 'retry-after': '0' });
    const by = transport();
    const answers = await Promise.all(Array.from({ length: 200 }, () => get(by, url, CHANGING)));
    expect(answers.every((answer) => answer.status === 429)).toBe(true);
    expect(seen.asked).toBeLessThan(300);
  });

  test('the run over while waiting ends the waiting', async () => {
    const { url } = await serveStatuses([429], { 'retry-after': '30' });
    const run = new AbortController();
    const by = transport({ signal: run.signal });
    const failure = failureOf(get(by, url));
    await expect.poll(() => by.stats().throttled).toBe(1);
    run.abort();
    expect(await failure).toMatchObject({ kind: 'aborted', retries: [{ status: 429 }] });
  });
});

describe('throttling in other words', () => {
  const THROTTLED = { 'retry-after': '0' };

  test.each([403, 503])('%i with Retry-After is tried again for any operation', async (status) => {
    const { url, seen } = await serveStatuses([status, status, 200], THROTTLED);
    const options = { ...CHANGING, retryThrottled503: true };
    expect(await get(transport(), url, options)).toMatchObject({ status: 200, retries: [{ status }, { status }] });
    expect(seen.asked).toBe(3);
  });

  test('503 with Retry-After is the answer for what must not be done twice', async () => {
    const { url, seen } = await serveStatuses([503, 200], THROTTLED);
    expect(await get(transport(), url, CHANGING)).toMatchObject({ status: 503 });
    expect(seen.asked).toBe(1);
  });

  test('403 without Retry-After is an answer', async () => {
    const { url, seen } = await serveStatuses([403, 200]);
    expect(await get(transport(), url, SAFE)).toMatchObject({ status: 403, retries: [] });
    expect(seen.asked).toBe(1);
  });
});

describe('a Retry-After that is not worth waiting for', () => {
  test.each([
    [429, '86400', /answers 429 and asks to wait 24 hours \(Retry-After\)/],
    [503, '600', /answers 503 and asks to wait 10 minutes/],
    [403, new Date(Date.now() + 3_600_000).toUTCString(), /answers 403 and asks to wait 60 minutes/],
    [429, '9'.repeat(400), /answers 429 and asks to wait Infinity hours/],
  ])('%i, %s: ends the trying of that interface at once, and says so', async (status, value, reason) => {
    const { url, seen } = await serveStatuses([status], { 'retry-after': value });
    const by = transport();
    expect(await get(by, url, SAFE)).toMatchObject({ status });
    const error = await failureOf(get(by, url, SAFE));
    expect(error).toMatchObject({ kind: 'gave-up', message: expect.stringMatching(reason) });
    expect(seen.asked).toBe(1);
    // The other interface goes on, and so does the undoing of changes.
    expect(await get(by, url, { ...SAFE, queue: 'v1' })).toMatchObject({ status });
    expect(await get(by, url, { ...SAFE, urgent: true })).toMatchObject({ status });
  });

  test('is what is longer than the time left, too', async () => {
    const { url, seen } = await serveStatuses([429], { 'retry-after': '5' });
    const by = transport({ timeLeftMs: () => 3000 });
    expect(await get(by, url, SAFE)).toMatchObject({ status: 429 });
    expect(await failureOf(get(by, url, SAFE))).toMatchObject({ kind: 'gave-up' });
    expect(seen.asked).toBe(1);
  });
});

describe('503', () => {
  test('is tried again twice for safe operations', async () => {
    const { url, seen } = await serveStatuses([503]);
    expect(await get(transport(), url, SAFE)).toMatchObject({
      status: 503,
      retries: [{ status: 503 }, { status: 503 }],
    });
    expect(seen.asked).toBe(3);
  });

  test('is the answer for any other', async () => {
    const { url, seen } = await serveStatuses([503, 200]);
    expect(await get(transport(), url, CHANGING)).toMatchObject({ status: 503, retries: [] });
    expect(seen.asked).toBe(1);
  });
});

test.each([400, 401, 404, 500, 502, 504])('%i is the answer', async (status) => {
  const { url, seen } = await serveStatuses([status, 200]);
  expect((await get(transport(), url)).status).toBe(status);
  expect(seen.asked).toBe(1);
});

describe('a row of time-outs', () => {
  test('ends the trying of its queue alone', async () => {
    const silent = await serveSockets(() => {});
    const { url } = await serveStatuses([200]);
    const by = transport({ timeoutMs: 300, concurrency: 4 });
    const failures = await Promise.all(Array.from({ length: 300 }, () => failureOf(get(by, silent, SAFE))));
    expect(failures.at(-1)).toMatchObject({ kind: 'gave-up' });
    expect(by.stats().requests).toBeLessThan(12);
    expect(await failureOf(get(by, silent, CHANGING))).toMatchObject({ kind: 'gave-up', sentAt: null });
    expect((await get(by, url, { ...SAFE, queue: 'v1' })).status).toBe(200);
    expect((await get(by, url, { ...SAFE, urgent: true })).status).toBe(200);
  });

  test('is broken by any answer', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      if (asked++ % 4 === 3) response.end();
    });
    const by = transport({ timeoutMs: 400, concurrency: 1 });
    const outcomes = [];
    for (let index = 0; index < 8; index++) {
      outcomes.push(
        await get(by, url, CHANGING).then(
          (answer) => answer.status,
          (error) => error.kind,
        ),
      );
    }
    expect(outcomes).toEqual([...['timeout', 'timeout', 'timeout', 200], ...['timeout', 'timeout', 'timeout', 200]]);
  });
});

describe('a kept connection that the server closes', () => {
  /** Answers each connection's first request, and closes the connection when the second one comes. */
  const closesOnReuse = () => {
    const served = new Map<object, number>();
    return serveSockets((socket) => {
      const before = served.get(socket) ?? 0;
      served.set(socket, before + 1);
      if (before === 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      else socket.destroy();
    });
  };

  test('troubles no safe operation', async () => {
    const url = await closesOnReuse();
    const by = transport({ concurrency: 2 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(by, url, SAFE)));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
  });

  test('troubles no changing operation, for these go over connections of their own until kept ones have proved to last', async () => {
    const url = await closesOnReuse();
    const by = transport({ concurrency: 2 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => get(by, url, index % 2 === 0 ? SAFE : CHANGING)),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
  });

  test('with 408 for its idleness has answered nothing: on a connection of its own 408 is an answer', async () => {
    const idle = 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';
    const served = new Map<object, number>();
    const url = await serveSockets((socket) => {
      const before = served.get(socket) ?? 0;
      served.set(socket, before + 1);
      if (before === 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      else socket.end(idle);
    });
    const by = transport({ concurrency: 2 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => get(by, url, index % 2 === 0 ? SAFE : CHANGING)),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const always = await serveSockets((socket) => socket.end(idle));
    for (const options of [SAFE, CHANGING]) expect((await get(transport(), always, options)).status).toBe(408);
  });

  test('while unused is replaced', async () => {
    const url = await serveSockets((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      setTimeout(() => socket.destroy(), 20);
    });
    const by = transport();
    expect((await get(by, url)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await get(by, url)).toMatchObject({ status: 200, retries: [] });
  });
});

test('connections are used again, by changing operations too once they have proved to last', async () => {
  const ports = new Set<number>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort!);
    response.end();
  });
  const by = transport({ concurrency: 1 });
  for (let index = 0; index < 25; index++) await get(by, url, SAFE);
  for (let index = 0; index < 25; index++) await get(by, url, CHANGING);
  expect(ports.size).toBeLessThan(5);
});

describe('Retry-After', () => {
  const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
  test.each([
    ['3', 3000],
    ['0', 0],
    ['Fri, 20 Nov 2026 10:00:05 GMT', 5000],
    ['Fri, 20 Nov 2026 09:59:00 GMT', 0],
    ['soon', null],
    ['-1', null],
  ])('%s', (value, milliseconds) => {
    expect(retryAfterMs({ 'retry-after': value, date })).toBe(milliseconds);
  });

  test('absent', () => {
    expect(retryAfterMs({ date })).toBeNull();
  });
});
