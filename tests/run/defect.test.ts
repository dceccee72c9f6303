/** A bug that the suite meets in itself accuses nobody, and keeps the run from ending as if all had been seen. */
import { expect, test } from 'vitest';
import type { Suite } from '../../helpers/check.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run } from '../../helpers/run.ts';
import type { Reachability } from '../../helpers/runner/reach.ts';
import { runSuite } from '../../helpers/runner/schedule.ts';
import { asRedacted } from '../../redaction/types.ts';
import { summaryText } from '../../reports/summary.ts';
import { exitCode } from '../../reports/verdicts.ts';
import { viewOf } from '../../reports/view.ts';
import { assemble } from '../../run/assemble.ts';
import { nothingYet } from '../../run/unfinished.ts';

const bug = async (): Promise<never> => (undefined as unknown as { example: () => never }).example();

test.each<[string, Pick<Suite, 'checks' | 'observers'>]>([
  [
    'a check',
    {
      checks: [
        { requirement: 'cards.list.max-accepted', name: 'with a bug', body: bug, phase: 'main', applies: () => true },
      ],
    },
  ],
  ['an observation', { checks: [], observers: [{ operation: 'cards.list', observe: bug }] }],
])('in %s: exit code 3, and said first', async (_, suite) => {
  const configuration = await readConfiguration({ env: {}, options: { seed: '1' }, cwd: '/', withoutEnvFile: true });
  Object.assign(configuration.target, { authUrl: 'http://127.0.0.1:9', baseUrl: 'http://127.0.0.1:9' });
  const run = new Run(configuration, [], { recorder: new Recorder(undefined) });
  const outcomes = await runSuite(run, { rules: [], ...suite });
  await run.close();
  // Something else was seen to be kept.
  const passed = {
    requirement: 'cards.get.unknown-identifier',
    name: 'seen',
    verdict: 'passed',
    message: asRedacted(''),
    durationMs: 1,
  } as const;
  const all = [...outcomes.filter(({ verdict }) => verdict !== 'blocked'), { ...passed, exchanges: ['x00001'] }];
  const reachability: Reachability = { reached: ['v3'], blocked: new Map() };
  const record = assemble(configuration, {
    ...nothingYet(new Date(0)),
    outcomes: all,
    facts: run.facts(),
    reachability,
  });
  expect({ failed: record.summary.must.failed, code: exitCode(record) }).toEqual({ failed: 0, code: 3 });
  const [first, second] = summaryText(viewOf(record), { directory: 'out' }).trim().split('\n');
  expect(first).toMatch(/^INCOMPLETE/);
  expect(second).toMatch(/^Not complete: .*this is a bug in the suite, please report it: TypeError/);
});
