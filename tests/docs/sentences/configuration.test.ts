import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryDirectory } from '../../tools/directory.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { ran, recordIn, tries } from './trial.ts';

/** The seed of a run with one in the option, in the environment and in `.env`, as far as they are given. */
async function seedOf({ option, variable, inFile }: { option?: string; variable?: string; inFile?: string }) {
  const directory = temporaryDirectory();
  if (inFile !== undefined) writeFileSync(join(directory, '.env'), `RUN_SEED=${inFile}\n`);
  const environment: Record<string, string> = variable === undefined ? {} : { RUN_SEED: variable };
  const args = ['--only', 'users.get.status', ...(option === undefined ? [] : ['--seed', option])];
  return recordIn((await runHere(environment, args, directory)).reports).run.seed;
}

tries('docs/configuration.md', [
  [
    'Read from options, then the process environment, then `.env`',
    async () => {
      expect(await seedOf({ option: '1', variable: '2', inFile: '3' })).toBe(1);
      expect(await seedOf({ variable: '2', inFile: '3' })).toBe(2);
      expect(await seedOf({ inFile: '3' })).toBe(3);
    },
  ],
  ['an empty text is the same as unset', async () => expect(await seedOf({ variable: '', inFile: '3' })).toBe(3)],
  [
    'All faults are reported at once, one line each, with exit code 2.',
    async () => {
      const changed = { RUN_RISK: 'any', RUN_RATE: 'fast', TARGET_HEADERS: '[' };
      const { code, stderr } = await ran('users.get', { changed });
      expect(code).toBe(2);
      const named = stderr
        .trim()
        .split('\n')
        .map((line) => line.split(':', 1)[0]);
      expect(named.toSorted()).toEqual(Object.keys(changed).toSorted());
    },
  ],
  [
    'Authorization is not allowed here.',
    async () => {
      const changed = { TARGET_HEADERS: '{"authorization":"Bearer any"}' };
      const { code, stderr } = await ran('users.get', { changed });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^TARGET_HEADERS: /) });
    },
  ],
]);
