/** What a message says of the changes since the baseline: each finding and each reason once, and first what prevented the run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { doctor } from '../../cli/doctor.ts';
import { merge } from '../../cli/merge.ts';
import type { Conformance } from '../../contracts/record.ts';
import { annotations } from '../../reports/annotations.ts';
import { compare, earlierOf } from '../../reports/compare.ts';
import { comparisonText } from '../../reports/compare-views.ts';
import { changeGroups, deltaMarkdown } from '../../reports/delta.ts';
import { markdown } from '../../reports/markdown.ts';
import { plain } from '../../reports/markdown-text.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { check, conformance, requirement } from './record-builder.ts';

const IDS = Array.from({ length: 30 }, (_, index) => `cards.get.statement-${index}`);
const record = (verdictOf: (index: number) => ReturnType<typeof check>) =>
  conformance(IDS.map((id, index) => requirement(id, [verdictOf(index)])));
const passing = record(() => check('passed'));

function change(before: Conformance, after: Conformance, page?: string) {
  const recordOf = (conformance: Conformance) => ({
    path: 'reports',
    conformance,
    exchanges: () => [],
    changes: () => [],
  });
  const comparison = compare(earlierOf(recordOf(before)), recordOf(after));
  return { ...viewOf(after, { comparison, page }), comparison };
}

const REASON = 'the token endpoint refuses the client: status 401';
const down = record((index) => (index < 20 ? check('blocked', { message: REASON }) : check('passed')));

describe('a target that is down', () => {
  test('is the first and only thing that a message says', () => {
    expect(deltaMarkdown(change(passing, down))).toBe(
      '**incomplete** sample 1.2.3: 20 no longer seen (since 2025-01-01 03:00 UTC, version 1.2.3, conformant)\n\n' +
        `- **could not be tried**: 20 requirements, since ${REASON}\n`,
    );
  });

  test('is one line of every report', () => {
    const view = change(passing, down);
    const times = (text: string) => text.split(REASON).length - 1;
    expect(annotations(view)).toEqual([
      '::notice title=Since the baseline::20 no longer seen (2025-01-01 03:00 UTC, version 1.2.3, conformant)',
      `::error title=Could not be tried::20 requirements, since ${REASON}`,
    ]);
    expect(times(comparisonText(view.comparison))).toBe(1);
    expect(times(summaryText(view, { directory: 'reports' }))).toBe(2);
    expect(markdown(view).split('\n## ')[1]).toContain(REASON);
  });
});

describe('findings', () => {
  const broken = record((index) => {
    if (index >= 12) return check('passed');
    return index < 10
      ? check('failed', { message: 'an expired token is accepted', exchanges: [`x${index}`] })
      : check('inconclusive', { message: 'no exchange shows it', exchanges: [] });
  });

  test('are named once, with a link to their place on the page', () => {
    const text = deltaMarkdown(change(passing, broken, 'https://ci.example/1/index.html'));
    expect(text.match(/an expired token/g)).toHaveLength(1);
    expect(text).toContain(
      '- **new**: an expired token is accepted ([cards.get.statement-0](https://ci.example/1/index.html#f-cards.get.statement-0) and 9 more)',
    );
    expect(text).toContain(
      '- **no longer seen**: no exchange shows it ([cards.get.statement-10](https://ci.example/1/index.html#r-cards.get.statement-10) and 1 more)',
    );
  });

  test('that are fixed are named by what they were', () => {
    const groups = changeGroups(change(broken, passing));
    expect(groups).toEqual([{ change: 'fixed', what: 'an expired token is accepted', requirements: IDS.slice(0, 10) }]);
    expect(deltaMarkdown(change(broken, passing))).toContain(
      '- **fixed**: was: an expired token is accepted (cards.get.statement-0 and 9 more)',
    );
  });
});

describe('plain text', () => {
  test.each([
    'expires_in is 3900 seconds',
    '"ten" at /balance',
    'status 200 with a JSON body (130 bytes)',
    '{"error":"invalid_client"}',
  ])('stays as it is: %s', (text) => {
    expect(plain(text)).toBe(text);
  });

  test.each(['@someone', '#12', 'https://evil.example', '- item', '1. item', '_em_', ':smile:', 'a|b', '$x$', '&lt;'])(
    'that could be markup is a code span: %s',
    (text) => {
      expect(plain(text)).toMatch(/^` .* `$/);
    },
  );
});

describe('a command that could not do its work', () => {
  let dir: string;
  beforeEach(() => {
    dir = temporaryDirectory();
  });

  test.each([
    ['bad configuration', doctor, [], { TARGET_CLIENT_ID: 'client' }, 'TARGET_CLIENT_ID'],
    ['bad arguments', doctor, ['--risk'], {}, '--risk'],
    ['no record', merge, ['nowhere'], {}, 'nowhere'],
  ])('says why on the page of the job: %s', async (_, program, args, env, why) => {
    const summary = join(dir, 'summary.md');
    const ended = await inProcess(program, args, { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }, dir);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toMatch(/^::error title=Could not be carried out::/);
    const text = readFileSync(summary, 'utf8');
    expect(text).toContain('# Conformance: could not be carried out\n\n- ');
    expect(text).toContain(why);
  });
});
