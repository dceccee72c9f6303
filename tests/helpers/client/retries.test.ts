import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { retryAfterMs } from '../../../helpers/client/http/retry.ts';
import type { SendOptions } from '../../../helpers/client/http/types.ts';
import { serve, serveSockets } from '../../tools/servers.ts';
import { CHANGING, failureOf, get, SAFE, statusesOf, transport } from './transport.ts';

/** A server that gives these statuses one after the other, the last one for ever. */
async function serveStatuses(statuses: number[], headers: Record<string, string> = {}) {
  const seen = { asked: 0 };
  const url = await serve((_, response) => {
    const status = statuses[Math.min(seen.asked++, statuses.length - 1)]!;
    response.writeHead(status, headers).end();
  });
  return { url, seen };
}

const NOW = { 'retry-after': '0' };
const REPEATABLE = { ...CHANGING, retryThrottled503: true };

type Row = [what: string, given: number[], headers: Record<string, string>, SendOptions, seen: number[]];

test.each<Row>([
  ['429 is tried again after Retry-After', [429, 429, 200], NOW, SAFE, [429, 429, 200]],
  ['429 is tried again for what may change something, too', [429, 429, 200], NOW, CHANGING, [429, 429, 200]],
  ['429 for ever becomes the answer after ten retries', [429], NOW, CHANGING, Array(11).fill(429)],
  ['403 with Retry-After is tried again: throttling in other words', [403, 403, 200], NOW, REPEATABLE, [403, 403, 200]],
  ['503 with Retry-After is tried again, too', [503, 503, 200], NOW, REPEATABLE, [503, 503, 200]],
  ['503 with Retry-After is the answer for what must not be done twice', [503, 200], NOW, CHANGING, [503]],
  ['503 without it is tried again twice for safe operations', [503], {}, SAFE, [503, 503, 503]],
  ['503 without it is the answer for any other', [503, 200], {}, CHANGING, [503]],
  ...[400, 401, 403, 404, 500, 502, 504].map(
    (status): Row => [`${status} is the answer`, [status, 200], {}, SAFE, [status]],
  ),
])('%s', async (_, given, headers, options, expected) => {
  const { url, seen } = await serveStatuses(given, headers);
  const by = transport();
  const { status, retries } = await get(by, url, options);
  expect([...retries.map((retry) => retry.status), status]).toEqual(expected);
  expect(seen.asked).toBe(expected.length);
  expect(by.stats()).toMatchObject({ requests: expected.length, inFlight: 0, queued: 0 });
});

describe('429', () => {
  test('waits as long as asked, says so, and makes the others to that origin wait', async () => {
    const { url } = await serveStatuses([429, 200], { 'retry-after': '1' });
    const waits: string[] = [];
    const by = transport({ onWait: (waiting) => waits.push(waiting) });
    const first = get(by, url, CHANGING);
    await expect.poll(() => by.stats().throttled).toBe(1);
    const waiting = expect.stringMatching(
      /^127\.0\.0\.1:\d+ answers 429 \(too many requests\): waiting 1 s as requested$/,
    );
    expect(by.stats().waitingFor).toEqual(waiting);
    const second = await get(by, url);
    expect(second.sentAt).toBeGreaterThanOrEqual((await first).sentAt);
    expect((await first).retries[0]!.waitedMs).toBeGreaterThanOrEqual(990);
    expect(waits).toEqual([waiting, '']);
    expect(by.stats().waitingFor).toBeUndefined();
  });

  test('without a Retry-After is waited for without saying that it was asked', async () => {
    const { url } = await serveStatuses([429, 200]);
    const waits: string[] = [];
    await get(transport({ onWait: (waiting) => waits.push(waiting) }), url, CHANGING);
    expect(waits[0]).toMatch(/ answers 429 \(too many requests\): waiting 1 s, since no Retry-After says how long$/);
  });

  test('for ever, to every request, ends the retrying', async () => {
    const { url, seen } = await serveStatuses([429], NOW);
    expect(await statusesOf(200, transport(), url, () => CHANGING)).toEqual([429]);
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

test.each([
  [429, '86400', /answers 429 and asks to wait 24 hours \(Retry-After\)/],
  [503, '600', /answers 503 and asks to wait 10 minutes/],
  [403, new Date(Date.now() + 3_600_000).toUTCString(), /answers 403 and asks to wait 60 minutes/],
  [429, '9'.repeat(400), /answers 429 and asks to wait Infinity hours/],
])('%i with Retry-After %s ends the trying of that interface at once, and says so', async (status, value, reason) => {
  const { url, seen } = await serveStatuses([status], { 'retry-after': value });
  const by = transport();
  expect((await get(by, url)).status).toBe(status);
  const message = expect.stringMatching(reason);
  expect(await failureOf(get(by, url))).toMatchObject({ kind: 'gave-up', message });
  expect(seen.asked).toBe(1);
  // The other interface goes on, and so does the undoing of changes.
  for (const other of [{ queue: 'v1' }, { urgent: true }])
    expect((await get(by, url, { ...SAFE, ...other })).status).toBe(status);
});

test('a Retry-After that is longer than the time left ends it, too', async () => {
  const { url, seen } = await serveStatuses([429], { 'retry-after': '5' });
  const by = transport({ timeLeftMs: () => 3000 });
  expect((await get(by, url)).status).toBe(429);
  expect((await failureOf(get(by, url))).kind).toBe('gave-up');
  expect(seen.asked).toBe(1);
});

test('a row of time-outs ends the trying of its queue alone', async () => {
  const silent = await serveSockets(() => {});
  const { url } = await serveStatuses([200]);
  const by = transport({ timeoutMs: 300, concurrency: 4 });
  const failures = await Promise.all(Array.from({ length: 300 }, () => failureOf(get(by, silent))));
  expect(failures.at(-1)).toMatchObject({ kind: 'gave-up' });
  expect(by.stats().requests).toBeLessThan(12);
  expect([by.hasGivenUp('v3'), by.hasGivenUp('v1')]).toEqual([true, false]);
  expect(await failureOf(get(by, silent, CHANGING))).toMatchObject({ kind: 'gave-up', sentAt: null });
  for (const other of [{ queue: 'v1' }, { urgent: true }])
    expect((await get(by, url, { ...SAFE, ...other })).status).toBe(200);
});

test('a row of time-outs is broken by any answer', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    if (asked++ % 4 === 3) response.end();
  });
  const by = transport({ timeoutMs: 400, concurrency: 1 });
  const round = [...Array(3).fill({ kind: 'timeout' }), { status: 200 }];
  for (const outcome of [...round, ...round])
    expect(await get(by, url, CHANGING).catch((error: unknown) => error)).toMatchObject(outcome);
});

describe('a kept connection that the server closes', () => {
  const EMPTY = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
  const IDLE = 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

  // What may not be sent twice goes over connections of its own.
  test.each<[string, (socket: Socket) => void]>([
    ['without a word', (socket) => socket.destroy()],
    ['with 408 for its idleness', (socket) => socket.end(IDLE)],
  ])('%s when the second request comes troubles no operation', async (_, onReuse) => {
    const used = new Set<Socket>();
    const url = await serveSockets((socket) => {
      if (used.has(socket)) return onReuse(socket);
      used.add(socket);
      socket.write(EMPTY);
    });
    const mixed = (index: number) => (index % 2 === 0 ? SAFE : CHANGING);
    expect(await statusesOf(60, transport({ concurrency: 2 }), url, mixed)).toEqual([200]);
  });

  test.each([SAFE, CHANGING])('is none where it is new: there 408 is an answer', async (options) => {
    const url = await serveSockets((socket) => socket.end(IDLE));
    expect((await get(transport(), url, options)).status).toBe(408);
  });

  test('while unused is replaced', async () => {
    const url = await serveSockets((socket) => {
      socket.write(EMPTY);
      setTimeout(() => socket.destroy(), 20);
    });
    const by = transport();
    expect((await get(by, url)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await get(by, url)).toMatchObject({ status: 200, retries: [] });
  });
});

test('connections are used again, save by what may not be sent twice', async () => {
  const ports = new Set<number>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort!);
    response.end();
  });
  const by = transport({ concurrency: 1 });
  for (let index = 0; index < 25; index++) await get(by, url, SAFE);
  expect(ports.size).toBeLessThan(3);
  for (let index = 0; index < 25; index++) await get(by, url, CHANGING);
  expect(ports.size).toBeGreaterThanOrEqual(25);
});

describe('a target that restarts', () => {
  /** A server that closes every connection while it is down. */
  async function serveRestarting() {
    const seen = { isDown: true, refused: 0 };
    const url = await serve((request, response) => {
      if (!seen.isDown) return void response.end();
      seen.refused++;
      request.socket.destroy();
    });
    return { url, seen };
  }

  test('loses what is under way, not what waits', async () => {
    const { url, seen } = await serveRestarting();
    const by = transport({ concurrency: 4 });
    const all = Array.from({ length: 200 }, () => get(by, url, CHANGING).catch(() => undefined));
    await expect.poll(() => seen.refused).toBeGreaterThanOrEqual(8);
    seen.isDown = false;
    expect((await Promise.all(all)).filter((answer) => answer?.status === 200).length).toBeGreaterThan(180);
  });

  test('is still tried again by safe operations after a row of lost answers', async () => {
    const { url, seen } = await serveRestarting();
    const by = transport({ concurrency: 8 });
    const all = Array.from({ length: 100 }, () => get(by, url, SAFE));
    await expect.poll(() => seen.refused).toBeGreaterThanOrEqual(16);
    seen.isDown = false;
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test.each([
  ['3', 3000],
  ['0', 0],
  ['Fri, 20 Nov 2026 10:00:05 GMT', 5000],
  ['Fri, 20 Nov 2026 09:59:00 GMT', 0],
  ['soon', null],
  ['-1', null],
  [undefined, null],
])('Retry-After: %s', (value, milliseconds) => {
  const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
  expect(retryAfterMs({ date, ...(value && { 'retry-after': value }) })).toBe(milliseconds);
});
