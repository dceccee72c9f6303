/** Tries the mutants of a target in several processes. */
import { fileURLToPath } from 'node:url';
import { inProcesses } from '../selfcheck/pool.ts';
import { build, type Subject } from './build.ts';
import type { Mutant } from './instrument.ts';
import type { Trial, Tried } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Time limit of a mutant, in milliseconds. */
const LIMIT_MS = 180_000;

export interface Trials {
  /** Mutants that a run against the sound target reaches. */
  reached: Mutant[];
  /** Mutants that it does not reach. */
  unreached: Mutant[];
  /** Results by number; `undecided` excludes requirements that are undecided on the sound target, too. */
  tried: Map<number, Tried>;
}

/**
 * Tries every mutant that a run reaches.
 * @param options.chosen selects mutants; all by default
 * @throws Error when the sound target itself is condemned or does not start, so that trials would show nothing
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
    throw new Error(
      `the unmutated ${subject.name} is condemned or broken: ${sound?.broke ?? sound?.killedBy.join(', ')}`,
    );
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
