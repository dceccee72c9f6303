/** Unsuspend applies to a suspended card, and to no other (readings 28 and 29). Its effect on a suspended one: suspend.ts. */
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { attempt, values } from '../../shared/step.ts';
import { failByRecord } from './judge-state.ts';
import { activation, closing, fraudUnmarked, loss, madeActive, wasAskedElsewhere } from './scenarios/endings.ts';

const { check, suite } = defineSuite();
export const unsuspendSuite = suite;

check(
  'cards.unsuspend.leaves-others',
  'closed, lost, unused, and with reported fraud',
  { phase: 'last' },
  async (t) => {
    const endings = {
      closed: await attempt(async () => (await t.shared(closing)).closing),
      lost: await attempt(() => t.shared(loss)),
      unused: await attempt(() => t.shared(activation)),
      'reported as fraud': await attempt(() => t.shared(fraudUnmarked)),
    };
    let wasAsked = false;
    for (const [state, step] of Object.entries(endings))
      for (const ending of values([step])) {
        // One that was suspended since the fixtures file was written is not what its pool promises.
        if (t.run.statusesAfter('cards.suspend').has(ending.leased.status)) continue;
        wasAsked ||= wasAskedElsewhere(ending, 'cards.unsuspend');
        if (madeActive(ending, ['cards.unsuspend']).length > 0)
          await failByRecord(t, `a card that is ${state} is Active after unsuspend`, `not ${ACTIVE}`, ACTIVE);
      }
    if (!wasAsked) inconclusive('no card is seen that is closed, lost, unused or reported as fraud');
  },
);

check('cards.unsuspend.leaves-others', 'lost, or closed, while it was suspended', { phase: 'last' }, async (t) => {
  const { endedSuspended } = await t.shared(activation);
  for (const { ended, after } of values([endedSuspended])) {
    // One that reads as suspended cards do was not seen to come to its end.
    if (ended.status === undefined || t.run.statusesAfter('cards.suspend').has(ended.status)) continue;
    if (!isActive(ended) && isActive(after))
      await failByRecord(
        t,
        'a card that came to its end while it was suspended is Active after unsuspend',
        `not ${ACTIVE}`,
        ACTIVE,
      );
  }
});
