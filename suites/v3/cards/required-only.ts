/** An operation that changes the state of a card is accepted for a card in its state (readings 7, 29 and 50). */
import { succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { inconclusive, values } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import {
  expectAcceptedInState,
  expectNotDoneThoughRefused,
  requireNotSpent,
  requirePinTried,
} from './accepted-in-state.ts';
import { closedCard, closing } from './scenarios/closing.ts';
import { activation, fraudUnmarked, loss } from './scenarios/endings.ts';
import { suspension } from './scenarios/suspension.ts';
import { areDistinct } from './scenarios/transition.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

check('cards.suspend.required-only', 'an Active card', async (t) => {
  const { suspend, paysBefore, wasSuspendedBefore } = (await t.shared(suspension.first)).facts;
  if (!succeeded(suspend.answer()) && wasSuspendedBefore)
    inconclusive('it is refused for a card that was suspended before in this run');
  const pays = values([paysBefore]).length > 0;
  await expectAcceptedInState(t, TRANSITIONS['cards.suspend'], 'the suspension of an Active card', pays);
});

check('cards.unsuspend.required-only', 'a suspended card', async (t) => {
  const { suspend, unsuspend: step, wasSuspendedBefore } = (await t.shared(suspension.first)).facts;
  const unsuspend = step();
  if (!succeeded(unsuspend.answer())) {
    // A card that is not Active may be lost, for instance, and not suspended: the promise of its pool may be out of date.
    requireAccepted(suspend.answer(), 'the suspension');
    if (isActive(unsuspend.before)) inconclusive('it is refused for a card that was not seen to be suspended');
    if (values([suspend.after]).some((suspended) => areDistinct(suspended, unsuspend.before)))
      inconclusive('it is refused, and the card is in another state than after the suspension');
    if (wasSuspendedBefore) inconclusive('it is refused for a card that was suspended before in this run');
    if (t.run.history.wasAccepted('cards.unsuspend'))
      inconclusive('it is refused, but was accepted before in this run: the target has a rule of its own');
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
  const { answer, ofUnpaid, leased } = await t.shared(closedCard);
  if (succeeded(answer())) return;
  // A target may require an empty card, and have bookings to finish before it closes an account.
  const pays = values([paysBefore]).length > 0;
  const wantsOther = mayHaveBalance || pays;
  if (wantsOther && values([ofUnpaid]).length === 0)
    inconclusive(
      'it is refused for a card that has a balance or took part in transfers, and there is no empty card that did not',
    );
  requirePinTried(t, first.answer());
  const wasSuspended = [first.leased, leased].some(
    ({ identifier }) => t.run.history.timesAccepted('cards.suspend', identifier) > 0,
  );
  if (t.isInScope('cards.suspend') && !wasSuspended)
    inconclusive('it is refused, and the card could not be suspended, which the target may require first');
  await expectAcceptedInState(t, TRANSITIONS['cards.close'], what, pays);
});

check('cards.markLost.required-only', 'an Active card, in any way', async (t) => {
  requirePinTried(t, (await t.shared(loss)).answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.markLost'], 'marking an Active card lost');
});

check('cards.activate.required-only', 'an unused card', { phase: 'last' }, async (t) => {
  const activated = await t.shared(activation);
  if (!succeeded(activated.answer())) await requireNotSpent(t, activated);
  requirePinTried(t, activated.answer());
  await expectAcceptedInState(t, TRANSITIONS['cards.activate'], 'the activation of an unused card');
});

check('cards.unmarkFraud.required-only', 'a card with reported fraud', { phase: 'last' }, async (t) => {
  const unmarked = await t.shared(fraudUnmarked);
  if (!succeeded(unmarked.answer())) await requireNotSpent(t, unmarked);
  await expectAcceptedInState(t, TRANSITIONS['cards.unmarkFraud'], 'unmarking the reported fraud of a card');
});
