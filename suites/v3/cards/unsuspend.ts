/** Unsuspension: it makes a suspended card Active, and no other (readings 28 and 29). */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { describe, succeeded } from '../../../helpers/answer.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../helpers/cards/pools.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import { attempt, values } from '../../../helpers/engine/step.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { expectAcceptedInState } from './accepted-in-state.ts';
import { failByRecord, requireStateAfter } from './judge-state.ts';
import { Books } from './money/books.ts';
import { nothingMoved } from './money/effects.ts';
import { closedCard } from './scenarios/closing.ts';
import { activation, fraudUnmarked, loss, madeActive, wasAskedElsewhere } from './scenarios/endings.ts';
import { paysMoreOften, suspension } from './scenarios/suspension.ts';
import { areDistinct } from './scenarios/transition.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

const { check, suite } = defineSuite();
export const unsuspendSuite = suite;

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

check('cards.unsuspend.active', 'by getStatus and the record', async (t) => {
  const unsuspend = (await t.shared(suspension.first)).facts.unsuspend();
  if (isActive(unsuspend.before)) inconclusive('the card was not seen to be suspended');
  const { status } = requireStateAfter(unsuspend);
  if (status !== ACTIVE)
    fail(`a card is ${status} after unsuspend`, { expected: ACTIVE, actual: `${status}`, pointer: '/status' });
});

check('cards.unsuspend.active', 'once its balance was read', async (t) => {
  const { unsuspend, beforeItPays } = (await t.shared(suspension.first)).facts;
  const { before } = unsuspend();
  const { status } = beforeItPays();
  if (isActive(before) || !isActive(requireStateAfter(unsuspend())))
    inconclusive('the card was not seen to become Active');
  if (status !== undefined && status !== ACTIVE)
    fail(`a card is ${status} after unsuspend, once its balance was read`, {
      expected: ACTIVE,
      actual: status,
      pointer: '/status',
    });
});

/**
 * Whether two other cards pay each other more often than the unsuspended card was asked to. Its own partner may be refused as a control
 * because the card that it pays is still suspended.
 */
const othersPay = scenario('payments between cards that were not suspended', async (t): Promise<boolean> => {
  const { card, paysBefore, askedToPay } = (await t.shared(suspension.first)).facts;
  const wants = ({ identifier }: LeasedCard) => identifier !== card;
  const [[one, other]] = (await t.lease({ pool: 'active', count: 2, wants })) as [[LeasedCard, LeasedCard]];
  return paysMoreOften(t, new Books(t, [one.identifier, other.identifier]), {
    from: one.identifier,
    to: other.identifier,
    plain: paysBefore(),
    than: askedToPay,
  });
});

check('cards.unsuspend.pays-again', 'a transfer from the card', async (t) => {
  const { facts, books } = await t.shared(suspension.first);
  requireAccepted(facts.unsuspend().answer(), 'the end of the suspension');
  const { cents } = facts.paysBefore();
  const whileSuspended = books.about('cards.suspend.stops-payments').sent;
  if (whileSuspended.some(({ gains }) => gains && !nothingMoved(gains))) inconclusive('the suspended card paid, too');
  const { answer, gains } = facts.paysAgain();
  if (!nothingMoved(gains)) return;
  if (!facts.partnerPays() && !values([await attempt(() => t.shared(othersPay))]).includes(true))
    inconclusive(`it is refused with status ${answer.status}, and so is the same transfer from another card`);
  fail('a card does not pay after unsuspend', {
    expected: `${-cents} cents`,
    actual: `${describe(answer)}; the card gains ${gains.get(facts.card)} cents`,
    in: answer,
  });
});

check(
  'cards.unsuspend.leaves-others',
  'closed, lost, unused, and with reported fraud',
  { phase: 'last' },
  async (t) => {
    const endings = {
      closed: await attempt(() => t.shared(closedCard)),
      lost: await attempt(() => t.shared(loss)),
      unused: await attempt(() => t.shared(activation)),
      'reported as fraud': await attempt(() => t.shared(fraudUnmarked)),
    };
    let wasAsked = false;
    for (const [state, step] of Object.entries(endings))
      for (const ending of values([step])) {
        // A card with the status of suspended cards may have been suspended after the fixtures file was written.
        if (t.run.history.statusesAfter('cards.suspend').has(ending.leased.status)) continue;
        wasAsked ||= wasAskedElsewhere(ending, 'cards.unsuspend');
        if (madeActive(ending, ['cards.unsuspend']).length > 0)
          await failByRecord(t, `a card that is ${state} is Active after unsuspend`, `not ${ACTIVE}`, ACTIVE);
      }
    if (!wasAsked) inconclusive('no card was seen that is closed, lost, unused or reported as fraud');
  },
);

check('cards.unsuspend.leaves-others', 'lost, or closed, once it was activated', { phase: 'last' }, async (t) => {
  const { ended } = await t.shared(activation);
  for (const { by, state, after } of values([ended])) {
    // A card that reads like a suspended one was not seen to be lost; a closed one stays closed in any case.
    const isStillSuspended = t.run.history.statusesAfter('cards.suspend').has(state.status);
    if (state.status === undefined || (isStillSuspended && !by.includes('cards.close'))) continue;
    if (!isActive(state) && isActive(after))
      await failByRecord(
        t,
        'a card that was lost or closed after its activation is Active after unsuspend',
        `not ${ACTIVE}`,
        ACTIVE,
      );
  }
});
