import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RequirementResult } from '../../../contracts/record.ts';
import { page } from '../../../reports/page/index.ts';
import { viewOf } from '../../../reports/view.ts';
import { conformance, everyVerdict, exchange, HOSTILE, judged, lacking } from '../record-builder.ts';
import { pageOf, synthetic } from './synthetic.ts';

const typical = synthetic(3);
const text = pageOf(typical);
const plainPage = (requirements: RequirementResult[]) => page(viewOf(conformance(requirements)), []);

/** What a reader sees, roughly: the markup without elements. */
const read = (markup: string) => markup.replace(/<(style|script)>.*?<\/\1>|<[^>]*>/gs, ' ').replace(/\s+/g, ' ');

test('the page accounts for every requirement exactly once, and every cell leads to some', () => {
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!);
  expect(new Set(ids).size).toBe(ids.length);
  expect(typical.conformance.requirements.filter(({ id }) => !ids.includes(`r-${id}`))).toEqual([]);
  for (const [, target] of text.matchAll(/ href="#([^"]*)"/g)) expect(ids).toContain(target);
});

test('the page says verdict, target, counts, what was not seen, and facts of the run on top', () => {
  const counts = ['Nonconformant', 'partial', 'Example Cards Sandbox 2026.05', '3 must requirements failed'];
  const unseen = ['cards.foreign', 'TARGET_TEST_CLOCK_URL', 'RUN_RISK'];
  const facts = ['48.3 s', 'sha256:9f2c1d70a4b8e6531c0d', '6 of 12', '429'];
  expect(lacking(read(text.split('<nav')[0]!), [...counts, ...unseen, ...facts])).toEqual([]);
});

test('the page shows each failure with sentence, section, difference, exchanges, reproduction', () => {
  const failures = text.slice(text.indexOf('id="failures"'), text.indexOf('id="requirements"'));
  const sentence = 'A request for more than 50 customers gets 400 with errors, or at most 50 customers';
  const again =
    '--only users.list.at-most-50 --risk reversible --seed 42 --report-dir reports/rerun/20260511-020000/users';
  const words = [sentence, '“Limits”', `npm start -- ${again}`, 'GET /api/users/customers?max=51 → 200'];
  expect(lacking(read(failures), words)).toEqual([]);
  const marks = ['status <mark>401 or 403</mark>', '<mark>&quot;balance&quot;</mark>: <mark>99.82</mark>'];
  const curl = '-X &#39;GET&#39; --url &#39;https://sandbox.cards.example/api/users/customers?max=51&#39;';
  expect(lacking(failures, [...marks, `curl -sS -i -g --path-as-is --proto &#39;=http,https&#39; ${curl}`])).toEqual(
    [],
  );
});

test('the page shows what is wrong with the members of a body side by side, each once', () => {
  const difference = { expected: 'a number', actual: '"12"', pointer: '/balance' };
  const other = { expected: 'a string', actual: '7', pointer: '/status' };
  const further = [
    { message: 'the body at /status must be a string', difference: other, times: 3, example: 'x00002' },
    { message: 'the body is no object', times: 1, example: 'x00003' },
  ];
  const found = { message: 'the body at /balance must be a number', difference, further };
  const markup = plainPage([judged('cards.get.shape', 'failed', found)]);
  const rows = [...markup.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)].map(([row]) => read(row).trim());
  const pointed = ['/balance a number &quot;12&quot;', '/status 3 exchanges, such as x00002 a string 7'];
  expect(rows.filter((row) => row.startsWith('/'))).toEqual(pointed);
  expect(read(markup)).toContain('And 1 further finding: the body is no object 1 exchange, such as x00003');
});

test('the page keeps known failures, advice and outdated ones apart', () => {
  const text = plainPage(everyVerdict());
  const section = (id: string) => read(text.split(`<section id="${id}"`)[1]!.split('</section><section')[0]!);
  expect(section('known')).toContain('cards.get.identifier');
  expect(section('outdated')).toContain('cards.get.shape passes now');
  expect(section('outdated')).toContain('expired on 2024-12-31');
  expect(section('advice')).toContain('token.issue.no-store');
});

test('the page is calm where nothing fails, and names a cause that many failures share', () => {
  const calm = pageOf(synthetic(0));
  expect(read(calm)).toContain('No must requirement failed');
  expect(calm).not.toMatch(/likely common causes/i);
  expect(read(pageOf(synthetic(300)))).toMatch(/Likely common causes \d+ requirements: HTML from a proxy/);
});

test('the page loads nothing, and its policy lets only its own style and script in', () => {
  expect(text).not.toMatch(/<(?:link|img|iframe|object|embed|base)\b|\bsrc=|@import|url\((?!#)|\bstyle="|\bon\w+="/);
  for (const name of ['style', 'script']) {
    const [, content] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(text)!;
    const digest = createHash('sha256').update(content!).digest('base64');
    expect(text).toContain(`${name}-src 'sha256-${digest}'`);
  }
});

test('the page lets no text of the target become markup', () => {
  const text = pageOf(synthetic(5, HOSTILE));
  const markup = text.replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, '');
  expect(markup).not.toMatch(/<script|<img|href="(?!#)/i);
  expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
  expect(text.match(/<script/g)).toHaveLength(1);
});

test('the page links a known failure only to the web', () => {
  const linked = (link: string) =>
    plainPage([judged('cards.get.shape', 'failed', {}, { known: { reason: 'fixed in May', state: 'known', link } })]);
  expect(linked('https://tracker.example/7')).toContain('href="https://tracker.example/7"');
  expect(linked('javascript:alert(1)')).not.toContain('href="javascript');
});

test('the page stays small with 1,000 requirements and 5,000 exchanges', () => {
  const run = synthetic(300);
  const { requirements } = run.conformance;
  const many = [...requirements, ...requirements.map((one) => ({ ...one, id: `${one.id}-1` }))];
  const more = Array.from({ length: 5_000 }, (_, index) => exchange(1000 + index, { operation: 'cards.list' }));
  const exchanges = [...run.exchanges, ...more];
  const text = page(viewOf({ ...run.conformance, requirements: many }, { exchanges }), exchanges);
  expect(many.length).toBeGreaterThan(1000);
  expect(text.length).toBeLessThan(4_000_000);
});

test('the page is made of a record without exchanges, too', () => {
  expect(read(page(viewOf(typical.conformance), []))).toContain('No exchange of it was recorded');
});

test('each night says what it counted and how soon the target answered, and the words of the page are explained on it', () => {
  const { failed, passed } = typical.conformance.summary.must;
  const night = '<th scope="row">2026-05-11 02:00 UTC</th><td>2026.04</td><td>nonconformant</td>';
  expect(text).toContain(`${night}<td class="number">${failed}</td>`);
  expect(text).toContain(`<td class="number">${passed}</td><td class="number"></td><td class="number">59 ms</td></tr>`);
  for (const word of ['CIP', 'VDE', 'refusable', 'foreign']) expect(text).toContain(`<dt>${word}</dt>`);
});
