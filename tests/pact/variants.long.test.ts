/** The pacts accuse no sound target, whatever freedom of the documents it uses. */
import { describe, expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { verifySandbox } from './sandboxes.ts';

/** One in so many: what the pacts look at, the selfcheck sees of every variant, too. */
const APART = 8;

describe.concurrent('sound targets', () => {
  const some = variants.filter((_, index) => index % APART === 0);
  test.each(some.map((variant) => [variant.name, variant] as const))('%s', async (_, { sandbox, configure }) => {
    const results = await verifySandbox({ ...sandbox, configure });
    const failed = results.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ interaction, message }) => `${interaction}: ${message}`)).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
  });
});
