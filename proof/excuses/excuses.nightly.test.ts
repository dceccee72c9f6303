/** Each excuse is needed by a sound implementation, which would be accused without it, or stands in the list of those that are not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { judgeForms, packs } from '../selfcheck/second-target.ts';
import { selfcheck } from '../selfcheck/selfcheck.ts';
import { unreached } from './coverage.ts';
import { excuses } from './sites.ts';
import { WITHOUT_FREEDOM } from './without-freedom.ts';

/** Time limit in milliseconds, for all packs of both targets. */
const LIMIT_MS = 1_800_000;

test(
  'no excuse that a freedom does not need is missing from the list',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'excuses-'));
    vi.stubEnv('NODE_V8_COVERAGE', folder);
    try {
      await selfcheck(() => {}, { onlyVariant: '*' });
      await judgeForms(packs());
      const isListed = ({ file, reason }: { file: string; reason: string }) =>
        WITHOUT_FREEDOM[file]?.[reason] !== undefined;
      const left = unreached(folder, excuses()).filter((one) => !isListed(one));
      expect(left.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  LIMIT_MS,
);
