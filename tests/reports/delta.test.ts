/** What a message says of the changes since the baseline: each finding and each reason once, and first what prevented the run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doctor } from '../../cli/doctor.ts';
import { merge } from '../../cli/merge.ts';
import type { Conformance, RequirementResult } from '../../contracts/record.ts';
import { annotations } from '../../reports/annotations.ts';
import { comparisonText } from '../../reports/compare-views.ts';
import { changeGroups, deltaMarkdown } from '../../reports/delta.ts';
import { markdown } from '../../reports/markdown.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { compareRuns, conformance, judged, recordOf } from './record-builder.ts';

const IDS = Array.from({ length: 30 }, (_, index) => `cards.get.statement-${index}`);
const record = (resultOf: (id: string, index: number) => RequirementResult) => conformance(IDS.map(resultOf));
const passing = record((id) => judged(id, 'passed'));

function change(before: Conformance, after: Conformance, page?: string) {
  const comparison = compareRuns(recordOf(before), recordOf(after));
  return { ...viewOf(after, { comparison, page }), comparison };
}

const REASON = 'the token endpoint refuses the client: status 401';
const down = record((id, index) => judged(id, index < 20 ? 'blocked' : 'passed', { message: REASON }));
const view = change(passing, down);

test('a target that is down is the first and only thing that a message says', () => {
  const unseen = '20 no longer seen (since 2025-01-01 03:00 UTC, version 1.2.3, conformant)';
  const why = `- **could not be tried**: 20 requirements, since ${REASON}\n`;
  expect(deltaMarkdown(view)).toBe(`**incomplete** sample 1.2.3: ${unseen}\n\n${why}`);
});

test('a target that is down is one line of every report', () => {
  const times = (text: string) => text.split(REASON).length - 1;
  expect(annotations(view)).toEqual([
    '::notice title=Since the baseline::20 no longer seen (2025-01-01 03:00 UTC, version 1.2.3, conformant)',
    `::error title=Could not be tried::20 requirements, since ${REASON}`,
  ]);
  expect(times(comparisonText(view.comparison))).toBe(1);
  expect(times(summaryText(view, { directory: 'reports' }))).toBe(2);
  expect(markdown(view).split('\n## ')[1]).toContain(REASON);
});

const broken = record((id, index) => {
  if (index < 10) return judged(id, 'failed', { message: 'an expired token is accepted' });
  if (index < 12) return judged(id, 'inconclusive', { message: 'no exchange shows it', exchanges: [] });
  return judged(id, 'passed');
});

test('findings are named once, with a link to their place on the page', () => {
  const page = 'https://ci.example/1/index.html';
  const [, failing, unseen] = deltaMarkdown(change(passing, broken, page)).split(/\n+/);
  const link = (anchor: string, index: number) => `[${IDS[index]}](${page}#${anchor}-${IDS[index]})`;
  expect(failing).toBe(`- **new**: an expired token is accepted (${link('f', 0)} and 9 more)`);
  expect(unseen).toBe(`- **no longer seen**: no exchange shows it (${link('r', 10)} and 1 more)`);
});

test('findings that are fixed are named by what they were', () => {
  const fixed = change(broken, passing);
  const what = 'an expired token is accepted';
  expect(changeGroups(fixed)).toEqual([{ change: 'fixed', what, requirements: IDS.slice(0, 10) }]);
  expect(deltaMarkdown(fixed)).toContain(`- **fixed**: was: ${what} (${IDS[0]} and 9 more)`);
});

test.each([
  ['bad configuration', doctor, [], { TARGET_CLIENT_ID: 'client' }, 'TARGET_CLIENT_ID'],
  ['bad arguments', doctor, ['--risk'], {}, '--risk'],
  ['no record', merge, ['nowhere'], {}, 'nowhere'],
])('a command that could not do its work says why on the page of the job: %s', async (_, program, args, env, why) => {
  const directory = temporaryDirectory();
  const GITHUB_STEP_SUMMARY = join(directory, 'summary.md');
  const onGitHub = { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY };
  const { code, stdout } = await inProcess(program, args, onGitHub, directory);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^::error title=Could not be carried out::/);
  const [first, text] = readFileSync(GITHUB_STEP_SUMMARY, 'utf8').split('\n\n- ');
  expect(first).toBe('# Conformance: could not be carried out');
  expect(text).toContain(why);
});
