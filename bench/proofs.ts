/** (e) Measures how many faults a selfcheck proves per second, on all cores, over all of them. */
import { join } from 'node:path';
import { waitingFirst } from '../proof/faults/fault.ts';
import { faults } from '../proof/faults/index.ts';
import { inProcesses } from '../proof/selfcheck/pool.ts';
import type { Proof, Task } from '../proof/selfcheck/worker.ts';
import { rounded } from './processes.ts';

/** Milliseconds after which a proof counts as hanging. */
const LIMIT_MS = 120_000;

/** Includes the start of the processes. @throws Error when a fault is not condemned */
export async function proofRate(): Promise<number> {
  const tasks = faults.toSorted(waitingFirst).map(({ name }): Task => ({ kind: 'fault', name, whole: false }));
  const begin = performance.now();
  const proofs = await inProcesses<Task, Proof>(tasks, {
    worker: join(import.meta.dirname, '../proof/selfcheck/worker.ts'),
    limitMs: LIMIT_MS,
    broke: ({ name }, message) => ({ kind: 'broke', name, message }),
  });
  const survivor = proofs.find((proof) => proof.kind !== 'fault' || proof.proof.missed.length > 0);
  if (survivor) throw new Error(`a fault is not condemned: ${JSON.stringify(survivor)}`);
  return rounded((tasks.length * 1000) / (performance.now() - begin), 1);
}
