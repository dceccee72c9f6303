/** Runs the suite against one sandbox, in process, and says what came of it. */
import { tmpdir } from 'node:os';
import { operations } from '../../contracts/operations.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { pointAt } from '../../run/target.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { makeSandbox, type UnservedOptions } from '../../sandbox/unserved.ts';
import type { Fault } from '../faults/fault.ts';
import { together } from '../variants/together.ts';
import { tell, type Variant } from '../variants/variant.ts';
import { Direct } from './direct.ts';
import { type Conducted, conductUnwritten } from './unwritten-run.ts';

/** Same inputs in every proof, so that a result can be had again. */
const SEED = 20260;

/** Where a sandbox is said to be that nothing listens for. */
const NOWHERE = 'http://127.0.0.1:9';

type Configure = (configuration: Configuration) => void;

/** Runs what `only` selects (nothing: all) against a sandbox of its own, without connections. */
export async function conductAgainst(
  options: UnservedOptions,
  only: readonly string[],
  configure?: Configure,
): Promise<Conducted> {
  const { responder, environmentAt, fixtures } = makeSandbox(options);
  const configuration = pointAt(await selecting(only), { environment: environmentAt(NOWHERE), fixtures });
  configure?.(configuration);
  return conductUnwritten(configuration, new Direct(responder));
}

/** The same over HTTP, as a run against any other target. */
export async function conductAgainstServed(
  options: UnservedOptions,
  only: readonly string[],
  configure?: Configure,
): Promise<Conducted> {
  await using sandbox = await startSandbox(options);
  const configuration = pointAt(await selecting(only), sandbox);
  configure?.(configuration);
  return await conductUnwritten(configuration);
}

const selecting = (only: readonly string[]): Promise<Configuration> =>
  readConfiguration({
    env: {},
    options: {
      embedded: 'true',
      seed: String(SEED),
      ...(only.length > 0 ? { only: only.join(',') } : {}),
    },
    cwd: tmpdir(),
  });

export interface FaultProof {
  name: string;
  condemns: readonly string[];
  /** Condemned requirements that did not fail. */
  missed: string[];
  /** Everything that failed, must and should. */
  killedBy: string[];
}

/**
 * Whether the suite condemns a fault by the requirements that it names.
 * @param whole run all checks over HTTP, not only those that can see it
 */
export async function proveFault(fault: Fault, whole = false): Promise<FaultProof> {
  let killedBy: string[] = [];
  const conduct = whole ? conductAgainstServed : conductAgainst;
  for (const only of whole ? [[]] : selections(fault)) {
    const { outcomes } = await conduct(fault.sandbox, only, fault.configure);
    killedBy = failedIn(outcomes);
    if (fault.condemns.every((id) => killedBy.includes(id))) break;
  }
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
  const conduct = variant.served ? conductAgainstServed : conductAgainst;
  const { outcomes, run } = await conduct(variant.sandbox, [], (configuration) => tell(variant, configuration));
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

/** Whether the suite leaves those alone that one implementation can be: that one is judged, and where it is accused each by itself, too. */
export async function proveVariants(variants: readonly Variant[]): Promise<VariantProof[]> {
  const proof = await proveVariant(together(variants));
  if (variants.length === 1) return [proof];
  if (isLeftAlone(proof)) return variants.map(({ name }) => ({ ...proof, name }));
  const proofs = [proof];
  for (const variant of variants) proofs.push(await proveVariant(variant));
  return proofs;
}

export const isLeftAlone = ({ accused, blocked }: VariantProof): boolean => accused.length + blocked.length === 0;

/** What is run to prove a fault: the checks of what it breaks; where others have to make the exchanges, those of the operations, too. */
const selections = ({ condemns, also = [] }: Fault): string[][] => [
  [...condemns, ...also],
  [...new Set([...condemns.flatMap(operationsOf), ...also])],
];

const failedIn = (outcomes: readonly Outcome[]) => [
  ...new Set(outcomes.filter(({ verdict }) => verdict === 'failed').map(({ requirement }) => requirement)),
];

/** Operations whose checks can see that a requirement is broken. */
function operationsOf(id: string): string[] {
  const judged = operations.filter((operation) => id.startsWith(`${operation.id}.`)).map((operation) => operation.id);
  return judged.length > 0 ? judged : [id];
}
