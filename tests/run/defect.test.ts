/** A bug that the suite meets in itself accuses nobody, and keeps the run from ending as if all had been seen. */
import { expect, test } from 'vitest';
import type { Suite } from '../../helpers/check.ts';
import { Run } from '../../helpers/run.ts';
import type { Outcome } from '../../helpers/runner/outcome.ts';
import { runSuite } from '../../helpers/runner/schedule.ts';
import { summaryText } from '../../reports/summary.ts';
import { exitCode } from '../../reports/verdicts.ts';
import { viewOf } from '../../reports/view.ts';
import { assemble } from '../../run/assemble.ts';
import { nothingYet } from '../../run/unfinished.ts';
import { workspace } from '../helpers/configuration/workspace.ts';
import { check } from '../reports/record-builder.ts';

const bug = async (): Promise<never> => (undefined as unknown as { example: () => never }).example();
const checked = { requirement: 'cards.list.max-accepted', name: 'with a bug', body: bug, applies: () => true };

test.each<[string, Pick<Suite, 'checks' | 'observers'>]>([
  ['a check', { checks: [{ ...checked, phase: 'main' }] }],
  ['an observation', { checks: [], observers: [{ operation: 'cards.list', observe: bug }] }],
])('in %s: exit code 3, and said first', async (_, suite) => {
  const gone = 'http://127.0.0.1:9';
  const configuration = await workspace().read({ TARGET_BASE_URL: gone, TARGET_ACCESS_TOKEN: 'token-0001' });
  const run = new Run(configuration, []);
  const outcomes = await runSuite(run, { rules: [], ...suite });
  await run.close();
  // Something else was seen to be kept.
  const passed = { ...check('passed'), requirement: 'cards.get.unknown-identifier' } as Outcome;
  const record = assemble(configuration, {
    ...nothingYet(new Date(0)),
    outcomes: [...outcomes.filter(({ verdict }) => verdict !== 'blocked'), passed],
    facts: run.facts(),
    reachability: { reached: ['v3'], blocked: new Map() },
  });
  expect({ failed: record.summary.must.failed, code: exitCode(record) }).toEqual({ failed: 0, code: 3 });
  const [first, second] = summaryText(viewOf(record), { directory: 'out' }).trim().split('\n');
  expect(first).toMatch(/^INCOMPLETE/);
  expect(second).toMatch(/^Not complete: .*this is a bug in the suite, please report it: TypeError/);
});
