/** Cards that are closed, with what they are asked to pay and to do before and afterwards. */
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { attempt, type Fact, inconclusive } from '../../../../helpers/verdict.ts';
import { life } from '../../../declare.ts';
import * as Amounts from '../../../shared/amounts.ts';
import * as Effects from '../money/effects.ts';
import * as Payments from '../money/payments.ts';
import * as Ended from './ended.ts';
import * as Endings from './endings.ts';
import * as Steps from './steps.ts';
import { type OfCard, plainEnding, transition, transitionOf } from './transition.ts';

/** Operations on a closed card, the likeliest to reopen it first; grouped where none would hide the effect of another. */
const AFTER_CLOSING: readonly Endings.Group[] = [
  ['unsuspend', () => ['cards.unsuspend']],
  ['activate', () => ['cards.activate']],
  [
    'other operations',
    (t) => [
      // An accepted suspension may leave a suspended card, to which unsuspend applies.
      'cards.suspend',
      'cards.unsuspend',
      'cards.getBalance',
      ...t.rotated('asked of a closed card', Endings.GIVING),
      'cards.setPin',
      'cards.markWalletProvisioned',
      'cards.reissue',
      'cards.unmarkFraud',
    ],
  ],
  ['markLost and activate', () => ['cards.markLost', 'cards.activate']],
  ['close', () => ['cards.close']],
];

type On = Ended.Ended & { t: Context };

const hasBalance = ({ balance }: LeasedCard): boolean => balance !== undefined && balance > 0;

/** Pays from the card, and makes the payment undone: what is asked of it once it is closed is of that form. */
async function payBefore(on: On): Promise<Payments.Form> {
  const { t, books, card } = on;
  if (!hasBalance(card)) inconclusive('no disposable card has a balance to pay from');
  const pair = [card.identifier, Ended.activeOf(on)] as const;
  const plain =
    (await Payments.firstThatMoves(t, books, 'a payment before the closing', pair)) ??
    inconclusive('the card does not pay before it is closed');
  await books.prepare('a return', Payments.make(Ended.activeOf(on), card.identifier, plain.cents, plain.members));
  return plain;
}

/** What a card goes through before it is closed: what it leaves behind may keep the closing from taking effect. */
const PASTS = [
  { name: 'as it was given', operations: [] },
  { name: 'that was suspended', operations: ['cards.suspend', 'cards.unsuspend'] },
];

/** Lives the past that is this run's turn. @returns the state in which the card is closed: where it cannot be freed, it stays suspended */
async function livePast({ t, books, card }: On) {
  const { identifier } = card;
  const operations = t.rotated('a card that is closed', PASTS).flatMap((past) => past.operations);
  if (!operations.every((operation) => t.isInScope(operation)) || operations.length === 0) return card;
  for (const operation of operations) {
    await attempt(() => t.eventually(() => Steps.ask(t, operation, identifier), succeeded));
    await t.settle();
  }
  await books.restart();
  return t.confirmed(
    () => t.state(identifier),
    (state) => !Steps.isNotActive(state),
  );
}

const EMPTYING = 'all that it has';

/** A way to close a card that must be empty (reading 29): moves all that it has away. */
const empty =
  (on: On, { value: plain }: Fact<Payments.Form>): Steps.Way =>
  async () => {
    const { books, card } = on;
    const all = plain ? await books.balance(card.identifier) : 0;
    if (!plain || all <= 0) return false;
    await books.prepare(EMPTYING, Payments.make(card.identifier, Ended.activeOf(on), all, plain.members));
    return isEmptied(on);
  };

/** Whether all that the card had was moved away before it was closed. */
function isEmptied({ books, card: { identifier } }: Ended.Ended): boolean {
  const emptying = books.effects.find(({ sent }) => sent.row.name === EMPTYING);
  if (!emptying) return false;
  const [{ cents = 0 }] = emptying.sent.payments as [Effects.Payment];
  return Effects.sameCents(emptying.gains?.get(identifier) ?? 0, -cents);
}

/** Asks the closed card to pay, its amount and others. @param plain the form of a payment, where it is closed */
async function payOnceClosed(on: On, wasEmptied: boolean, plain: Fact<Payments.Form>): Promise<void> {
  const { t, books } = on;
  const card = on.card.identifier;
  const pay = (cents?: number) => () => {
    if (wasEmptied) inconclusive('the card is closed only once it is empty');
    const optional = cents && Payments.OPTIONAL;
    const { members } = plain.get();
    return [Payments.make(card, Ended.activeOf(on), cents ?? plain.get().cents, { ...optional, ...members })];
  };
  await books.restart();
  const held = await books.held(card);
  const row = { step: 'payments once closed', movesNothing: true };
  for (const [index, cents] of [undefined, ...Amounts.toRefuse(t, 'closed', held ?? 0)].entries())
    await books.send({ name: `payment ${index + 1} of a closed card`, ...row }, pay(cents));
}

async function payToClosed(on: On, plain: Fact<Payments.Form>): Promise<void> {
  const row = { name: 'a payment to a closed card', step: 'a payment to the closed card' };
  await on.books.send(row, () => {
    const { cents, members } = plain.get();
    return [Payments.make(Ended.activeOf(on), on.card.identifier, cents + 1, members)];
  });
}

const PAID = 'a payment before the closing';
/** The steps that are made again, where payments are suspected. */
const PAYMENTS = ['payments once closed', 'a payment to the closed card'];

/** The books of its payments. */
export const booksOfClosing = Ended.booksOfEnded(
  'a card closed',
  () => hasBalance,
  (t, made) => made.plays(t, PAID),
  PAYMENTS,
);

/** A card closed, emptied first if it is refused with a balance (reading 29). The payments alone are made again, where it is closed. */
export const closing = booksOfClosing.life
  .shows(PAID, payBefore)
  .shows('before', livePast, { of: 'cards.close' })
  .with(
    transition('cards.close', {
      isShown: Steps.isNotActive,
      before: 'before',
      intent: ({ card }) => (card.balance === 0 ? 'valid' : 'refusable'),
      ways: (on) => [empty(on, on[PAID]), ...Steps.waysOf(on.t, on.card.identifier)],
    }),
  )
  .shows('is emptied', isEmptied, { of: 'cards.close' })
  /** The form of a payment before the closing, where the card is closed. */
  .shows(
    'the form of payments',
    (on) => {
      requireAccepted(transitionOf(on, 'cards.close').asked.get().answer, 'the closing of a card');
      return on[PAID].get();
    },
    { after: [PAID] },
  )
  .does('payments once closed', (on) => payOnceClosed(on, on['is emptied'].get(), on['the form of payments']), {
    after: ['the form of payments', 'is emptied'],
  })
  .does('a payment to the closed card', (on) => payToClosed(on, on['the form of payments']), {
    after: ['the form of payments'],
  })
  .does('balances once closed', ({ books }) => books.check({ late: true }), { leads: true })
  .with(Endings.askedAtItsEnd('cards.close', 'closed', AFTER_CLOSING));

/** An empty card that paid nothing in this run, closed. @throws Skipped, Inconclusive without such a card; see Context.lease */
const closingUnpaid = life('an empty card closed', async (t) => {
  const wants = (one: LeasedCard) =>
    one.balance === 0 && t.run.history.timesAccepted('cards.transfer', one.identifier) === 0;
  const [[card]] = (await t.lease({ pool: 'disposable', wants })) as [[LeasedCard]];
  return { card };
})
  .with(plainEnding('cards.close'))
  .with(Endings.askedAtItsEnd('cards.close', 'closed', AFTER_CLOSING));

/** The answer to the closing of a card; where that is refused, which may be due to a balance (reading 29) or to payments, of an empty one that paid nothing. */
export interface Closed {
  card: LeasedCard;
  answer: Answer;
  /** The answer for the empty card; ended where the first closing was accepted, or there is no such card. */
  ofUnpaid: Fact<Answer>;
}

async function closeAny(t: Context, once: 'first' | 'again'): Promise<Closed> {
  const answered = (facts: OfCard) => {
    return { card: facts.card, answer: transitionOf(facts, 'cards.close').asked.get().answer };
  };
  const first = answered(await closing[once](t));
  const unpaid = await attempt(async () => {
    if (succeeded(first.answer)) inconclusive('the first closing is accepted');
    return answered(await closingUnpaid[once](t));
  });
  const closed = succeeded(unpaid.value?.answer) ? unpaid.get() : first;
  return { ...closed, ofUnpaid: unpaid.map(({ answer }) => answer) };
}

/** The first card whose closing is accepted. */
export const closedCard = {
  /** Declares that what judges a requirement reads steps of it. @returns what closes it */
  reads(...read: Parameters<typeof closing.reads>): (t: Context) => Promise<Closed> {
    closing.reads(...read);
    closingUnpaid.reads(...read);
    return closedCard.first;
  },
  first: (t: Context) => closeAny(t, 'first'),
  again: (t: Context) => closeAny(t, 'again'),
};
