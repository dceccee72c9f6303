/** Tries the mutants of a target over several processes. */
import { fileURLToPath } from 'node:url';
import { inProcesses } from '../proof/pool.ts';
import { build, type Subject } from './build.ts';
import type { Mutant } from './instrument.ts';
import type { Trial, Tried } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Milliseconds after which a mutant is taken to hang. */
const LIMIT_MS = 180_000;

export interface Trials {
  /** Mutants whose place a run against the sound target reaches. */
  reached: Mutant[];
  /** Mutants that no request of a run reaches. */
  unreached: Mutant[];
  /** What came of each; undecided is what was not so on the sound target. */
  tried: Map<number, Tried>;
}

/**
 * Tries every mutant that a run reaches.
 * @param options.chosen which of them; all by default
 * @throws Error when the sound target itself is condemned: then nothing follows from the rest
 */
export async function tryAll(
  subject: Subject,
  options: {
    chosen?: (mutant: Mutant) => boolean;
    processes?: number;
    onTried?: (tried: Tried, of: number) => void;
  } = {},
): Promise<Trials> {
  const mutants = build(subject);
  const tryThem = (trials: readonly Trial[], onTried?: (tried: Tried) => void) =>
    inProcesses<Trial, Tried>(trials, {
      worker: WORKER,
      limitMs: LIMIT_MS,
      ...(options.processes ? { processes: options.processes } : {}),
      broke: ({ number }, broke) => ({ number, killedBy: [], incomplete: true, undecided: [], broke }),
      ...(onTried ? { onResult: onTried } : {}),
    });
  const [sound] = await tryThem([{ subject: subject.name, number: 0, atLoad: false, first: [], whole: true }]);
  if (!sound?.reached || sound.killedBy.length > 0)
    throw new Error(`the target as it is: ${sound?.broke ?? sound?.killedBy.join(', ')}`);
  const places = new Set(sound.reached);
  const reached = mutants.filter(({ number }) => places.has(number)).filter(options.chosen ?? (() => true));
  const tried = await tryThem(
    reached.map(({ number, file, atLoad }) => ({
      subject: subject.name,
      number,
      atLoad,
      first: subject.mutated[file]!,
    })),
    (one) => options.onTried?.(one, reached.length),
  );
  return {
    reached,
    unreached: mutants.filter(({ number }) => !places.has(number)),
    tried: new Map(
      tried.map((one) => [
        one.number,
        { ...one, undecided: one.undecided.filter((id) => !sound.undecided.includes(id)) },
      ]),
    ),
  };
}
