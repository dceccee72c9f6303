import { expect, test } from 'vitest';
import { historyOf } from '../../reports/history.ts';
import { matrix } from '../../reports/matrix.ts';
import { conformance, everyVerdict, HOSTILE, judged, manyFailed } from './record-builder.ts';

const one = conformance(everyVerdict(), { target: { name: 'first', version: '1' } });
const others = [judged('cards.get.shape', 'failed', { message: HOSTILE }), judged('cards.reissue.status', 'passed')];
const two = conformance(others, {
  target: { name: `second ${HOSTILE}`, version: '' },
  suite: { name: 'prepaid-card-conformance', version: '0.2.0', catalogueDigest: 'd2' },
});
const page = matrix([{ conformance: one, link: 'one/index.html' }, { conformance: two }]);

const rows = page.split('<tr').filter((row) => row.includes('class="id"'));
const rowOf = (id: string) => rows.find((text) => text.includes(`>${id}<`)) ?? '';

test('every requirement is a row under its operation, every target a column', () => {
  const ids = rows.flatMap((row) => /<code class="id">([^<]+)/.exec(row)?.[1] ?? []);
  expect(ids).toHaveLength(rows.length);
  expect(new Set(ids)).toEqual(new Set([...one.requirements, ...others].map(({ id }) => id)));
  for (const row of rows) expect(row.match(/<td/g)).toHaveLength(2);
  expect(rowOf('cards.get.shape')).toMatch(/<td class="passed">.*<td class="failed"/);
  expect(page).toContain('The runs are of different catalogues');
  expect(matrix([{ conformance: one }, { conformance: one }])).not.toContain('different catalogues');
});

test.each([
  ['failed', 'failed'],
  ['known', 'failed as known'],
  ['blocked', 'blocked'],
  ['skipped', 'skipped'],
  ['out', 'out of scope'],
])('%s is the words %s, not a colour alone', (verdict, words) => {
  const [cell = ''] = page.split(`<td class="${verdict}"`).slice(1);
  const sign = '<span[^>]*aria-hidden="true">[^<]*</span>';
  expect(cell).toMatch(new RegExp(`^[^>]*>(?:<a[^>]*>)?${sign}<span class="said">${words}</span>`));
});

test('a failure leads to its place in the report of the target, where there is one', () => {
  expect(rowOf('cards.suspend.requires-token')).toContain('href="one/index.html#f-cards.suspend.requires-token"');
  expect(rowOf('cards.get.shape')).not.toContain('href');
});

test('targets stand with verdict and change, what fails anew first', () => {
  const calm = conformance([judged('cards.get.shape', 'passed')], { target: { name: 'calm', version: '' } });
  const page = matrix([{ conformance: calm }, { conformance: one }]);
  const names = [...page.matchAll(/<th scope="row">(?:<a [^>]*>)?(calm|first 1)/g)].map(([, name]) => name);
  expect(names).toEqual(['first 1', 'calm']);
});

test('the page loads nothing, runs only its own script, and text of a target stays text', () => {
  const markup = page.replace(/<(script|style)>[\s\S]*?<\/\1>| title="[^"]*"/g, '');
  expect(markup).not.toMatch(/<(?:img|link|iframe)|<[^>]+ (?:src|on\w+)=/);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).toMatch(/default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-/);
  expect(page.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
  expect(page).toContain('&lt;script&gt;');
});

test('known failures of all targets stand by the date on which they are due, with reason and link', () => {
  const known = (expires: string | undefined, state: 'known' | 'expired' = 'known') => ({
    reason: `mended by ${expires}`,
    link: 'https://tracker.example/7',
    state,
    ...(expires && { expires }),
  });
  const target = (name: string, ...requirements: ReturnType<typeof judged>[]) => ({
    conformance: conformance(requirements, { target: { name, version: '' } }),
  });
  const page = matrix([
    target('later', judged('cards.get.shape', 'failed', {}, { known: known('2027-02-01') })),
    target(
      'sooner',
      judged('cards.get.status', 'failed', {}, { known: known('2026-01-01', 'expired') }),
      judged('users.get.shape', 'failed', {}, { known: known(undefined) }),
    ),
  ]);
  const section = page.split('id="known"')[1]!.split('</section>')[0]!;
  const due = [...section.matchAll(/<th scope="row">(\S+?)[< ]/g)].map(([, date]) => date);
  expect(due).toEqual(['2026-01-01', '2027-02-01', 'no']);
  expect(section).toMatch(
    /past its date.*sooner.*cards\.get\.status.*mended by 2026-01-01 <a href="https:\/\/tracker\.example\/7" rel="noreferrer">/,
  );
  expect(matrix([{ conformance: conformance([judged('cards.get.shape', 'passed')]) }])).not.toContain('id="known"');
});

test('the trend of a target has a column for each of its last nights, and says their numbers', () => {
  const nights = [0, 3, 3, 1].map((failed, day) => {
    const { target, suite, summary } = conformance(manyFailed(failed).concat(judged('cards.get.shape', 'passed')));
    const startedAt = `2025-01-0${day + 1}T03:00:00.000Z`;
    return {
      startedAt,
      risk: 'safe' as const,
      selection: 'all',
      version: target.version,
      catalogue: suite.catalogueDigest,
      summary,
      seen: new Map(),
    };
  });
  const page = matrix([{ conformance: one, history: historyOf(nights) }]);
  const [drawing = ''] = /<svg class="trend".*?<\/svg>.*?<\/span>/.exec(page) ?? [];
  expect([...drawing.matchAll(/<rect class="(\w+)"/g)].map(([, verdict]) => verdict)).toEqual([
    'conformant',
    'nonconformant',
    'nonconformant',
    'nonconformant',
  ]);
  expect(drawing).toContain('aria-label="failed musts in the last 4 nights: at most 3, lately 0, 3, 3, 1"');
  expect(matrix([{ conformance: one, history: historyOf(nights.slice(0, 1)) }])).not.toContain('class="trend"');
});
