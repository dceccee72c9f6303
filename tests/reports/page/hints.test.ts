import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../contracts/record.ts';
import { hintsFor } from '../../../reports/page/hints.ts';
import { check, requirement } from '../record-builder.ts';
import { answer, get, post, Recorder } from './synthetic.ts';

const causes = (id: string, exchanges: Exchange[], clockAhead?: number) =>
  hintsFor({ requirement: requirement(id, [check('failed')]), exchanges, clockAhead }).map(({ cause }) => cause);

const send = (over: Partial<Exchange>) => new Recorder().send('cards.get', over);

describe('the likely cause', () => {
  test('is a proxy where HTML came', () => {
    expect(causes('cards.get.shape', [send({ response: answer(200, '<!DOCTYPE html><p>') })])[0]).toMatch(/^HTML/);
  });

  test('names the doctor as it is called here', () => {
    const exchanges = [send({ response: answer(200, '<!DOCTYPE html><p>') })];
    const [hint] = hintsFor({
      requirement: requirement('cards.get.shape', [check('failed')]),
      exchanges,
      clockAhead: 0,
    });
    expect(hint?.next).toMatch(/start the doctor: npm run doctor$/);
  });

  test('is throttling where 429 came, also before a retry', () => {
    expect(causes('cards.get.shape', [send({ response: answer(429, null) })])[0]).toMatch(/^Throttling/);
    expect(causes('cards.get.shape', [send({ retries: [{ status: 429, waitedMs: 1 }] })])[0]).toMatch(/^Throttling/);
  });

  test('is authorisation where a good call is turned away, and where a bad one is not', () => {
    expect(causes('cards.get.shape', [send({ response: answer(403, null) })])[0]).toMatch(
      /good credentials was refused/,
    );
    expect(causes('cards.get.requires-token', [send({ intent: 'unauthorised' })])[0]).toMatch(
      /does not check the credentials/,
    );
  });

  test('is a difference of clocks where times are judged', () => {
    expect(causes('token.issue.expires-on', [send({})], -90)[0]).toMatch(/90 s behind/);
    expect(causes('token.issue.expires-on', [send({})], 5)).toEqual([]);
  });

  test('is a slow effect where reading back gives what it was before', () => {
    const read = (balance: number) =>
      send({ request: get('/cards/cards/c/balance'), response: answer(200, { balance }) });
    const pay = send({ request: post('/cards/cards/c/transfer', {}), response: answer(200, {}) });
    expect(causes('cards.transfer.moves-amount', [read(5), pay, read(5)])[0]).toMatch(/slow effect/);
    expect(causes('cards.transfer.moves-amount', [read(5), pay, read(4)])).toEqual([]);
  });

  test('is not guessed where nothing points to one', () => {
    expect(causes('cards.get.shape', [send({})])).toEqual([]);
  });
});
