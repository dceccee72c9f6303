/** Transfers: the money they move, the money they must not move, and that none appears or disappears (reading 27). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { succeedsAlone } from '../../../helpers/engine/acceptance.ts';
import { expectRefused, expectStatus, expectSuccess } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Amounts from '../../shared/amounts.ts';
import { expectBooks } from './money/bookkeeping.ts';
import * as Claims from './money/claims.ts';
import * as Effects from './money/effects.ts';
import * as Payments from './money/payments.ts';
import * as Transfers from './money/transfers.ts';

/** Judges an answer to a transfer that must be refused; `success` is that to one that moved money. */
type Judge = (answer: Answer, what: string, success: Answer | undefined) => unknown;
/** One of 200 may say that it was refused (reading 27). */
const notTaken: Judge = (answer, what, success) => Claims.isSuccess(answer, success) && expectRefused(answer, what);

/** What the balances of the cards show and, where something judges them, the answers. */
const BY_BOOKS: Readonly<Record<string, Judge | undefined>> = {
  'cards.transfer.no-target': undefined,
  'cards.transfer.no-amount': undefined,
  'cards.transfer.unknown-target': undefined,
  'cards.transfer.to-itself': undefined,
  'cards.transfer.foreign-target': undefined,
  'cards.transfer.negative-amount': undefined,
  'cards.transfer.refused-moves-nothing': undefined,
  'cards.transfer.conserves-money': undefined,
  'cards.transfer.claims-truly': undefined,
  'cards.transfer.repeated': undefined,
  'cards.transfer.simultaneous': undefined,
  'cards.transfer.missing-body': (answer, what, success) =>
    Claims.saysRefused(answer, success) || expectRefused(answer, what),
  'cards.transfer.unknown-identifier': Claims.expectUnknownRefused,
  'cards.transfer.foreign': notTaken,
  'cards.transfer.body-types': notTaken,
};
for (const [requirement, judge] of Object.entries(BY_BOOKS))
  check(requirement, 'by the balances of two cards', async (t) => {
    await expectBooks(t, Transfers.betweenTwo, requirement);
    const { facts, books } = await t.shared(Transfers.betweenTwo.first);
    for (const { sent } of judge ? books.about(requirement).sent : [])
      for (const answer of sent.answers) judge!(answer, sent.row.name, books.success);
    // One that moves nothing shows nothing unless transfers work before and after (reading 47).
    if (!facts.plain) inconclusive('no transfer was seen to move its amount');
    const last = books.gains(Transfers.LAST.name);
    if (last && Effects.nothingMoved(last))
      inconclusive('at the end no transfer is accepted any more: the target has a limit of its own');
  });

check('cards.transfer.simultaneous', 'between three cards', { applies: Transfers.hasMany }, (t) =>
  expectBooks(t, Transfers.betweenThree, 'cards.transfer.simultaneous'),
);

check('cards.transfer.required-only', 'target and amount alone', async (t) => {
  const { alone } = (await t.shared(Transfers.betweenTwo.first)).facts;
  if (succeeded(alone.answer) && !Effects.nothingMoved(alone.gains)) return;
  if (await succeedsAlone(t, () => t.shared(Transfers.movesAlone)))
    inconclusive('a transfer with target and amount alone moves nothing, but does so between other cards');
  expectSuccess(alone.answer, 'a transfer with target and amount alone between two active cards');
  fail('a transfer with target and amount alone moves nothing', 'the amount', 'nothing', { in: alone.answer });
});

check('cards.transfer.moves-amount', 'by the balances of two cards', async (t) => {
  const { facts, books } = await t.shared(Transfers.betweenTwo.first);
  if (!facts.plain) {
    if (Payments.accepted(t))
      inconclusive(
        'every transfer is refused now, but was not before: the target has a limit of its own, which cards.transferAmounts and cards.transferBody of the fixtures file may meet',
      );
    const held = Math.max(await books.balance(facts.source), await books.balance(facts.target));
    if (held < Amounts.ruleOf(t).least)
      inconclusive('cards.transferAmounts.least of the fixtures file is more than the cards of cards.active have');
    if (await succeedsAlone(t, () => t.shared(Transfers.movesAlone)))
      inconclusive('no transfer between two active cards moves money, but one does between others');
    fail('no transfer between two active cards moves money, in any form', 'the amount', 'nothing', {
      in: facts.alone.answer,
    });
  }
  await expectBooks(t, Transfers.betweenTwo, 'cards.transfer.moves-amount');
});

check('cards.transfer.missing-body-400', 'zero bytes, declared as JSON and not', async (t) => {
  const { books } = await t.shared(Transfers.betweenTwo.first);
  for (const { sent } of books.about('cards.transfer.missing-body').sent)
    for (const answer of sent.answers) {
      if (Claims.saysRefused(answer, books.success))
        inconclusive(`it is refused with status ${answer.status}, and the body says so`);
      expectStatus(answer, [400], sent.row.name);
    }
});
