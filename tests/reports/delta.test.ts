/** What a message says of the changes since the baseline: each finding and each reason once, and first what prevented the run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doctor } from '../../cli/doctor.ts';
import { merge } from '../../cli/merge.ts';
import type { Conformance, Exchange, RequirementResult } from '../../contracts/record.ts';
import { annotations } from '../../reports/annotations.ts';
import { comparisonText } from '../../reports/compare-views.ts';
import { changeGroups, deltaMarkdown } from '../../reports/delta.ts';
import { readHistory, remember } from '../../reports/history.ts';
import { markdown } from '../../reports/markdown.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { answer, compareRuns, conformance, exchange, judged, recordOf } from './record-builder.ts';

const IDS = Array.from({ length: 30 }, (_, index) => `cards.get.statement-${index}`);
const record = (resultOf: (id: string, index: number) => RequirementResult) => conformance(IDS.map(resultOf));
const passing = record((id) => judged(id, 'passed'));

function change(before: Conformance, after: Conformance, page?: string, exchanges: Exchange[] = []) {
  const comparison = compareRuns(recordOf(before), recordOf(after));
  return { ...viewOf(after, { comparison, page, exchanges }), comparison };
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
  expect(changeGroups(fixed)).toMatchObject([
    { change: 'fixed', what, requirements: IDS.slice(0, 10), isFailing: false },
  ]);
  expect(deltaMarkdown(fixed)).toContain(`- **fixed**: was: ${what} (${IDS[0]} and 9 more)`);
});

const FORM = 'a continued token';
/** A run of a night in which the first of some statements passed or failed by a form, tried or not. */
function nightWith(
  day: number,
  {
    verdict = 'passed',
    form = FORM,
    version = '1',
  }: { verdict?: 'passed' | 'failed'; form?: string; version?: string } = {},
) {
  const suspected = verdict === 'failed' ? [{ form, failed: [IDS[0]!] }] : [];
  const startedAt = new Date(Date.UTC(2025, 0, day)).toISOString();
  const requirements = IDS.map((id, index) =>
    judged(id, index === 0 ? verdict : 'passed', { message: index === 0 && verdict === 'failed' ? FORM : '' }),
  );
  return conformance(requirements, {
    target: { version },
    run: { startedAt, rotated: [{ subject: 'tokens', tried: [form], forms: 3, suspected }] },
  });
}
/** What is said of the last of some nights, compared with the one before. */
function lastOf(nights: readonly Conformance[]) {
  const history = temporaryDirectory();
  for (const night of nights) remember(night, history);
  const comparison = compareRuns(recordOf(nights.at(-2)!), recordOf(nights.at(-1)!));
  const view = { ...viewOf(nights.at(-1)!, { comparison, history: readHistory('sample', history) }), comparison };
  return deltaMarkdown(view).split(/\n+/).slice(1, -1);
}
const failed = { verdict: 'failed' } as const;
const other = 'a shortened token';
test.each([
  ['it passed by that form', [{}, failed], [`- **new**: ${FORM} (${IDS[0]})`]],
  ['it was tried by others', [{ form: other }, failed], [`- **new to us**: ${FORM} (${IDS[0]})`]],
  ['it comes and goes', [failed, {}, failed], [`- **flaky**: ${FORM} (${IDS[0]})`]],
  ['it came, went and went again', [failed, {}, failed, {}], [`- **flaky**: was: ${FORM} (${IDS[0]})`]],
  ['it comes and goes with versions', [failed, {}, { ...failed, version: '2' }], [`- **new**: ${FORM} (${IDS[0]})`]],
  [
    'it was mended, and fails by another form',
    [failed, {}, { ...failed, form: other }],
    [`- **new to us**: ${FORM} (${IDS[0]})`],
  ],
  ['others were tried meanwhile', [failed, { form: other }, failed], [`- **new to us**: ${FORM} (${IDS[0]})`]],
  ['it passes by that form', [{}, failed, {}], [`- **fixed**: was: ${FORM} (${IDS[0]})`]],
  ['it passes by others', [{}, failed, { form: other }], [`- **not tried again**: was: ${FORM} (${IDS[0]})`]],
  ['it fails as before', [failed, failed], []],
])('what changed at the target is told from what only another night tried: %s', (_, nights, lines) => {
  expect(lastOf(nights.map((one, index) => nightWith(index + 1, one)))).toEqual(lines);
});

test.each([
  ['fails, too', 'failed', `- **new**: ${FORM} (${IDS[0]})`],
  ['passes', 'passed', `- **new to us**: ${FORM}; what the baseline tried still passes (${IDS[0]})`],
  ['shows nothing', 'inconclusive', `- **new to us**: ${FORM} (${IDS[0]})`],
] as const)('a must fails by a form that the baseline did not try; what that tried %s', (_, verdict, line) => {
  const [before, now] = [nightWith(1, { form: other }), nightWith(2, failed)];
  const { startedAt } = before.run;
  const asBaseline = { startedAt, verdicts: [{ requirement: IDS[0]!, verdict }] };
  const after = { ...now, run: { ...now.run, asBaseline } };
  expect(lastOf([before, after])).toEqual([line]);
  expect(lastOf([nightWith(0, { form: other }), after]), 'of another baseline').toEqual([
    `- **new to us**: ${FORM} (${IDS[0]})`,
  ]);
});

test('advice is named, after what must be', () => {
  const judgedAt = (verdicts: Record<string, 'passed' | 'failed'>) =>
    conformance(
      Object.entries(verdicts).map(([id, verdict]) =>
        judged(id, verdict, { message: `${id} ${verdict}` }, { level: id.startsWith('token') ? 'should' : 'must' }),
      ),
    );
  const [a, b, c] = ['token.issue.no-store', 'token.issue.bearer', 'users.get.shape'] as const;
  const changed = change(
    judgedAt({ [a]: 'passed', [b]: 'failed', [c]: 'passed' }),
    judgedAt({ [a]: 'failed', [b]: 'passed', [c]: 'failed' }),
  );
  const [first, ...lines] = deltaMarkdown(changed).trim().split(/\n+/);
  expect(first).toContain(': 1 new, advice: 1 new and 1 fixed (since');
  expect(lines).toEqual([
    `- **new**: ${c} failed (${c})`,
    `- **advice, new**: ${a} failed (${a})`,
    `- **advice, fixed**: was: ${b} failed (${b})`,
  ]);
});

test('what a new failure hides is said with it, in one line', () => {
  const after = record((id, index) => {
    if (index === 0) return judged(id, 'failed', { message: 'every page is empty', exchanges: ['x00007'] });
    if (index < 3) return judged(id, 'inconclusive', { message: 'nothing to look at', exchanges: ['x00007'] });
    return judged(id, 'passed');
  });
  const refused = exchange(7, { response: answer(400, {}) });
  const [, ...lines] = deltaMarkdown(change(passing, after, undefined, [refused]))
    .trim()
    .split(/\n+/);
  expect(lines).toEqual([`- **new**: every page is empty; it hides ${IDS[1]} and 1 more (${IDS[0]})`]);
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
