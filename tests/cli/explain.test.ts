import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explain } from '../../cli/explain.ts';
import { list } from '../../cli/list.ts';
import { GLOSSARY } from '../../contracts/glossary.ts';
import { inProcess } from '../tools/in-process.ts';

test('explain says in eleven lines at most what a requirement is, rests on, needs and is failed by', async () => {
  const { code, stdout } = await inProcess(explain, ['*']);
  expect(code).toBe(0);
  for (const page of stdout.trim().split('\n\n')) expect(page.split('\n').length, page).toBeLessThanOrEqual(11);
  expect(stdout).toMatch(/^ {2}fails if {2}.*more \(--faults names them\)$/m);
  const { stdout: one } = await inProcess(explain, ['cards.suspend.stops-payments']);
  for (const part of [
    'says      States and transitions, A suspended card: It cannot make transactions',
    'reading   28  Suspended: the status is not Active (must), a transfer from the card moves nothing (must)',
    'needs     risk reversible, fixture cards.active',
    /^ {2}tries {5}\w.*\(suites\/\S+\.ts:\d+/m,
    /^ {2}fails if {2}a card that is suspended twice pays; .*/m,
    'run       npm start -- --only cards.suspend.stops-payments',
  ])
    expect(one).toMatch(part);
  expect(one).not.toContain('proof/faults/');
  const { stdout: watched } = await inProcess(explain, ['cards.getBalance.same-card']);
  expect(watched).toMatch(
    /\(suites\/v3\/cards\/balance\.ts:\d+; judged in suites\/v3\/cards\/money\/own-balances\.ts:\d+\)$/m,
  );
});

test('explain ends no statement and no reading within a sentence', async () => {
  const { stdout } = await inProcess(explain, ['*']);
  const cut = stdout
    .split('\n')
    .filter((line) => /^ {2}(?:says|reading) .*…$/.test(line) && !/[.!?:)`]['"`)]* …$/.test(line));
  expect(cut).toEqual([]);
  expect(stdout).toMatch(/^ {2}reading {3}5 {2}Presence\. \w+/m);
});

test('explain --faults gives every check and fault of a requirement, and where they are', async () => {
  const { code, stdout } = await inProcess(explain, ['--faults', 'cards.suspend.stops-payments']);
  expect(code).toBe(0);
  for (const part of [
    'cards.suspend.stops-payments  (must)\n  A transfer from a suspended card moves no money\n',
    'Token, Users and Cards Interface (v3.0.0), "States and transitions"',
    'says      States and transitions, A suspended card: ',
    'reading   28',
    'suites/v3/',
    'proof/faults/v3-changing.ts',
    'a suspended card pays',
  ])
    expect(stdout).toContain(part);
});

test.each([
  ['cards.suspend', 'cards.suspend.requires-token'],
  ['*.requires-live-token', 'cards.close.requires-live-token'],
  ['token.issue.rate-limits', 'The document does not show them.'],
])('explain takes the prefix, pattern or exclusion %s', async (pattern, part) => {
  const { code, stdout } = await inProcess(explain, [pattern]);
  expect(code).toBe(0);
  expect(stdout).toContain(part);
});

test('explain gives the ten words that reports use, as the README has them', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(Object.keys(GLOSSARY)).toHaveLength(10);
  for (const [word, meaning] of Object.entries(GLOSSARY)) {
    expect(readme).toContain(`\n| ${word} | ${meaning} |\n`);
    const { code, stdout } = await inProcess(explain, word.toUpperCase().split(' '));
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${word}: ${meaning}\n` });
  }
});

test.each([explain, list])('an unknown id ends with 2 and names the nearest (%o)', async (command) => {
  const { code, stderr } = await inProcess(command, ['cards.suspend.stop-payments']);
  expect(code).toBe(2);
  expect(stderr).toContain('the nearest is cards.suspend.stops-payments');
});

test('list gives every requirement and exclusion', async () => {
  const { code, stdout } = await inProcess(list, []);
  expect(code).toBe(0);
  expect(stdout).toContain('must    cards.transfer.moves-amount');
  expect(stdout).toContain('portal.orderCards.lifecycle');
  expect(stdout).toMatch(/\d+ requirements: \d+ must, \d+ should\n$/);
});
