/** An active card suspended and unsuspended, with its states and payments. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import { amount, type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import type { Context } from '../../../../helpers/context.ts';
import { outcomeInWords } from '../../../../helpers/engine/observed.ts';
import { attempt, type Step, values } from '../../../../helpers/engine/step.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { rotated } from '../../../../helpers/rotation.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, amountsToRefuse, plainAmount } from '../../../shared/amounts.ts';
import { namedInput } from '../../../shared/requests.ts';
import { type BalanceChanges, nothingMoved, paidAnyway, type TransferAttempt } from './balance-changes.ts';
import { Balances, firstThatMoves, OPTIONAL, type PlainTransfer } from './balances.ts';
import { againWhereOdd } from './oddities.ts';
import { effectOf } from './transfer-observations.ts';
import { requireUnsuspendInScope, type Transition, transition, type Way } from './transition.ts';

/** The outcome of suspending and unsuspending a card. */
export interface SuspensionFacts {
  card: string;
  partner: string;
  /** A transfer from the card to its partner that moved money before the suspension. */
  paysBefore: Step<PlainTransfer>;
  suspend: Transition;
  /** Payments requested from the suspended card. */
  paysSuspended: Step<TransferAttempt[]>;
  /** A transfer to the suspended card. */
  receives: Step<TransferAttempt>;
  /** Balance changes afterwards, without a further request. */
  late: Step<BalanceChanges>;
  /** Inconclusive where the card could not be suspended. */
  unsuspend: Step<Transition>;
  /** State of the card after its balance was read, before it pays again. */
  beforeItPays: Step<CardState>;
  paysAgain: Step<TransferAttempt>;
  /** Number of payments requested from the card by then. */
  askedToPay: number;
  /** Whether the partner can pay more often than the card did; read only if the card does not pay again. */
  partnerPays: Step<boolean>;
  /** Whether the balances change by themselves. */
  drift: Step<boolean>;
  /** Whether another check of this run suspended the card before: a second time may be refused. */
  wasSuspendedBefore: boolean;
}

/** Number of settle times during which a target may refuse to unsuspend a card that was just suspended. */
const LONG_COOL_DOWN = 8;

/** Operations on a card that change nothing about it. */
const HARMLESS = ['cards.createToken', 'cards.encryptForVde', 'cards.listRelated', 'cards.get', 'cards.getBalance'];

/** Number of the plain amount to pay if the card does not pay the first amount again. */
const OTHER_AMOUNT = 6;

/** Most payments to request to find out whether the target limits their number. */
const MOST_CONTROLS = 6;

/**
 * Suspends an active card and unsuspends it, with payments before, meanwhile and afterwards.
 * @throws Skipped without two active cards, or where nothing may undo a suspension
 */
export const suspension = scenario('a card suspended and unsuspended', async (t): Promise<SuspensionFacts> => {
  requireUnsuspendInScope(t);
  const [[leased, other]] = (await t.lease({
    pool: 'active',
    count: 2,
    prefers: ({ identifier }) => t.run.history.timesAccepted('cards.suspend', identifier) === 0,
  })) as [[LeasedCard, LeasedCard]];
  const [card, partner] = [leased.identifier, other.identifier];
  const balances = new Balances(t, [card, partner]);
  const wasSuspendedBefore = t.run.history.timesAccepted('cards.suspend', card) > 0;

  const paysBefore = await attempt(
    async () =>
      (await firstThatMoves(t, balances, [[card, partner]])) ??
      inconclusive('the card does not pay before it is suspended'),
  );
  const suspend = await transition(t, 'cards.suspend', card, leased, (state) => !isActive(state));
  /** Runs a step if the card was suspended, even if a call with a bad token did it. */
  const whenSuspended: WhenSuspended = (step) =>
    attempt(() => {
      if (!values([suspend.after]).some(({ status }) => status !== undefined && status !== ACTIVE))
        requireAccepted(suspend.answer(), 'the suspension');
      return step();
    });
  const setting = { t, card, partner, balances, paysBefore, whenSuspended };

  const { paysSuspended, receives, asked } = await askSuspended(setting);
  // The state is read again: a declined payment may get a card blocked.
  const unsuspend = await whenSuspended(async () => {
    const before = await t.confirmed(
      () => t.state(card),
      (state) => !isActive(state),
    );
    return transition(t, 'cards.unsuspend', card, before, isActive, { ways: [someTimeLater(t)] });
  });
  // Before the card pays again, since a second unsuspend must not change anything.
  for (const { answer } of values([unsuspend]))
    for (const unsuspended of values([answer])) await observeUnsuspendActive(t, card, unsuspended);
  const late = await attempt(() => balances.late());
  const beforeItPays = await whenSuspended(() => t.confirmed(() => t.state(card), isActive));
  // A target may count refused requests, too.
  const askedToPay = t.run.history.timesAccepted('cards.transfer', card) + asked;
  const { paysAgain, partnerPays } = await askFreed(setting, askedToPay);
  const drift = await attempt(() => balances.drifts());

  for (const attempt of values([receives]))
    t.observe('cards.transfer', 'to a suspended card', effectOf(attempt, partner, card, balances.success));
  return {
    card,
    partner,
    paysBefore,
    suspend,
    paysSuspended,
    receives,
    late,
    unsuspend,
    beforeItPays,
    paysAgain,
    askedToPay,
    partnerPays,
    drift,
    wasSuspendedBefore,
  };
});

/** Runs a step if the card was suspended; else the step's verdict is that of the suspension. */
type WhenSuspended = <T>(step: () => Promise<T>) => Promise<Step<T>>;

interface Setting extends Pick<SuspensionFacts, 'card' | 'partner' | 'paysBefore'> {
  t: Context;
  balances: Balances;
  whenSuspended: WhenSuspended;
}

/** Asks the suspended card to pay and to be paid. `asked` is the number of its own payments. */
async function askSuspended({ t, card, partner, balances, paysBefore, whenSuspended }: Setting) {
  let asked = 0;
  const refusable = async (from: string, to: string, more = {}, cents = paysBefore().attempt.cents!) => {
    const { members } = paysBefore();
    if (from === card) asked++;
    const json = { ...more, ...members, targetCardIdentifier: to, amount: amount(cents) };
    return balances.attempt(from, { json }, { intent: 'refusable' }, cents);
  };
  // An operation that changes nothing must not end the suspension.
  for (const operation of rotated(t.run, 'asked of a suspended card before it pays', HARMLESS))
    await whenSuspended(() => t.call(operation, namedInput(t, operation, card, card), { intent: 'refusable' }));
  const paysSuspended = await whenSuspended(async () => {
    const payments = [await refusable(card, partner)];
    for (const cents of amountsToRefuse(t, 'suspended', await balances.of(card)))
      if (payments.every(({ gains }) => gains.get(partner)! <= 0))
        payments.push(await refusable(card, partner, OPTIONAL, cents));
    return payments;
  });
  const receives = await whenSuspended(() => againWhereOdd(refusable(partner, card)));
  return { paysSuspended, receives, asked };
}

const someTimeLater = (t: Context): Way => ({
  name: 'some time later',
  async prepare() {
    for (let times = 0; times < LONG_COOL_DOWN; times++) await t.settle();
    return true;
  },
});

/** Asks the unsuspended card to pay, and its partner if the card does not. */
async function askFreed({ t, card, partner, balances, paysBefore, whenSuspended }: Setting, askedToPay: number) {
  const paysAgain = await whenSuspended(async () => {
    const { attempt, members } = paysBefore();
    const pay = (cents: number) => balances.pay(card, partner, cents, members, { intent: 'refusable' });
    const again = await t.eventually(
      () => pay(attempt.cents!),
      ({ gains }) => !nothingMoved(gains),
    );
    // A target may refuse a repeated transfer as a duplicate for a while.
    const other = plainAmount(amountRule(t), OTHER_AMOUNT);
    return nothingMoved(again.gains) && other !== attempt.cents ? pay(other) : again;
  });
  const partnerPays = await whenSuspended(async () => {
    if (!nothingMoved(paysAgain().gains)) return true;
    return paysMoreOften(t, balances, { from: partner, to: card, plain: paysBefore(), than: askedToPay });
  });
  return { paysAgain, partnerPays };
}

/** A payment to be requested several times, and the number of requests to another card that it has to exceed. */
interface Counted {
  from: string;
  to: string;
  plain: PlainTransfer;
  than: number;
}

/** Whether a card pays at least once more often than another one was asked to: a target may limit the number of payments. */
export async function paysMoreOften(
  t: Context,
  balances: Balances,
  { from, to, plain, than }: Counted,
): Promise<boolean> {
  for (let times = 0; times < MOST_CONTROLS; times++) {
    const { gains } = await balances.pay(from, to, plain.attempt.cents!, plain.members, { intent: 'refusable' });
    if (nothingMoved(gains)) return false;
    if (t.run.history.timesAccepted('cards.transfer', from) > than) return true;
  }
  return false;
}

async function observeUnsuspendActive(t: Context, identifier: string, unsuspended: Answer): Promise<void> {
  if (!succeeded(unsuspended)) return;
  const again = await t.call('cards.unsuspend', { path: { identifier } }, { intent: 'refusable' });
  t.observe('cards.unsuspend', 'on a card that is not suspended', outcomeInWords(again));
}

/** Whether a suspension shows elsewhere than in the record: in the number of the status, or in payments that stop. */
export function isSuspendedElsewhere({ card, suspend, paysBefore, paysSuspended, late }: SuspensionFacts): {
  byNumber: boolean;
  byPayment: boolean;
} {
  const [after] = values([suspend.after]);
  const numbers = [suspend.before.statusNumber, after?.statusNumber];
  const stopped = values([paysSuspended]).every(
    (payments) => !paidAnyway(card, payments, paysBefore().attempt, values([late])[0] ?? new Map()),
  );
  return {
    byNumber: !numbers.includes(undefined) && numbers[0] !== numbers[1],
    byPayment: values([paysBefore]).length > 0 && values([paysSuspended]).length > 0 && stopped,
  };
}

/**
 * Whether getStatus was seen not to refresh the record of a suspended card: then an unchanged record is no evidence against another
 * operation.
 */
export async function recordIsLeftBehind(t: Context): Promise<boolean> {
  const [facts] = values([await attempt(() => t.shared(suspension))]);
  if (!facts) return false;
  const { answer, after } = facts.suspend;
  const stillActive = values([answer]).some(succeeded) && values([after]).some(isActive);
  const { byNumber, byPayment } = isSuspendedElsewhere(facts);
  return stillActive && (byNumber || byPayment);
}
