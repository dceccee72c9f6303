/** Cards that are closed, with what they are asked to pay and to do before and afterwards. */
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { attempt, type Fact, inconclusive } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import { type Drive, keepBooks, shownTwice } from '../money/bookkeeping.ts';
import * as Effects from '../money/effects.ts';
import * as Payments from '../money/payments.ts';
import * as Endings from './endings.ts';
import * as Steps from './steps.ts';

const CLOSED = ['closed', 'cards.close.stays-closed'] as const;
/** Operations on a closed card, the likeliest to reopen it first; grouped where none would hide the effect of another. */
const afterClosing = (t: Context) => [
  ['cards.unsuspend'],
  ['cards.activate'],
  // An accepted suspension may leave a suspended card, to which unsuspend applies.
  [
    ...['cards.suspend', 'cards.unsuspend', 'cards.getBalance'],
    ...t.rotated('asked of a closed card', Endings.GIVING, Endings.SEVERAL),
    ...['cards.setPin', 'cards.markWalletProvisioned', 'cards.reissue', 'cards.unmarkFraud'],
  ],
  ['cards.markLost', 'cards.activate'],
  ['cards.close'],
];

const STOPPED = { about: ['cards.close.stops-payments'], movesNothing: true };
/** What payments before and after the closing are about. */
const OF_PAYMENTS = [
  'cards.close.stops-payments',
  'cards.close.required-only',
  'cards.transfer.refused-moves-nothing',
  'cards.transfer.to-closed-loses-nothing',
];

interface ClosingFacts {
  closing: Endings.Ending;
  /** Whether the card may have a balance that could not be moved away and explains a refusal (reading 29). */
  mayHaveBalance: boolean;
  /** Whether it was closed only once it was empty. */
  isEmptied: boolean;
  /** A transfer from the card to an active one before the closing. */
  paysBefore: Fact<Payments.Form>;
}

const hasBalance = ({ balance }: LeasedCard): boolean => balance !== undefined && balance > 0;

/** Closes a disposable card, and asks it to pay and to be paid by an active one, as far as one is left. */
const closed = scenario('a card closed', async (t) => {
  const disposable = { pool: 'disposable', prefers: hasBalance } as const;
  const both = await Steps.whenNeeded(t, OF_PAYMENTS, () => t.lease(disposable, { pool: 'active' }));
  const leased = both.value ?? (await t.lease(disposable));
  return keepBooks(t, leased.flat(), close, { atOnce: true });
});
const another = Steps.onceMore(closed);
const again = scenario('payments of another closed card', async (t) =>
  shownTwice(await t.shared(closed), await t.shared(another)),
);

/** A card closed, what shows of it and of another one, and that one. */
export const closing = { first: closed, again, another };

/** Closes a card, emptying it first if it is refused with a balance (reading 29). The payments alone are made again, where it is closed. */
const close: Drive<ClosingFacts> = async (t, books, [leased, other], earlier) => {
  const { identifier: card, balance } = leased!;
  const active = () => other?.identifier ?? inconclusive('there is no active card to pay');
  /** Asks the closed card to pay and to be paid. */
  const askClosed = async ({ closing, isEmptied, paysBefore }: ClosingFacts): Promise<void> => {
    await books.restart();
    const asked = await attempt(async () => {
      requireAccepted(closing.answer.get(), 'the closing of a card');
      return paysBefore.get();
    });
    const pay = (cents?: number) => () => {
      if (isEmptied) inconclusive('the card is closed only once it is empty');
      const optional = cents && Payments.OPTIONAL;
      return [Payments.of(card, active(), cents ?? asked.get().cents, { ...optional, ...asked.get().members })];
    };
    const { value: held } = await Steps.whenNeeded(t, STOPPED.about, () => books.balance(card));
    for (const [index, cents] of [undefined, ...Amounts.toRefuse(t, 'closed', held ?? 0)].entries())
      await books.send({ name: `payment ${index + 1} of a closed card`, ...STOPPED }, pay(cents));
    const about = ['cards.transfer.to-closed-loses-nothing', 'cards.transfer.refused-moves-nothing'];
    const back = () => [Payments.of(active(), card, asked.get().cents + 1, asked.get().members)];
    await books.send({ name: 'a payment to a closed card', about }, back);
  };
  if (earlier) {
    await askClosed(earlier);
    return earlier;
  }
  const paysBefore = await Steps.whenNeeded(t, OF_PAYMENTS, async () => {
    if (!hasBalance(leased!)) inconclusive('no disposable card has a balance to pay from');
    const plain =
      (await Payments.firstThatMoves(t, books, 'a payment before the closing', [card, active()])) ??
      inconclusive('the card does not pay before it is closed');
    await books.prepare('a return', Payments.of(active(), card, plain.cents, plain.members));
    return plain;
  });
  let mayHaveBalance = balance !== 0;
  let isEmptied = false;
  /** Moves all that it has away. */
  const emptied: Steps.Way = async () => {
    const { value: plain } = paysBefore;
    const all = plain ? await books.balance(card) : 0;
    if (!plain || all <= 0) return false;
    const { gains } = await books.prepare('all that it has', Payments.of(card, active(), all, plain.members));
    isEmptied = Effects.sameCents(gains.get(card) ?? 0, -all);
    mayHaveBalance = !isEmptied;
    return isEmptied;
  };
  const how = { intent: balance === 0 ? 'valid' : 'refusable', ways: [emptied, ...Steps.waysOf(t, card)] } as const;
  const first = await Steps.transition(t, 'cards.close', card, leased!, Steps.isNotActive, how);
  const facts = { closing: { ...first, leased: leased! }, mayHaveBalance, isEmptied, paysBefore };
  await askClosed(facts);
  await books.check({ late: true });
  await Endings.elsewhereAfter(t, card, first, CLOSED, afterClosing(t));
  return facts;
};

/**
 * The first card whose closing is accepted, else the first: where it is refused, which may be due to a balance (reading 29) or to payments, an
 * empty one that paid nothing in this run is closed (`ofUnpaid`).
 */
const closedOrEmpty = (name: string, played: typeof closed) =>
  scenario(name, async (t) => {
    const { closing: first } = (await t.shared(played)).facts;
    if (succeeded(first.answer.get()))
      return { ...first, ofUnpaid: await attempt((): Answer => inconclusive('the first closing is accepted')) };
    const unpaid = await attempt(() => closeUnpaid(t));
    const done = succeeded(unpaid.value?.answer.value) ? unpaid.get() : first;
    return { ...done, ofUnpaid: await attempt(() => unpaid.get().answer.get()) };
  });
export const closedCard = closedOrEmpty('a card closed, or an empty one', closed);
export const anotherClosed = closedOrEmpty('another card closed, or an empty one', another);

/** Closes an empty card that paid nothing in this run. @throws Skipped, Inconclusive without such a card; see Context.lease */
async function closeUnpaid(t: Context): Promise<Endings.Ending> {
  const wants = (one: LeasedCard) =>
    one.balance === 0 && t.run.history.timesAccepted('cards.transfer', one.identifier) === 0;
  const [[card]] = (await t.lease({ pool: 'disposable', wants })) as [[LeasedCard]];
  const { identifier } = card;
  const how = { intent: 'refusable', ways: Steps.waysOf(t, identifier) } as const;
  const closed = await Steps.transition(t, 'cards.close', identifier, card, Steps.isNotActive, how);
  await Endings.elsewhereAfter(t, identifier, closed, CLOSED, afterClosing(t));
  return { ...closed, leased: card };
}
