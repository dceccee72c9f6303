/** Runs the suite in process against sandboxes with faults and variants, and returns its verdicts. */
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
import type { TargetName } from '../operators/prove.ts';
import type { Fault as SecondFault } from '../second-target/faults.ts';
import { makeSecondTarget } from '../second-target/index.ts';
import { together } from '../variants/together.ts';
import { applyVariant, type Variant } from '../variants/variant.ts';
import { Direct, NOWHERE } from './direct.ts';
import { isShownByExchanges, judgeRecorded } from './recorded.ts';
import { type Given, SEED } from './run-suite.ts';
import { type Conducted, conductUnwritten } from './unwritten-run.ts';

type Configure = (configuration: Configuration) => void;

/** The checks to run: those that `only` selects (empty: all), with the forms of this seed or, `thorough`, with all, those that cost among them. */
export interface Selection {
  only: readonly string[];
  thorough?: boolean;
}

/** Runs checks against a target, as against the embedded sandbox. */
export async function conduct(
  { unserved, ...given }: Given,
  { only, thorough = false }: Selection,
  configure?: Configure,
): Promise<Conducted> {
  const selected = only.length > 0 ? { only: only.join() } : {};
  const options = { embedded: 'true', seed: String(SEED), thorough: String(thorough), ...selected };
  const configuration = pointAt(await readConfiguration({ env: {}, options, cwd: tmpdir() }), given);
  if (thorough) Object.assign(configuration.run, { maxCipChecks: 200, maxOrders: 200 });
  configure?.(configuration);
  return conductUnwritten(configuration, unserved && new Direct(unserved));
}

/** A fresh sandbox, without connections. */
export function sandboxOf(options: UnservedOptions): Required<Given> {
  const { responder, environmentAt, fixtures } = makeSandbox(options);
  return { environment: environmentAt(NOWHERE), fixtures, unserved: responder };
}

/** The second target with faults, without connections. */
export function secondTarget(faults: readonly string[] = []): Required<Given> {
  const target = makeSecondTarget({ faults });
  return { environment: target.envAt(NOWHERE), fixtures: target.fixtures, unserved: target };
}

/** {@link conduct} against a fresh sandbox, without connections. */
export const conductAgainst = (options: UnservedOptions, only: readonly string[], configure?: Configure) =>
  conduct(sandboxOf(options), { only }, configure);

/** {@link conductAgainst} over HTTP, as against any other target. */
export async function conductAgainstServed(
  options: UnservedOptions,
  only: readonly string[],
  configure?: Configure,
): Promise<Conducted> {
  await using sandbox = await startSandbox(options);
  return await conduct(sandbox, { only }, configure);
}

/** {@link conduct} against a sound implementation. */
export function conductVariant(variant: Variant, configure?: Configure): Promise<Conducted> {
  const conductIt = variant.served ? conductAgainstServed : conductAgainst;
  return conductIt(variant.sandbox, [], (configuration) => {
    applyVariant(variant, configuration);
    configure?.(configuration);
  });
}

export interface FaultProof {
  name: string;
  condemns: readonly string[];
  /** Condemned requirements that did not fail. */
  missed: string[];
  /** Everything that failed, must and should. */
  killedBy: string[];
  /** Whether a run that tries all forms condemns it, since what shows it is not the turn of the seed. */
  isThorough: boolean;
  /** What a recording of the run alone shows of the requirements; undefined where exchanges alone cannot show them, or none was judged. */
  recorded: 'condemned' | 'suspected' | 'unseen' | undefined;
  target: TargetName;
  /** Whether an operator made the fault, which is applied to both targets. */
  isOperator?: true;
}

/**
 * Whether the suite condemns a fault by the requirements that it names.
 * @param options.whole run all checks over HTTP, not only those that can see it
 * @param options.recording judge the exchanges of the run once more, as a recording
 */
export function proveFault(
  fault: Fault,
  { whole = false, recording = false }: { whole?: boolean; recording?: boolean } = {},
): Promise<FaultProof> {
  const { sandbox, configure } = fault;
  return whole
    ? prove('sandbox', fault, [{ only: [] }], recording, ({ only }) => conductAgainstServed(sandbox, only, configure))
    : prove('sandbox', fault, selections(fault), recording, (selection) =>
        conduct(sandboxOf(sandbox), selection, configure),
      );
}

/** Whether the suite condemns a fault of the second target by the requirements that it names. */
export const proveSecondFault = (
  { id, condemns }: SecondFault,
  { recording = false }: { recording?: boolean } = {},
): Promise<FaultProof> =>
  prove(
    'second target',
    { name: `${id} (second target)`, condemns },
    selections({ condemns }),
    recording,
    (selection) => conduct(secondTarget([id]), selection),
  );

/** Runs selections of checks until one condemns a fault by all requirements that it names. */
export async function prove(
  target: TargetName,
  { name, condemns }: Pick<Fault, 'name' | 'condemns'>,
  selections: readonly Selection[],
  recording: boolean,
  conducting: (selection: Selection) => Promise<Conducted>,
): Promise<FaultProof> {
  let killedBy: string[] = [];
  let conducted: Conducted | undefined;
  let isThorough = false;
  for (const selection of selections) {
    conducted = await conducting(selection);
    killedBy = failedIn(conducted.outcomes);
    isThorough = selection.thorough === true;
    if (condemns.every((id) => killedBy.includes(id))) break;
  }
  return {
    name,
    condemns,
    target,
    killedBy,
    isThorough,
    missed: condemns.filter((id) => !killedBy.includes(id)),
    recorded: recording ? await recordedOf(conducted!, condemns) : undefined,
  };
}

/** What a recording of a run shows of requirements, at the most. */
async function recordedOf({ run, exchanges }: Conducted, condemned: readonly string[]) {
  const shown = condemned.filter(isShownByExchanges);
  if (shown.length === 0) return undefined;
  const { failed, suspected } = await judgeRecorded(run.configuration, exchanges, true);
  if (failed.some(({ requirement }) => shown.includes(requirement))) return 'condemned';
  return suspected.some((id) => shown.includes(id)) ? 'suspected' : 'unseen';
}

export interface VariantProof {
  name: string;
  /** Must requirements that failed: false accusations; and bugs that the suite met in itself. */
  accused: { requirement: string; message: string }[];
  /** Must requirements that were blocked, and so not judged. */
  blocked: { requirement: string; message: string }[];
  /** Must requirements with an inconclusive or skipped check. */
  unseen: string[];
  requests: number;
}

/** Runs the suite against a sound implementation, which it must leave alone. */
export async function proveVariant(variant: Variant): Promise<VariantProof> {
  const { outcomes, run } = await conductVariant(variant);
  const musts = outcomes.filter(({ requirement }) => requirementById(requirement).level === 'must');
  const having = (...verdicts: Outcome['verdict'][]) => musts.filter(({ verdict }) => verdicts.includes(verdict));
  const said = ({ requirement, message }: Outcome) => ({ requirement, message });
  return {
    name: variant.name,
    accused: [
      ...having('failed').map(said),
      ...run.facts().defects.map((message) => ({ requirement: 'the suite itself', message })),
    ],
    blocked: having('blocked').map(said),
    unseen: [...new Set(having('inconclusive', 'skipped').map(({ requirement }) => requirement))],
    requests: run.transport.stats().requests,
  };
}

/** Proves variants by one run against an implementation with all of them; if it is not left alone, each variant by itself, too. */
export async function proveVariants(variants: readonly Variant[]): Promise<VariantProof[]> {
  const proof = await proveVariant(together(variants));
  if (variants.length === 1) return [proof];
  if (isLeftAlone(proof)) return variants.map(({ name }) => ({ ...proof, name }));
  const proofs = [proof];
  for (const variant of variants) proofs.push(await proveVariant(variant));
  return proofs;
}

export const isLeftAlone = ({ accused, blocked }: VariantProof): boolean => accused.length + blocked.length === 0;

/** Selections to run until one condemns a fault: the checks of the broken requirements, all forms of these, all checks of their operations, everything. */
export const selections = ({ condemns, also = [] }: Pick<Fault, 'condemns' | 'also'>): Selection[] => {
  const own = [...condemns, ...also];
  const ofOperations = [...new Set([...condemns.flatMap(operationsOf), ...also])];
  return [{ only: own }, { only: own, thorough: true }, { only: ofOperations }, { only: [] }];
};

/** Ids of the requirements that failed. */
export const failedIn = (outcomes: readonly Outcome[]) => [
  ...new Set(outcomes.filter(({ verdict }) => verdict === 'failed').map(({ requirement }) => requirement)),
];

/** The operation that a requirement judges; the requirement itself where there is none. */
function operationsOf(id: string): string[] {
  const judged = operations.filter((operation) => id.startsWith(`${operation.id}.`)).map((operation) => operation.id);
  return judged.length > 0 ? judged : [id];
}
