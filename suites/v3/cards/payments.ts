/** What cards pay by their state: suspended and closed ones nothing, unsuspended ones again; and what ended ones are paid (readings 28 and 29). */
import { describe } from '../../../helpers/answer.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive, notApplicable } from '../../../helpers/verdict.ts';
import { checkInLives } from './lives.ts';
import * as Contradictions from './money/contradictions.ts';
import * as Effects from './money/effects.ts';
import * as Seen from './money/seen.ts';
import { booksOfClosing } from './scenarios/closing.ts';
import * as Commands from './scenarios/commands.ts';
import * as Endings from './scenarios/endings.ts';
import { paysOnceFreed } from './scenarios/freed-payments.ts';
import * as GivenPayments from './scenarios/given-payments.ts';
import { booksOfSuspension, suspension } from './scenarios/suspension.ts';
import { gifts } from './scenarios/wallet-pin-reissue.ts';

booksOfSuspension.check('cards.suspend.stops-payments', 'a transfer from a suspended card', {
  steps: ['payments while suspended'],
  contradiction: Contradictions.movesAnything,
  // What is moved late may be moved when the suspension ends.
  reads: ['cards.unsuspend: asked'],
});
checkInLives('cards.suspend.stops-payments', Commands.PAYMENTS.ofSuspended, Contradictions.movesAnything);
Seen.watchTransfers('cards.suspend.stops-payments', Contradictions.movesAnything, ['from a suspended card']);
booksOfClosing.check('cards.close.stops-payments', 'a transfer from a closed card with a balance', {
  steps: ['payments once closed'],
  contradiction: Contradictions.movesAnything,
});

for (const given of GivenPayments.GIVEN) {
  const step = GivenPayments.step(given);
  gifts.check(
    'cards.suspend.stops-payments',
    `a transfer from a suspended card after ${given}`,
    [step, 'unsuspended'],
    async (t, facts, again) => {
      const paid = facts[step].get() ?? notApplicable('this run asks a card to pay that was given something else');
      if (!paid.isPaid) return;
      const message = `a card that was suspended after ${given} pays`;
      const isShown = async () => (await again())[step].get()?.isPaid === true;
      const retrial = await Retrial.shownByAnother(t, message, isShown, { mustBeTried: true });
      const actual = paid.gains.map((gain) => `${gain} cents`).join(' and ');
      fail(message, 'no money moves', actual, { in: paid.answer, retrial });
    },
  );
}

const PAID_AGAIN = ['a payment before the suspension', 'cards.unsuspend: asked', 'a payment after unsuspend'] as const;
suspension.check('cards.unsuspend.pays-again', 'a transfer from the card', PAID_AGAIN, async (t, facts) => {
  const { books, card } = facts;
  requireAccepted(facts['cards.unsuspend: asked'].get().answer, 'the end of the suspension');
  const { cents } = facts['a payment before the suspension'].get();
  const whileSuspended = books.rowsOf(['payments while suspended']).sent;
  if (whileSuspended.some(({ gains }) => gains && !Effects.nothingMoved(gains)))
    inconclusive('the suspended card paid, too');
  const { answer, gains } = facts['a payment after unsuspend'].get();
  if (!Effects.nothingMoved(gains)) return;
  const message = 'a card does not pay after unsuspend';
  const again = async () => !(await t.shared(paysOnceFreed));
  const retrial = await Retrial.shownByAnother(t, message, again, { mustBeTried: true });
  const actual = `${describe(answer)}; the card gains ${gains.get(card.identifier)} cents`;
  fail(message, `${-cents} cents`, actual, { in: answer, retrial });
});

booksOfClosing.check('cards.transfer.to-closed-loses-nothing', 'an accepted one', {
  steps: ['a payment to the closed card'],
  contradiction: Contradictions.losesOnTheWay,
});
Endings.booksOfLoss.check('cards.transfer.to-closed-loses-nothing', 'an accepted one to a lost card', {
  steps: ['a payment to the lost card'],
  contradiction: Contradictions.losesOnTheWay,
  before(t) {
    if (!Endings.paysLost(t)) notApplicable('this run asks a lost card for something else');
  },
});
