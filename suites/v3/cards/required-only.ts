/** An operation that changes the state of a card is accepted for a card in its state (readings 7, 29, 46, 47 and 50). */
import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import type { LeasedCard, PoolName } from '../../../helpers/cards/pools.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import { succeedsAlone } from '../../../helpers/engine/acceptance.ts';
import { knownOf } from '../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { attempt, fail, inconclusive, values } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Requests from '../../shared/requests.ts';
import { closedCard, closing } from './scenarios/closing.ts';
import * as Endings from './scenarios/endings.ts';
import * as Steps from './scenarios/steps.ts';
import { suspension } from './scenarios/suspension.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';
import { statusesIn, whySpent } from './states/monitor.ts';

/**
 * Call before judging the answer to an operation that is also tried with a PIN.
 * @throws Inconclusive where it is refused and no PIN was accepted in this run: the target may require one, in a form that is not documented
 */
export function requirePinTried(t: Context, answer: Answer): void {
  if (succeeded(answer)) return;
  if (t.isInScope('cards.setPin') && !t.run.history.wasAccepted('cards.setPin'))
    inconclusive('it is refused, and no PIN was accepted, which the target may require first');
}

/** Whether the plain request was refused but the card's state changed. */
const changedThough = ({ untouched, afterRefusal }: Steps.Transition): boolean =>
  values([untouched, afterRefusal]).length === 2 && Steps.areDistinct(untouched(), afterRefusal());

/** Expects a refused request to have no effect (reading 10); somebody else may have changed a card, so that another one has to show it, too. */
async function expectNotDoneThoughRefused(t: Context, { first, again }: Steps.TransitionSource, what: string) {
  const one = await first(t);
  if (succeeded(one.answer()) || !changedThough(one)) return;
  const message = `${what} is refused, but takes place anyway`;
  const retrial = await Retrial.shownByAnother(t, message, async () => changedThough(await again(t)));
  const seen = `${describe(one.answer())}, and a card that was ${one.untouched().status} is ${one.afterRefusal().status}`;
  fail(message, 'a 2xx answer', seen, { in: one.answer(), retrial });
}

/**
 * Expects the operation to be accepted.
 * @param isSeen whether something other than the record shows that the card is in the right state
 * @throws Nonconformance otherwise; Inconclusive where the card may not have been in the right state, a suspension that was accepted earlier
 * in this run is refused now, too, or the operation is accepted for another card
 */
async function expectAcceptedInState(t: Context, source: Steps.TransitionSource, what: string, isSeen = false) {
  const { before, answer } = await source.first(t);
  if (succeeded(answer())) return;
  const { id } = answer().operation;
  await expectNotDoneThoughRefused(t, source, what);
  if (before.status === undefined && !isSeen)
    inconclusive('it is refused, and nothing shows whether the card is in the right state for it');
  // One could be suspended in this run (reading 47).
  const hasSuspended = t.run.history.wasAccepted('cards.suspend');
  const suspensions = hasSuspended ? [await attempt(() => t.shared(refusesSuspension(id)))] : [];
  if (values(suspensions).includes(true))
    inconclusive('it is refused, but so is the suspension of an Active card now: the target has a limit of its own');
  await requireRefusedForOthers(t, id, async () => (await source.again(t)).answer());
  expectSuccess(answer(), what);
}

/** The pool whose cards an operation has to accept. */
const POOL_OF: Readonly<Record<string, PoolName>> = {
  'cards.encryptForVde': 'active',
  'cards.suspend': 'active',
  'cards.activate': 'unused',
  'cards.unmarkFraud': 'fraud',
  'cards.markWalletProvisioned': 'disposable',
  'cards.markLost': 'disposable',
  'cards.close': 'disposable',
};
/** Most further cards to try an operation on. */
const FURTHER = 6;

/** Whether an operation is accepted for any of some further cards. */
const takesFurther = perOperation(
  (operation) => `${operation} of further cards`,
  async (t, operation): Promise<boolean> => {
    const pool = POOL_OF[operation];
    const cards = pool ? values([await attempt(() => t.lease({ pool, upTo: FURTHER }))]).flat(2) : [];
    for (const { identifier } of cards) {
      const input = Requests.named(t, operation, identifier, identifier);
      if (succeeded(await t.call(operation, input, { intent: 'refusable' }))) return true;
    }
    return false;
  },
);

/**
 * Call where an operation is refused for a card: a target's requirements for cards are not documented (reading 50), and need not show.
 * @param again asks it of another card
 * @throws Inconclusive where it is accepted for that, or for any of some further ones
 */
export async function requireRefusedForOthers(t: Context, operation: string, again: () => Promise<Answer>) {
  const wasAccepted = () => t.run.history.wasAccepted(operation);
  const isAcceptedAgain = async () => wasAccepted() || succeeded(await again());
  if (wasAccepted() || (await succeedsAlone(t, isAcceptedAgain, () => t.shared(takesFurther(operation)))))
    inconclusive('it is refused, but accepted for another card: the target has a rule of its own');
}

/**
 * Requires a card to have been in the state that its pool promises, which may be out of date.
 * @throws Inconclusive when it was Active, or had the status of cards that this run suspended, marked lost or closed, or of disposable cards
 * that an earlier run used up
 */
async function requireNotSpent(t: Context, { before, untouched }: Steps.Transition): Promise<void> {
  const { status } = values([untouched])[0] ?? before;
  if (status === undefined) return;
  const why = () => whySpent(status, statusesIn(t.run.answers, knownOf(t)));
  if (why() === undefined) await t.known(Endings.readDisposable);
  const reason = why();
  if (reason) inconclusive(reason);
}

/** Whether suspending an Active card is refused, too, after an operation was. The card is released before others are leased. */
const refusesSuspension = perOperation(
  (operation) => `a suspension after ${operation} was refused`,
  async (t): Promise<boolean> => {
    const [[{ identifier }]] = (await t.lease({ pool: 'active' })) as [[LeasedCard]];
    return !succeeded(await Steps.ask(t, 'cards.suspend', identifier));
  },
);

check('cards.suspend.required-only', 'an Active card', async (t) => {
  const { paysBefore } = (await t.shared(suspension.first)).facts;
  const pays = values([paysBefore]).length > 0;
  await expectAcceptedInState(t, TRANSITIONS['cards.suspend'], 'the suspension of an Active card', pays);
});

check('cards.unsuspend.required-only', 'a suspended card', async (t) => {
  const { suspend, unsuspend: step } = (await t.shared(suspension.first)).facts;
  const unsuspend = step();
  if (!succeeded(unsuspend.answer())) {
    // A card that is not Active may be lost, for instance, and not suspended: the promise of its pool may be out of date.
    requireAccepted(suspend.answer(), 'the suspension');
    if (isActive(unsuspend.before)) inconclusive('it is refused for a card that was not seen to be suspended');
    if (values([suspend.after]).some((suspended) => Steps.areDistinct(suspended, unsuspend.before)))
      inconclusive('it is refused, and the card is in another state than after the suspension');
  }
  const [suspended] = values([suspend.after]);
  const number = unsuspend.before.statusNumber;
  const isAsSuspended = number !== undefined && number === suspended?.statusNumber;
  await expectAcceptedInState(t, TRANSITIONS['cards.unsuspend'], 'the end of a suspension', isAsSuspended);
});

check('cards.close.required-only', 'an Active card, in any way', async (t) => {
  const { closing: first, mayHaveBalance, paysBefore } = (await t.shared(closing.first)).facts;
  const what = 'the closing of an Active card';
  await expectNotDoneThoughRefused(t, TRANSITIONS['cards.close'], what);
  const { answer, ofUnpaid } = await t.shared(closedCard);
  if (succeeded(answer())) return;
  // A target may require an empty card, and have bookings to finish before it closes an account.
  const pays = values([paysBefore]).length > 0;
  if ((mayHaveBalance || pays) && values([ofUnpaid]).length === 0)
    inconclusive(
      'it is refused for a card that has a balance or took part in transfers, and there is no empty card that did not',
    );
  requirePinTried(t, first.answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.close'], what, pays);
});

check('cards.markLost.required-only', 'an Active card, in any way', async (t) => {
  requirePinTried(t, (await t.shared(Endings.loss)).answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.markLost'], 'marking an Active card lost');
});

check('cards.activate.required-only', 'an unused card', { phase: 'last' }, async (t) => {
  const activated = await t.shared(Endings.activation);
  if (!succeeded(activated.answer())) await requireNotSpent(t, activated);
  requirePinTried(t, activated.answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.activate'], 'the activation of an unused card');
});

check('cards.unmarkFraud.required-only', 'a card with reported fraud', { phase: 'last' }, async (t) => {
  const unmarked = await t.shared(Endings.fraudUnmarked);
  if (!succeeded(unmarked.answer())) await requireNotSpent(t, unmarked);
  await expectAcceptedInState(t, TRANSITIONS['cards.unmarkFraud'], 'unmarking the reported fraud of a card');
});
