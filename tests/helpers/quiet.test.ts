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

test('a bad credential is forgotten after the settle time, and not at once where there is none', () => {
  const quiet = new Quiet();
  expect(quiet.restMs(1000)).toBe(0);
  quiet.disturb();
  expect(quiet.restMs(1000)).toBeGreaterThan(900);
  expect(quiet.restMs(0)).toBeGreaterThan(100);
});
