/** The record that is made of what a run saw. */
import { expect, test } from 'vitest';
import type { Suite } from '../../helpers/check.ts';
import { Run } from '../../helpers/run.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { runSuite } from '../../helpers/runner/schedule.ts';
import { summaryText } from '../../reports/summary.ts';
import { exitCode } from '../../reports/verdicts.ts';
import { viewOf } from '../../reports/view.ts';
import { assemble } from '../../run/assemble.ts';
import { markKnownFailures } from '../../run/known-failures.ts';
import { nothingYet } from '../../run/unfinished.ts';
import { workspace } from '../helpers/configuration/workspace.ts';
import { check, requirement } from '../reports/record-builder.ts';

const seen = (verdict: 'passed' | 'inconclusive', name: string) =>
  ({ ...check(verdict, { name, message: name }), requirement: 'cards.get.unknown-identifier' }) as Outcome;

test('it does not depend on which check ended first', async () => {
  const configuration = await workspace().read({}, { seed: '1' });
  const recordOf = (outcomes: Outcome[]) => assemble(configuration, { ...nothingYet(new Date(0)), outcomes });
  const [one, other] = [seen('inconclusive', 'as a proxy'), seen('inconclusive', 'of another form')];
  expect(recordOf([other, one])).toEqual(recordOf([one, other]));
});

test('what was suspected is kept where the requirement did not fail, and a check was the one that suspected it', async () => {
  const target = { TARGET_BASE_URL: 'http://127.0.0.1:9', TARGET_ACCESS_TOKEN: 'token-0001' };
  const configuration = await workspace().read(target);
  const nothing = nothingYet(new Date(0));
  const suspicion = (requirement: string) => ({ requirement, check: 'some', exchanges: ['x00001'] });
  const ids = ['cards.get.unknown-identifier', 'cards.get.shape', 'a scenario'];
  const failed = { ...check('failed'), requirement: 'cards.get.shape' } as Outcome;
  const { run } = assemble(configuration, {
    ...nothing,
    outcomes: [seen('passed', 'some'), failed],
    facts: { ...nothing.facts, suspected: ids.map(suspicion) },
  });
  expect(run.suspected).toEqual([suspicion('cards.get.unknown-identifier')]);
});

const SOME = { id: 'cards', reason: 'some', expires: '2026-05-09' };
const ALL = { id: 'cards.get', reason: 'all' };

test.each([[[SOME, ALL]], [[ALL, SOME]]])(
  'a failure of which one expectation has passed its date is expired: %j',
  (known) => {
    const results = [requirement('cards.get.shape', [check('failed')])];
    markKnownFailures(results, known, new Date('2026-05-10T02:00:00Z'), true);
    expect(results[0]!.known).toEqual({ reason: 'some', expires: '2026-05-09', state: 'expired' });
  },
);

const bug = async (): Promise<never> => (undefined as unknown as { example: () => never }).example();
const checked = { requirement: 'cards.list.max-accepted', name: 'with a bug', body: bug, applies: () => true };

test.each<[string, Pick<Suite, 'checks' | 'observers'>]>([
  ['a check', { checks: [{ ...checked, phase: 'main' }] }],
  ['an observation', { checks: [], observers: [{ operation: 'cards.list', observe: bug }] }],
])('a bug of the suite in %s accuses nobody: exit code 3, and said first', async (_, suite) => {
  const gone = 'http://127.0.0.1:9';
  const configuration = await workspace().read({ TARGET_BASE_URL: gone, TARGET_ACCESS_TOKEN: 'token-0001' });
  const run = new Run(configuration, []);
  const outcomes = await runSuite(run, { rules: [], ...suite });
  await run.close();
  const record = assemble(configuration, {
    ...nothingYet(new Date(0)),
    // Something else was seen to be kept.
    outcomes: [...outcomes.filter(({ verdict }) => verdict !== 'blocked'), seen('passed', 'seen')],
    facts: run.facts(),
    reachability: { reached: ['v3'], blocked: new Map() },
  });
  expect({ failed: record.summary.must.failed, code: exitCode(record) }).toEqual({ failed: 0, code: 3 });
  const [first, second] = summaryText(viewOf(record), { directory: 'out' }).trim().split('\n');
  expect(first).toMatch(/^INCOMPLETE/);
  expect(second).toMatch(/^Not complete: .*this is a bug in the suite, please report it: TypeError/);
});
