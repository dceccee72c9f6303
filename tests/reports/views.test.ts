import { describe, expect, test } from 'vitest';
import { annotations } from '../../reports/annotations.ts';
import { compare } from '../../reports/compare.ts';
import { junit } from '../../reports/junit.ts';
import { markdown } from '../../reports/markdown.ts';
import { viewOf } from '../../reports/view.ts';
import { check, conformance, everyVerdict, exchange, HOSTILE, requirement } from './record-builder.ts';

const record = conformance(everyVerdict(), {
  target: { name: HOSTILE, version: HOSTILE },
  run: { operations: [HOSTILE], incompleteBecause: HOSTILE, complete: false },
});
const testcase = (xml: string, id: string) =>
  xml.split('<testcase').find((one) => one.startsWith(` name="${id}:`)) ?? '';

/**
 * The elements of Jenkins' xUnit schema (junit-10) that a report may use: what each holds, its attributes, and those that
 * it needs. The readers of GitLab and Azure take a subset of these.
 */
const XUNIT: Record<string, { holds: string[]; may: string[]; needs?: string[] }> = {
  testsuites: { holds: ['testsuite'], may: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: {
    holds: ['properties', 'testcase'],
    may: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp'],
    needs: ['name', 'tests', 'failures', 'errors'],
  },
  properties: { holds: ['property'], may: [] },
  property: { holds: [], may: ['name', 'value'], needs: ['name', 'value'] },
  testcase: {
    holds: ['failure', 'error', 'skipped', 'system-out'],
    may: ['name', 'classname', 'time'],
    needs: ['name'],
  },
  failure: { holds: [], may: ['type', 'message'] },
  error: { holds: [], may: ['type', 'message'] },
  skipped: { holds: [], may: ['type', 'message'] },
  'system-out': { holds: [], may: [] },
};

function expectValid(xml: string): void {
  const open: string[] = [];
  for (const [, end, name = '', attributes = '', empty] of xml.matchAll(/<(\/?)([a-z-]+)([^>]*?)(\/?)>/g)) {
    if (end) {
      expect(open.pop()).toBe(name);
      continue;
    }
    expect(open.length === 0 ? ['testsuites'] : XUNIT[open.at(-1)!]!.holds, `in ${open.at(-1)}`).toContain(name);
    const { may, needs = [] } = XUNIT[name]!;
    const given = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)];
    expect(may).toEqual(expect.arrayContaining(given.map(([, one]) => one)));
    expect(given.map(([, one]) => one)).toEqual(expect.arrayContaining(needs));
    for (const [, one, value] of given) if (one === 'time') expect(value).toMatch(/^\d+\.\d{3}$/);
    if (!empty) open.push(name);
  }
  expect(open).toEqual([]);
}

describe('JUnit XML', () => {
  const xml = junit(viewOf(record));

  test('is well-formed whatever the target answers', () => {
    const inside = xml
      .replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>/, '')
      .replace(/<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>/g, '');
    expect(inside).not.toMatch(/[<>"]|&(?!(?:amp|lt|gt|quot|apos);)/);
    expect(xml).not.toMatch(/[^\P{C}\n]/u);
  });

  test('is valid by the xUnit schema of Jenkins, with and without a baseline', () => {
    expectValid(xml);
    const before = { path: 'before', conformance: conformance([]), latencies: new Map() };
    const after = { path: 'after', conformance: record, exchanges: () => [], changes: () => [] };
    expectValid(junit(viewOf(record, { comparison: compare(before, after) })));
  });

  test('has the requirement id in the name and in the output of each case', () => {
    for (const { id } of record.requirements)
      expect(testcase(xml, id)).toContain(`<system-out>requirement: ${id}\nlevel: `);
  });

  test('a failure shows request, answer and how to run it again', () => {
    const failed = requirement('cards.get.identifier', [
      check('failed', {
        difference: { expected: '"a"', actual: '"c-7"', pointer: '/identifier' },
        exchanges: ['x00007'],
      }),
    ]);
    const shown = junit(viewOf(conformance([failed]), { exchanges: [exchange(7)] }));
    for (const part of [
      'request: GET https://api.example/cards/cards/c-7',
      'answer: 200 {&quot;identifier&quot;:&quot;c-7&quot;}',
      'rerun: npm start -- --only cards.get.identifier --risk safe --seed 42',
    ])
      expect(shown).toContain(part);
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
  ])('says of %s: %s', (id, expected) => {
    const outcome = /<(?:failure|error|skipped)\b[^>]*/.exec(testcase(xml, id))?.[0];
    if (expected === undefined) expect(outcome).toBeUndefined();
    else expect(outcome).toContain(expected);
  });

  test('a should that is blocked is no error', () => {
    const should = requirement('token.issue.bearer', [check('blocked')], { level: 'should' });
    expect(junit(viewOf(conformance([should])))).toContain('failures="0" errors="0" skipped="1"');
  });

  test('counts what it lists', () => {
    const [counted = ''] = /<testsuites[^>]*>/.exec(xml) ?? [];
    expect(counted).toContain('tests="13" failures="3" errors="1"');
    expect(xml.match(/<(?:failure|error|skipped)\b/g)).toHaveLength(10);
  });
});

describe('Markdown', () => {
  /** The Markdown without its code spans: what GitHub would read as markup. */
  const markup = markdown(viewOf(record)).replace(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, '');

  test('has text of the target in code spans only', () => {
    expect(markup).not.toMatch(/script|javascript|evil|onerror|@someone|::error|[<>\]]|\*\*/);
    expect(markup).not.toMatch(/[^\P{C}\n]/u);
  });

  test('its tables have as many cells as columns', () => {
    const tables = markup.split('\n\n').filter((block) => block.startsWith('|'));
    expect(tables.length).toBeGreaterThan(4);
    for (const one of tables)
      expect(
        new Set(
          one
            .trim()
            .split('\n')
            .map((line) => line.split('|').length),
        ).size,
      ).toBe(1);
  });

  test('lists failures, known failures with reasons, what was not seen and advice', () => {
    const text = markdown(viewOf(conformance(everyVerdict())));
    for (const part of [
      '# Conformance: nonconformant, partial',
      '## Failures (2)',
      'cards.suspend.requires-token',
      '## Known failures (1)',
      'fixed in May',
      '## Known failures to remove from the list (2)',
      '## Not seen',
      '| needs the fixture cards.withRelated |',
      '## Advice (should) (1)',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('stays below what GitHub takes of a summary', () => {
    const long = 'x'.repeat(5000);
    const many = Array.from({ length: 900 }, (_, i) =>
      requirement(`cards.get.thing-${i}`, [
        check('failed', { message: long, difference: { expected: long, actual: long } }),
      ]),
    );
    expect(markdown(viewOf(conformance(many))).length).toBeLessThan(500_000);
  });
});

describe('annotations', () => {
  test('are one command a line, nothing in them ends it or begins another', () => {
    const lines = annotations(viewOf(record));
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toMatch(/^::error title=[^:,\n]*::[^\n\r]*$/);
    expect(lines[1]).toBe('::error title=Could not be tried::1 requirement, since the time was up');
    expect(lines[4]).toBe('::error title=Known failures to remove from the list::cards.get.shape, cards.list.max-abc');
  });

  test('escape the percent sign', () => {
    const failure = requirement('cards.get.shape', [
      check('failed', { difference: { expected: 'a%0A::error::b', actual: '' } }),
    ]);
    expect(annotations(viewOf(conformance([failure])))[0]).toContain('a%250A::error::b');
  });

  test('are ten at most', () => {
    const many = Array.from({ length: 30 }, (_, i) => requirement(`cards.get.thing-${i}`, [check('failed')]));
    const lines = annotations(viewOf(conformance(many)));
    expect(lines).toHaveLength(10);
    expect(lines[9]).toBe('::error title=More findings::21 more findings in the summary');
  });

  test('of a conformant run are none', () => {
    expect(annotations(viewOf(conformance([requirement('token.issue.status', [check('passed')])])))).toEqual([]);
  });
});
