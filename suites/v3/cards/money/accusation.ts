/** What makes an accusation of what the books of a life show (readings 47 and 49). */
import type { Retrial } from '../../../../contracts/record.ts';
import { NotMoved } from '../../../../helpers/changes/money-account.ts';
import type { Context } from '../../../../helpers/check.ts';
import { attempt, Fact, fail, Inconclusive, inconclusive, type Verdict } from '../../../../helpers/verdict.ts';
import * as Bookkeeping from './bookkeeping.ts';
import type { Books } from './books.ts';
import type * as Contradictions from './contradictions.ts';
import * as Effects from './effects.ts';
import * as OwnBalances from './own-balances.ts';

/** What contradicts, each time that it is made. */
type Shown = Contradictions.Found & { retrial?: Retrial };

/** Accuses the target of what contradicts each time. @throws Nonconformance; Inconclusive where balances of cards are mixed up */
export async function accuse(t: Context, { sent, message, gains, exchanges, retrial }: Shown): Promise<never> {
  await OwnBalances.requireOwnBalances(t, [...gains.keys()]);
  t.exchanges.splice(0, t.exchanges.length, ...(retrial?.exchanges ?? exchanges));
  const [answer, ...others] = sent.answers;
  return fail(message, ...Effects.differenceOf(sent, gains), { in: others.length === 0 ? answer : undefined, retrial });
}

/** Whether a row that must move nothing moved its amount. */
const isMoved = (one: Contradictions.Found): boolean => one.sent.row.movesNothing === true && Bookkeeping.isPlain(one);

/**
 * A transfer that lost just its amount, where another one of another amount did so, too: where no more may be moved, that shows the same as one that is
 * made again. Somebody else hardly takes both amounts, and what equals the amount is no fee (reading 27).
 */
function lostTwice(found: readonly Contradictions.Found[]): Shown | undefined {
  const [one, ...others] = found.filter(Bookkeeping.isLost);
  const another = others.find(({ sent }) => sent.payments[0]?.cents !== one?.sent.payments[0]?.cents);
  if (!one || !another) return undefined;
  const exchanges = [...another.exchanges];
  return { ...one, retrial: { tries: 1, shown: 1, controls: 0, exchanges, once: exchanges } };
}

/**
 * What contradicts each time that its row is made.
 * @throws Inconclusive where it shows only once, or nothing explains the gains; NotMoved where RUN_MAX_LOSS does not allow to make it again
 */
export async function shownEachTime(
  t: Context,
  { first, again }: Bookkeeping.Bookkeeping<unknown>,
  steps: readonly string[],
  contradiction: Contradictions.Contradiction,
): Promise<Shown | undefined> {
  const { books, drifts, tried: atOnce } = await t.shared(first);
  if (books.suspects.size === 0) return undefined;
  const isMeant = (one: Contradictions.Found) =>
    one.contradiction === contradiction && steps.includes(Effects.stepOf(one.sent.row));
  const suspected = books.found.filter(isMeant);
  const trial = atOnce?.shown.some(isMeant) ? new Fact(atOnce) : await attempt(() => t.shared(again));
  const tried = trial.value;
  // Where there is no other card, an amount that is moved from one whose balance is still has no other cause than what was asked.
  const byItself = !tried && drifts === false ? suspected.find(isMoved) : undefined;
  const found = tried?.shown.find(isMeant) ?? byItself;
  if (found) return found;

  const { isLosing } = t.run.money;
  const lost = isLosing && drifts !== true ? lostTwice(suspected) : undefined;
  if (lost) return lost;
  const [own] = suspected;
  if (own && isLosing && trial.ended instanceof NotMoved) throw new NotMoved(own.message);
  if (!tried && isLosing) trial.get();
  const but = (it: string) => `, but ${tried?.reason ?? `${it} could not be made again`}`;
  if (own) inconclusive(`${own.message}${but('it')}`);
  const isUnexplained = books.rowsOf(steps).sent.some(({ gains }) => !gains);
  if (isUnexplained) inconclusive(`transfers do not explain what the cards gained${but('they')}`);
  return undefined;
}

/**
 * Requires a row of some steps to have been sent.
 * @param ended the verdict that ended one of these
 * @throws NotMoved where money goes missing, and RUN_MAX_LOSS does not allow it; else the verdict for which none was sent
 */
export function requireMade(t: Context, books: Books, steps: readonly string[], ended: Verdict | undefined): void {
  const { sent, unsent } = books.rowsOf(steps);
  const isLeftOut = sent.length === 0 && t.run.money.isLosing;
  if (isLeftOut || unsent.some(({ error }) => error instanceof NotMoved)) throw new NotMoved();
  if (sent.length === 0) throw unsent[0]?.error ?? ended ?? new Inconclusive('no transfer was made that shows it');
}
