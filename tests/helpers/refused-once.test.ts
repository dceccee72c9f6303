/** What explains that a right reading is refused now and then. */
import { expect, test } from 'vitest';
import { mayBeTooSoon } from '../../helpers/engine/refused-once.ts';

/** Answers by when they were asked for, in milliseconds: what is in brackets was refused. */
const asked = (times: string) =>
  times.split(' ').map((time) => {
    const isRefused = time.startsWith('(');
    return { status: isRefused ? 422 : 200, sentAt: Number(time.replaceAll(/[()]/g, '')) };
  });

test.each([
  ['0 (20) (40) (60)', 'one acceptance'],
  ['0 (90) (190) 210 (300) (400) 420', '200 ms after each acceptance, on a busy machine'],
  ['(0) 400 (420) (500) 650', 'where the first was refused, too'],
])('%s: a limit of how soon the same is accepted: %s', (times) => {
  expect(mayBeTooSoon(asked(times))).toBe(true);
});

test.each([
  ['0 20 (40) 60 80', 'as soon after one it is accepted'],
  ['0 (20) (40) 60 (180) 200', 'it was refused later than accepted'],
  ['(0) (20)', 'never accepted'],
  ['0 20 40', 'never refused'],
])('%s: no such limit: %s', (times) => {
  expect(mayBeTooSoon(asked(times))).toBe(false);
});
