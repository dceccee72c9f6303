/** An operation that changes the state of a card is accepted for a card in its state, and the record of a suspended one can be read (readings 7, 28, 29, 46, 47 and 50). */
import { describe, succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive, values } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Requests from '../../shared/requests.ts';
import * as Excuses from './excuses.ts';
import { closedCard, closing } from './scenarios/closing.ts';
import * as Endings from './scenarios/endings.ts';
import * as Steps from './scenarios/steps.ts';
import { suspension } from './scenarios/suspension.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

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
  await Excuses.requireSuspending(t, id);
  await Excuses.requireRefusedForOthers(t, id, async () => (await source.again(t)).answer());
  expectSuccess(answer(), what);
}

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
  Excuses.requirePinTried(t, first.answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.close'], what, pays);
});

check('cards.markLost.required-only', 'an Active card, in any way', async (t) => {
  Excuses.requirePinTried(t, (await t.shared(Endings.loss)).answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.markLost'], 'marking an Active card lost');
});

check('cards.activate.required-only', 'an unused card', { phase: 'last' }, async (t) => {
  const activated = await t.shared(Endings.activation);
  if (!succeeded(activated.answer())) await Excuses.requireNotSpent(t, 'unused', activated);
  Excuses.requirePinTried(t, activated.answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.activate'], 'the activation of an unused card');
});

check('cards.unmarkFraud.required-only', 'a card with reported fraud', { phase: 'last' }, async (t) => {
  const unmarked = await t.shared(Endings.fraudUnmarked);
  if (!succeeded(unmarked.answer())) await Excuses.requireNotSpent(t, 'fraud', unmarked);
  await expectAcceptedInState(t, TRANSITIONS['cards.unmarkFraud'], 'unmarking the reported fraud of a card');
});

check('cards.suspend.record-readable', 'after the suspension', async (t) => {
  const recordOf = ({ answer, after }: Steps.Transition) => (succeeded(answer()) ? after().record : undefined);
  const { suspend, other } = (await t.shared(suspension.first)).facts;
  const record = recordOf(suspend) ?? inconclusive('the card is not suspended, or cards.get not in scope');
  if (succeeded(record)) return;
  const message = 'the record of a suspended card cannot be read';
  const again = async () => {
    const another = recordOf(await TRANSITIONS['cards.suspend'].again(t));
    return another !== undefined && !succeeded(another);
  };
  const retrial = await Retrial.shownByAnother(t, message, again, { mustBeTried: true });
  const active = other?.identifier ?? (await t.shared(Requests.aCard));
  requireAccepted(await Steps.ask(t, 'cards.get', active), 'the record of an Active card');
  fail(message, 'success', describe(record), { in: record, retrial });
});
