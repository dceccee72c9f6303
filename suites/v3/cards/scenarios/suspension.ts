/** An active card suspended and unsuspended, with its states and payments. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { succeeded } from '../../../../helpers/answer.ts';
import { isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { inconclusive, optional } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import * as Requests from '../../../shared/requests.ts';
import type { Books } from '../money/books.ts';
import * as Effects from '../money/effects.ts';
import { keptLife } from '../money/kept-life.ts';
import * as Payments from '../money/payments.ts';
import * as Endings from './endings.ts';
import * as Steps from './steps.ts';
import { transition, transitionOf } from './transition.ts';

/** Number of settle times during which a target may refuse to unsuspend a card that was just suspended. */
const LONG_COOL_DOWN = 8;

/** Operations on a card that change nothing about it. */
const HARMLESS = [...Endings.GIVING, 'cards.get'];

/** Number of the plain amount to pay if the card does not pay the first amount again. */
const OTHER_AMOUNT = 6;

interface Start {
  books: Books;
  card: LeasedCard;
  /** Undefined where no payment is judged. */
  other: LeasedCard | undefined;
}
type On = Start & { t: Context };

const partnerOf = ({ card, other }: Start): string => (other ?? card).identifier;

/** @throws the verdict that ended the suspension, unless the card is suspended all the same, even if a call with a bad token did it */
function requireSuspended(on: object): void {
  const { asked, after } = transitionOf(on, 'cards.suspend');
  if ((after.value?.status ?? ACTIVE) === ACTIVE) requireAccepted(asked.get().answer, 'the suspension');
}

/** Asks for what changes nothing, and must not end the suspension. */
async function askHarmless(on: On): Promise<void> {
  requireSuspended(on);
  const { t, card } = on;
  for (const operation of t.rotated('asked of a suspended card before it pays', HARMLESS))
    await t.call(operation, Requests.named(t, operation, card.identifier, card.identifier), { intent: 'refusable' });
}

/** Asks the suspended card to pay its amount, and others. */
async function payWhileSuspended(on: On, { cents, members }: Payments.Form): Promise<void> {
  requireSuspended(on);
  const { t, books } = on;
  const card = on.card.identifier;
  const amounts = Amounts.toRefuse(t, 'suspended', (await books.held(card)) ?? cents);
  const payments = [
    Payments.make(card, partnerOf(on), cents, members),
    ...amounts.map((other) => Payments.make(card, partnerOf(on), other, { ...Payments.OPTIONAL, ...members })),
  ];
  for (const [index, made] of payments.entries()) {
    const name = `payment ${index + 1} of a suspended card`;
    await books.send({ name, step: 'payments while suspended', movesNothing: true }, () => [made]);
  }
}

/** Pays as it was paid before; where nothing was, since no money is judged, as is likeliest to be accepted. */
async function payToSuspended(on: On, { cents, members } = Payments.likeliest(on.t)): Promise<void> {
  requireSuspended(on);
  const back = Payments.make(partnerOf(on), on.card.identifier, cents + 1, members);
  const row = { name: 'a payment to a suspended card', step: 'a payment to the suspended card', isOpen: true };
  await on.books.send(row, () => [back]);
}

/** The state once the card was asked for other things: a declined payment may get it blocked. */
async function readAgain(on: On) {
  requireSuspended(on);
  await on.t.settle();
  return on.t.confirmed(() => on.t.state(on.card.identifier), Steps.isNotActive);
}

/** A way to unsuspend a card that needs some time to pass. */
const later = ({ t }: On): Steps.Way => {
  return async () => {
    for (let times = 0; times < LONG_COOL_DOWN; times++) await t.settle();
    return true;
  };
};

/** Before the card pays again, since a second unsuspend must not change anything. */
async function unsuspendAgain({ t, card, ...facts }: On): Promise<void> {
  if (!succeeded(transitionOf(facts, 'cards.unsuspend').asked.value?.answer)) return;
  const answer = await Steps.ask(t, 'cards.unsuspend', card.identifier);
  t.observe('cards.unsuspend', 'on a card that is not suspended', answer);
}

async function readUnsuspended({ t, card }: On) {
  await optional(t.balance(card.identifier));
  return t.confirmed(() => t.state(card.identifier), isActive);
}

/** What the card pays once it is unsuspended: the amount that it paid before, or another. */
async function payAgain(on: On, { cents, members }: Payments.Form) {
  requireSuspended(on);
  const { t, books, card } = on;
  const pay = (amount: number) =>
    books.prepare('a payment after unsuspend', Payments.make(card.identifier, partnerOf(on), amount, members));
  await books.restart();
  const again = await t.eventually(
    () => pay(cents),
    ({ gains }) => !Effects.nothingMoved(gains),
  );
  // A target may refuse a repeated transfer as a duplicate for a while.
  const other = Amounts.plain(Amounts.ruleOf(t), OTHER_AMOUNT);
  return Effects.nothingMoved(again.gains) && other !== cents ? pay(other) : again;
}

/** Suspends the other card, too, once the first one is not suspended any more. */
async function suspendOther({ t, other }: On): Promise<void> {
  if (!other) return;
  const { identifier } = other;
  await Steps.suspend(t, identifier);
  await t.confirmed(() => t.state(identifier), Steps.isNotActive);
}

const PAYMENTS = ['a payment before the suspension', 'payments while suspended', 'a payment to the suspended card'];

/** The books of its payments. */
export const booksOfSuspension = keptLife<Start>(
  'a card suspended and unsuspended',
  (t, avoiding, made) => {
    Steps.requireUnsuspendInScope(t);
    const isFresh = ({ identifier }: LeasedCard) => t.run.history.timesAccepted('cards.suspend', identifier) === 0;
    const isPaid = made.plays(t, ...PAYMENTS);
    return Payments.leaseActive(t, isPaid ? 2 : 1, avoiding, { prefers: isFresh, isUnpaid: !isPaid });
  },
  (books, [card, other]) => ({ books, card: card!, other }),
);

/** An active card suspended and unsuspended, with payments before, meanwhile and afterwards. @throws Skipped where nothing may undo it */
export const suspension = booksOfSuspension.life
  .shows('a payment before the suspension', async (on) => {
    const pair = [on.card.identifier, partnerOf(on)] as const;
    const form = await Payments.firstThatMoves(on.t, on.books, 'a payment before the suspension', pair);
    return form ?? inconclusive('the card does not pay before it is suspended');
  })
  .with(transition('cards.suspend', { isShown: Steps.isNotActive }))
  // The suspension itself may have a cost.
  .does('balances once suspended', ({ books }) => books.restart(), { leads: true })
  .does('harmless operations', askHarmless)
  .does('payments while suspended', (on) => payWhileSuspended(on, on['a payment before the suspension'].get()), {
    after: ['a payment before the suspension'],
  })
  .does('a payment to the suspended card', (on) => payToSuspended(on, on['a payment before the suspension'].value))
  .shows('still suspended', readAgain)
  .with(transition('cards.unsuspend', { isShown: isActive, before: 'still suspended', ways: (on) => [later(on)] }))
  .does('a second unsuspend', unsuspendAgain, { of: 'cards.unsuspend' })
  .does('read once unsuspended', readUnsuspended)
  .shows('a payment after unsuspend', (on) => payAgain(on, on['a payment before the suspension'].get()), {
    after: ['a payment before the suspension'],
  })
  .does('the other card suspended', suspendOther, { after: ['cards.unsuspend: asked'] });
