/** Transfers: what they move, what they must not, and that money is neither made nor lost. */
import { type Answer, describe, member, succeeded } from '../../../helpers/answer.ts';
import { cents as centsOf } from '../../../helpers/cards/card-state.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { accepted, expectRefused, expectStatus } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { known } from '../../shared/step.ts';
import {
  claimsSuccess,
  type Gains,
  type Movement,
  made,
  movedExactly,
  nothingMoved,
  sameCents,
} from './scenarios/balances.ts';
import { movedLate } from './scenarios/late-money.ts';
import { MISTYPED, type REFUSED, type TransferFacts, transfers, UNUSUAL } from './scenarios/transfers.ts';

const { check, suite } = defineSuite();
export const cardMoneySuite = suite;

check('cards.transfer.required-only', 'target and amount alone', async (t) => {
  const { answer, gains } = (await t.shared(transfers)).plain();
  accepted(answer, 'a transfer with target and amount alone between two active cards');
  if (nothingMoved(gains)) fail('a transfer with target and amount alone moves nothing', difference(answer, gains));
});

for (const [name, of] of [
  ['target and amount alone', 'plain'],
  ['with comment and customFields', 'commented'],
  ['back again', 'back'],
  ['in whole units', 'whole'],
] as const)
  check('cards.transfer.moves-amount', name, async (t) => {
    const { source, target, ...facts } = await t.shared(transfers);
    const { answer, cents, gains } = facts[of]();
    accepted(answer, 'a transfer between two active cards');
    const [from, to] = of === 'plain' || of === 'whole' ? [source, target] : [target, source];
    if (movedExactly(gains, from, to, cents!)) return;
    fail('the balances do not change by the amount', {
      expected: `${-cents!} and ${cents} cents`,
      actual: `${inCents(gains.get(from)!)} and ${inCents(gains.get(to)!)} cents`,
    });
  });

check('cards.transfer.amount-answered', 'every accepted transfer', async (t) => {
  const facts = await t.shared(transfers);
  const answered = [facts.plain(), facts.commented(), facts.back(), facts.whole()].filter(
    ({ answer }) => succeeded(answer) && typeof member(answer, 'amount') === 'number',
  );
  if (answered.length === 0) inconclusive('no answer to a transfer carries its amount');
  for (const { answer, cents } of answered) {
    const amount = member(answer, 'amount') as number;
    if (!sameCents(centsOf(amount), cents!))
      fail('the amount answered is not the amount asked for', {
        expected: String(cents! / 100),
        actual: String(amount),
        pointer: '/amount',
      });
  }
});

/** Judges that a transfer moved nothing, neither at once nor late. @throws Nonconformance otherwise */
function unmoved(facts: TransferFacts, movement: Movement, what: string): void {
  if (!nothingMoved(movement.gains)) fail(`${what} moves money`, difference(movement.answer, movement.gains));
  if (movedLate(facts).includes(movement))
    fail(`money moves some time after ${what} is asked for`, difference(movement.answer, facts.late()));
}

/** Transfers are seen to work: else it says nothing that one moves nothing. @throws Inconclusive otherwise */
function working({ plain, source, target }: TransferFacts): void {
  const { gains, cents } = plain();
  if (!movedExactly(gains, source, target, cents!)) inconclusive('no transfer is seen to move its amount');
}

const NO_MONEY = {
  'cards.transfer.missing-body': ['zero bytes', 'zero bytes declared as JSON'],
  'cards.transfer.no-target': ['no target'],
  'cards.transfer.no-amount': ['no amount'],
  'cards.transfer.unknown-target': ['an unknown target'],
  'cards.transfer.to-itself': ['the source as target'],
} as const satisfies Record<string, readonly (typeof REFUSED)[number][]>;

for (const [requirement, names] of Object.entries(NO_MONEY))
  for (const name of names)
    check(requirement, name, async (t) => {
      const facts = await t.shared(transfers);
      unmoved(facts, facts.refused[name](), `a transfer with ${name}`);
      working(facts);
    });

for (const name of NO_MONEY['cards.transfer.missing-body'])
  check('cards.transfer.missing-body-400', name, async (t) => {
    const facts = await t.shared(transfers);
    const { answer } = facts.refused[name]();
    if (succeeded(answer) && !claimsSuccess(answer, facts.success))
      inconclusive(`it is refused with status ${answer.status} and an answer that says so`);
    expectStatus(answer, [400], 'a transfer without a body');
  });

for (const name of MISTYPED)
  check('cards.transfer.body-types', name, async (t) => {
    const facts = await t.shared(transfers);
    const movement = facts.mistyped[name]();
    unmoved(facts, movement, `a transfer with ${name}`);
    working(facts);
    if (claimsSuccess(movement.answer, facts.success)) expectRefused(movement.answer, `a transfer with ${name}`);
  });

check('cards.transfer.foreign', 'as the source', async (t) => {
  const facts = await t.shared(transfers);
  for (const movement of facts.fromForeign()) {
    if (claimsSuccess(movement.answer, facts.success)) expectRefused(movement.answer, 'a transfer from a foreign card');
    unmoved(facts, movement, 'a transfer from a foreign card');
  }
});

check('cards.transfer.foreign-target', 'as the target', async (t) => {
  const facts = await t.shared(transfers);
  unmoved(facts, facts.toForeign(), 'a transfer to a foreign card');
  working(facts);
});

check('cards.transfer.negative-amount', 'from a card with a balance to another', async (t) => {
  const facts = await t.shared(transfers);
  const { answer, gains } = facts.unusual['a negative amount']();
  const drawn = [gains, facts.late()].find((gained) => gained.get(facts.target)! < -0.01);
  if (drawn) fail('a negative amount draws from the target', difference(answer, drawn));
  working(facts);
});

for (const name of UNUSUAL)
  check('cards.transfer.conserves-money', name, async (t) => {
    const facts = await t.shared(transfers);
    const { answer, gains } = facts.unusual[name]();
    if (!sameCents(made(gains), 0)) fail(`a transfer of ${name} makes or loses money`, difference(answer, gains));
    working(facts);
  });

check('cards.transfer.conserves-money', 'amounts that are moved', async (t) => {
  const facts = await t.shared(transfers);
  for (const { answer, gains } of [facts.plain(), facts.commented(), facts.back(), facts.whole()])
    if (!sameCents(made(gains), 0)) fail('a transfer makes or loses money', difference(answer, gains));
  const late = facts.late();
  const unusual = known(Object.values(facts.unusual));
  if (!sameCents(made(late), 0) && movedLate(facts).every((movement) => unusual.includes(movement)))
    fail('money is made or lost some time after a transfer', { expected: 'no change', actual: inWords(late) });
  working(facts);
});

check('cards.transfer.claims-truly', 'every answer of success', async (t) => {
  const facts = await t.shared(transfers);
  const { zero: _zero, 'a thousandth of the unit': _thousandth, ...unusual } = facts.unusual;
  const asked = [
    facts.plain,
    facts.commented,
    facts.back,
    facts.whole,
    ...Object.values({ ...facts.refused, ...facts.mistyped, ...unusual }),
  ];
  const claims = known(asked).filter(({ answer }) => claimsSuccess(answer, facts.success));
  if (claims.length === 0) inconclusive('no transfer is answered with success');
  const untrue = claims.find(({ gains }) => nothingMoved(gains));
  if (untrue)
    fail('a transfer is answered with success though no money moved', difference(untrue.answer, untrue.gains));
});

check('cards.getBalance.refreshes-record', 'of both cards of a transfer', async (t) => {
  const facts = await t.shared(transfers);
  const judged = facts.records().filter(({ recorded, changed }) => recorded !== undefined && changed);
  for (const { shown, recorded } of judged)
    if (!sameCents(shown, recorded!))
      fail('the record does not show the balance that getBalance gives', {
        expected: `${inCents(shown)} cents`,
        actual: `${inCents(recorded!)} cents`,
        pointer: '/balance',
      });
  if (judged.length === 0) inconclusive('no balance is seen to change, or the record carries none');
});

const inCents = (cents: number): string => String(Math.round(cents * 100) / 100);
const inWords = (gains: Gains): string => [...gains.values()].map((gain) => `${inCents(gain)} cents`).join(' and ');

const difference = (answer: Answer, gains: Gains) => ({
  expected: 'balances that stay or change by the amount',
  actual: `${describe(answer)}; the two cards gain ${inWords(gains)}`,
});
