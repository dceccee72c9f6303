/** An operation that changes the state of a card is accepted for a card in its state, and the record of a suspended one can be read (readings 7, 28, 29, 46, 47 and 50). */
import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Requests from '../../shared/requests.ts';
import * as Excuses from './excuses.ts';
import { closedCard, closing } from './scenarios/closing.ts';
import * as Steps from './scenarios/steps.ts';
import { suspension } from './scenarios/suspension.ts';
import type { Transition, TransitionSource } from './scenarios/transition.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

/** Whether the plain request was refused but the card's state changed. */
const changedThough = ({ untouched, asked }: Transition): boolean => {
  const afterRefusal = asked.value?.afterRefusal;
  return (
    untouched.value !== undefined && afterRefusal !== undefined && Steps.areDistinct(untouched.value, afterRefusal)
  );
};

/** The answer to the operation. @throws the verdict that ended it */
const answerIn = ({ asked }: Transition): Answer => asked.get().answer;

/** Expects a refused request to have no effect (reading 10); somebody else may have changed a card, so that another one has to show it, too. */
async function expectNotDoneThoughRefused(t: Context, { first, again }: TransitionSource, what: string) {
  const one = await first(t);
  const { answer, afterRefusal } = one.asked.get();
  if (succeeded(answer) || !changedThough(one)) return;
  const message = `${what} is refused, but takes place anyway`;
  const retrial = await Retrial.shownByAnother(t, message, async () => changedThough(await again(t)));
  const seen = `${describe(answer)}, and a card that was ${one.untouched.get().status} is ${afterRefusal!.status}`;
  fail(message, 'a 2xx answer', seen, { in: answer, retrial });
}

/**
 * Expects the operation to be accepted.
 * @param isSeen whether something other than the record shows that the card is in the right state
 * @throws Nonconformance otherwise; Inconclusive where the card may not have been in the right state, a suspension that was accepted earlier
 * in this run is refused now, too, or the operation is accepted for another card
 */
async function expectAcceptedInState(t: Context, source: TransitionSource, what: string, isSeen = false) {
  const tried = await source.first(t);
  const answer = answerIn(tried);
  if (succeeded(answer)) return;
  const { id } = answer.operation;
  await expectNotDoneThoughRefused(t, source, what);
  if (tried.before.get().status === undefined && !isSeen)
    inconclusive(`${id} is refused, and nothing shows whether the card is in the right state for it`);
  await Excuses.requireSuspending(t, id);
  await Excuses.requireRefusedForOthers(t, id, async () => answerIn(await source.again(t)));
  expectSuccess(answer, what);
}

for (const [id, { reads }] of Object.entries(TRANSITIONS)) reads(`${id}.required-only`, 'untouched', 'asked');

suspension.check(
  'cards.suspend.required-only',
  'an Active card',
  ['a payment before the suspension'],
  async (t, facts) => {
    const pays = !facts['a payment before the suspension'].isEnded;
    await expectAcceptedInState(t, TRANSITIONS['cards.suspend'], 'the suspension of an Active card', pays);
  },
);

check('cards.unsuspend.required-only', 'a suspended card', async (t) => {
  const suspend = await TRANSITIONS['cards.suspend'].first(t);
  const unsuspend = await TRANSITIONS['cards.unsuspend'].first(t);
  const before = unsuspend.before.get();
  if (!succeeded(answerIn(unsuspend))) {
    // A card that is not Active may be lost, for instance, and not suspended: the promise of its pool may be out of date.
    requireAccepted(answerIn(suspend), 'the suspension');
    if (isActive(before)) inconclusive('cards.unsuspend is refused for a card that was not seen to be suspended');
    if (suspend.after.value && Steps.areDistinct(suspend.after.value, before))
      inconclusive('cards.unsuspend is refused, and the card is in another state than after the suspension');
  }
  const isAsSuspended = before.statusNumber !== undefined && before.statusNumber === suspend.after.value?.statusNumber;
  await expectAcceptedInState(t, TRANSITIONS['cards.unsuspend'], 'the end of a suspension', isAsSuspended);
});

const closeAny = closedCard.reads('cards.close.required-only', 'cards.close: asked');
closing.check(
  'cards.close.required-only',
  'an Active card, in any way',
  ['a payment before the closing', 'is emptied'],
  async (t, { card, ...facts }) => {
    const what = 'the closing of an Active card';
    await expectNotDoneThoughRefused(t, TRANSITIONS['cards.close'], what);
    const { answer, ofUnpaid } = await closeAny(t);
    if (succeeded(answer)) return;
    // A target may require an empty card, and have bookings to finish before it closes an account.
    const mayHaveBalance = card.balance !== 0 && !facts['is emptied'].get();
    const pays = !facts['a payment before the closing'].isEnded;
    if ((mayHaveBalance || pays) && ofUnpaid.isEnded)
      inconclusive(
        'cards.close is refused for a card that has a balance or took part in transfers, and there is no empty card that did not',
      );
    Excuses.requirePinTried(t, answerIn(await TRANSITIONS['cards.close'].first(t)));
    await expectAcceptedInState(t, TRANSITIONS['cards.close'], what, pays);
  },
);

check('cards.markLost.required-only', 'an Active card, in any way', async (t) => {
  Excuses.requirePinTried(t, answerIn(await TRANSITIONS['cards.markLost'].first(t)));
  await expectAcceptedInState(t, TRANSITIONS['cards.markLost'], 'marking an Active card lost');
});

check('cards.activate.required-only', 'an unused card', { phase: 'last' }, async (t) => {
  const activated = await TRANSITIONS['cards.activate'].first(t);
  if (!succeeded(answerIn(activated))) await Excuses.requireNotSpent(t, 'unused', activated);
  Excuses.requirePinTried(t, answerIn(activated));
  await expectAcceptedInState(t, TRANSITIONS['cards.activate'], 'the activation of an unused card');
});

check('cards.unmarkFraud.required-only', 'a card with reported fraud', { phase: 'last' }, async (t) => {
  const unmarked = await TRANSITIONS['cards.unmarkFraud'].first(t);
  if (!succeeded(answerIn(unmarked))) await Excuses.requireNotSpent(t, 'fraud', unmarked);
  await expectAcceptedInState(t, TRANSITIONS['cards.unmarkFraud'], 'unmarking the reported fraud of a card');
});

/** The record of a suspended card. */
const recordIn = ({ asked, after }: Transition): Answer | undefined =>
  succeeded(asked.get().answer) ? after.get().record : undefined;

suspension.check(
  'cards.suspend.record-readable',
  'after the suspension',
  ['cards.suspend: after'],
  async (t, facts) => {
    const suspended = TRANSITIONS['cards.suspend'];
    const record =
      recordIn(await suspended.first(t)) ?? inconclusive('the card is not suspended, or cards.get not in scope');
    if (succeeded(record)) return;
    const message = 'the record of a suspended card cannot be read';
    const again = async () => {
      const another = recordIn(await suspended.again(t));
      return another !== undefined && !succeeded(another);
    };
    const retrial = await Retrial.shownByAnother(t, message, again, { mustBeTried: true });
    const active = facts.other?.identifier ?? (await t.shared(Requests.aCard));
    requireAccepted(await Steps.ask(t, 'cards.get', active), 'the record of an Active card');
    fail(message, 'success', describe(record), { in: record, retrial });
  },
);
