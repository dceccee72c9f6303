/** The pacts accuse no sound target, whatever freedom of the documents it uses. */
import { describe, expect, test } from 'vitest';
import { variants } from '../../../proof/variants/index.ts';
import { packsOf, together } from '../../../proof/variants/together.ts';
import { applyVariant } from '../../../proof/variants/variant.ts';
import { verifySandbox } from './sandboxes.ts';

describe.concurrent('sound targets', () => {
  const targets = packsOf(variants).map(together);
  test.each(targets.map((variant) => [variant.name, variant] as const))('%s', async (_, variant) => {
    const results = await verifySandbox({
      ...variant.sandbox,
      configure: (configuration) => applyVariant(variant, configuration),
    });
    const failed = results.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ interaction, message }) => `${interaction}: ${message}`)).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
  });
});
