/** Each excuse is needed by a sound implementation, which would be accused without it; of what checks refer to another requirement for, a sound one shows nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { judgeForms, packs } from '../selfcheck/second-target.ts';
import { selfcheck } from '../selfcheck/selfcheck.ts';
import { unreached } from './coverage.ts';
import { excuses, referrals } from './sites.ts';

/** Time limit in milliseconds, for all packs of both targets. */
const LIMIT_MS = 1_800_000;
/** Fewer are found only where they are no longer found by how they are written. */
const LEAST_EXCUSES = 150;

test(
  'freedoms reach each excuse, and no referral',
  async () => {
    expect(excuses().length).toBeGreaterThan(LEAST_EXCUSES);
    const folder = mkdtempSync(join(tmpdir(), 'excuses-'));
    vi.stubEnv('NODE_V8_COVERAGE', folder);
    try {
      await selfcheck(() => {}, { onlyVariant: '*' });
      await judgeForms(packs());
      const left = unreached(folder, excuses());
      expect.soft(left.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([]);
      expect.soft(unreached(folder, referrals())).toEqual(referrals());
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  LIMIT_MS,
);
