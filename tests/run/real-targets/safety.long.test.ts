import { expect, test } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../sandbox/index.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { accusations, conducted, conductedOn, configurationOf } from './runs.ts';

interface State {
  cards: { state: string; history: string[] }[];
  orders: unknown[];
  cipChecks: number;
  transfers: unknown[];
}
const stateOf = (of: Sandbox) => of.state() as State;

/** Without what moving back leaves: two entries in the ledger of transfers, and the times and history of cards. */
function lasting(of: Sandbox) {
  const { transfers: _, cards, ...state } = stateOf(of);
  return { ...state, cards: cards.map(({ history: _history, ...card }) => ({ ...card, lastUpdateDate: '' })) };
}

test.each<[string, SandboxOptions]>([
  ['a sound target', {}],
  // It lets everybody in.
  ['a broken target', { rules: { enforces: ({ kind }) => kind !== 'token' && kind !== 'session' } }],
])('safe changes nothing at all of %s', async (name, options) => {
  const target = await sandboxFor(options);
  const before = stateOf(target);
  const { outcomes, changes } = await conductedOn(target, { RUN_RISK: 'safe' });
  expect(outcomes.some(({ verdict }) => verdict === 'passed')).toBe(true);
  expect(stateOf(target)).toEqual(before);
  // Probes of authorisation by invented identifiers are the only requests of changing operations.
  if (name === 'a sound target')
    for (const { status } of changes.filter(({ event }) => event === 'answered'))
      expect(status).toBeGreaterThanOrEqual(400);
});

test.each<[string, SandboxOptions]>([
  ['a sound target', {}],
  ['a target where checks fail', { rules: { successStatus: () => 202, transferCredit: (cents) => cents - 1 } }],
  ['a target whose refused calls have their effect', { rules: { refusedStillTakesEffect: () => true } }],
])('reversible leaves %s as it was', async (name, options) => {
  const target = await sandboxFor(options);
  const before = lasting(target);
  const { outcomes, changes } = await conductedOn(target, { RUN_RISK: 'reversible' });
  expect(outcomes.some(({ verdict }) => verdict === 'passed')).toBe(true);
  const after = lasting(target);
  expect(changes.some(({ event }) => event === 'undone')).toBe(true);
  if (name === 'a sound target') expect(after).toEqual(before);
  else expect(after.cards.map(({ state }) => state)).toEqual(before.cards.map(({ state }) => state));
});

test('no more orders and CIP checks are accepted than allowed', async () => {
  const target = await sandboxFor();
  const most = { RUN_MAX_ORDERS: '2', RUN_MAX_CIP_CHECKS: '3' };
  const { run } = await conductedOn(target, most, { only: 'portal.' });
  const { orders, cipChecks } = stateOf(target);
  expect(orders.length).toBeLessThanOrEqual(2);
  expect(cipChecks).toBeLessThanOrEqual(3);
  expect(run.ended).toBeUndefined();
});

test('two runs at once with pools of their own do not disturb each other', async () => {
  const { environment, fixtures } = await sandboxFor();
  // Each has a clock of its own in mind: a clock that both move would end the tokens of the other.
  const { TARGET_TEST_CLOCK_URL: _, ...env } = environment;
  const runs = [0, 1].map(async (half) => {
    const cards = Object.entries(fixtures.cards as object).map(([name, value]) => [
      name,
      Array.isArray(value) && name !== 'foreign' ? value.filter((_, index) => index % 2 === half) : value,
    ]);
    return conducted(await configurationOf(env, { ...fixtures, cards: Object.fromEntries(cards) }));
  });
  for (const { outcomes } of await Promise.all(runs)) expect(accusations(outcomes)).toEqual([]);
});
