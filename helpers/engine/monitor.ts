/** Monitors: what the exchanges of a run show together, whoever made them. They send nothing. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import type { Difference } from '../../contracts/record.ts';
import type { Answer } from '../answer.ts';
import type { CheckOptions, defineSuite } from '../check.ts';
import type { Context } from '../context.ts';
import { fail, inconclusive } from '../verdict.ts';
import { attempt } from './step.ts';

/** What some exchanges show about a requirement; the last of `by` is the one that shows it, the others are what it is compared with. */
export type Shown = { by: readonly [Answer, ...Answer[]] } & (
  | { shows: 'kept' }
  | { shows: 'contradiction'; message: string; difference: Difference }
  | { shows: 'nothing'; reason: string }
);

/** What a monitor knows besides the exchanges. */
export interface Known {
  fixtures: Fixtures;
  /** How long an effect may take to show, in milliseconds; a little less than drivers wait, since a timer may fire early. */
  settleMs: number;
}

/** By how many milliseconds a timer may fire early. */
const EARLY_MS = 5;

/** What is known of the target of a run. */
export const knownOf = ({ fixtures, run: { configuration } }: Context): Known => ({
  fixtures,
  settleMs: Math.max(0, configuration.run.settleMs - EARLY_MS),
});

/** Judges the exchanges of a run, in the order in which they were answered. A contradiction is plain: nothing else explains these exchanges. */
export type Monitor = (history: readonly Answer[], known: Known) => Iterable<Shown>;

/**
 * Declares checks of one requirement that only make exchanges happen: what a monitor finds in them is the verdict, whatever ended them early.
 *
 * @example
 * const endsSession = monitored(defineSuite(), 'portal.logout.ends-session', servedAfterLogout);
 * endsSession('every operation', { phase: 'last' }, (t) => t.shared(lifecycle));
 */
export const monitored =
  ({ check }: Pick<ReturnType<typeof defineSuite>, 'check'>, requirement: string, monitor: Monitor) =>
  (name: string, options: CheckOptions, drive: (t: Context) => Promise<unknown>): void =>
    check(requirement, name, options, async (t) => {
      const driven = await attempt(() => drive(t));
      const { answers } = t.run;
      const known = knownOf(t);
      const driver = new Set(t.exchanges);
      const all = [...monitor(answers, known)];
      const own = all.filter(({ by }) => driver.has(by.at(-1)!.exchange));
      const cite = (found: readonly Shown[]) =>
        t.exchanges.splice(0, t.exchanges.length, ...found.flatMap(({ by }) => by.map(({ exchange }) => exchange)));
      for (const found of own)
        if (found.shows === 'contradiction') {
          cite([found]);
          fail(`${found.message} (${name})`, { ...found.difference, in: found.by.at(-1) });
        }
      for (const found of own) if (found.shows === 'nothing') inconclusive(found.reason);
      if (own.length > 0) return void cite(own);
      driven();
      // It had nothing to make happen, as where no time passed: what others made shows the same.
      const [kept] = all.filter(({ shows }) => shows === 'kept');
      if (!kept) inconclusive('no exchange shows it');
      cite([kept]);
    });
