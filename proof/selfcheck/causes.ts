/** Measures how well findings tell causes apart: plants several faults in one target, and compares what reports say with what each shows alone. */
import { fileURLToPath } from 'node:url';
import type { Shown, ShownBy } from './causes-worker.ts';
import { type Planted, packsOf, type TargetName } from './planted.ts';
import { inProcesses } from './pool.ts';

/** Numbers of faults that are planted together. */
export const SIZES = [5, 13, 31] as const;
/** Time limit of a run, in milliseconds. */
const LIMIT_MS = 300_000;

/** What is found of several faults in one target. */
export interface Measured {
  target: TargetName;
  planted: number;
  /** Faults by which alone a must fails that fails among the others, too. */
  causes: string[];
  /** Each finding in one line. */
  findings: string[];
  /** Of these, those that name no operation of a fault by which they fail. */
  misnamed: string[];
  /** Requirements that are said to be hidden, and by which finding; of these, those that no fault alone hides by which that fails. */
  hidden: string[];
  misattributed: string[];
}

/** Plants packs of faults of a target, and each fault alone, and compares what the runs show. */
export async function measure(targets: readonly TargetName[], sizes: readonly number[] = SIZES): Promise<Measured[]> {
  const packs = targets.flatMap((target) => packsOf(target, sizes).map((pack) => ({ target, pack })));
  const tasks = packs.flatMap(({ target, pack }) =>
    [pack, ...pack.map((fault) => [fault])].map(
      (faults): Shown => ({ target, faults: faults.map(({ name }) => name) }),
    ),
  );
  const shown = await inProcesses<Shown, ShownBy>(tasks, {
    worker: fileURLToPath(new URL('causes-worker.ts', import.meta.url)),
    limitMs: LIMIT_MS,
    broke: (task, reason) => {
      throw new Error(`${task.target} with ${task.faults.join(', ')}: ${reason}`);
    },
  });
  const by = (target: TargetName, faults: readonly Planted[]): ShownBy =>
    shown.find((one) => one.target === target && one.faults.join() === faults.map(({ name }) => name).join())!;
  return packs.map(({ target, pack }) => {
    const alone = pack.map((fault) => ({ fault, ...by(target, [fault]) }));
    return { target, planted: pack.length, ...compared(by(target, pack), alone) };
  });
}

type Alone = ShownBy & { fault: Planted };

function compared({ failed, findings }: ShownBy, alone: readonly Alone[]): Omit<Measured, 'target' | 'planted'> {
  const measured = {
    causes: alone.filter((one) => failed.some(failsIn(one))).map(({ fault }) => fault.name),
    findings: findings.map(({ line }) => line),
    misnamed: [] as string[],
    hidden: [] as string[],
    misattributed: [] as string[],
  };
  for (const { line, requirements, unseen } of findings) {
    const causing = alone.filter((one) => requirements.some(failsIn(one)));
    // What none shows alone is of any.
    if (!(causing.length > 0 ? causing : alone).some((one) => isNamed(line, one))) measured.misnamed.push(line);
    for (const id of unseen) {
      measured.hidden.push(`${id} by ${line}`);
      if (!causing.some((one) => one.unseen.includes(id))) measured.misattributed.push(`${id} by ${line}`);
    }
  }
  return measured;
}

/** How an operation is guarded, where the id of a requirement says it. */
const guardIn = (id: string): string | undefined => /\.requires-(?:token|live-token|session)$/.exec(id)?.[0];

/** Whether a fault alone makes a requirement fail: of those of a guard, which operation shows it rotates. */
const failsIn =
  ({ failed }: Alone) =>
  (id: string): boolean =>
    failed.includes(id) || (guardIn(id) !== undefined && failed.some((other) => guardIn(other) === guardIn(id)));

/** Whether a line names an operation that the fault is of: of a guard that operations share, any. */
function isNamed(line: string, { fault: { operations }, failed }: Alone): boolean {
  const guard = guardIn(line.split(':', 1)[0]!);
  const isOwn = (id: string) => operations.some((operation) => id.startsWith(`${operation}.`));
  const isShared = guard !== undefined && failed.some((id) => id.endsWith(guard) && !isOwn(id));
  return isShared || operations.some((operation) => line.includes(operation));
}
