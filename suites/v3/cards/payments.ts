/** What cards pay by their state: suspended and closed ones nothing, unsuspended ones again (readings 28 and 29). */
import { describe } from '../../../helpers/answer.ts';
import type { CheckOptions } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { expectBooks } from './money/bookkeeping.ts';
import * as Effects from './money/effects.ts';
import { booksOfClosing, closing } from './scenarios/closing.ts';
import { paysOnceFreed } from './scenarios/freed-payments.ts';
import { booksOfSuspension, suspension } from './scenarios/suspension.ts';

/** Declares a check of what the books of a suspension show; what is moved late may be moved when it ends. @param step makes the payments */
function ofSuspended(requirement: string, name: string, step: string): void {
  suspension.reads(requirement, step, 'cards.unsuspend: asked');
  check(requirement, name, (t) => expectBooks(t, booksOfSuspension, requirement));
}

/** Declares a check of what the books of a closing show. @param step makes the payments */
function ofClosed(requirement: string, name: string, step: string, options: CheckOptions = {}): void {
  closing.reads(requirement, step);
  check(requirement, name, options, (t) => expectBooks(t, booksOfClosing, requirement));
}

ofSuspended('cards.suspend.stops-payments', 'a transfer from a suspended card', 'payments while suspended');
ofSuspended('cards.transfer.refused-moves-nothing', 'to a suspended card', 'a payment to the suspended card');
ofSuspended('cards.transfer.conserves-money', 'to a suspended card', 'a payment to the suspended card');
ofClosed('cards.close.stops-payments', 'a transfer from a closed card with a balance', 'payments once closed');
ofClosed('cards.transfer.refused-moves-nothing', 'to a closed card', 'a payment to the closed card', {
  applies: Scope.isIrreversible,
});
ofClosed('cards.transfer.to-closed-loses-nothing', 'an accepted one', 'a payment to the closed card');

const PAID_AGAIN = ['a payment before the suspension', 'cards.unsuspend: asked', 'a payment after unsuspend'] as const;
suspension.check('cards.unsuspend.pays-again', 'a transfer from the card', PAID_AGAIN, async (t, facts) => {
  const { books, card } = facts;
  requireAccepted(facts['cards.unsuspend: asked'].get().answer, 'the end of the suspension');
  const { cents } = facts['a payment before the suspension'].get();
  const whileSuspended = books.about('cards.suspend.stops-payments').sent;
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
