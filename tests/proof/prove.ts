/** Runs the suite against one sandbox, in process, and says what came of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../contracts/operations.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { Run } from '../../helpers/run.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { reach } from '../../helpers/runner/reach.ts';
import { conduct } from '../../helpers/runner/schedule.ts';
import { pointAt } from '../../run/target.ts';
import { type SandboxOptions, startSandbox } from '../../sandbox/index.ts';
import { suite } from '../../suites/index.ts';
import type { Fault } from '../faults/fault.ts';
import type { Variant } from '../variants/variant.ts';

/** Same inputs in every proof, so that a result can be had again. */
const SEED = 20260;

export interface Conducted {
  outcomes: Outcome[];
  run: Run;
}

/** Runs what `only` selects (nothing: all) against a sandbox of its own. */
export async function conductAgainst(
  options: SandboxOptions,
  only: readonly string[],
  configure?: (configuration: Configuration) => void,
): Promise<Conducted> {
  const reportDir = mkdtempSync(join(tmpdir(), 'proof-'));
  const sandbox = await startSandbox(options);
  try {
    const given = await readConfiguration({
      env: {},
      options: {
        embedded: 'true',
        'report-dir': reportDir,
        seed: String(SEED),
        ...(only.length > 0 ? { only: only.join(',') } : {}),
      },
      cwd: reportDir,
    });
    const configuration = pointAt(given, sandbox);
    configure?.(configuration);
    const run = new Run(configuration, suite.rules);
    await reach(run);
    const outcomes = await conduct(run, suite);
    await run.close();
    return { outcomes, run };
  } finally {
    await sandbox.close();
    rmSync(reportDir, { recursive: true, force: true });
  }
}

export interface FaultProof {
  name: string;
  condemns: readonly string[];
  /** Condemned requirements that did not fail. */
  missed: string[];
  /** Everything that failed, must and should. */
  killedBy: string[];
}

/** Whether the suite condemns a fault by the requirements that it names. @param whole run all checks, not only those that can see it */
export async function proveFault(fault: Fault, whole = false): Promise<FaultProof> {
  const only = whole ? [] : [...new Set([...fault.condemns.flatMap(operationsOf), ...(fault.also ?? [])])];
  const { outcomes } = await conductAgainst(fault.sandbox, only, fault.configure);
  const killedBy = failedIn(outcomes);
  return {
    name: fault.name,
    condemns: fault.condemns,
    killedBy,
    missed: fault.condemns.filter((id) => !killedBy.includes(id)),
  };
}

export interface VariantProof {
  name: string;
  /** Must requirements that failed: false accusations. */
  accused: { requirement: string; message: string }[];
  /** Must requirements that were blocked: the run could not see them. */
  blocked: { requirement: string; message: string }[];
  /** Must requirements that were not seen, for the reader. */
  unseen: string[];
  requests: number;
}

/** Whether the suite leaves a sound implementation alone. */
export async function proveVariant(variant: Variant): Promise<VariantProof> {
  const { outcomes, run } = await conductAgainst(variant.sandbox, [], variant.configure);
  const musts = outcomes.filter(({ requirement }) => requirementById(requirement).level === 'must');
  const having = (...verdicts: Outcome['verdict'][]) => musts.filter(({ verdict }) => verdicts.includes(verdict));
  const said = ({ requirement, message }: Outcome) => ({ requirement, message });
  return {
    name: variant.name,
    accused: having('failed').map(said),
    blocked: having('blocked').map(said),
    unseen: [...new Set(having('inconclusive', 'skipped').map(({ requirement }) => requirement))],
    requests: run.transport.stats().requests,
  };
}

const failedIn = (outcomes: readonly Outcome[]) => [
  ...new Set(outcomes.filter(({ verdict }) => verdict === 'failed').map(({ requirement }) => requirement)),
];

/** Operations whose checks can see that a requirement is broken. */
function operationsOf(id: string): string[] {
  const judged = operations.filter((operation) => id.startsWith(`${operation.id}.`)).map((operation) => operation.id);
  return judged.length > 0 ? judged : [id];
}
