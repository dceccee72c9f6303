import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Quiet } from '../../helpers/quiet.ts';

test('whoever waits goes when all others are done or wait, too, one after the other', async () => {
  const quiet = new Quiet();
  const begun: string[] = [];
  const work = async (name: string) => {
    quiet.enter();
    await quiet.wait();
    begun.push(name);
    await turn();
    begun.push(`${name} ends`);
    quiet.leave();
  };
  quiet.enter();
  const waiting = [work('one'), work('other')];
  await turn();
  expect(begun).toEqual([]);
  quiet.leave();
  await Promise.all(waiting);
  expect(begun).toEqual(['one', 'one ends', 'other', 'other ends']);
});

/** A clock that goes on only when somebody sleeps. */
function clockOf() {
  const clock = {
    ms: 0,
    now: () => clock.ms,
    sleep: async (milliseconds: number) => {
      await turn();
      clock.ms += milliseconds;
    },
  };
  return clock;
}

const { signal } = new AbortController();
const nothing = async () => {};

test('a bad credential is forgotten after the settle time, and not at once where there is none', () => {
  const quiet = new Quiet(clockOf());
  expect(quiet.restMs(1000)).toBe(0);
  quiet.disturb();
  expect(quiet.restMs(1000)).toBe(1000);
  expect(quiet.restMs(0)).toBeGreaterThan(100);
});

test('silences double from the settle time on, and begin with the one that helped before', () => {
  const quiet = new Quiet(clockOf());
  expect(quiet.silencesFor('a login', 1000)).toEqual([1000, 2000, 4000, 8000, 16_000]);
  quiet.helped(4000);
  expect(quiet.silencesFor('a login', 1000)).toEqual([4000, 8000, 16_000]);
  expect(quiet.silencesFor('another', 5000)).toEqual([5000, 8000, 16_000]);
});

test('what no silence changed is not waited for again', () => {
  const quiet = new Quiet(clockOf());
  quiet.didNotHelp('a login');
  expect(quiet.silencesFor('a login', 1000)).toEqual([1000]);
  expect(quiet.silencesFor('another', 1000)).toHaveLength(5);
});

test('all who wait for silence wait once, and bad credentials are held back until what they wait for is done', async () => {
  const clock = clockOf();
  const quiet = new Quiet(clock);
  quiet.disturb();
  const done: string[] = [];
  const resting = ['one', 'other'].map((name) =>
    quiet.rest(signal, 2000, async () => {
      await turn();
      done.push(name);
    }),
  );
  const heldBack = quiet.untilNobodyRests().then(() => done.push('bad'));
  await Promise.all([...resting, heldBack]);
  expect(done).toEqual(['one', 'other', 'bad']);
  expect(clock.ms).toBeLessThan(4001);
  expect(quiet.restMs(2000)).toBe(0);
});

test('a bad credential that is answered meanwhile begins the silence anew', async () => {
  const clock = clockOf();
  const quiet = new Quiet(clock);
  quiet.disturb();
  const resting = quiet.rest(signal, 2000, nothing);
  clock.ms += 1500;
  quiet.disturb();
  await resting;
  expect(clock.ms).toBeGreaterThanOrEqual(3500);
});

test('nobody waits for silence once the run is over', async () => {
  const clock = clockOf();
  const quiet = new Quiet(clock);
  quiet.disturb();
  await quiet.rest(AbortSignal.abort(), 2000, nothing);
  expect(clock.ms).toBe(0);
});

test('while something with a bad credential is under way, its silence has not begun', () => {
  const quiet = new Quiet();
  const end = quiet.disturbing();
  expect(quiet.restMs(1000)).toBe(1000);
  end();
  expect(quiet.restMs(1000)).toBe(0);
});
