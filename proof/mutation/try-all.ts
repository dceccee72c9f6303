/** Tries the mutants of a target in several processes. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inProcesses } from '../selfcheck/pool.ts';
import { build, digestOfSources, type Subject, trialsOf } from './build.ts';
import type { Mutant } from './instrument.ts';
import type { Trial, Tried } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
/** Time limit of a mutant, in milliseconds. */
const LIMIT_MS = 300_000;

export interface Trials {
  /** Mutants that a run against the sound target reaches. */
  reached: Mutant[];
  /** Mutants that it does not reach. */
  unreached: Mutant[];
  /** Results by number; `undecided` excludes requirements that are undecided on the sound target, too. */
  tried: Map<number, Tried>;
}

/**
 * Tries every mutant that a run reaches, save those of which an earlier run knows the result, as long as no source has changed.
 * @param options.chosen selects mutants; all by default
 * @throws Error when the sound target itself is condemned or does not start, so that trials would show nothing
 */
export async function tryAll(
  subject: Subject,
  options: { chosen?: (mutant: Mutant) => boolean; onTried?: (of: number) => void } = {},
): Promise<Trials> {
  const mutants = build(subject);
  const known = knownOf(subject);
  const tryThem = async (trials: readonly Trial[]) => {
    const left = trials.filter(({ number }) => !known.has(number));
    await inProcesses<Trial, Tried>(left, {
      worker: WORKER,
      limitMs: LIMIT_MS,
      broke: ({ number }, broke) => ({ number, differences: [], killedBy: [], incomplete: true, undecided: [], broke }),
      onResult: (one) => {
        known.set(one.number, one);
        appendFileSync(trialsOf(subject), `${JSON.stringify(one)}\n`);
        options.onTried?.(left.length);
      },
    });
  };
  await tryThem([{ subject: subject.name, number: 0, atLoad: false }]);
  const sound = known.get(0);
  if (!sound?.reached || sound.killedBy.length > 0)
    throw new Error(
      `the unmutated ${subject.name} is condemned or broken: ${sound?.broke ?? sound?.killedBy.join(', ')}`,
    );
  const places = new Set(sound.reached);
  const reached = mutants.filter(({ number }) => places.has(number)).filter(options.chosen ?? (() => true));
  await tryThem(reached.map(({ number, atLoad }) => ({ subject: subject.name, number, atLoad })));
  const tried = reached.map(({ number }): [number, Tried] => {
    const one = known.get(number)!;
    return [number, { ...one, undecided: one.undecided.filter((id) => !sound.undecided.includes(id)) }];
  });
  return { reached, unreached: mutants.filter(({ number }) => !places.has(number)), tried: new Map(tried) };
}

/** What an earlier run found, by number; nothing once a source has changed. */
function knownOf(subject: Subject): Map<number, Tried> {
  const file = trialsOf(subject);
  const digest = digestOfSources();
  const [before, ...lines] = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  if (before !== digest) writeFileSync(file, `${digest}\n`);
  const known = before === digest ? lines.map((line): Tried => JSON.parse(line)) : [];
  return new Map(known.map((one) => [one.number, one]));
}
