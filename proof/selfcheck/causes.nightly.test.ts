import { expect, test } from 'vitest';
import { measure } from './causes.ts';
import { targetNames } from './planted.ts';

/** Findings there may be for each cause. */
const MOST_FINDINGS = 1.2;

test.each(targetNames)(
  'of five and of thirteen faults in the %s each has about one finding, which names its operation',
  async (target) => {
    for (const { planted, causes, findings, misnamed, misattributed } of await measure([target], [5, 13])) {
      expect(causes.length).toBeGreaterThanOrEqual(Math.floor(planted / 2));
      expect(findings.length / causes.length).toBeLessThanOrEqual(MOST_FINDINGS);
      expect([...misnamed, ...misattributed]).toEqual([]);
    }
  },
  300_000,
);
