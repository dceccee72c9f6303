/** Transfers: the money they move, the money they must not move, and that none appears or disappears (reading 27). */
import { type Answer, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import { cents } from '../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../helpers/cards/pools.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { succeedsAlone } from '../../../helpers/engine/acceptance.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { expectRefused, expectStatus, expectSuccess } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { check, everyExchange } from '../../declare.ts';
import { amountRule, plainAmount } from '../../shared/amounts.ts';
import { expectBooks } from './money/bookkeeping.ts';
import { Books } from './money/books.ts';
import { claimsSuccess, expectUnknownRefused, saysRefused } from './money/claims.ts';
import { nothingMoved, sameCents } from './money/effects.ts';
import { acceptedForm, payment } from './money/forms.ts';
import { crossingTransfers, hasMany, LAST, transfers } from './money/transfers.ts';

/** What the balances of the cards show. */
const BY_BOOKS = [
  'cards.transfer.no-target',
  'cards.transfer.no-amount',
  'cards.transfer.unknown-target',
  'cards.transfer.to-itself',
  'cards.transfer.foreign-target',
  'cards.transfer.negative-amount',
  'cards.transfer.refused-moves-nothing',
  'cards.transfer.conserves-money',
  'cards.transfer.claims-truly',
  'cards.transfer.repeated',
  'cards.transfer.simultaneous',
];
for (const requirement of BY_BOOKS)
  check(requirement, 'by the balances of two cards', async (t) => {
    await expectBooks(t, transfers, requirement);
    await requireWorking(t);
  });

check('cards.transfer.simultaneous', 'between three cards', { applies: hasMany }, (t) =>
  expectBooks(t, crossingTransfers, 'cards.transfer.simultaneous'),
);

/** Requires transfers to work before and after: otherwise one that moves nothing shows nothing (reading 47). @throws Inconclusive */
async function requireWorking(t: Context): Promise<void> {
  const { facts, books } = await t.shared(transfers.first);
  if (!facts.plain) inconclusive('no transfer was seen to move its amount');
  const last = books.gains(LAST.name);
  if (last && nothingMoved(last))
    inconclusive('at the end no transfer is accepted any more: the target has a limit of its own');
}

/** Whether a transfer with target and amount alone moves money between any two active cards. */
const movesAlone = scenario('a transfer with target and amount alone, once more', async (t): Promise<boolean> => {
  const [[from, to]] = (await t.lease({ pool: 'active', count: 2 })) as [[LeasedCard, LeasedCard]];
  const books = new Books(t, [from.identifier, to.identifier]);
  const plain = plainAmount(amountRule(t), 1);
  const made = payment(from.identifier, to.identifier, plain, t.fixtures.cards?.transferBody ?? {});
  const { answer, gains } = await books.prepare('target and amount alone', made);
  return succeeded(answer) && !nothingMoved(gains);
});

check('cards.transfer.required-only', 'target and amount alone', async (t) => {
  const { alone } = (await t.shared(transfers.first)).facts;
  const isMoved = !nothingMoved(alone.gains);
  if (succeeded(alone.answer) && isMoved) return;
  if (await succeedsAlone(t, () => t.shared(movesAlone)))
    inconclusive('a transfer with target and amount alone moves nothing, but does so between other cards');
  expectSuccess(alone.answer, 'a transfer with target and amount alone between two active cards');
  fail('a transfer with target and amount alone moves nothing', 'the amount', 'nothing', { in: alone.answer });
});

check('cards.transfer.moves-amount', 'by the balances of two cards', async (t) => {
  const { facts, books } = await t.shared(transfers.first);
  if (!facts.plain) {
    if (acceptedForm(t))
      inconclusive(
        'every transfer is refused now, but was not before: the target has a limit of its own, which cards.transferAmounts and cards.transferBody of the fixtures file may meet',
      );
    const held = Math.max(await books.balance(facts.source), await books.balance(facts.target));
    if (held < amountRule(t).least)
      inconclusive('cards.transferAmounts.least of the fixtures file is more than the cards of cards.active have');
    if (await succeedsAlone(t, () => t.shared(movesAlone)))
      inconclusive('no transfer between two active cards moves money, but one does between others');
    fail('no transfer between two active cards moves money, in any form', 'the amount', 'nothing', {
      in: facts.alone.answer,
    });
  }
  await expectBooks(t, transfers, 'cards.transfer.moves-amount');
});

everyExchange('cards.transfer.amount-answered', 'cards.transfer', (answer) => {
  const [asked, answered] = [memberOf(answer.input.json, 'amount'), member(answer, 'amount')];
  if (typeof asked !== 'number' || typeof answered !== 'number' || asked <= 0 || !claimsSuccess(answer, undefined))
    return undefined;
  // Of an amount on which the documents are silent, another may be moved.
  if (answer.intent === 'unusual') return undefined;
  if (sameCents(cents(answered), cents(asked))) return 'kept';
  return contradicts('the amount answered is not the amount asked for', String(asked), String(answered), '/amount');
});

for (const requirement of [
  'cards.transfer.missing-body',
  'cards.transfer.unknown-identifier',
  'cards.transfer.foreign',
  'cards.transfer.body-types',
])
  check(requirement, 'by the balances of two cards', async (t) => {
    const { books } = await t.shared(transfers.first);
    await expectBooks(t, transfers, requirement);
    for (const { sent } of books.about(requirement).sent)
      for (const answer of sent.answers)
        if (requirement === 'cards.transfer.unknown-identifier') expectUnknownRefused(answer, sent.row.name);
        else if (isTaken(requirement, answer, books.success)) expectRefused(answer, sent.row.name);
    await requireWorking(t);
  });

/** Whether an answer takes a transfer that must be refused: one of 200 may say that it was (reading 27). */
const isTaken = (requirement: string, answer: Answer, success: Answer | undefined): boolean =>
  requirement === 'cards.transfer.missing-body' ? !saysRefused(answer, success) : claimsSuccess(answer, success);

check('cards.transfer.missing-body-400', 'zero bytes, declared as JSON and not', async (t) => {
  const { books } = await t.shared(transfers.first);
  for (const { sent } of books.about('cards.transfer.missing-body').sent)
    for (const answer of sent.answers) {
      if (saysRefused(answer, books.success))
        inconclusive(`it is refused with status ${answer.status}, and the body says so`);
      expectStatus(answer, [400], sent.row.name);
    }
});
