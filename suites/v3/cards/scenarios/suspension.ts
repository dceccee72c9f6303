/** An active card suspended and unsuspended, with its states and payments. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { succeeded } from '../../../../helpers/answer.ts';
import { isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { attempt, inconclusive, type Step, values } from '../../../../helpers/verdict.ts';
import * as Amounts from '../../../shared/amounts.ts';
import * as Requests from '../../../shared/requests.ts';
import * as Listings from '../../listings/listings.ts';
import { bookkeeping, leaseActive } from '../money/bookkeeping.ts';
import * as Effects from '../money/effects.ts';
import * as Payments from '../money/payments.ts';
import * as Endings from './endings.ts';
import * as Steps from './steps.ts';

/** Number of settle times during which a target may refuse to unsuspend a card that was just suspended. */
const LONG_COOL_DOWN = 8;

/** Operations on a card that change nothing about it. */
const HARMLESS = [...Endings.GIVING, 'cards.get'];

/** Number of the plain amount to pay if the card does not pay the first amount again. */
const OTHER_AMOUNT = 6;

const LISTED = 'cards.list.agrees-with-record';
const NOT_ACTIVE = 'cards.suspend.not-active';
/** What payments of the suspended card are about, and to it. */
const STOPPED = ['cards.suspend.stops-payments', 'cards.getStatus.refreshes-record'];
const PAID = ['cards.transfer.refused-moves-nothing', 'cards.transfer.conserves-money', NOT_ACTIVE];
const OF_PAYMENTS = [...STOPPED, ...PAID, 'cards.unsuspend.pays-again'];
/** What the end of the suspension is about: what is moved late may be moved then. */
const ENDED = Steps.idsOf('cards.unsuspend');
const LATE = ['cards.suspend.stops-payments', ...PAID.slice(0, 2), ...ENDED];

/** Leases active cards that neither paid nor were suspended, else, since all of those may have been, disposable ones with a balance. */
export async function leaseNeverSuspended(t: Context, count: number, first: string): Promise<LeasedCard[]> {
  const { history, pools } = t.run;
  const isAsGiven = (card: string) =>
    ['cards.transfer', 'cards.suspend'].every((operation) => history.timesAccepted(operation, card) === 0);
  const hasEnough = (pool: 'active' | 'disposable') => pools.free(pool).filter(isAsGiven).length >= count;
  if (hasEnough('active') || !hasEnough('disposable'))
    return leaseActive(t, count, [first], ({ identifier }) => isAsGiven(identifier));
  const wants = ({ identifier, balance = 0 }: LeasedCard) => isAsGiven(identifier) && balance > 0;
  const [cards] = await t.lease({ pool: 'disposable', count, wants });
  return cards!;
}

/** Suspends an active card and unsuspends it, with payments before, meanwhile and afterwards. @throws Skipped where nothing may undo it */
export const suspension = bookkeeping(
  'a card suspended and unsuspended',
  (t, avoiding) => {
    const isFresh = ({ identifier }: LeasedCard) => t.run.history.timesAccepted('cards.suspend', identifier) === 0;
    return leaseActive(t, t.needs(...OF_PAYMENTS) ? 2 : 1, avoiding, isFresh);
  },
  async (t, books, [leased, other]) => {
    Steps.requireUnsuspendInScope(t);
    const card = leased!.identifier;
    const partner = other?.identifier ?? card;
    /** A transfer from the card to its partner that moved money before the suspension. */
    const paysBefore = await Steps.whenNeeded(t, OF_PAYMENTS, async () => {
      const form = await Payments.firstThatMoves(t, books, 'a payment before the suspension', [card, partner]);
      return form ?? inconclusive('the card does not pay before it is suspended');
    });
    const suspend = await Steps.transition(t, 'cards.suspend', card, leased!, Steps.isNotActive);
    /** Runs a step if the card was suspended, even if a call with a bad token did it. */
    const whenSuspended = <T>(about: readonly string[], step: () => Promise<T>): Promise<Step<T>> =>
      Steps.whenNeeded(t, about, () => {
        if (!values([suspend.after]).some(({ status }) => status !== undefined && status !== ACTIVE))
          requireAccepted(suspend.answer(), 'the suspension');
        return step();
      });
    /** A listing in which the suspended card is. */
    const listing = await whenSuspended([LISTED], async () => {
      const query = Listings.of(t, suspend.after().record ?? inconclusive('the record cannot be read'));
      return t.call('cards.list', { query }, { intent: 'refusable' });
    });
    await books.restart();
    // An operation that changes nothing must not end the suspension.
    for (const operation of t.rotated('asked of a suspended card before it pays', HARMLESS, Endings.SEVERAL))
      await whenSuspended([NOT_ACTIVE, 'cards.suspend.stops-payments'], () =>
        t.call(operation, Requests.named(t, operation, card, card), { intent: 'refusable' }),
      );
    await whenSuspended(OF_PAYMENTS, async () => {
      const { cents, members } = paysBefore();
      const [balance] = t.needs(...STOPPED) ? values([await attempt(() => books.balance(card))]) : [];
      const others = Amounts.toRefuse(t, 'suspended', balance ?? cents).map((other) =>
        Payments.of(card, partner, other, { ...Payments.OPTIONAL, ...members }),
      );
      const row = { about: STOPPED, movesNothing: true };
      for (const [index, made] of [Payments.of(card, partner, cents, members), ...others].entries())
        await books.send({ name: `payment ${index + 1} of a suspended card`, ...row }, () => [made]);
      const back = Payments.of(partner, card, cents + 1, members);
      await books.send({ name: 'a payment to a suspended card', about: PAID }, () => [back]);
    });
    // The state is read again: a declined payment may get a card blocked.
    const read = () => t.confirmed(() => t.state(card), Steps.isNotActive);
    const stillSuspended = await whenSuspended([LISTED, ...OF_PAYMENTS, ...ENDED], read);
    const unsuspend = await whenSuspended(LATE, async () => {
      const someTimeLater = async () => {
        for (let times = 0; times < LONG_COOL_DOWN; times++) await t.settle();
        return true;
      };
      return Steps.transition(t, 'cards.unsuspend', card, stillSuspended(), isActive, { ways: [someTimeLater] });
    });
    // Before the card pays again, since a second unsuspend must not change anything.
    for (const { answer } of values([unsuspend]))
      if (t.needs(...ENDED) && values([answer]).some(succeeded))
        t.observe('cards.unsuspend', 'on a card that is not suspended', await Steps.ask(t, 'cards.unsuspend', card));
    await books.restart();
    await whenSuspended(['cards.unsuspend.active'], async () => {
      await attempt(() => t.balance(card));
      return t.confirmed(() => t.state(card), isActive);
    });
    const paysAgain = await whenSuspended(['cards.unsuspend.pays-again'], async () => {
      const { cents, members } = paysBefore();
      const pay = (amount: number) =>
        books.prepare('a payment after unsuspend', Payments.of(card, partner, amount, members));
      const again = await t.eventually(
        () => pay(cents),
        ({ gains }) => !Effects.nothingMoved(gains),
      );
      // A target may refuse a repeated transfer as a duplicate for a while.
      const other = Amounts.plain(Amounts.ruleOf(t), OTHER_AMOUNT);
      return Effects.nothingMoved(again.gains) && other !== cents ? pay(other) : again;
    });
    return { card, other, paysBefore, suspend, listing, stillSuspended, unsuspend, paysAgain };
  },
);
