import { expect, test } from 'vitest';
import { watchRuns, withoutWatch } from '../../cli/watch.ts';

/** Runs that end with these codes one after the other; the changes end with them. */
async function watched(args: readonly string[], ...codes: number[]) {
  const started: string[] = [];
  const said: string[] = [];
  const code = await watchRuns(args, {
    start: async (given) => {
      started.push(given.join(' '));
      return codes[started.length - 1]!;
    },
    next: async () => started.length < codes.length,
    say: (line) => void said.push(line),
  });
  return { code, started, said };
}

const ONLY = ['--only', 'cards.get'];
const AGAIN = '--only cards.get --last-failed --wait-for-target=600';

test('after the first run what failed is tried again at each change, until nothing fails', async () => {
  const { code, started, said } = await watched(ONLY, 1, 1, 3, 0, 1);
  expect({ code, started }).toEqual({ code: 0, started: ['--only cards.get', AGAIN, AGAIN, AGAIN] });
  expect(said).toEqual([expect.stringContaining('a run without --last-failed tells the rest')]);
});

test.each<[string, readonly string[], number[], string[]]>([
  ['nothing to try again where nothing failed at first', ONLY, [0, 1], ['--only cards.get']],
  [
    'the same again where it could not be carried out',
    ONLY,
    [2, 1, 0],
    ['--only cards.get', '--only cards.get', AGAIN],
  ],
  [
    'what is named, if that is what failed before',
    ['--last-failed', 'monday'],
    [1, 0],
    ['--last-failed monday', '--last-failed monday --wait-for-target=600'],
  ],
  [
    'a wait as long as was asked for, while the target is being built',
    ['--wait-for-target', '5'],
    [1, 0],
    ['--wait-for-target 5', '--wait-for-target 5 --last-failed'],
  ],
  ['nothing more after an interruption', ONLY, [130, 1], ['--only cards.get']],
  ['nothing more without a change', ONLY, [1], ['--only cards.get']],
])('there is %s', async (_, args, codes, expected) => {
  expect((await watched(args, ...codes)).started).toEqual(expected);
});

test.each([
  ['run --watch --only a', '--only a'],
  ['--only a --watch dist/server.js --last-failed', '--only a --last-failed'],
  ['run --watch=dist --risk safe', '--risk safe'],
  ['run --last-failed --watch', '--last-failed'],
  ['run --only a', '--only a'],
])('each run has the arguments but for --watch: %s', (args, expected) => {
  expect(withoutWatch(args.split(' ')).join(' ')).toBe(expected);
});
