/** The pacts accuse no sound target, whatever freedom of the documents it uses. */
import { describe, expect, test } from 'vitest';
import { variants } from '../variants/index.ts';
import { packsOf, together } from '../variants/together.ts';
import { applyVariant } from '../variants/variant.ts';
import { verifySandbox } from './sandboxes.ts';

/** One pack in so many, and all that is about logins, sessions and stale fixtures, which pacts know nothing of: the selfcheck sees every variant. */
const APART = 3;
const UNKNOWN_TO_PACTS = /login|session|stale/;

describe.concurrent('sound targets', () => {
  const some = packsOf(variants)
    .map(together)
    .filter(({ name }, index) => index % APART === 0 || UNKNOWN_TO_PACTS.test(name));
  test.each(some.map((variant) => [variant.name, variant] as const))('%s', async (_, variant) => {
    const results = await verifySandbox({
      ...variant.sandbox,
      configure: (configuration) => applyVariant(variant, configuration),
    });
    const failed = results.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ interaction, message }) => `${interaction}: ${message}`)).toEqual([]);
    expect(results.some(({ verdict }) => verdict === 'passed')).toBe(true);
  });
});
