/** Lives lead subjects through states. One that fails is led again, and shortened while it fails alike. */
import type { Context } from '../context.ts';
import { fail, Inconclusive, inconclusive, Nonconformance } from '../verdict.ts';

/** Thrown by a step that does not show what it must. */
export class Unexpected extends Nonconformance {
  readonly requirement: string;
  constructor(requirement: string, message: string, expected: string, actual: string) {
    super(message, { expected, actual });
    this.requirement = requirement;
  }
}

/** Leads subjects through a life. */
export interface Leader<Step> {
  /** Takes a step, or skips one on which the documents are silent. @throws Unexpected; Inconclusive when the life cannot go on */
  take(step: Step): Promise<void>;
  /** Looks for late effects, once all steps are taken. @throws Unexpected */
  finish(): Promise<void>;
  /** The steps taken so far, in words. */
  readonly trace: readonly string[];
}

interface Lived {
  /** What the shortest life that fails shows, each time that it is led. */
  broken: { shown: Unexpected; trace: readonly string[]; exchanges: string[]; times: number } | undefined;
  /** Requirements that were seen to be kept. */
  kept: ReadonlySet<string>;
  /** Why a life ended early. */
  ended: Inconclusive | undefined;
}

/**
 * Leads lives until one fails; that one is led again, and shortened by its parts while it shows the same. What does not show again accuses nobody.
 * @param begin prepares subjects for a life
 * @param mostRequests requests that shortening may cost; a life under way is finished
 */
export async function leadLives<Step>(
  t: Context,
  lives: readonly (readonly Step[])[],
  begin: (kept: Set<string>) => Promise<Leader<Step>>,
  mostRequests: number,
): Promise<Lived> {
  const kept = new Set<string>();
  let ended: Inconclusive | undefined;
  const lead = async (steps: readonly Step[]) => {
    const before = t.exchanges.length;
    let leader: Leader<Step> | undefined;
    let taken = 0;
    try {
      leader = await begin(kept);
      for (const step of steps) {
        taken++;
        await leader.take(step);
      }
      await leader.finish();
    } catch (shown) {
      if (shown instanceof Unexpected)
        return { shown, trace: leader!.trace, exchanges: t.exchanges.slice(before), steps: steps.slice(0, taken) };
      if (!(shown instanceof Inconclusive)) throw shown;
      ended = shown;
    }
    return undefined;
  };
  for (const life of lives) {
    const first = await lead(life);
    if (!first) continue;
    let shortest = first;
    let times = 1;
    const showsAgain = async (steps: readonly Step[]): Promise<boolean> => {
      const again = await lead(steps);
      if (again?.shown.requirement !== first.shown.requirement) return false;
      shortest = again;
      times++;
      return true;
    };
    if (!(await showsAgain(first.steps))) {
      ended = new Inconclusive(`${first.shown.message}, but not when the same steps are taken again`);
      continue;
    }
    const most = t.exchanges.length + mostRequests;
    for (let size = shortest.steps.length - 1; size > 0; size = Math.floor(size / 2))
      for (let from = 0; from + size < shortest.steps.length && t.exchanges.length < most; )
        if (!(await showsAgain(shortest.steps.toSpliced(from, size)))) from += size;
    return { broken: { ...shortest, times }, kept, ended };
  }
  return { broken: undefined, kept, ended };
}

/**
 * Judges one requirement by lives. The evidence of a failure is only that of the shortest one.
 * @throws Nonconformance, which names the steps and the seed; Inconclusive when no life shows it
 */
export function judgeLives(t: Context, { broken, kept, ended }: Lived, requirement: string): void {
  if (broken?.shown.requirement === requirement) {
    const { shown, trace, exchanges, times } = broken;
    const { seed, thorough } = t.run.configuration.run;
    t.exchanges.splice(0, t.exchanges.length, ...exchanges);
    fail(
      `${shown.message}; the shortest life that shows it: ${trace.join(', ')} (--seed ${seed}${thorough ? ' --thorough' : ''})`,
      shown.difference!.expected,
      shown.difference!.actual,
      { retrial: { tries: times, shown: times, controls: 0, exchanges, once: exchanges } },
    );
  }
  if (kept.has(requirement)) return;
  if (broken) inconclusive(`the lives end early, because ${broken.shown.requirement} fails in them`);
  throw ended ?? new Inconclusive('no life gets that far');
}
