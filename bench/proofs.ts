/** (e) Faults that a selfcheck proves in a second, on all cores. */
import { join } from 'node:path';
import type { Fault } from '../tests/faults/fault.ts';
import { faults } from '../tests/faults/index.ts';
import { inProcesses } from '../tests/proof/pool.ts';
import type { Proof, Task } from '../tests/proof/worker.ts';
import { rounded } from './processes.ts';

/** Of so many faults one is proved. */
const APART = 12;
/** Milliseconds after which a proof is taken to hang. */
const LIMIT_MS = 120_000;

/** Whether a run is told something, such as to wait for effects: that waiting comes first, while others work. */
const isToldMore = ({ configure }: Fault) => configure !== undefined;

/** The start of the processes included. @throws Error when a fault is not condemned */
export async function proofRate(): Promise<number> {
  const tasks = faults
    .filter((_, index) => index % APART === 0)
    .toSorted((a, b) => Number(isToldMore(b)) - Number(isToldMore(a)))
    .map(({ name }): Task => ({ kind: 'fault', name, whole: false }));
  const begin = performance.now();
  const proofs = await inProcesses<Task, Proof>(tasks, {
    worker: join(import.meta.dirname, '../tests/proof/worker.ts'),
    limitMs: LIMIT_MS,
    broke: ({ name }, message) => ({ kind: 'broke', name, message }),
  });
  const survivor = proofs.find((proof) => proof.kind !== 'fault' || proof.proof.missed.length > 0);
  if (survivor) throw new Error(`a fault is not condemned: ${JSON.stringify(survivor)}`);
  return rounded((tasks.length * 1000) / (performance.now() - begin), 1);
}
