/** A run warns a night before its cards are used up, and then names what only fresh ones could show. */
import { expect, test } from 'vitest';
import { annotations } from '../../reports/annotations.ts';
import { markdown } from '../../reports/markdown.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { conformance, judged, lacking } from './record-builder.ts';

/** Summary, Markdown and annotations of a run that left so many cards, one of which each run uses up. */
function textsOf(left: number, used = 1): string[] {
  const pool = { pool: 'unused', given: 5, spentBefore: 0, used, left, runsLeft: left };
  const fresh = judged('cards.activate.active', left === 0 ? 'inconclusive' : 'passed');
  const view = viewOf(conformance([judged('token.issue.status', 'passed'), fresh], { run: { pools: [pool] } }));
  return [summaryText(view, { directory: 'reports' }), markdown(view), annotations(view).join('\n')];
}

test('as long as they do for two more runs, nobody is warned', () => {
  expect(textsOf(2)[0]).toContain('Cards left: unused 2 of 5; enough for 2 more runs');
  for (const text of textsOf(2)) expect(text).not.toContain('The cards of the fixtures file');
  expect(textsOf(0, 0)[0]).not.toContain('Cards left');
});

const FILE = 'The cards of the fixtures file';
test.each([
  [1, [`${FILE} do for one more run: cards.unused (1 left). Add fresh ones`]],
  [0, [`${FILE} do not do for another run: cards.unused (0 left)`, 'could show 1 requirement: cards.activate.active']],
])('with %i left, everybody is, and learns what only fresh ones could show', (left, parts) => {
  for (const text of textsOf(left)) expect(lacking(text, parts)).toEqual([]);
});
