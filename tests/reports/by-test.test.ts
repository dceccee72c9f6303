import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from 'har-format';
import { expect, test } from 'vitest';
import { judge } from '../../run/judge.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { BASE, entry, login, logout, read } from '../witness/entries.ts';

/** An entry with a header more. */
const named = (one: Entry, name: string, value: string): Entry => ({
  ...one,
  request: { ...one.request, headers: [...one.request.headers, { name, value }] },
});
const listing = (identifier: unknown) =>
  entry({
    request: 'GET /cards/cards',
    headers: { Authorization: 'Bearer t-1' },
    answer: { results: [{ identifier }] },
  });
const TRACE = '0af7651916cd43dd8448eb211c80319c';

/** Pages of a judgement of entries. */
async function reported(entries: Entry[]) {
  const reportDir = temporaryDirectory();
  await judge(entries, { target: { baseUrl: BASE, portalUrl: BASE }, reportDir });
  const read = (name: string) => readFileSync(join(reportDir, name), 'utf8');
  return { summary: read('summary.md'), page: read('index.html') };
}

test('findings are grouped by the test whose requests show them, by its name or its trace', async () => {
  const { summary, page } = await reported([
    named(listing(7), 'Conformance-Test', 'cards%20of%20Zo%C3%AB'),
    named(listing(8), 'conformance-test', 'cards%20of%20Zo%C3%AB'),
    named(listing(9), 'traceparent', `00-${TRACE}-b7ad6b7169203331-01`),
    named(listing('c-1'), 'Conformance-Test', 'a sound one'),
    named(login(0, 's-1'), 'Conformance-Test', 'logs in'),
    named(logout(2, 's-1'), 'Conformance-Test', 'logs out'),
    named(read(4, 's-1'), 'Conformance-Test', 'is served after it'),
  ]);
  const section = summary.slice(summary.indexOf('## Findings by test'));
  expect(section).toMatch(/cards of Zoë \| cards\.list\.shape \| .*must be a string.* \| x00001, x00002 \|/);
  expect(section).toMatch(new RegExp(`trace ${TRACE} \\| cards\\.list\\.shape`));
  expect(section).toMatch(/is served after it \| portal\.logout\.ends-session/);
  for (const sound of ['a sound one', 'logs in', 'logs out']) expect(section).not.toContain(sound);
  expect(/Findings by test.*cards of Zoë.*cards\.list\.shape/s.test(page)).toBe(true);
});

test('without such headers nothing is said of tests', async () => {
  const { summary, page } = await reported([listing(7)]);
  expect((summary + page).includes('Findings by test')).toBe(false);
});

test('what a name holds stays text', async () => {
  const name = encodeURIComponent('<img src=x> | [a](b) `c`');
  const { summary, page } = await reported([named(listing(7), 'Conformance-Test', name)]);
  expect(page.includes('<img')).toBe(false);
  // In the summary it is in a code span.
  expect(/\| `` <img src=x> \\u007c \[a\]\(b\) `c` `` \|/.test(summary)).toBe(true);
});
