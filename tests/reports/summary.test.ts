import { expect, test } from 'vitest';
import { summaryText, wantsColours } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { conformance, everyVerdict, judged, lacking, manyFailed, requirement } from './record-builder.ts';

const ONE_PASSED = 'sample 1.2.3: 1 must requirement passed, none failed';
const text = (requirements = everyVerdict(), run = {}, colours = false) =>
  summaryText(viewOf(conformance(requirements, { run })), { directory: 'reports/latest', colours });

test('the verdict comes first, then counts, what was not seen, failures, advice', () => {
  const lines = text().split(/\n+/).filter(Boolean);
  expect(lines[0]).toMatch(/^NONCONFORMANT {2}sample 1\.2\.3: 3 must requirements failed, 1 of them as known$/);
  const order = ['must  ', 'Not seen', 'FAILED cards.suspend.requires-token', 'Known failures', 'Advice', 'Reports: '];
  const places = order.map((start) => lines.findIndex((line) => line.startsWith(start)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
});

test('a failure names sentence, document, difference, evidence and how to rerun', () => {
  const difference = { expected: '"a"', actual: '"b"', pointer: '/identifier' };
  const found = { message: 'another card', exchanges: ['x00007'], difference };
  const of = { text: 'A card is the one asked for', source: { document: 'The document', section: 'Cards' } };
  const shown = text([judged('cards.get.identifier', 'failed', found, of)]);
  const about = ['FAILED cards.get.identifier', 'A card is the one asked for', 'The document, Cards', 'another card'];
  const differing = ['expected  "a"', 'actual    "b" at /identifier', 'x00007 in reports/latest/exchanges.ndjson'];
  expect(lacking(shown, [...about, ...differing, 'npm start -- --only cards.get.identifier'])).toEqual([]);
});

test('what was not seen is grouped by reason, and the risk says what it leaves unseen', () => {
  const skip = (id: string) => requirement(id, [], { reason: 'needs the fixture cards.foreign' });
  const passed = judged('token.issue.status', 'passed');
  const shown = text([passed, skip('cards.get.foreign'), skip('cards.close.foreign')]);
  expect(shown).toMatch(/skipped +2 {2}needs the fixture cards\.foreign\n.*cards\.get\.foreign, cards\.close\.foreign/);
  expect(shown).toContain('Risk safe (RUN_RISK) leaves unseen: the limit of 40 characters');
  expect(shown).toContain(`CONFORMANT  ${ONE_PASSED}; partial, since 2 could not be judged`);
  expect(text([skip('cards.get.foreign')], { risk: 'irreversible' })).not.toContain('leaves unseen');
});

test('hundreds of failures are shown as twenty and a number', () => {
  const shown = text(manyFailed(300));
  expect(shown.match(/^FAILED /gm)).toHaveLength(20);
  expect(shown).toContain('… and 280 more findings: see reports/latest/index.html');
  const everywhere = Array.from({ length: 300 }, (_, i) => judged(`cards.op${i}.shape`, 'failed'));
  expect(text(everywhere).match(/^FAILED /gm)).toHaveLength(1);
});

test('a run that was interrupted says so', () => {
  const run = { complete: false, incompleteBecause: 'interrupted by SIGINT' };
  const shown = text([judged('token.issue.status', 'passed')], run);
  expect(shown).toContain(`INCOMPLETE  ${ONE_PASSED}; the run was not completed`);
  expect(shown).toContain('Not complete: interrupted by SIGINT');
});

test('text of the target cannot steer the terminal or begin a line', () => {
  const shown = text();
  expect(shown).toContain('\\u001b[31mred');
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(shown).not.toMatch(/^\s*::/m);
});

test('text of the target is coloured only where asked', () => {
  expect(text(everyVerdict(), {}, true)).toContain('\u001b[31m');
  expect(wantsColours({ isTTY: true }, {})).toBe(true);
  expect(wantsColours({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(wantsColours({}, {})).toBe(false);
});
