/** Checks that make exchanges happen and leave the verdict to a monitor. */
import type { Retrial } from '../../contracts/record.ts';
import type { CheckOptions, defineSuite } from '../check.ts';
import type { Context } from '../context.ts';
import {
  type Confirmed,
  type Contradiction,
  type Known,
  kept,
  type Monitor,
  nothing,
  type Shown,
} from '../evidence/monitor.ts';
import {
  attempt,
  type Fact,
  fail,
  Inconclusive,
  inconclusive,
  Nonconformance,
  NotApplicable,
  notApplicable,
} from '../verdict.ts';

/** By how many milliseconds a timer may fire early. */
const EARLY_MS = 5;

/** What is known of the target of a run. */
export const knownOf = ({ fixtures, run: { configuration } }: Context): Known => ({
  fixtures,
  settleMs: Math.max(0, configuration.run.settleMs - EARLY_MS),
});

/** What a judgement says of the last of some exchanges: they keep the requirement unless it throws a verdict. */
export function judged(by: Shown['by'], judge: () => void): Shown {
  try {
    judge();
    return kept(by);
  } catch (error) {
    if (error instanceof Nonconformance && error.difference)
      return { shows: 'contradiction', message: error.message, difference: error.difference, by };
    if (error instanceof Inconclusive) return nothing(by, error.message);
    if (error instanceof NotApplicable) return { shows: 'nothing', reason: error.message, isNotApplicable: true, by };
    throw error;
  }
}

/** What several monitors find. */
export const allOf = (...monitors: readonly Monitor[]): Monitor =>
  function* (history, known) {
    for (const monitor of monitors) yield* monitor(history, known);
  };

/**
 * Tries contradictions again that are not plain.
 * @param monitor what found them
 * @returns the one that stands, and how it was reproduced
 * @throws Inconclusive where none stands, or the target has a reason of its own
 */
export type TryAgain = (
  t: Context,
  found: readonly [Contradiction, ...Contradiction[]],
  monitor: Monitor,
) => Promise<{ stands: Contradiction; retrial?: Retrial }>;

/**
 * Judges the exchanges that a check has made or used, and cites what shows it; those of the whole run, where it had nothing to make happen.
 * @param options.where what was done, for messages
 * @param options.driven what drove it: a verdict may have ended the check's own exchanges early
 * @throws Nonconformance of the first contradiction, else Inconclusive or NotApplicable of the first exchange that shows nothing
 */
export async function expectKept(
  t: Context,
  monitor: Monitor,
  { where, driven, tryAgain }: { where?: string; driven?: Fact<unknown>; tryAgain?: TryAgain } = {},
): Promise<void> {
  const driver = new Set(t.exchanges);
  const all = [...monitor(t.run.answers, knownOf(t))];
  const own = all.filter(({ by }) => driver.has(by.at(-1)!.exchange));
  const cite = (found: readonly Shown[]) => {
    const cited = new Set(found.flatMap(({ by }) => by.map(({ exchange }) => exchange)));
    t.exchanges.splice(0, t.exchanges.length, ...cited);
  };
  const [first, ...more] = own.filter((found) => found.shows === 'contradiction');
  if (first) {
    t.suspect([first, ...more].map(({ by }) => by.at(-1)!.exchange));
    const { stands, retrial } = (await tryAgain?.(t, [first, ...more], monitor)) ?? { stands: first };
    cite([stands]);
    const message = where === undefined ? stands.message : `${stands.message} (${where})`;
    const { expected, actual, pointer } = stands.difference;
    fail(message, expected, actual, { in: stands.by.at(-1), pointer, retrial });
  }
  for (const found of own)
    if (found.shows === 'nothing') (found.isNotApplicable ? notApplicable : inconclusive)(found.reason);
  if (own.length > 0) return cite(own);
  driven?.get();
  // It had nothing to make happen, as where no time passed: what others made shows the same.
  const [kept] = all.filter(({ shows }) => shows === 'kept');
  if (!kept) inconclusive('no exchange shows it');
  cite([kept]);
}

/**
 * Declares checks of one requirement that only make exchanges happen: what a monitor finds in them is the verdict, whatever ended them early.
 * @param more.tryAgain what makes an accusation of a suspicion
 * @param more.isSuspicion see {@link Watched}, and `isConfirmed`
 *
 * @example
 * const endsSession = monitored(defineSuite(), 'portal.logout.ends-session', servedAfterLogout);
 * endsSession('every operation', { phase: 'last' }, (t) => t.shared(lifecycle));
 */
export function monitored(
  { check, watch }: Pick<ReturnType<typeof defineSuite>, 'check' | 'watch'>,
  requirement: string,
  monitor: Monitor,
  {
    tryAgain,
    isSuspicion = tryAgain !== undefined,
    isConfirmed,
  }: { tryAgain?: TryAgain; isSuspicion?: boolean; isConfirmed?: Confirmed } = {},
) {
  watch({ requirement, monitor, isSuspicion, isConfirmed });
  return (name: string, options: CheckOptions, drive: (t: Context) => Promise<unknown>): void =>
    check(requirement, name, options, async (t) =>
      expectKept(t, monitor, { where: name, driven: await attempt(() => drive(t)), ...(tryAgain && { tryAgain }) }),
    );
}
