/** The pacts accuse no sound target, whatever freedom of the documents it uses. */
import { describe, expect, test } from 'vitest';
import { variants } from '../../../proof/variants/index.ts';
import { packsOf, together } from '../../../proof/variants/together.ts';
import { applyVariant, type Variant } from '../../../proof/variants/variant.ts';
import { unverified, verdictsOf, verifySandbox } from './sandboxes.ts';

describe.concurrent('sound targets', () => {
  test.each(packsOf(variants).map(together))('$name', async (variant) => {
    const configure: Variant['configure'] = (configuration) => applyVariant(variant, configuration);
    const results = await verifySandbox({ ...variant.sandbox, configure });
    expect(unverified(results).filter((result) => result.startsWith('failed'))).toEqual([]);
    expect(verdictsOf(results)).toContain('passed');
  });
});
