/** How soon effects show, how long they were waited for, and the setting that fits. */
import { describe, expect, test, vi } from 'vitest';
import { Settling, settlingInWords, shorterSettleMs } from '../../helpers/settling.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';

const settled = (slowestMs: number, over: object = {}) => ({
  settleMs: 1000,
  effects: 20,
  slowestMs,
  waitedMs: 15_000,
  ...over,
});

describe('a settle time is proposed', () => {
  test.each([
    ['with room for the slowest effect', settled(60), 300],
    ['that is not too short', settled(1), 100],
    ['no longer where the effects are slow', settled(200), undefined],
    ['not by few effects', settled(1, { effects: 2 }), undefined],
    ['not where nothing was waited for', settled(1, { waitedMs: 500 }), undefined],
    ['not where it is short already', settled(1, { settleMs: 100 }), undefined],
  ])('%s', (_, facts, proposed) => {
    expect(shorterSettleMs(facts)).toBe(proposed);
  });

  test('in words, with what it saves; and a longer one where effects hardly show in time', () => {
    expect(settlingInWords(settled(1))).toBe(
      'Effects showed within 1 ms, and the run waited for more during 15.0 s: RUN_SETTLE_MS=100 would save most of that.',
    );
    expect(settlingInWords(settled(900))).toMatch(
      /^An effect took 900 ms to show: RUN_SETTLE_MS=1000 leaves little room/,
    );
    expect(settlingInWords(settled(300))).toBeUndefined();
  });
});

test('what several wait for at once counts once', async () => {
  vi.useFakeTimers();
  try {
    const settling = new Settling(1000);
    const both = Promise.all([1000, 500].map((ms) => settling.during(new Promise((done) => setTimeout(done, ms)))));
    await vi.advanceTimersByTimeAsync(1000);
    await both;
    expect(settling.facts()).toMatchObject({ waitedMs: 1000 });
  } finally {
    vi.useRealTimers();
  }
});

test('a run measures the effects of what it changes', async () => {
  const { run } = await conductAgainst({}, ['cards.suspend.not-active']);
  const { settled, notes } = run.facts();
  expect(settled?.effects).toBeGreaterThan(0);
  expect(notes.join()).not.toContain('RUN_SETTLE_MS');
});
