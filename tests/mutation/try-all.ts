/** Tries the mutants of a target over several processes. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build, type Subject } from './build.ts';
import type { Mutant } from './instrument.ts';
import type { Trial, Tried } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Milliseconds after which a mutant is taken to hang: it answers nothing any more, and a run would end incomplete. */
const LIMIT_MS = 30_000;

export interface Trials {
  /** Mutants whose place a run against the sound target reaches. */
  reached: Mutant[];
  /** Mutants that no request of a run reaches. */
  unreached: Mutant[];
  tried: Map<number, Tried>;
}

/**
 * Tries every mutant that a run reaches.
 * @param chosen which of them; all by default
 * @throws Error when the sound target itself is condemned: then nothing follows from the rest
 */
export async function tryAll(
  subject: Subject,
  options: {
    processes?: number;
    chosen?: (mutant: Mutant) => boolean;
    onTried?: (tried: Tried, of: number) => void;
  } = {},
): Promise<Trials> {
  const mutants = build(subject);
  const [sound] = await inParallel(1, [{ subject: subject.name, number: 0, whole: true }]);
  if (!sound!.reached || sound!.killedBy.length > 0)
    throw new Error(`the target as it is: ${sound!.broke ?? sound!.killedBy.join(', ')}`);
  const places = new Set(sound!.reached);
  const isReached = ({ number }: Mutant) => places.has(number);
  const reached = mutants.filter(isReached).filter(options.chosen ?? (() => true));
  const trials = reached.map(({ number }) => ({ subject: subject.name, number }));
  const tried = await inParallel(options.processes ?? availableParallelism(), trials, (one) =>
    options.onTried?.(one, trials.length),
  );
  return {
    reached,
    unreached: mutants.filter((mutant) => !isReached(mutant)),
    tried: new Map(tried.map((one) => [one.number, one])),
  };
}

async function inParallel(
  processes: number,
  trials: readonly Trial[],
  onTried: (tried: Tried) => void = () => {},
): Promise<Tried[]> {
  const queue = [...trials];
  const tried: Tried[] = [];
  const work = async () => {
    let worker = start();
    for (let trial = queue.shift(); trial; trial = queue.shift()) {
      const one = await ask(worker, trial);
      tried.push(one);
      onTried(one);
      // A process in which a mutant hung or that it ended tries no other.
      if (worker.killed || !worker.connected) worker = start();
    }
    worker.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(processes, trials.length) }, work));
  return tried;
}

const start = () => fork(WORKER, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });

function ask(worker: ReturnType<typeof fork>, trial: Trial): Promise<Tried> {
  return new Promise((resolve) => {
    const settle = (tried: Tried) => {
      clearTimeout(timer);
      worker.off('message', settle);
      worker.off('exit', died);
      resolve(tried);
    };
    const broke = (reason: string, milliseconds = 0): Tried => ({
      number: trial.number,
      killedBy: [],
      broke: reason,
      milliseconds,
    });
    const died = () => settle(broke('the process died'));
    const timer = setTimeout(() => {
      worker.kill('SIGKILL');
      settle(broke(`no verdict within ${LIMIT_MS / 1000} seconds`, LIMIT_MS));
    }, LIMIT_MS);
    worker.on('message', settle);
    worker.on('exit', died);
    worker.send(trial);
  });
}
