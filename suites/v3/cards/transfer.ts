/** Transfers: the money they move, the money they must not move, and that none appears or disappears (reading 27). */
import { type Answer, describe, member, succeeded } from '../../../helpers/answer.ts';
import { cents as centsOf } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { judgeEach, values } from '../../../helpers/engine/step.ts';
import { expectRefused, expectStatus, expectSuccess } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { requireNoFee, requireRecurring, requireStill, requireWorkingTransfer } from './judge-money.ts';
import {
  type BalanceChanges,
  movedExactly,
  netChange,
  nothingMoved,
  sameCents,
  sumsOf,
  type TransferAttempt,
} from './scenarios/balance-changes.ts';
import { movedLate, recurs } from './scenarios/oddities.ts';
import {
  changedAsAnswered,
  claimsSuccess,
  differsByAmounts,
  expectUnknownRefused,
  saysRefused,
} from './scenarios/transfer-claims.ts';
import { MISTYPED, type REFUSED, type TransferFacts, UNUSUAL } from './scenarios/transfer-facts.ts';
import { transfers } from './scenarios/transfers.ts';

const { check, suite } = defineSuite();
export const transferSuite = suite;

check('cards.transfer.required-only', 'target and amount alone', async (t) => {
  const { alone, drift } = await t.shared(transfers);
  const { answer, gains } = alone();
  expectSuccess(answer, 'a transfer with target and amount alone between two active cards');
  requireStill(drift);
  if (nothingMoved(gains)) fail('a transfer with target and amount alone moves nothing', difference(answer, gains));
});

check('cards.transfer.moves-amount', 'the first that is accepted', async (t) => {
  const facts = await t.shared(transfers);
  const { from, to, attempt } = facts.plain();
  const { answer, cents, gains } = attempt;
  requireStill(facts.drift);
  if (nothingMoved(gains))
    fail('no transfer between two active cards moves money, in any form', difference(answer, gains));
  if (movedExactly(gains, from, to, cents!)) return;
  requireNoFee(facts);
  requireRecurring(attempt);
  fail('the balances do not change by the amount', difference(answer, gains, cents));
});

check('cards.transfer.moves-amount', 'further ones, by what they moved', async (t) => {
  const facts = await t.shared(transfers);
  const accepted = values(Object.values(facts.further)).filter(({ answer }) => claimsSuccess(answer, facts.success));
  judgeEach(
    accepted.map((attempt) => () => {
      const { from, to, answer, cents, gains } = attempt;
      if (nothingMoved(gains) || movedExactly(gains, from, to, cents!)) return;
      requireStill(facts.drift);
      requireNoFee(facts);
      requireRecurring(attempt);
      fail('the balances do not change by the amount', difference(answer, gains, cents));
    }),
  );
});

check('cards.transfer.repeated', 'twice more', async (t) => {
  const facts = await t.shared(transfers);
  requireWorkingTransfer(facts);
  for (const { answer, cents, gains } of facts.repeated()) {
    if (!claimsSuccess(answer, facts.success)) continue;
    requireStill(facts.drift);
    if (nothingMoved(gains))
      fail('a repeated transfer is answered with success but moves nothing', difference(answer, gains, cents));
  }
});

check('cards.transfer.simultaneous', 'two from one card to another, and one back', async (t) => {
  const facts = await t.shared(transfers);
  requireWorkingTransfer(facts);
  const { requests, answers, gains, due } = facts.together();
  if (changedAsAnswered(requests, answers, gains, facts.success)) return;
  requireStill(facts.drift);
  requireNoFee(facts);
  if (!differsByAmounts(requests, gains, due))
    inconclusive('the balances change by amounts that no transfer asked for');
  fail('after transfers at the same moment the balances contradict the answers', {
    expected: `balances that change by ${inWords(due)}`,
    actual: `${answers.map(describe).join(' and ')}; they change by ${inWords(gains)}`,
  });
});

check('cards.transfer.simultaneous', 'the whole balance, twice', async (t) => {
  const facts = await t.shared(transfers);
  requireWorkingTransfer(facts);
  const { answers, gains, isSpentTwice } = facts.spentTwice();
  if (!isSpentTwice) return;
  requireStill(facts.drift);
  fail(
    'two transfers of the whole balance at the same moment both move it, but the second of two consecutive ones does not',
    {
      expected: 'one of them moves it',
      actual: `${answers.map(describe).join(' and ')}; the balances change by ${inWords(gains)}`,
    },
  );
});

check('cards.transfer.amount-answered', 'every accepted transfer', async (t) => {
  const facts = await t.shared(transfers);
  const attempts = [facts.plain().attempt, ...values(Object.values(facts.further)), ...values([facts.repeated]).flat()];
  const answered = attempts.filter(
    ({ answer, gains }) => succeeded(answer) && !nothingMoved(gains) && typeof member(answer, 'amount') === 'number',
  );
  if (answered.length === 0) inconclusive('no answer to a transfer carries its amount');
  for (const { answer, cents } of answered) {
    const amount = member(answer, 'amount') as number;
    if (!sameCents(centsOf(amount), cents!))
      fail('the amount answered is not the amount asked for', {
        expected: String(cents! / 100),
        actual: String(amount),
        pointer: '/amount',
        in: answer,
      });
  }
});

/** @throws Nonconformance when the transfer moved money, at once or late; Inconclusive when the balances change by themselves */
function expectNoMoneyMoved(facts: TransferFacts, attempt: TransferAttempt, what: string): void {
  const isLate = movedLate(facts).includes(attempt);
  if (nothingMoved(attempt.gains) && !isLate) return;
  requireStill(facts.drift);
  requireRecurring(attempt);
  if (isLate && attempt.cents === undefined && !recurs(attempt))
    inconclusive('money moves after all transfers, but not when the same one is repeated');
  if (isLate && nothingMoved(attempt.gains))
    fail(`${what} moves money later`, difference(attempt.answer, facts.late()));
  fail(`${what} moves money`, difference(attempt.answer, attempt.gains));
}

const NO_MONEY = [
  ['cards.transfer.missing-body', 'zero bytes'],
  ['cards.transfer.missing-body', 'zero bytes declared as JSON'],
  ['cards.transfer.no-target', 'no target'],
  ['cards.transfer.no-amount', 'no amount'],
  ['cards.transfer.unknown-target', 'an unknown target'],
  ['cards.transfer.unknown-target', 'a misnamed target'],
  ['cards.transfer.to-itself', 'the source as target'],
  ['cards.transfer.unknown-identifier', 'a misnamed source'],
] as const satisfies readonly (readonly [string, (typeof REFUSED)[number]])[];

for (const [requirement, name] of NO_MONEY)
  check(requirement, name, async (t) => {
    const facts = await t.shared(transfers);
    const attempt = facts.refused[name]();
    // The loss of a card that pays itself may be the fee of any transfer.
    const loss = -netChange(attempt.gains);
    if (requirement === 'cards.transfer.to-itself' && loss > 0) requireNoFee(facts, loss);
    expectNoMoneyMoved(facts, attempt, `a transfer with ${name}`);
    if (requirement === 'cards.transfer.unknown-identifier')
      expectUnknownRefused(attempt.answer, `a transfer with ${name}`);
    requireWorkingTransfer(facts);
    if (requirement === 'cards.transfer.missing-body' && !saysRefused(attempt.answer, facts.success))
      expectRefused(attempt.answer, `a transfer with ${name}`);
  });

for (const name of ['zero bytes', 'zero bytes declared as JSON'] as const)
  check('cards.transfer.missing-body-400', name, async (t) => {
    const facts = await t.shared(transfers);
    const { answer } = facts.refused[name]();
    if (saysRefused(answer, facts.success))
      inconclusive(`it is refused with status ${answer.status}, and the body says so`);
    expectStatus(answer, [400], 'a transfer without a body');
  });

for (const name of MISTYPED)
  check('cards.transfer.body-types', name, async (t) => {
    const facts = await t.shared(transfers);
    const attempt = facts.mistyped[name]();
    expectNoMoneyMoved(facts, attempt, `a transfer with ${name}`);
    requireWorkingTransfer(facts);
    if (claimsSuccess(attempt.answer, facts.success)) expectRefused(attempt.answer, `a transfer with ${name}`);
  });

check('cards.transfer.foreign', 'as the source', async (t) => {
  const facts = await t.shared(transfers);
  for (const attempt of facts.fromForeign()) {
    if (claimsSuccess(attempt.answer, facts.success)) expectRefused(attempt.answer, 'a transfer from a foreign card');
    expectNoMoneyMoved(facts, attempt, 'a transfer from a foreign card');
  }
});

check('cards.transfer.foreign-target', 'as the target', async (t) => {
  const facts = await t.shared(transfers);
  expectNoMoneyMoved(facts, facts.toForeign(), 'a transfer to a foreign card');
  requireWorkingTransfer(facts);
});

for (const name of ['a negative amount', 'a cent below zero'] as const)
  check('cards.transfer.negative-amount', name, async (t) => {
    const facts = await t.shared(transfers);
    const attempt = facts.unusual[name]();
    const { answer, gains } = attempt;
    const late = movedLate(facts).includes(attempt) ? [facts.late()] : [];
    const drawn = [gains, ...late].find((gained) => gained.get(facts.target)! < -0.01);
    if (drawn) {
      requireStill(facts.drift);
      requireRecurring(attempt);
      fail('a negative amount draws from the target', difference(answer, drawn));
    }
    requireWorkingTransfer(facts);
  });

check('cards.transfer.refused-moves-nothing', 'unusual amounts and texts, and wrong types', async (t) => {
  const facts = await t.shared(transfers);
  const attempts = values<TransferAttempt>(
    [facts.unusual, facts.further, facts.mistyped].flatMap((of) => Object.values(of)),
  );
  const refused = attempts.filter(({ answer }) => !succeeded(answer));
  judgeEach(refused.map((attempt) => () => expectNoMoneyMoved(facts, attempt, 'a transfer that is refused')));
  requireWorkingTransfer(facts);
});

for (const name of UNUSUAL)
  check('cards.transfer.conserves-money', name, async (t) => {
    const facts = await t.shared(transfers);
    expectConserved(facts, facts.unusual[name](), `a transfer of ${name}`);
    requireWorkingTransfer(facts);
  });

check('cards.transfer.conserves-money', 'amounts that are moved', async (t) => {
  const facts = await t.shared(transfers);
  const attempts = [facts.plain().attempt, ...values(Object.values(facts.further))];
  judgeEach(attempts.map((attempt) => () => expectConserved(facts, attempt, 'a transfer')));
  for (const { answers, gains, amounts } of atOnce(facts)) {
    // A difference that is none of the amounts may be a fee, or somebody else's money.
    if (!amounts.some((cents) => sameCents(Math.abs(netChange(gains)), cents))) continue;
    requireStill(facts.drift);
    if (netChange(gains) < 0) requireNoFee(facts);
    fail('one of several transfers creates or destroys money', difference(answers[0]!, gains));
  }
  const late = facts.late();
  const unusual = values(Object.values(facts.unusual));
  const ofLate = movedLate(facts);
  if (netChange(late) < 0 && ofLate.length === 0)
    inconclusive('money is lost after all transfers, but not when the same one is repeated: it may be a fee');
  if (!sameCents(netChange(late), 0) && ofLate.every((attempt) => unusual.includes(attempt))) {
    requireStill(facts.drift);
    fail('money appears or disappears after a transfer', { expected: 'no change', actual: inWords(late) });
  }
  requireWorkingTransfer(facts);
});

/** Simultaneous transfers, with the sums of any of their amounts, in cents. */
function atOnce({ together, spentTwice }: TransferFacts) {
  const plain = values([together]).map(({ requests, ...done }) => ({
    ...done,
    cents: requests.map(({ cents }) => cents),
  }));
  const twice = values([spentTwice]).map(({ cents, ...done }) => ({ ...done, cents: [cents, cents] }));
  return [...plain, ...twice].map(({ cents, ...done }) => ({
    ...done,
    amounts: sumsOf(cents),
  }));
}

/** @throws Nonconformance when money appears or disappears, Inconclusive when balances change by themselves or it may be a fee */
function expectConserved(facts: TransferFacts, attempt: TransferAttempt, what: string): void {
  const { answer, gains } = attempt;
  if (sameCents(netChange(gains), 0)) return;
  requireStill(facts.drift);
  if (netChange(gains) < 0) requireNoFee(facts);
  requireRecurring(attempt);
  fail(`${what} creates or destroys money`, difference(answer, gains));
}

check('cards.transfer.claims-truly', 'every answer of success', async (t) => {
  const facts = await t.shared(transfers);
  const { zero: _zero, 'a thousandth of the unit': _thousandth, ...unusual } = facts.unusual;
  const attempts = [
    facts.plain().attempt,
    ...values<TransferAttempt>([
      facts.alone,
      ...Object.values({ ...facts.further, ...facts.refused, ...facts.mistyped, ...unusual }),
    ]),
  ];
  const claims = attempts.filter(({ answer }) => claimsSuccess(answer, facts.success));
  if (claims.length === 0) inconclusive('no transfer is answered with success');
  const untrue = claims.find(({ gains }) => nothingMoved(gains));
  if (untrue) fail('a transfer is answered with success but moves no money', difference(untrue.answer, untrue.gains));
});

check('cards.getBalance.refreshes-record', 'of both cards of a transfer', async (t) => {
  const facts = await t.shared(transfers);
  const judged = facts.records().filter(({ recorded, changed }) => recorded !== undefined && changed);
  for (const { shown, recorded } of judged)
    if (!sameCents(shown, recorded!)) {
      requireStill(facts.drift);
      fail('the record does not show the balance that getBalance gives', {
        expected: `${inCents(shown)} cents`,
        actual: `${inCents(recorded!)} cents`,
        pointer: '/balance',
      });
    }
  if (judged.length === 0) inconclusive('no balance is seen to change, or the record carries none');
});

const inCents = (cents: number): string => String(Math.round(cents * 100) / 100);
const inWords = (gains: BalanceChanges): string =>
  [...gains.values()].map((gain) => `${inCents(gain)} cents`).join(' and ');

const difference = (answer: Answer, gains: BalanceChanges, cents?: number) => ({
  expected:
    cents === undefined
      ? 'balances that stay or change by the amount'
      : `balances that change by ${inCents(cents)} cents`,
  actual: `${describe(answer)}; the two cards gain ${inWords(gains)}`,
  in: answer,
});
