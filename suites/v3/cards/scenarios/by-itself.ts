/** What becomes of a card that nothing is asked of: others may suspend it, or a watch of the target those that nobody uses (reading 47). */
import { numbers } from '../../../../contracts/numbers.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import { optional } from '../../../../helpers/verdict.ts';
import type * as Looks from './looks.ts';
import * as Steps from './steps.ts';

/** Pools whose cards are Active, first the one that a run restores. */
export const POOLS = ['active', 'disposable'] as const;
/** How much longer than an effect took to show a card is watched that stays as it is. */
export const TIMES_AS_LONG = 2;

/**
 * Whether a card that changed its status comes to show the same by itself, once it is Active again: it is watched for longer than nothing was asked of
 * it before.
 */
export async function changesByItself(t: Context, change: Looks.Change): Promise<boolean> {
  const { of: card, member } = change;
  if (card === undefined || member !== 'status' || !t.allows('reversible') || !t.isInScope('cards.unsuspend'))
    return false;
  // In a scenario of its own, which gives the card back: the caller may take others later.
  const watched = scenario('a card that is watched', (own) => isSeenToChange(own, card, change));
  return (await optional(t.shared(watched))) ?? false;
}

/** @throws Inconclusive where somebody else of this run holds the card */
async function isSeenToChange(t: Context, card: string, { to, unusedMs = 0 }: Looks.Change) {
  const pool = POOLS.find((name) => name === t.run.pools.poolOf(card));
  if (!pool) return false;
  await t.lease({ pool, these: [card] });
  if (!(await Steps.makeActive(t, card))) return false;
  await t.pause(Math.min(TIMES_AS_LONG * unusedMs, numbers.longestWatch));
  return (await t.state(card)).status === to;
}
