/** What the monitors of a guard find in a history. */
import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { challenges, refusesBadCredentials, refusesWith } from '../../helpers/engine/guard.ts';
import type { Monitor } from '../../helpers/evidence/monitor.ts';
import { answerTo } from '../tools/answers.ts';

/** A history in words: `good 200`, `bad 401 of a`, `filtered 403`, `unsaid 200`, each about card `a` where none is named. */
function historyOf(words: string, of = 'cards.close', headers: Answer['headers'] = {}): Answer[] {
  return words.split(', ').map((step, index) => {
    const [, kind, status, identifier = 'a'] = /^(\w+) (\d+)(?: of (\w))?$/.exec(step)!;
    return answerTo(of, undefined, {
      status: Number(status),
      exchange: `x${index}`,
      input: { path: { identifier } },
      intent: kind === 'good' ? 'refusable' : 'unauthorised',
      wrong: ['bad', 'filtered'].includes(kind!) ? { what: 'no token', isFiltered: kind === 'filtered' } : undefined,
      headers,
    });
  });
}

const found = (monitor: Monitor, history: Answer[]) => [...monitor(history, { fixtures: {}, settleMs: 0 })];
const shown = (monitor: Monitor, words: string) => found(monitor, historyOf(words)).map(({ shows }) => shows);

test.each([
  ['bad 401', 'kept'],
  ['bad 403', 'kept'],
  ['good 200, bad 404', 'kept'],
  ['bad 404, good 200', 'kept'],
  ['good 404, bad 401', 'kept'],
  ['bad 404', 'nothing'],
  ['good 404, bad 404', 'nothing'],
  ['good 403, bad 403', 'nothing'],
  ['good 200 of b, bad 404', 'nothing'],
  ['bad 200', 'contradiction'],
  ['good 404, bad 200', 'contradiction'],
])('of "%s" the refusal of bad credentials is %s', (words, expected) => {
  expect(shown(refusesBadCredentials('cards.close'), words)).toEqual([expected]);
});

test('what a target may not implement, since the documents only list it, is not applicable, with what leaves it out', () => {
  const reason = expect.stringContaining('TARGET_OPERATIONS=-cards.resync,-cards.replace,-cardholders leaves out');
  expect(found(refusesBadCredentials('cards.resync'), historyOf('good 404, bad 404', 'cards.resync'))).toMatchObject([
    { shows: 'nothing', isNotApplicable: true, reason },
  ]);
});

test('an operation that the documents only list, and that refuses some because of their credential, is there', () => {
  const history = historyOf('good 404, bad 401, bad 404', 'cards.resync');
  const [kept, open] = found(refusesBadCredentials('cards.resync'), history);
  expect(kept?.shows).toBe('kept');
  expect(open).toMatchObject({ shows: 'nothing', reason: expect.stringContaining('but a good') });
  expect(open).not.toHaveProperty('isNotApplicable');
});

test('what is not said to be wrong, and what is about another operation, is not judged', () => {
  expect(shown(refusesBadCredentials('cards.close'), 'unsaid 200, good 200')).toEqual([]);
  expect(shown(refusesBadCredentials('cards.suspend'), 'bad 200')).toEqual([]);
});

test.each([
  ['bad 400', 'kept'],
  ['filtered 403', 'kept'],
  ['bad 403', 'contradiction'],
  ['filtered 200', 'contradiction'],
])('of "%s" the status is %s', (words, expected) => {
  expect(shown(refusesWith('cards.close', [400, 401]), words)).toEqual([expected]);
});

test('a 401 names the scheme', () => {
  const challenged = historyOf('bad 401', 'cards.close', { 'www-authenticate': 'Bearer' });
  expect(found(challenges('cards.close'), challenged)).toMatchObject([{ shows: 'kept' }]);
  const message = expect.stringContaining('WWW-Authenticate');
  expect(found(challenges('cards.close'), historyOf('bad 401'))).toMatchObject([{ shows: 'contradiction', message }]);
  expect(shown(challenges('cards.close'), 'bad 403')).toEqual(['contradiction']);
});
