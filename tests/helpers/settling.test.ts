/** How soon effects show, how long they were waited for, and the setting that fits. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { Settling, settlingInWords, shorterSettleMs } from '../../helpers/settling.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';

const settled = (slowestMs: number, over: object = {}) => {
  return { settleMs: 1000, effects: 20, slowestMs, waitedMs: 15_000, ...over };
};

const SHORTER =
  'All 20 effects showed in the first reading, and the run waited for slower ones during 15.0 s: RUN_SETTLE_MS=250 would save most of that, where nothing at the target is slower now and then (a replica, a listing, a busy hour): what takes longer is accused.';
const LONGER = expect.stringMatching(/^An effect took 900 ms to show: RUN_SETTLE_MS=1000 leaves little room/);

test.each([
  [
    'with room for the slowest effect',
    settled(60),
    300,
    expect.stringMatching(/^All 20 effects showed within 60 ms.*RUN_SETTLE_MS=300/),
  ],
  ['that is not too short, where nobody knows how soon effects show', settled(0), 250, SHORTER],
  ['no longer where the effects are slow', settled(200), undefined, undefined],
  ['where effects hardly show in time, in words alone', settled(900), undefined, LONGER],
  ['not by few effects', settled(1, { effects: 2 }), undefined, undefined],
  ['not where nothing was waited for', settled(1, { waitedMs: 500 }), undefined, undefined],
  ['not where it is short already', settled(1, { settleMs: 400 }), undefined, undefined],
])('a settle time is proposed %s', (_, facts, proposed, words) => {
  expect(shorterSettleMs(facts)).toBe(proposed);
  expect(settlingInWords(facts)).toEqual(words);
});

test('what several wait for at once counts once', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const settling = new Settling(1000);
  const both = Promise.all([1000, 500].map((ms) => settling.during(new Promise((done) => setTimeout(done, ms)))));
  await vi.advanceTimersByTimeAsync(1000);
  await both;
  expect(settling.facts()).toMatchObject({ waitedMs: 1000 });
});

test('an effect that never showed is waited for three times, one that did whenever it is late', () => {
  const settling = new Settling(1000);
  const tries = [1, 2, 3, 4].map(() => {
    const isAwaited = settling.isAwaited('cards.transfer');
    settling.awaited('cards.transfer', false);
    return isAwaited;
  });
  expect(tries).toEqual([true, true, true, false]);
  expect(settling.isAwaited('cards.suspend')).toBe(true);
  settling.awaited('cards.transfer', true);
  for (let times = 0; times < 5; times++) settling.awaited('cards.transfer', false);
  expect(settling.isAwaited('cards.transfer')).toBe(true);
});

test('a run measures the effects of what it changes', async () => {
  const { run } = await conductAgainst({}, ['cards.suspend.not-active']);
  const { settled, notes } = run.facts();
  expect(settled?.effects).toBeGreaterThan(0);
  expect(notes.join()).not.toContain('RUN_SETTLE_MS');
});
