import { expect, test } from 'vitest';
import type { RequirementResult } from '../../contracts/record.ts';
import { summaryText, wantsColours } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import {
  answer,
  check,
  conformance,
  everyVerdict,
  exchange,
  judged,
  lacking,
  manyFailed,
  requirement,
} from './record-builder.ts';

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

/** The first screen: what stands before the counts. */
const firstScreen = (shown: string) => shown.split(/\n {8}passed/)[0]!;

test('below the verdict is one line a cause, those that explain most first, then how to go on', () => {
  const exchanges = [exchange(1, { response: answer(400, {}) }), exchange(2), exchange(3)];
  const refused = 'the right request is refused';
  const requirements = [
    judged('users.get.identifier', 'failed', { message: 'another customer', exchanges: ['x00003'] }),
    judged('cards.get.required-only', 'failed', { message: refused, exchanges: ['x00001'], shownBy: 'x00001' }),
    judged('cards.get.identifier', 'inconclusive', { exchanges: ['x00001'] }),
    judged('cards.get.active', 'inconclusive', { exchanges: ['x00001', 'x00002'] }),
  ];
  const view = viewOf(conformance(requirements, { run: { risk: 'reversible' } }), { exchanges });
  const lines = firstScreen(summaryText(view, { directory: 'some dir/report' }))
    .trim()
    .split('\n');
  expect(lines).toEqual([
    'NONCONFORMANT  sample 1.2.3: 2 must requirements failed',
    '',
    '2 causes, those that explain most first',
    `  cards.get.required-only: ${refused} (hides 2 requirements)`,
    '  users.get.identifier: another customer',
    '',
    'How to go on',
    '  npm run explain -- cards.get.required-only',
    '      says what the document promises, and what fails it',
    "  npm run replay -- 'some dir/report' cards.get.required-only --risk reversible",
    '      sends the requests of this failure again',
    "  npm start -- --last-failed 'some dir/report' --risk reversible",
    '      tries what failed or was hidden again, after a repair',
  ]);
});

test('where nothing failed, but an interface could not be used, the doctor is the way to go on', () => {
  const blocked = judged('token.issue.status', 'blocked', { message: 'the connection was refused' });
  expect(firstScreen(text([blocked]))).toContain('How to go on\n  npm run doctor\n');
  expect(firstScreen(text([blocked], { source: 'recording' }))).not.toContain('How to go on');
});

test('a known failure has its reason, its link, and the date on which it is due', () => {
  const known = { reason: 'mended in May', link: 'https://tracker.example/7', expires: '2026-06-01', state: 'known' };
  const failed = { ...judged('cards.get.shape', 'failed'), known: known as RequirementResult['known'] };
  expect(text([failed])).toContain('  cards.get.shape: mended in May, https://tracker.example/7, until 2026-06-01\n');
});

test('what a failure hides is not told again as not seen', () => {
  const requirements = [
    judged('cards.get.required-only', 'failed', { exchanges: ['x00001'], shownBy: 'x00001' }),
    judged('cards.get.identifier', 'inconclusive', { message: 'no card is shown', exchanges: ['x00001'] }),
    judged('users.get.identifier', 'inconclusive', { message: 'no customer is shown', exchanges: ['x00002'] }),
  ];
  const exchanges = [exchange(1, { response: answer(400, {}) }), exchange(2)];
  const view = viewOf(conformance(requirements, { run: { risk: 'irreversible' } }), { exchanges });
  const [, unseen] = summaryText(view, { directory: 'reports' }).split('Not seen\n');
  expect(unseen!.split('\n').slice(0, 3)).toEqual([
    '  hidden            1  by the causes above',
    '  inconclusive      1  no customer is shown',
    '                       users.get.identifier',
  ]);
});

test('a line of the first screen has at most 25 words, whatever the target says, and there are at most twenty causes', () => {
  const message = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
  const long = manyFailed(300).map((one) => ({ ...one, checks: [check('failed', { message })] }));
  const lines = firstScreen(text(long)).split('\n');
  expect(Math.max(...lines.map((line) => line.split(' ').filter(Boolean).length))).toBeLessThanOrEqual(25);
  expect(firstScreen(text(manyFailed(30)))).toContain('  … and 10 more causes: see reports/latest/index.html');
});

test('notes that differ in numbers alone are one', () => {
  const notes = [1, 2, 3].map((number) => `The card c-${number} was retired.`);
  const shown = text([judged('token.issue.status', 'passed')], { notes: [...notes, 'Another note.'] });
  expect(shown.match(/^Note: .*/gm)).toEqual([
    'Note: The card c-1 was retired. (and 2 notes like it)',
    'Note: Another note.',
  ]);
});

test('what is counted, and not seen, is what was selected', () => {
  const left = requirement('cards.get.shape', [], { reason: 'not selected by --only', leftOut: 'selection' });
  const shown = text([judged('token.issue.status', 'passed'), left]);
  expect(shown).toMatch(/^must +1 +0 +0 +0 +0 +0 +0 +0$/m);
  expect(shown).not.toContain('not selected by --only');
});

test('a failure says what it trusts of the fixtures, without what is secret, and not cards that are read first', () => {
  const origin = 'fixtures file' as const;
  const fixtures = [
    { key: 'users.nameFragment', origin, detail: 'Harbor' },
    { key: 'users.nameMatchIdentifier', origin: 'discovered' as const, detail: 'c-1' },
    { key: 'cards.active', origin, detail: '8 given' },
    { key: 'portal.cip.pass', origin, detail: 'given' },
  ];
  const failedOf = (id: string) => text([judged(id, 'failed')], { fixtures });
  expect(failedOf('users.list.filter-name')).toContain('trusts    from the fixtures: users.nameFragment (Harbor)\n');
  expect(failedOf('portal.getCIPCheck.outcome-pass')).toContain('from the fixtures: portal.cip.pass\n');
  expect(failedOf('cards.suspend.not-active')).not.toContain('from the fixtures');
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
