/** The pacts accuse no sound target, whatever freedom of the documents it uses. */
import { describe, expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { verifySandbox } from './sandboxes.ts';

describe.concurrent('sound targets', () => {
  test.each(variants.map((variant) => [variant.name, variant] as const))('%s', async (_, { sandbox, configure }) => {
    const results = await verifySandbox({ ...sandbox, configure });
    const failed = results.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ interaction, message }) => `${interaction}: ${message}`)).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
  });
});
