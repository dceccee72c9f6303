/** Distributes tasks among worker processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

export interface PoolOptions<Task, Result> {
  /** Path of the worker module, which answers each task with a result. */
  worker: string;
  /** Makes the result of a task whose process died or that exceeded the limit. */
  broke: (task: Task, reason: string) => Result;
  /** Time limit of a task, in milliseconds. */
  limitMs: number;
  /** Number of processes; by default three per core, since many runs wait for effects to show. */
  processes?: number;
  onResult?: (result: Result) => void;
}

/**
 * Runs all tasks, one at a time per process. Half of the processes take tasks from the front, the others from the back: if
 * tasks that mostly wait come first, the CPU is busy with the others meanwhile.
 */
export async function inProcesses<Task extends object, Result>(
  tasks: readonly Task[],
  options: PoolOptions<Task, Result>,
): Promise<Result[]> {
  const queue = [...tasks];
  const results: Result[] = [];
  const work = async (_: unknown, index: number) => {
    const next = () => (index % 2 === 0 ? queue.shift() : queue.pop());
    let worker = fork(options.worker, { stdio: 'inherit' });
    for (let task = next(); task; task = next()) {
      const result = await ask(worker, task, options);
      results.push(result);
      options.onResult?.(result);
      // A process that was killed or died is replaced.
      if (worker.killed || !worker.connected) worker = fork(options.worker, { stdio: 'inherit' });
    }
    worker.disconnect();
    // What it writes when it ends is there then.
    await once(worker, 'exit');
  };
  const processes = options.processes ?? 3 * availableParallelism();
  await Promise.all(Array.from({ length: Math.min(processes, tasks.length) }, work));
  return results;
}

/** In a process of a pool: answers each task that is sent to it. */
export function answerParent<Task, Result>(answer: (task: Task) => Promise<Result>): void {
  process.on('message', async (task: Task) => {
    process.send!(await answer(task));
  });
  process.on('disconnect', () => process.exit());
}

function ask<Task extends object, Result>(
  worker: ChildProcess,
  task: Task,
  { limitMs, broke }: PoolOptions<Task, Result>,
): Promise<Result> {
  return new Promise((resolve) => {
    const settle = (result: Result) => {
      clearTimeout(timer);
      worker.off('message', settle);
      worker.off('exit', died);
      resolve(result);
    };
    const died = () => settle(broke(task, 'the process died'));
    const timer = setTimeout(() => {
      worker.kill('SIGKILL');
      settle(broke(task, `no result within ${limitMs / 1000} seconds`));
    }, limitMs);
    worker.on('message', settle);
    worker.on('exit', died);
    worker.send(task);
  });
}
