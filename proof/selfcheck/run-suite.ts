/** Runs the suite in process against a started target, configured by environment variables and a fixtures file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { Direct, type Unserved } from './direct.ts';
import { conductUnwritten } from './unwritten-run.ts';

/** A target, and the settings that point a run at it. */
export interface Given {
  /** `TARGET_*` and `RUN_*` variables, save TARGET_FIXTURES. */
  environment: Record<string, string>;
  /** The content of a fixtures file. */
  fixtures: unknown;
  /** Answers requests without a connection. */
  unserved?: Unserved;
}

export interface SuiteRun {
  outcomes: Outcome[];
  requests: number;
  configuration: Configuration;
  exchanges: readonly Exchange[];
}

/** Fixed, so that results are reproducible. */
const SEED = '20260';

/**
 * Runs the suite against a target.
 * @param options.untilCondemned ends the run at the first must requirement that fails
 * @param options.thorough tries every form of what rotates with the seed, save where one run may try only one
 * @param options.seed chooses other forms
 * @param options.only selected requirements or operations; all by default
 */
export async function runSuite(
  { environment, fixtures, unserved }: Given,
  options: { untilCondemned?: boolean; only?: readonly string[]; thorough?: boolean; seed?: string } = {},
): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'proof-'));
  try {
    const fixturesFile = join(folder, 'fixtures.json');
    writeFileSync(fixturesFile, JSON.stringify(fixtures));
    const configuration = await readConfiguration({
      env: { ...environment, TARGET_FIXTURES: fixturesFile },
      options: {
        'report-dir': folder,
        seed: options.seed ?? SEED,
        bail: String(options.untilCondemned ?? false),
        thorough: String(options.thorough ?? false),
        ...(options.only ? { only: options.only.join(',') } : {}),
      },
      cwd: folder,
    });
    const { outcomes, run, exchanges } = await conductUnwritten(configuration, unserved && new Direct(unserved));
    return { outcomes, requests: run.transport.stats().requests, configuration, exchanges };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether an outcome makes a target nonconformant. */
export const condemns = ({ requirement, verdict }: Outcome): boolean =>
  verdict === 'failed' && requirementById(requirement).level === 'must';
