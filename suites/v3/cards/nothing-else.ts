/** An operation on a card changes nothing that it is not about: other cards, its balance, its status (reading 10). */
import { operation as operationById } from '../../../contracts/operations.ts';
import { ACTIVE, LEAVING_ALONE } from '../../../contracts/v3/cards.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { attempt, fail, inconclusive, Nonconformance } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as OwnBalances from './money/own-balances.ts';
import * as Alone from './scenarios/alone.ts';
import * as Around from './scenarios/around.ts';
import * as CarriedAlong from './scenarios/carried-along.ts';
import type * as Looks from './scenarios/looks.ts';
import { readings } from './scenarios/reading.ts';
import { suspension } from './scenarios/suspension.ts';
import type { TransitionSource } from './scenarios/transition.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';
import { gifts } from './scenarios/wallet-pin-reissue.ts';

/** The fact that shows what a gift changes that it is not about. */
const CHANGED_BY: Readonly<Record<string, 'elsewhere' | 'lostByReissue'>> = {
  'cards.setPin': 'elsewhere',
  'cards.markWalletProvisioned': 'elsewhere',
  'cards.reissue': 'lostByReissue',
};
for (const [operation, fact] of Object.entries(CHANGED_BY)) gifts.reads(`${operation}.nothing-else`, fact);
for (const operation of LEAVING_ALONE.filter((one) => !(one in CHANGED_BY)))
  readings.reads(`${operation}.nothing-else`, 'afterwards');

/** In what other checks do with the operation: a card that was listed as Active, and then looked at in every way, or that of the wallet. */
async function besides(t: Context, operation: string): Promise<Looks.Change | undefined> {
  if (operationById(operation).risk !== 'safe') return (await gifts.first(t))[CHANGED_BY[operation]!].get();
  const { afterwards, active } = await readings.first(t);
  if (!active) inconclusive('no card is known that stays unchanged');
  if (afterwards.get().status === undefined) inconclusive('nothing else could be read');
  return Around.statusOf({ status: ACTIVE }, afterwards.get());
}

const transitions: Readonly<Record<string, TransitionSource>> = TRANSITIONS;
for (const [operation, { reads }] of Object.entries(transitions)) reads(`${operation}.nothing-else`, 'elsewhere');
// What a card paid shortly before is not given back.
suspension.reads('cards.suspend.nothing-else', 'a payment before the suspension');
for (const operation of [...Object.keys(transitions), ...LEAVING_ALONE, 'cards.reissue']) {
  const source = transitions[operation];
  /** What it changes that it is not about, on another card. */
  const again = async (t: Context) =>
    source ? (await source.again(t)).elsewhere.get() : t.shared(Alone.trial(operation));
  const judge = async (t: Context) => {
    const changed = source ? (await source.first(t)).elsewhere.get() : await besides(t, operation);
    if (!changed) return;
    const { inWords } = changed;
    const before = t.exchanges.length;
    // Others may use the cards, but not in the same way twice, nor all at once.
    const second = await attempt(() => again(t));
    const another = second.value;
    const message = `after ${operation} ${inWords}`;
    const how = !second.isEnded ? 'not when it was called for' : 'it cannot be tried with';
    const isSame = another?.to === changed.to && !another?.gainedBy === !changed.gainedBy;
    if (!(another && isSame) && !(await Around.isDoneToAll(t, operation, changed)))
      inconclusive(`${message}, but ${how} another card`);
    if (another?.gainedBy && (await Around.gainsByItself(t, another.gainedBy)))
      inconclusive(`${message}, but it gains money by itself`);
    const shown = another && isSame ? another : changed;
    if (shown.of !== undefined && (await Alone.isDoneByOthers(t, operation, shown)))
      inconclusive(`${message}, but so does a card of which nothing was asked`);
    if (another && changed.left && changed.gone === another.gone)
      inconclusive(`${message}, but as much each time: it may be a charge`);
    if (changed.gone !== undefined || changed.gainedBy) await OwnBalances.requireOwnBalances(t);
    const retrial = another && Retrial.triedSince(t, before);
    fail(message, 'no change but that of the card', inWords, { retrial });
  };
  // Whoever leases a card later finds what became of it: that is looked at once all others are done.
  const options = CarriedAlong.REPEATABLE.includes(operation) ? { phase: 'last' as const } : {};
  check(`${operation}.nothing-else`, 'other cards, and what is left alone of its own', options, async (t) => {
    const judged = await attempt(() => judge(t));
    if (judged.ended instanceof Nonconformance) judged.get();
    await CarriedAlong.expectNoneCarried(t, operation);
    judged.get();
  });
}
