import { expect, test } from 'vitest';
import { measure, packsOf } from './causes.ts';

/** Findings there may be for each cause. */
const MOST_FINDINGS = 1.2;

test.each([
  ['five', packsOf(5, 2).at(-1)!],
  ['thirteen', packsOf(13, 1)[0]!],
])(
  'of %s faults in one target each has about one finding, and nothing is hidden by a finding of another',
  async (_, pack) => {
    const { causes, findings, misattributed } = await measure(pack);
    expect(causes.length).toBeGreaterThanOrEqual(pack.length / 2);
    expect(findings.length / causes.length).toBeLessThanOrEqual(MOST_FINDINGS);
    expect(misattributed).toEqual([]);
  },
  300_000,
);
