import { expect, test } from 'vitest';
import { matrix } from '../../reports/matrix.ts';
import { check, conformance, everyVerdict, HOSTILE, requirement } from './record-builder.ts';

const one = conformance(everyVerdict(), { target: { name: 'first', version: '1' } });
const two = conformance(
  [
    requirement('cards.get.shape', [check('failed', { message: HOSTILE })]),
    requirement('cards.reissue.status', [check('passed')]),
  ],
  {
    target: { name: `second ${HOSTILE}`, version: '' },
    suite: { name: 'prepaid-card-conformance', version: '0.2.0', catalogueDigest: 'd2' },
  },
);
const page = matrix([one, two]);

test('every requirement is a row under its operation, every target a column', () => {
  const rows = page.split('<tr').filter((row) => row.includes('class="id"'));
  const ids = rows.map((row) => /<code class="id">([^<]+)/.exec(row)?.[1]);
  expect(ids.toSorted()).toEqual(
    [...new Set([...one.requirements, ...two.requirements].map(({ id }) => id))].toSorted(),
  );
  for (const row of rows) expect(row.match(/<td/g)).toHaveLength(3);
  const row = rows.find((text) => text.includes('>cards.get.shape<')) ?? '';
  expect(row).toMatch(/<td class="passed">.*passed<\/td><td class="failed">.*failed<\/td>/);
  expect(page.match(/<th scope="rowgroup">/g)).toHaveLength(
    new Set([...one.requirements, ...two.requirements].map(({ id }) => id.split('.').slice(0, 2).join('.'))).size,
  );
  expect(page).toContain('The runs are of different catalogues');
  expect(matrix([one, one])).not.toContain('different catalogues');
});

test('every verdict is a word, not a colour alone', () => {
  for (const [verdict, word] of [
    ['failed', 'failed'],
    ['known', 'failed as known'],
    ['blocked', 'blocked'],
    ['skipped', 'skipped'],
    ['out', 'out of scope'],
  ]) {
    expect(page).toMatch(new RegExp(`<td class="${verdict}"><span[^>]*aria-hidden="true">[^<]*</span> ${word}</td>`));
  }
});

test('the page loads nothing, runs nothing, and text of a target stays text', () => {
  expect(page).not.toMatch(/<(?:script|img|link|iframe)|<[^>]+ (?:src|href|on\w+)=/);
  expect(page.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain('&lt;script&gt;');
});
