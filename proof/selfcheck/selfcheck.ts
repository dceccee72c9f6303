/** Proves the suite: it must condemn every broken implementation by the right requirement, and leave sound ones alone. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { matches } from '../../contracts/pattern.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { waitingFirst } from '../faults/fault.ts';
import { faults } from '../faults/index.ts';
import { operatorFaults } from '../operators/index.ts';
import { targetNames } from '../operators/prove.ts';
import { faults as secondFaults } from '../second-target/faults.ts';
import { variants } from '../variants/index.ts';
import { packsOf, together } from '../variants/together.ts';
import { inProcesses } from './pool.ts';
import { type FaultProof, isLeftAlone, type VariantProof } from './prove.ts';
import type { Proof, Task } from './worker.ts';

/** The fault that any working suite condemns; the result is void when it survives. */
export const CANARY = 'a suspended card pays';
/** The variant that no working suite accuses; the result is void when it is accused. */
export const SOUND = 'as the sandbox is';
/** Time limit of a proof, in milliseconds. */
const LIMIT_MS = 300_000;
/** One of this many packs of variants is in the sample. */
const SAMPLED = 6;
/** One of this many faults is also proved by a full run. */
const WHOLE_RUN_EVERY = 100;

/** The result of the selfcheck. */
export interface Selfcheck {
  faults: FaultProof[];
  /** Faults proved by a full run. */
  whole: FaultProof[];
  /** Every variant, and every pack of variants that was not left alone. */
  variants: VariantProof[];
  broke: { name: string; message: string }[];
  /** Must requirements that no fault makes fail. */
  unproved: string[];
  /** Why the result is meaningless; undefined when it is valid. */
  void: string | undefined;
}

/** A fault of one of the targets, or an operator, and the tasks that prove it. */
interface Provable {
  name: string;
  condemns: readonly string[];
  tasks: readonly Task[];
}

/** A number that depends on the text alone: so what is added leaves the others in the sample, or out of it. */
const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/**
 * Proves every fault by the checks that can see it, some by full runs, and every variant.
 * @param onProof called with each result and the total number of tasks
 * @param options.only patterns of requirement ids: proves only faults that break one of them, and no variants; empty for everything
 * @param options.onlyVariant pattern of names of variants: proves only the packs that hold one of them, and no faults
 * @param options.sample proves what a change can wait for: so many faults that each must requirement fails, and some of the packs of variants
 * @param options.recording judge the exchanges with each fault once more, as a recording
 */
export async function selfcheck(
  onProof: (proof: Proof, of: number) => void,
  {
    only = [],
    onlyVariant,
    sample = false,
    recording = false,
  }: { only?: readonly string[]; onlyVariant?: string; sample?: boolean; recording?: boolean } = {},
): Promise<Selfcheck> {
  const isWhole = only.length === 0 && onlyVariant === undefined;
  const isChosen = ({ condemns }: Provable) => isWhole || condemns.some((id) => isNamed(id, only));
  const chosen = provable(recording).filter(isChosen);
  const byFullRuns = isWhole && !sample ? faults.filter(({ name }) => hashOf(name) % WHOLE_RUN_EVERY === 0) : [];
  const isHeld = ({ name }: { name: string }) => isWhole || (onlyVariant !== undefined && matches(onlyVariant, name));
  const packs = packsOf(variants).filter((pack) => pack.some(isHeld) && (!sample || isSampled(pack)));
  const taskOf = (pack: (typeof packs)[number]): Task => {
    return { kind: 'variants', name: together(pack).name, names: pack.map(({ name }) => name) };
  };
  const tasks: Task[] = [
    ...(sample ? oneOfEach(chosen) : chosen).flatMap((one) => one.tasks),
    ...packs.map(taskOf),
    ...byFullRuns.map(({ name }): Task => ({ kind: 'fault', name, whole: true })),
  ];
  const proofs = await inProcesses<Task, Proof>(tasks, {
    worker: fileURLToPath(new URL('worker.ts', import.meta.url)),
    limitMs: LIMIT_MS,
    broke: ({ name }, message) => ({ kind: 'broke', name, message }),
    onResult: (proof) => onProof(proof, tasks.length),
  });
  const ofFaults = (isOfWhole: boolean) =>
    proofs.flatMap((one) => (one.kind === 'fault' && one.whole === isOfWhole ? [one.proof] : []));
  const ofVariants = proofs.flatMap((one) => (one.kind === 'variants' ? one.proofs : []));
  const result = {
    faults: inOrder(ofFaults(false), faults),
    whole: ofFaults(true),
    variants: inOrder(ofVariants, variants),
    broke: proofs.flatMap((one) => (one.kind === 'broke' ? [{ name: one.name, message: one.message }] : [])),
  };
  const tried = onlyVariant === undefined ? unproved(result.faults, only) : [];
  return { ...result, unproved: tried, void: isWhole ? voidBecause(result) : undefined };
}

/** Everything that breaks requirements; what mostly waits comes first. */
const provable = (recording: boolean): Provable[] => [
  ...faults.toSorted(waitingFirst).map(({ name, condemns }): Provable => {
    return { name, condemns, tasks: [{ kind: 'fault', name, whole: false, recording }] };
  }),
  ...secondFaults.map(({ id: name, condemns }): Provable => {
    return { name, condemns, tasks: [{ kind: 'second', name, recording }] };
  }),
  ...operatorFaults.map(({ name, condemns }): Provable => {
    return { name, condemns, tasks: targetNames.map((target) => ({ kind: 'operator', name, target })) };
  }),
];

/** The canary, and as few faults as condemn each requirement, which the names choose. */
function oneOfEach(all: readonly Provable[]): Provable[] {
  const condemned = new Set<string>();
  return all
    .toSorted((one, other) => other.condemns.length - one.condemns.length || hashOf(one.name) - hashOf(other.name))
    .filter(({ name, condemns }) => {
      const isNew = name === CANARY || condemns.some((id) => !condemned.has(id));
      for (const id of condemns) condemned.add(id);
      return isNew;
    });
}

const isSampled = (pack: readonly { name: string }[]): boolean =>
  pack.some(({ name }) => name === SOUND) || hashOf(pack[0]!.name) % SAMPLED === 0;

/** Proofs in the order of what they are of; first of all those of what is not in it. */
function inOrder<T extends { name: string }>(proofs: T[], like: readonly { name: string }[]): T[] {
  const names = like.map(({ name }) => name);
  return proofs.toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
}

/** Whether every fault is condemned by the right requirements, and no variant is accused. */
export const holds = (result: Selfcheck): boolean =>
  result.void === undefined &&
  result.broke.length === 0 &&
  result.unproved.length === 0 &&
  [...result.faults, ...result.whole].every(({ missed }) => missed.length === 0) &&
  result.variants.every(isLeftAlone);

const isNamed = (id: string, patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, id));

/** Must requirements that no condemned fault breaks, and that are therefore untested. */
function unproved(proofs: readonly FaultProof[], only: readonly string[]): string[] {
  const killing = new Set(proofs.flatMap(({ condemns, missed }) => condemns.filter((id) => !missed.includes(id))));
  return requirements
    .filter(({ level, id }) => level === 'must' && (only.length === 0 || isNamed(id, only)) && !killing.has(id))
    .map(({ id }) => id);
}

function voidBecause({ faults, variants }: Pick<Selfcheck, 'faults' | 'variants'>): string | undefined {
  const canary = faults.find(({ name }) => name === CANARY);
  if (!canary || canary.missed.length > 0) return `the canary survives: ${CANARY}`;
  const sound = variants.find(({ name }) => name === SOUND);
  if (!sound || sound.accused.length > 0) return `the sound sandbox is accused`;
  return undefined;
}
