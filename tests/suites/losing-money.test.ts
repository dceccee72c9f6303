/** What a run moves at a target that loses money: no more than RUN_MAX_LOSS, and it condemns it all the same. */
import { expect, test } from 'vitest';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { NOWHERE } from '../../proof/selfcheck/direct.ts';
import { conduct, failedIn } from '../../proof/selfcheck/prove.ts';
import type { Rules } from '../../sandbox/index.ts';
import { makeSandbox } from '../../sandbox/unserved.ts';

interface Told {
  cards: { identifier: string; balanceCents: number }[];
}

/** A run against a sandbox with these rules. @returns what is missing afterwards, in units, and its outcomes */
async function runAgainst(rules: Partial<Rules>, only: readonly string[], maxLoss = 20) {
  const { environmentAt, fixtures, responder, state } = makeSandbox({ rules });
  const held = () => (state() as Told).cards.reduce((sum, { balanceCents }) => sum + balanceCents, 0);
  const before = held();
  const given = { environment: environmentAt(NOWHERE), fixtures, unserved: responder };
  const { outcomes, run } = await conduct(given, { only }, (configuration) => {
    Object.assign(configuration.run, { maxLoss });
  });
  return { missing: (before - held()) / 100, outcomes, run };
}

const OF_MONEY = ['cards.transfer.conserves-money', 'cards.transfer.moves-amount'];
const isOf = (operation: string) => (one: Outcome) => one.requirement.startsWith(`${operation}.`);
const NOT_CREDITED: Partial<Rules> = { transferCredit: () => 0 };

test.each<[string, Partial<Rules>]>([
  ['debits and does not credit', NOT_CREDITED],
  ['debits twice', { transferDebit: (cents) => 2 * cents }],
  ['credits half', { transferCredit: (cents) => Math.floor(cents / 2) }],
  ['debits amounts from 7.00 on twice', { transferDebit: (cents) => (cents >= 700 ? 2 * cents : cents) }],
])('a whole run at a target that %s loses 20.00 at most, and condemns it', async (_, rules) => {
  const { missing, outcomes, run } = await runAgainst(rules, []);
  expect(missing).toBeGreaterThan(0);
  expect(missing).toBeLessThanOrEqual(20);
  expect(failedIn(outcomes)).toEqual(expect.arrayContaining(OF_MONEY));
  const blocked = outcomes.filter(({ verdict }) => verdict === 'blocked');
  expect(blocked.some(isOf('cards.transfer'))).toBe(true);
  for (const { message } of blocked) expect(message).toMatch(/see cards\.transfer\.conserves-money/);
  // It is one finding: what has nothing to do with money is judged.
  for (const { requirement } of blocked) expect(requirement).toMatch(/^cards\./);
  expect(run.facts().account?.money.missing).toBeCloseTo(missing, 2);
});

test('with RUN_MAX_LOSS 0 nothing more is moved once money goes missing, and what is suspected is blocked', async () => {
  const { missing, outcomes } = await runAgainst(NOT_CREDITED, ['cards.transfer'], 0);
  expect(missing).toBeLessThanOrEqual(2);
  const ofMoney = outcomes.filter(({ requirement }) => OF_MONEY.includes(requirement));
  expect(new Set(ofMoney.map(({ verdict }) => verdict))).toEqual(new Set(['blocked']));
  // What was seen once is said where it is suspected.
  const messages = ofMoney.map(({ message }) => message);
  expect(messages).toContainEqual(
    expect.stringMatching(/creates or destroys money, but it could not be made again: .*RUN_MAX_LOSS/),
  );
});

test('money that is made is not lost: nothing is held back', async () => {
  const { outcomes } = await runAgainst({ transferCredit: (cents) => 2 * cents }, ['cards.transfer']);
  expect(outcomes.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
  expect(failedIn(outcomes)).toContain('cards.transfer.conserves-money');
});
