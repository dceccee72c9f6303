/** An active card suspended and unsuspended: its state, and what it pays. */
import { ACTIVE } from '../../../../contracts/v3/cards.ts';
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import { amount, type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import type { Context } from '../../../../helpers/context.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { rotated } from '../../../../helpers/rotation.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, amountsToRefuse, plainAmount } from '../../../shared/amounts.ts';
import { outcomeInWords } from '../../../shared/observed.ts';
import { namedInput } from '../../../shared/requests.ts';
import { attempt, type Step, values } from '../../../shared/step.ts';
import { type BalanceChanges, nothingMoved, paidAnyway, type TransferAttempt } from './balance-changes.ts';
import { Balances, firstThatMoves, OPTIONAL, type PlainTransfer } from './balances.ts';
import { againWhereOdd } from './oddities.ts';
import { effectOf } from './transfer-observations.ts';
import { requireUnsuspendInScope, type Transition, transition, type Way } from './transition.ts';

/** What a suspension and its end came to. */
export interface SuspensionFacts {
  card: string;
  partner: string;
  /** The transfer from the card to its partner that moved money before. */
  paysBefore: Step<PlainTransfer>;
  suspend: Transition;
  /** Payments that the suspended card was asked for. */
  paysSuspended: Step<TransferAttempt[]>;
  /** A transfer to the suspended card. */
  receives: Step<TransferAttempt>;
  /** What moved afterwards, when nothing more was asked for. */
  late: Step<BalanceChanges>;
  /** Inconclusive where the card could not be suspended. */
  unsuspend: Step<Transition>;
  /** The card once its balance was read, before it pays again. */
  beforeItPays: Step<CardState>;
  paysAgain: Step<TransferAttempt>;
  /** What is given for the card once it paid again: one of {@link GIVING} in each run. */
  givenOnceFreed: Step<Answer[]>;
  /** Payments that the card was asked for until then. */
  askedToPay: number;
  /** Where the card does not pay again: whether its partner may pay more often than the card did. */
  partnerPays: Step<boolean>;
  /** Whether the balances change by themselves. */
  drift: Step<boolean>;
  /** Whether another check of this run suspended the card before: a second time may be refused. */
  wasSuspendedBefore: boolean;
}

/** Settle times for which a target may not free a card that was just suspended. */
const LONG_COOL_DOWN = 8;

/** What gives something for a card, and changes nothing about it. */
export const GIVING = ['cards.createToken', 'cards.encryptForVde', 'cards.listRelated'];

/** Operations on a card that change nothing about it. */
const HARMLESS = [...GIVING, 'cards.get', 'cards.getBalance'];

/** The number of the plain amount that a card is asked for where it does not pay the first one again. */
const OTHER_AMOUNT = 6;

/** Payments that may be asked for to see whether the target counts them. */
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
  /** What is asked of a suspended card, even if it was a call with a bad token that suspended it. */
  const whenSuspended: WhenSuspended = (step) =>
    attempt(() => {
      if (!values([suspend.after]).some(({ status }) => status !== undefined && status !== ACTIVE))
        requireAccepted(suspend.answer(), 'the suspension');
      return step();
    });
  const setting = { t, card, partner, balances, paysBefore, whenSuspended };

  const { paysSuspended, receives, asked } = await askSuspended(setting);
  // Read again: what is declined may have a card blocked.
  const unsuspend = await whenSuspended(async () => {
    const before = await t.confirmed(
      () => t.state(card),
      (state) => !isActive(state),
    );
    return transition(t, 'cards.unsuspend', card, before, isActive, { ways: [someTimeLater(t)] });
  });
  // Before it pays again: a second end of the suspension changes nothing.
  for (const { answer } of values([unsuspend]))
    for (const unsuspended of values([answer])) await observeUnsuspendActive(t, card, unsuspended);
  const late = await attempt(() => balances.late());
  const beforeItPays = await whenSuspended(() => t.confirmed(() => t.state(card), isActive));
  // A target may count what it refuses.
  const askedToPay = t.run.history.timesAccepted('cards.transfer', card) + asked;
  const { paysAgain, partnerPays } = await askFreed(setting, askedToPay);
  const givenOnceFreed = await whenSuspended(async () => {
    if (nothingMoved(paysAgain().gains)) inconclusive('the card that was freed does not pay');
    const given: Answer[] = [];
    for (const operation of rotated(t.run, 'given for a card that was freed and paid', GIVING)) {
      const ask = () => t.call(operation, namedInput(t, operation, card, card), { intent: 'refusable' });
      given.push(await t.eventually(ask, succeeded));
    }
    return given;
  });
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
    givenOnceFreed,
    askedToPay,
    partnerPays,
    drift,
    wasSuspendedBefore,
  };
});

/** Does a step where the card was suspended; its verdict is that of the suspension otherwise. */
type WhenSuspended = <T>(step: () => Promise<T>) => Promise<Step<T>>;

interface Setting extends Pick<SuspensionFacts, 'card' | 'partner' | 'paysBefore'> {
  t: Context;
  balances: Balances;
  whenSuspended: WhenSuspended;
}

/** Asks the suspended card to pay and to be paid. `asked` counts its own payments. */
async function askSuspended({ t, card, partner, balances, paysBefore, whenSuspended }: Setting) {
  let asked = 0;
  const refusable = async (from: string, to: string, more = {}, cents = paysBefore().attempt.cents!) => {
    const { members } = paysBefore();
    if (from === card) asked++;
    const json = { ...more, ...members, targetCardIdentifier: to, amount: amount(cents) };
    return balances.attempt(from, { json }, { intent: 'refusable' }, cents);
  };
  // What changes nothing does not end the suspension.
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

/** Asks the card that was freed to pay, and its partner where it does not. */
async function askFreed({ t, card, partner, balances, paysBefore, whenSuspended }: Setting, askedToPay: number) {
  const paysAgain = await whenSuspended(async () => {
    const { attempt, members } = paysBefore();
    const pay = (cents: number) => balances.pay(card, partner, cents, members, { intent: 'refusable' });
    const again = await t.eventually(
      () => pay(attempt.cents!),
      ({ gains }) => !nothingMoved(gains),
    );
    // A target may refuse for a while what was asked for before, as a duplicate.
    const other = plainAmount(amountRule(t), OTHER_AMOUNT);
    return nothingMoved(again.gains) && other !== attempt.cents ? pay(other) : again;
  });
  const partnerPays = await whenSuspended(async () => {
    if (!nothingMoved(paysAgain().gains)) return true;
    return paysMoreOften(t, balances, { from: partner, to: card, plain: paysBefore(), than: askedToPay });
  });
  return { paysAgain, partnerPays };
}

/** A payment that is asked for several times, and how often that was done of another card. */
interface Counted {
  from: string;
  to: string;
  plain: PlainTransfer;
  than: number;
}

/** Whether a card pays as often as another one was asked to, and once more: a target may allow so many payments. */
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

/** Whether the card is seen to be suspended otherwise than by its record: by the number of its status, or by what it no longer pays. */
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
 * Whether getStatus was seen to leave the record of a suspended card behind: then a record that shows no change is no
 * evidence against another operation.
 */
export async function recordIsLeftBehind(t: Context): Promise<boolean> {
  const [facts] = values([await attempt(() => t.shared(suspension))]);
  if (!facts) return false;
  const { answer, after } = facts.suspend;
  const stillActive = values([answer]).some(succeeded) && values([after]).some(isActive);
  const { byNumber, byPayment } = isSuspendedElsewhere(facts);
  return stillActive && (byNumber || byPayment);
}
