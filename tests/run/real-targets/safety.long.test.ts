import { expect, test } from 'vitest';
import type { Sandbox } from '../../../sandbox/index.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { conducted, configurationOf } from './runs.ts';

interface State {
  customers: unknown[];
  cards: { identifier: string; state: string; balanceCents: number; history: string[] }[];
  orders: unknown[];
  cipChecks: number;
}
const stateOf = (of: Sandbox) => of.state() as State & { transfers: unknown[] };

/** Without what moving back leaves: two entries in the ledger of transfers, and the times and history of cards. */
function lasting({ transfers: _, cards, ...state }: State & { transfers: unknown[] }) {
  return { ...state, cards: cards.map(({ history: _history, ...card }) => ({ ...card, lastUpdateDate: '' })) };
}

test('safe changes nothing at all', async () => {
  const target = await sandboxFor();
  const before = stateOf(target);
  const { outcomes, changes } = await conducted(
    await configurationOf({ ...target.environment, RUN_RISK: 'safe' }, target.fixtures),
  );
  expect(outcomes.some(({ verdict }) => verdict === 'passed')).toBe(true);
  expect(stateOf(target)).toEqual(before);
  // Probes of authorisation by invented identifiers are the only requests of changing operations.
  for (const { status } of changes.filter(({ event }) => event === 'answered'))
    expect(status).toBeGreaterThanOrEqual(400);
});

test('safe asks a broken target that lets everybody in for no change either', async () => {
  const target = await sandboxFor({ rules: { enforces: ({ kind }) => kind !== 'token' && kind !== 'session' } });
  const before = stateOf(target);
  await conducted(await configurationOf({ ...target.environment, RUN_RISK: 'safe' }, target.fixtures));
  expect(stateOf(target)).toEqual(before);
});

test.each([
  ['a sound target', {}],
  ['a target where checks fail', { rules: { successStatus: () => 202, transferCredit: (cents: number) => cents - 1 } }],
  ['a target whose refused calls have their effect', { rules: { refusedStillTakesEffect: () => true } }],
])('reversible leaves %s as it was', async (name, options) => {
  const target = await sandboxFor(options);
  const before = lasting(stateOf(target));
  const { outcomes, changes } = await conducted(
    await configurationOf({ ...target.environment, RUN_RISK: 'reversible' }, target.fixtures),
  );
  expect(outcomes.some(({ verdict }) => verdict === 'passed')).toBe(true);
  const after = lasting(stateOf(target));
  expect(changes.some(({ event }) => event === 'undone')).toBe(true);
  if (name === 'a sound target') expect(after).toEqual(before);
  else expect(after.cards.map(({ state }) => state)).toEqual(before.cards.map(({ state }) => state));
});

test('no more orders and CIP checks are accepted than allowed', async () => {
  const target = await sandboxFor();
  const { run } = await conducted(
    await configurationOf({ ...target.environment, RUN_MAX_ORDERS: '2', RUN_MAX_CIP_CHECKS: '3' }, target.fixtures, {
      only: 'portal.',
    }),
  );
  const { orders, cipChecks } = stateOf(target);
  expect(orders.length).toBeLessThanOrEqual(2);
  expect(cipChecks).toBeLessThanOrEqual(3);
  expect(run.ended).toBeUndefined();
});

test('two runs at once with pools of their own do not disturb each other', async () => {
  const target = await sandboxFor();
  const halves = [0, 1].map((half) => {
    const cards = target.fixtures.cards as Record<string, unknown>;
    const divided = Object.entries(cards).map(([name, value]) => [
      name,
      Array.isArray(value) && name !== 'foreign' ? value.filter((_, index) => index % 2 === half) : value,
    ]);
    return { ...target.fixtures, cards: Object.fromEntries(divided) };
  });
  // Each has a clock of its own in mind: a clock that both move would end the tokens of the other.
  const { TARGET_TEST_CLOCK_URL: _, ...env } = target.environment;
  const runs = await Promise.all(halves.map(async (fixtures) => conducted(await configurationOf(env, fixtures))));
  for (const { outcomes } of runs) {
    const accused = outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');
    expect(accused.map(({ requirement, message }) => `${requirement}: ${message}`)).toEqual([]);
  }
});
