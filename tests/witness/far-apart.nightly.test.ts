/** What belongs to one card, session, token or program is judged together however far apart it is recorded, in bounded memory. */
import { execFile } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Entry } from 'har-format';
import { expect, test } from 'vitest';
import type { Conformance } from '../../contracts/record.ts';
import { PLAIN_ORDER } from '../../proof/end-to-end/ordinary-test.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';
import { BASE, cards, entry, issued, login, logout, read, type Said } from './entries.ts';

/** Exchanges in between, which is more than are judged together, and the time that they take in seconds. */
const BETWEEN = 50_000;
const SECONDS = 4000;
/** Heap of the command in MiB: half of what all the exchanges would take. */
const HEAP_MIB = 256;

const authorised = { Authorization: 'Bearer t-2' };
const on = (at: number, request: string, more: Partial<Said> = {}) =>
  entry({ at, request, headers: authorised, ...more });
const order = (at: number, externalIdentifier: string, orderId: number) =>
  entry({
    at,
    request: 'POST /_ah/api/orderCards?sessionId=s-2',
    body: {
      ...PLAIN_ORDER,
      custProgId: 7001,
      customerId: 5001,
      externalIdentifier,
    },
    answer: { orderId, cards: [{ proxy: `p${orderId}` }] },
  });
const record = (at: number, card: string, status: string) => [
  on(at, `GET /cards/cards/${card}/status`, { answer: { status: 1 } }),
  on(at + 0.1, `GET /cards/cards/${card}`, { answer: { identifier: card, status } }),
];

const first = [
  issued(0, 't-1'),
  issued(1500, 't-2'),
  login(1, 's-1'),
  login(1, 's-2', 'bob'),
  logout(2, 's-1'),
  order(3, 'o-1', 1),
  on(4, 'POST /cards/cards/c-1/close'),
];
const last = [
  read(SECONDS, 's-1'),
  cards(SECONDS, 't-1'),
  order(SECONDS, 'o-1', 2),
  ...[1, 10, 20].flatMap((after) => record(SECONDS + after, 'c-1', 'Active')),
];

const PADDING = 'x'.repeat(500);
/** Others' cards, of which there are many, and listings. */
function between(number: number): Entry {
  const at = 10 + (number * (SECONDS - 20)) / BETWEEN;
  const card = `c${number % 3000}x`;
  if (number % 5 > 0) return on(at, `GET /cards/cards/${card}/balance`, { answer: { balance: 5, note: PADDING } });
  return on(at, 'GET /cards/cards?max=5', { answer: { results: [{ identifier: card, note: PADDING }] } });
}

function* archive(): Generator<string> {
  yield '{"log":{"version":"1.2","entries":[';
  for (const one of first) yield `${JSON.stringify(one)},`;
  for (let number = 0; number < BETWEEN; number++) yield `${JSON.stringify(between(number))},`;
  yield `${last.map((one) => JSON.stringify(one)).join()}]}}`;
}

test(`${BETWEEN} exchanges apart`, async () => {
  const folder = temporaryDirectory();
  const [har, judged] = [join(folder, 'long.har'), join(folder, 'judged')];
  await pipeline(Readable.from(archive()), createWriteStream(har));
  const env = { ...process.env, TARGET_BASE_URL: BASE, TARGET_PORTAL_URL: BASE, TARGET_AUTH_URL: BASE };
  const command = [
    `--max-old-space-size=${HEAP_MIB}`,
    join(ROOT, 'cli/start.js'),
    'judge',
    har,
    '--report-dir',
    judged,
  ];
  const ended = await promisify(execFile)(process.execPath, command, { cwd: folder, env }).catch((error) => error);
  expect(ended.code).toBe(1);
  const { requirements, run } = JSON.parse(readFileSync(join(judged, 'conformance.json'), 'utf8')) as Conformance;
  const of = (id: string) => requirements.find((one) => one.id === id)!;
  expect(run.requests).toBe(BETWEEN + first.length + last.length);
  expect(of('portal.logout.ends-session').verdict).toBe('failed');
  expect(of('portal.orderCards.duplicate-order').verdict).toBe('failed');
  expect(of('cards.list.requires-live-token').verdict).toBe('failed');
  expect(of('cards.close.not-active')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('suspected: a card is Active after cards.close'),
  });
});
