/** Every hostile behaviour against a whole run. */
import { describe, expect, test } from 'vitest';
import { ALLOWED, BROKEN, TWISTED } from './behaviours.ts';
import { soundRecord } from './outcome.ts';
import { startRun } from './run.ts';
import { hostileTarget } from './target.ts';

describe.each(['all', 'after login', 'login'] as const)('%s', (reach) => {
  test.each(Object.entries({ ...BROKEN, ...TWISTED }))(
    'a target that %s ends the run in order',
    async (name, behaviour) => {
      const target = await hostileTarget(behaviour, reach);
      const ended = await startRun(target.environment).ended;
      console.log(
        reach,
        name,
        ended.code,
        ended.seconds.toFixed(1),
        's',
        Math.round(ended.peakMiB),
        'MiB',
        target.met(),
        process.env.SHOW ? ended.stdout + ended.stderr : '',
      );
      soundRecord(ended);
      expect(ended.code).toBeOneOf([1, 2, 3]);
      expect(target.met()).toBeGreaterThan(0);
    },
  );
});

test.each(Object.entries(ALLOWED))('a target that %s is not accused', async (name, behaviour) => {
  const target = await hostileTarget(behaviour, 'all');
  const ended = await startRun(target.environment).ended;
  console.log(name, ended.code, ended.seconds.toFixed(1), 's', Math.round(ended.peakMiB), 'MiB', target.met());
  expect(soundRecord(ended).summary.must).toMatchObject({ failed: 0, blocked: 0 });
});
