import { expect, test } from 'vitest';
import { operations } from '../../contracts/operations.ts';
import type { Conformance, RequirementResult } from '../../contracts/record.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { COMPARISONS, OF_TRAFFIC, REPORTS } from '../../reports/all.ts';
import { coverageHttp, coverageMarkdown, coverageOf, coverageTests, lackOf } from '../../reports/coverage.ts';
import { curlOf } from '../../reports/right-request.ts';

/** A record in which some requirements were judged, and some operations called. */
function recordOf(judged: readonly string[], called: readonly string[]): Conformance {
  const results = requirements.map(({ id, operations: of }) => ({
    id,
    operations: of,
    inScope: true,
    verdict: judged.includes(id) ? 'passed' : 'skipped',
  })) as unknown as RequirementResult[];
  const seen = called.map((operation) => ({ operation, statuses: {}, membersNeverSeen: [] }));
  return { requirements: results, run: { seen } } as unknown as Conformance;
}

test('nothing is exercised by nothing, and every statement by everything', () => {
  const [none, all] = [
    coverageOf(recordOf([], [])),
    coverageOf(
      recordOf(
        requirements.map(({ id }) => id),
        operations.map(({ id }) => id),
      ),
    ),
  ];
  expect([none.operations.exercised, none.statements.exercised]).toEqual([0, 0]);
  expect(none.missing.length).toBe(none.statements.all);
  expect(all.missing).toEqual([]);
  expect(all.operations.exercised).toBe(all.operations.all);
});

test('a statement is exercised where one of its requirements is judged', () => {
  const { statements, missing } = coverageOf(
    recordOf(['portal.getCIPCheck.address-41-refused'], ['portal.getCIPCheck']),
  );
  expect(statements.exercised).toBeGreaterThan(0);
  expect(missing.map(({ text }) => text)).not.toContain('A required street address of at most 40 characters');
});

test('what is required is a percentage of operations or of statements', () => {
  const half = coverageOf(
    recordOf(
      [],
      operations
        .filter(({ listedOnly }) => !listedOnly)
        .filter((_, place) => place % 2 === 0)
        .map(({ id }) => id),
    ),
  );
  expect(lackOf(half, { of: 'operations', percent: 50 })).toBeUndefined();
  expect(lackOf(half, { of: 'operations', percent: 60 })).toContain('operations');
  expect(lackOf(half, { of: 'statements', percent: 1 })).toContain('0 of');
});

test('each missing statement has a request of its operation', () => {
  const page = coverageMarkdown(coverageOf(recordOf([], [])));
  for (const { id, interface: of, path, listedOnly } of operations.filter((one) => !one.listedOnly)) {
    const request = curlOf(id);
    expect(request).toContain(of === 'v1' ? `/_ah/api/${path}` : '$TARGET_');
    if (!listedOnly) expect(page).toContain(request);
  }
});

test('the same requests are in a file for editors, and are tests for vitest', () => {
  const coverage = coverageOf(recordOf([], []));
  const ids = new Set(coverage.missing.map(({ operations: [id] }) => id!));
  const [http, tests] = [coverageHttp(coverage), coverageTests(coverage)];
  expect(ids.size).toBeGreaterThan(20);
  for (const { id, method } of operations.filter((one) => ids.has(one.id))) {
    expect(http).toMatch(new RegExp(`^### Request \\d+: ${id}, for .*\\n${method} \\{\\{TARGET_\\w+\\}\\}/`, 'm'));
    expect(tests).toContain(`test('${id}', async () => {`);
  }
  for (const { text } of coverage.missing) expect(tests).toContain(text);
});

test('where all is exercised, nothing is asked', () => {
  const all = coverageOf(
    recordOf(
      requirements.map(({ id }) => id),
      operations.map(({ id }) => id),
    ),
  );
  expect(coverageHttp(all)).not.toContain('###');
  expect(coverageTests(all)).not.toContain('fetch');
});

test('no report has a name that a test runner takes for that of a test', () => {
  for (const { file } of [...REPORTS, ...COMPARISONS, ...OF_TRAFFIC])
    expect(file).not.toMatch(/[.](?:test|spec)[.]|^test/);
});
