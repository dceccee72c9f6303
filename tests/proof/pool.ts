/** Proves many faults and variants over several processes. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Proof, Task } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Milliseconds after which a proof is taken to hang. */
const LIMIT_MS = 120_000;

/** Proves all tasks, in order of their beginning; each core works on one at a time. */
export async function proveAll(tasks: readonly Task[], onProof: (proof: Proof) => void = () => {}): Promise<Proof[]> {
  const queue = [...tasks];
  const proofs: Proof[] = [];
  const work = async () => {
    let worker = fork(WORKER, { stdio: 'inherit' });
    for (let task = queue.shift(); task; task = queue.shift()) {
      const proof = await ask(worker, task);
      if (proof.kind === 'broke') {
        worker.kill('SIGKILL');
        worker = fork(WORKER, { stdio: 'inherit' });
      }
      proofs.push(proof);
      onProof(proof);
    }
    worker.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), tasks.length) }, work));
  return proofs;
}

function ask(worker: ReturnType<typeof fork>, task: Task): Promise<Proof> {
  return new Promise((resolve) => {
    const settle = (proof: Proof) => {
      clearTimeout(timer);
      worker.off('message', settle);
      worker.off('exit', died);
      resolve(proof);
    };
    const died = () => settle({ kind: 'broke', name: task.name, message: 'the process died' });
    const timer = setTimeout(
      () => settle({ kind: 'broke', name: task.name, message: `no result within ${LIMIT_MS / 1000} seconds` }),
      LIMIT_MS,
    );
    worker.on('message', settle);
    worker.on('exit', died);
    worker.send(task);
  });
}
