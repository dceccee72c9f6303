/** The pacts accuse no sound target, whatever freedom of the documents it uses. */
import { describe, expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { packsOf, together } from '../variants/together.ts';
import { verifySandbox } from './sandboxes.ts';

/** One pack in so many: what the pacts look at, the selfcheck sees of every variant, too. */
const APART = 8;

describe.concurrent('sound targets', () => {
  const some = packsOf(variants).filter((_, index) => index % APART === 0);
  test.each(some.map(together).map((variant) => [variant.name, variant] as const))('%s', async (_, variant) => {
    const { sandbox, configure } = variant;
    const results = await verifySandbox({ ...sandbox, configure });
    const failed = results.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ interaction, message }) => `${interaction}: ${message}`)).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
  });
});
