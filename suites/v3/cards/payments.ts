/** What cards pay by their state: suspended and closed ones nothing, unsuspended ones again (readings 28 and 29). */
import { describe } from '../../../helpers/answer.ts';
import { type CheckOptions, scenario } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import { type Bookkeeping, expectBooks } from './money/bookkeeping.ts';
import { Books } from './money/books.ts';
import * as Effects from './money/effects.ts';
import * as Payments from './money/payments.ts';
import * as Transfers from './money/transfers.ts';
import { closing } from './scenarios/closing.ts';
import * as Steps from './scenarios/steps.ts';
import { leaseNeverSuspended, suspension } from './scenarios/suspension.ts';

/** What the books of payments show, by requirement. */
const SHOWN: readonly [requirement: string, name: string, kept: Bookkeeping<unknown>, options?: CheckOptions][] = [
  ['cards.suspend.stops-payments', 'a transfer from a suspended card', suspension],
  ['cards.transfer.refused-moves-nothing', 'to a suspended card', suspension],
  ['cards.transfer.conserves-money', 'to a suspended card', suspension],
  ['cards.close.stops-payments', 'a transfer from a closed card with a balance', closing],
  ['cards.transfer.refused-moves-nothing', 'to a closed card', closing, { applies: Scope.isIrreversible }],
  ['cards.transfer.to-closed-loses-nothing', 'an accepted one', closing],
];
for (const [requirement, name, kept, options = {}] of SHOWN)
  check(requirement, name, options, (t) => expectBooks(t, kept, requirement));

/**
 * Whether another card, of which nothing else is asked, pays once it is suspended and unsuspended: a target may limit what a card or its
 * customer pays. Where it does not, its partner has to pay as often: a third card, since the first may be suspended still.
 */
const paysOnceFreed = scenario('another card that pays, is suspended and unsuspended, and pays', async (t) => {
  const { card: first, paysBefore } = (await t.shared(suspension.first)).facts;
  const { cents, members } = paysBefore();
  const count = Transfers.hasMany(t.run.configuration) ? 3 : 2;
  const cards = (await leaseNeverSuspended(t, count, first)).map(({ identifier }) => identifier);
  const [card, partner, third = card] = cards as [string, string, string?];
  const books = new Books(t, cards);
  const isPaid = async (from = card, to = partner) => {
    const { gains } = await books.prepare('a payment of another card', Payments.of(from, to, cents, members));
    return !Effects.nothingMoved(gains);
  };
  if (!(await isPaid())) inconclusive('another card does not pay before it is suspended');
  const askLater = async (operation: string) => {
    await t.settle();
    return Steps.ask(t, operation, card);
  };
  for (const operation of ['cards.suspend', 'cards.unsuspend']) requireAccepted(await askLater(operation));
  // As the first card was: a second time.
  await askLater('cards.unsuspend');
  await books.restart();
  if (await t.eventually(isPaid, Boolean)) return true;
  for (let times = 0; times < 2; times++)
    if (!(await isPaid(partner, third))) inconclusive('another card does not pay as often without a suspension');
  return false;
});

check('cards.unsuspend.pays-again', 'a transfer from the card', async (t) => {
  const { facts, books } = await t.shared(suspension.first);
  requireAccepted(facts.unsuspend().answer(), 'the end of the suspension');
  const { cents } = facts.paysBefore();
  const whileSuspended = books.about('cards.suspend.stops-payments').sent;
  if (whileSuspended.some(({ gains }) => gains && !Effects.nothingMoved(gains)))
    inconclusive('the suspended card paid, too');
  const { answer, gains } = facts.paysAgain();
  if (!Effects.nothingMoved(gains)) return;
  const message = 'a card does not pay after unsuspend';
  const again = async () => !(await t.shared(paysOnceFreed));
  const retrial = await Retrial.shownByAnother(t, message, again, { mustBeTried: true });
  const actual = `${describe(answer)}; the card gains ${gains.get(facts.card)} cents`;
  fail(message, `${-cents} cents`, actual, { in: answer, retrial });
});
