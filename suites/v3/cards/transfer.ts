/** Transfers: the money they move, the money they must not move, and that none appears or disappears (reading 27). */
import { succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import { succeedsAlone } from '../../../helpers/engine/acceptance.ts';
import { expectSuccess } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import * as Amounts from '../../shared/amounts.ts';
import { checkInLives } from './lives.ts';
import * as Contradictions from './money/contradictions.ts';
import * as Effects from './money/effects.ts';
import * as MovingTransfers from './money/moving-transfers.ts';
import * as Payments from './money/payments.ts';
import * as Seen from './money/seen.ts';
import * as Transfers from './money/transfers.ts';
import * as UnusualTransfers from './money/unusual-transfers.ts';
import * as RefusedTransfers from './refused-transfers.ts';
import { booksOfClosing } from './scenarios/closing.ts';
import * as Commands from './scenarios/commands.ts';
import { booksOfSuspension } from './scenarios/suspension.ts';

/** Every transfer between the two cards that moves money, or may. */
const PAYING = [...Transfers.MOVING, ...UnusualTransfers.UNUSUAL];

/** Declares what the balances of two active cards must not show. @param steps which transfers between them judge it */
const byBalances = (
  requirement: string,
  name: string,
  steps: readonly string[],
  contradiction: Contradictions.Contradiction,
) =>
  RefusedTransfers.betweenTwo.kept.check(requirement, name, {
    steps,
    contradiction,
    reads: [Transfers.LAST],
    afterwards: RefusedTransfers.requireStillPaying,
  });

byBalances(
  'cards.transfer.conserves-money',
  'of any amount, one by one, repeated and at the same moment',
  [...PAYING, MovingTransfers.REPEATED, ...MovingTransfers.AT_ONCE],
  Contradictions.makesOrLosesMoney,
);
Seen.watchTransfers('cards.transfer.conserves-money', Contradictions.makesOrLosesMoney, Seen.PAYING);
byBalances(
  'cards.transfer.refused-moves-nothing',
  'of any amount, and with members of a wrong type',
  [...PAYING, ...RefusedTransfers.OF_WRONG_TYPES],
  Contradictions.movesThoughRefused,
);
Seen.watchTransfers('cards.transfer.refused-moves-nothing', Contradictions.movesThoughRefused, Seen.PAYING);
byBalances(
  'cards.transfer.claims-truly',
  'of any amount, and what must be refused',
  [...PAYING, ...RefusedTransfers.REFUSED],
  Contradictions.claimsFalsely,
);
Seen.watchTransfers('cards.transfer.claims-truly', Contradictions.claimsFalsely, Seen.PAYING);
byBalances(
  'cards.transfer.negative-amount',
  'of a negative amount, and of a cent below zero',
  UnusualTransfers.NEGATIVE,
  Contradictions.drawsFromTarget,
);
Seen.watchTransfers('cards.transfer.negative-amount', Contradictions.drawsFromTarget, ['of a negative amount']);
byBalances(
  'cards.transfer.repeated',
  'the same twice more, back, and there again',
  [MovingTransfers.REPEATED],
  Contradictions.differsFromAnswers,
);

const SIMULTANEOUS = 'cards.transfer.simultaneous';
byBalances(SIMULTANEOUS, 'between two cards', MovingTransfers.AT_ONCE, Contradictions.differsFromAnswers);
Transfers.betweenThree.check(SIMULTANEOUS, 'between three cards', {
  steps: [Transfers.AMONG_THREE],
  contradiction: Contradictions.differsFromAnswers,
  options: { applies: Transfers.hasMany },
});

RefusedTransfers.transfers.check(
  'cards.transfer.required-only',
  'target and amount alone',
  [Transfers.ALONE],
  async (t, facts) => {
    const { answer, gains } = facts[Transfers.ALONE].get();
    if (succeeded(answer) && !Effects.nothingMoved(gains)) return;
    if (await succeedsAlone(t, () => t.shared(Transfers.movesAlone)))
      inconclusive('a transfer with target and amount alone moves nothing, but does so between other cards');
    expectSuccess(answer, 'a transfer with target and amount alone between two active cards');
    fail('a transfer with target and amount alone moves nothing', 'the amount', 'nothing', { in: answer });
  },
);

RefusedTransfers.betweenTwo.kept.check(
  'cards.transfer.moves-amount',
  'one by one, of plain amounts, of cents, and of the whole balance',
  {
    steps: Transfers.MOVING,
    contradiction: Contradictions.movesAnotherAmount,
    before: expectAnyMoves,
  },
);
Seen.watchTransfers('cards.transfer.moves-amount', Contradictions.movesAnotherAmount, ['of a plain amount']);

/** Expects some transfer to move money. @throws Nonconformance otherwise; Inconclusive where the target may have a limit of its own */
async function expectAnyMoves(t: Context): Promise<void> {
  const { plain, books, cards, [Transfers.ALONE]: alone } = await RefusedTransfers.transfers.first(t);
  if (plain.get()) return;
  if (Payments.accepted(t))
    inconclusive(
      'every transfer is refused now, but was not before: an undocumented limit of the target may explain it, which cards.transferAmounts and cards.transferBody of the fixtures file may meet',
    );
  const held: number[] = [];
  for (const { identifier } of cards) held.push(await books.balance(identifier));
  if (Math.max(...held) < Amounts.ruleOf(t).least)
    inconclusive('cards.transferAmounts.least of the fixtures file is more than the cards of cards.active have');
  if (await succeedsAlone(t, () => t.shared(Transfers.movesAlone)))
    inconclusive('no transfer between two active cards moves money, but one does between others');
  const message = 'no transfer between two active cards moves money, in any form';
  fail(message, 'the amount', 'nothing', { in: alone.get().answer });
}

// ---- beside a suspension, a closing, and in lives ------------------------------------------------------------------------

checkInLives('cards.transfer.moves-amount', Commands.PAYMENTS.ofActive, Contradictions.movesAnotherAmount);
booksOfSuspension.check('cards.transfer.refused-moves-nothing', 'to a suspended card', {
  steps: ['a payment to the suspended card'],
  contradiction: Contradictions.movesThoughRefused,
  reads: ['a payment before the suspension', 'cards.unsuspend: asked'],
});
booksOfSuspension.check('cards.transfer.conserves-money', 'to a suspended card', {
  steps: ['a payment to the suspended card'],
  contradiction: Contradictions.makesOrLosesMoney,
  reads: ['a payment before the suspension', 'cards.unsuspend: asked'],
});
booksOfClosing.check('cards.transfer.refused-moves-nothing', 'to a closed card', {
  steps: ['a payment to the closed card'],
  contradiction: Contradictions.movesThoughRefused,
  options: { applies: Scope.isIrreversible },
});
