/** Shares many tasks out to several processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

export interface PoolOptions<Task, Result> {
  /** Module that answers each task that it is sent with a result. */
  worker: string;
  /** The result of a task that came to none: its process died, or took too long. */
  broke: (task: Task, reason: string) => Result;
  /** Milliseconds after which a task is taken to hang. */
  limitMs: number;
  /** Four for each core by default: many runs wait, for effects that take time to show. */
  processes?: number;
  onResult?: (result: Result) => void;
}

/**
 * Does all tasks; each process works on one at a time. Half of them begin with the first task, the others with the last: where those that
 * mostly wait come first, there is work beside the waiting.
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
      // A process that a task hung in or ended gets no other.
      if (worker.killed || !worker.connected) worker = fork(options.worker, { stdio: 'inherit' });
    }
    worker.disconnect();
  };
  const processes = options.processes ?? 4 * availableParallelism();
  await Promise.all(Array.from({ length: Math.min(processes, tasks.length) }, work));
  return results;
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
