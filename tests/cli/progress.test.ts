import { expect, test } from 'vitest';
import { ProgressLine } from '../../cli/progress.ts';

function watched(isTTY: boolean, env = {}, columns = 200) {
  const written: string[] = [];
  const clock = { now: 0 };
  const line = new ProgressLine({ isTTY, columns, write: (text) => written.push(text) }, env, () => clock.now);
  const progress = { total: 700, done: 12, failed: 1, advice: 0, requests: 40, inFlight: 8, waitingFor: '' };
  return { written, clock, line, progress };
}

test('a terminal has one live line with done, failed, in flight, rate and what is waited for', () => {
  const { written, clock, line, progress } = watched(true);
  clock.now = 1000;
  line.show(progress);
  line.show({ ...progress, waitingFor: 'the token to end' });
  line.clear();
  expect(written).toEqual([
    '\r\x1b[2K12/700 checks · 1 failed · 8 in flight · 40 requests/s',
    '\r\x1b[2K12/700 checks · 1 failed · 8 in flight · 40 requests/s · waiting: the token to end',
    '\r\x1b[2K',
  ]);
});

test('the rate is that of the last seconds', () => {
  const { written, clock, line, progress } = watched(true);
  for (clock.now = 1000; clock.now <= 5000; clock.now += 1000) line.show({ ...progress, requests: 100 });
  expect(written[0]).toContain('100 requests/s');
  expect(written.at(-1)).toContain(' 0 requests/s');
});

test('once a tenth is done it says how long the rest takes at that pace, and nothing when all is done', () => {
  const { written, clock, line, progress } = watched(true);
  clock.now = 8000;
  for (const done of [69, 70, 400, 700]) line.show({ ...progress, done });
  const left = written.map((text) => /about (.+) left/.exec(text)?.[1]);
  expect(left).toEqual([undefined, '1 min 12 s', '6.0 s', undefined]);
});

test('a narrow terminal is not wrapped', () => {
  const { written, line, progress } = watched(true, {}, 40);
  line.show(progress);
  expect(written[0]!.replace('\r\x1b[2K', '').length).toBeLessThan(40);
});

test.each([
  [false, {}],
  [true, { CI: 'true' }],
])('elsewhere, and in CI, plain lines come now and then, and none without news', (isTTY, env) => {
  const { written, clock, line, progress } = watched(isTTY, env);
  for (; clock.now <= 25_000; clock.now += 250) line.show({ ...progress, done: clock.now });
  expect(written).toHaveLength(3);
  for (; clock.now <= 60_000; clock.now += 250) line.show({ ...progress, done: 25_000 });
  line.clear();
  expect(written).toHaveLength(4);
  for (const text of written) expect(text).toMatch(/^\d[^\r]+\n$/);
});

test('something new that is waited for is told at once, and once', () => {
  const { written, clock, line, progress } = watched(false);
  const waits = ['', 'the target answers 429: 1 s', '', 'the target answers 429: 2 s'];
  for (const [quarter, waitingFor] of waits.entries()) {
    clock.now = quarter * 250;
    line.show({ ...progress, waitingFor });
  }
  expect(written).toHaveLength(2);
  expect(written[1]).toContain('waiting: the target answers 429');
});
