/** Runs the suite in process against a started target, configured by environment variables and fixtures. */
import { tmpdir } from 'node:os';
import { requirementById } from '../../contracts/requirements/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { Direct, type Unserved } from './direct.ts';
import { type Conducted, conductUnwritten } from './unwritten-run.ts';

/** A target, and the settings that point a run at it. */
export interface Given {
  /** `TARGET_*` and `RUN_*` variables, save TARGET_FIXTURES. */
  environment: Record<string, string>;
  /** The content of a fixtures file. */
  fixtures: Record<string, unknown>;
  /** Answers requests without a connection. */
  unserved?: Unserved;
}

/** Fixed, so that results are reproducible. */
export const SEED = 20260;

/**
 * Runs the suite against a target.
 * @param options.untilCondemned ends the run at the first must requirement that fails
 * @param options.thorough tries every form of what rotates with the seed, save where one run may try only one
 * @param options.seed chooses other forms
 * @param options.only selected requirements or operations; all by default
 * @param options.configure changes the configuration of the run
 */
export async function runSuite(
  { environment, fixtures, unserved }: Given,
  options: {
    untilCondemned?: boolean;
    only?: readonly string[];
    thorough?: boolean;
    seed?: number;
    configure?: (configuration: Configuration) => void;
  } = {},
): Promise<Conducted> {
  const { untilCondemned = false, only, thorough = false, seed = SEED } = options;
  const configuration = await readConfiguration({
    env: environment,
    fixtures,
    options: {
      seed: String(seed),
      bail: String(untilCondemned),
      thorough: String(thorough),
      ...(only && { only: only.join() }),
    },
    cwd: tmpdir(),
  });
  options.configure?.(configuration);
  return conductUnwritten(configuration, unserved && new Direct(unserved));
}

/** Whether an outcome makes a target nonconformant. */
export const condemns = ({ requirement, verdict }: Outcome): boolean =>
  verdict === 'failed' && requirementById(requirement).level === 'must';
