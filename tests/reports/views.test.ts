import { expect, test } from 'vitest';
import { annotations } from '../../reports/annotations.ts';
import { junit, junitFiles } from '../../reports/junit.ts';
import { markdown } from '../../reports/markdown.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import {
  compareRuns,
  conformance,
  everyVerdict,
  exchange,
  HOSTILE,
  judged,
  lacking,
  manyFailed,
  outsideCode,
  recordOf,
} from './record-builder.ts';

const record = conformance(everyVerdict(), {
  target: { name: HOSTILE, version: HOSTILE },
  run: { operations: [HOSTILE], incompleteBecause: HOSTILE, complete: false },
});
const viewOfOne = (...given: Parameters<typeof judged>) => viewOf(conformance([judged(...given)]));

/** Elements in their parents with their attributes, all of them in Jenkins' xUnit schema (junit-10); GitLab and Azure read a subset. */
const XUNIT = [
  '/testsuites name tests failures errors time',
  'testsuites/testsuite name tests failures errors skipped time timestamp',
  'testsuite/properties',
  'properties/property name value',
  'testsuite/testcase name classname time',
  'testcase/failure type message',
  'testcase/error type message',
  'testcase/skipped message',
  'testcase/system-out',
];

function expectValid(xml: string): void {
  const open: string[] = [];
  for (const [, end, name = '', attributes = '', empty] of xml.matchAll(/<(\/?)([a-z-]+)([^>]*?)(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else {
      expect(XUNIT).toContain(`${open.at(-1) ?? ''}/${name}${attributes.replace(/="[^"]*"/g, '')}`);
      if (/ time=/.test(attributes)) expect(attributes).toMatch(/ time="\d+\.\d{3}"/);
      if (!empty) open.push(name);
    }
  }
  expect(open).toEqual([]);
}

const xml = junit(viewOf(record));

test('JUnit XML is well-formed whatever the target answers', () => {
  const inside = xml.replace(/^<\?xml .*?\?>|<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>/g, '');
  expect(inside).not.toMatch(/[<>"]|&(?!(?:amp|lt|gt|quot|apos);)/);
  expect(xml).not.toMatch(/[^\P{C}\n]/u);
});

test('JUnit XML is valid by the xUnit schema of Jenkins, with and without a baseline', () => {
  expectValid(xml);
  const comparison = compareRuns(recordOf(conformance([])), recordOf(record));
  expectValid(junit(viewOf(record, { comparison })));
  for (const document of junitFiles(viewOf(record)).values()) expectValid(document);
});

test('JUnit XML has no suite without a case; the first one has what changed since the baseline', () => {
  const comparison = compareRuns(recordOf(conformance([])), recordOf(record));
  const suites = junit(viewOf(record, { comparison })).split('<testsuite ').slice(1);
  for (const suite of suites) expect(Number(/ tests="(\d+)"/.exec(suite)?.[1])).toBeGreaterThan(0);
  const changed = suites.map((suite) => /<property name="(change)" value="[^"]/.exec(suite)?.[1]);
  expect(changed).toEqual(['change', ...suites.slice(1).map(() => undefined)]);
});

test('JUnit XML of a failure shows request, answer and how to run it again', () => {
  const difference = { expected: '"a"', actual: '"c-7"', pointer: '/identifier' };
  const failed = judged('cards.get.identifier', 'failed', { difference, exchanges: ['x00007'] });
  const shown = junit(viewOf(conformance([failed]), { exchanges: [exchange(7)] }));
  expect(shown).toContain('request: GET https://api.example/cards/cards/c-7');
  expect(shown).toContain('answer: 200 {&quot;identifier&quot;:&quot;c-7&quot;}');
  expect(shown).toContain('rerun: npm start -- --only cards.get.identifier --risk safe --seed 42');
});

test.each([
  ['token.issue.status', undefined],
  ['cards.suspend.requires-token', '<failure type="nonconformant"'],
  ['cards.list.max-abc', '<failure type="nonconformant"'],
  ['cards.get.identifier', '<skipped message="known failure: fixed in May'],
  ['cards.get.shape', '<failure type="stale known failure"'],
  ['users.get.shape', '<error type="blocked"'],
  ['cards.activate.state', '<skipped message="skipped: needs risk irreversible'],
  ['cards.getBalance.shape', '<skipped message="inconclusive: '],
  ['portal.login.status', '<skipped message="out of scope: '],
  ['token.issue.no-store', '<skipped message="advice, a should that failed: '],
])('JUnit XML says of %s: %s', (id, expected) => {
  const testcase = xml.split('<testcase').find((one) => one.startsWith(` name="${id}:`))!;
  expect(testcase).toContain(`<system-out>requirement: ${id}\nlevel: `);
  const [outcome] = /<(?:failure|error|skipped)\b[^>]*/.exec(testcase) ?? [];
  if (expected === undefined) expect(outcome).toBeUndefined();
  else expect(outcome).toContain(expected);
});

test('JUnit XML: a should that is blocked is no error', () => {
  const xml = junit(viewOfOne('token.issue.bearer', 'blocked', {}, { level: 'should' }));
  expect(xml).toContain('failures="0" errors="0" skipped="1"');
});

test('JUnit XML counts what it lists', () => {
  expect(xml).toMatch(/<testsuites[^>]* tests="13" failures="3" errors="1"/);
  expect(xml.match(/<(?:failure|error|skipped)\b/g)).toHaveLength(10);
});

const markup = outsideCode(markdown(viewOf(record)));

test('Markdown has text of the target in code spans only', () => {
  expect(markup).not.toMatch(/script|javascript|evil|onerror|@someone|::error|[<>\]]|\*\*/);
  expect(markup).not.toMatch(/[^\P{C}\n]/u);
});

test('tables in Markdown have as many cells as columns', () => {
  const tables = markup.split('\n\n').filter((block) => block.startsWith('|'));
  expect(tables.length).toBeGreaterThan(4);
  const widths = tables.map(
    (one) =>
      new Set(
        one
          .trim()
          .split('\n')
          .map((line) => line.split('|').length),
      ).size,
  );
  expect(new Set(widths)).toEqual(new Set([1]));
});

test('Markdown lists failures, known failures with reasons, what was not seen and advice', () => {
  const failures = ['## Failures (2)', 'cards.suspend.requires-token', '## Known failures (1)', 'fixed in May'];
  const others = ['## Known failures to remove from the list (2)', '## Not seen', '## Advice (should) (1)'];
  const parts = ['# Conformance: nonconformant, partial', '| needs the fixture cards.withRelated |'];
  expect(lacking(markdown(viewOf(conformance(everyVerdict()))), [...parts, ...failures, ...others])).toEqual([]);
});

test('Markdown stays below what GitHub takes of a summary', () => {
  const long = 'x'.repeat(5000);
  const many = manyFailed(900, { message: long, difference: { expected: long, actual: long } });
  expect(markdown(viewOf(conformance(many))).length).toBeLessThan(500_000);
});

test('annotations are one command a line, nothing in them ends it or begins another', () => {
  const lines = annotations(viewOf(record));
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line).toMatch(/^::error title=[^:,\n]*::[^\n\r]*$/);
  expect(lines[1]).toBe('::error title=Could not be tried::1 requirement, since the time was up');
  expect(lines[4]).toBe('::error title=Known failures to remove from the list::cards.get.shape, cards.list.max-abc');
});

test('annotations escape the percent sign', () => {
  const difference = { expected: 'a%0A::error::b', actual: '' };
  const [line] = annotations(viewOfOne('cards.get.shape', 'failed', { difference }));
  expect(line).toContain('a%250A::error::b');
});

test('annotations are ten at most, and none of a conformant run', () => {
  const lines = annotations(viewOf(conformance(manyFailed(30))));
  expect(lines).toHaveLength(10);
  expect(lines[9]).toBe('::error title=More findings::21 more findings in the summary');
  expect(annotations(viewOfOne('token.issue.status', 'passed'))).toEqual([]);
});

const ofSandbox = conformance([judged('token.issue.status', 'failed')], {
  target: { name: 'embedded sandbox', embedded: true },
});

test('where the embedded sandbox was judged, the first line of summary, terminal and annotations says so', () => {
  const view = viewOf(ofSandbox);
  const says = 'embedded sandbox';
  expect(markdown(view).split('\n', 1)[0]).toBe(`# Conformance of the ${says}, not of a target: nonconformant`);
  const [first] = summaryText(view, { directory: 'reports' }).trim().split('\n');
  expect(first).toBe(`The ${says} was judged, not a target`);
  const lines = annotations(view);
  expect(lines[0]).toBe(`::notice title=Embedded sandbox::The ${says} was judged, not a target`);
  expect(lines).toHaveLength(2);
  const comparison = compareRuns(recordOf(conformance([judged('token.issue.status', 'passed')])), recordOf(ofSandbox));
  expect(annotations(viewOf(ofSandbox, { comparison }))[0]).toBe(lines[0]);
});
