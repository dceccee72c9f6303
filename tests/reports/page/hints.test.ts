import { expect, test } from 'vitest';
import type { Exchange } from '../../../contracts/record.ts';
import { hintsFor } from '../../../reports/page/hints.ts';
import { answer, judged } from '../record-builder.ts';
import { get, post, Recorder } from './synthetic.ts';

const hints = (id: string, exchanges: Partial<Exchange>[], clockAhead?: number) => {
  const recorder = new Recorder();
  const sent = exchanges.map((over) => recorder.send('cards.get', over));
  return hintsFor({ requirement: judged(id, 'failed'), exchanges: sent, clockAhead });
};

const read = (balance: number) => ({ ...get('/cards/cards/c/balance'), response: answer(200, { balance }) });
const pay = { ...post('/cards/cards/c/transfer', {}), response: answer(200, {}) };
const html = { response: answer(200, '<!DOCTYPE html><p>') };

test.each<[when: string, id: string, exchanges: Partial<Exchange>[], likely: RegExp, clockAhead?: number]>([
  ['HTML came', 'cards.get.shape', [html], /^HTML from a proxy/],
  ['429 came', 'cards.get.shape', [{ response: answer(429, null) }], /^Throttling/],
  ['429 came before a retry', 'cards.get.shape', [{ retries: [{ status: 429, waitedMs: 1 }] }], /^Throttling/],
  ['a good call is turned away', 'cards.get.shape', [{ response: answer(403, null) }], /good credentials was refused/],
  ['a bad call is not', 'cards.get.requires-token', [{ intent: 'unauthorised' }], /does not check the credentials/],
  ['the clocks differ where times are judged', 'token.issue.expires-on', [{}], /90 s behind/, -90],
  ['reading back gives what it was', 'cards.transfer.moves-amount', [read(5), pay, read(5)], /slow effect/],
])('the likely cause where %s', (_, id, exchanges, likely, clockAhead) => {
  expect(hints(id, exchanges, clockAhead)[0]?.cause).toMatch(likely);
});

test('no cause is guessed where nothing points to one', () => {
  expect(hints('cards.get.shape', [{}])).toEqual([]);
  expect(hints('token.issue.expires-on', [{}], 5)).toEqual([]);
  expect(hints('cards.transfer.moves-amount', [read(5), pay, read(4)])).toEqual([]);
});

test('the doctor is named as it is called here', () => {
  expect(hints('cards.get.shape', [html])[0]?.next).toMatch(/start the doctor: npm run doctor$/);
});
