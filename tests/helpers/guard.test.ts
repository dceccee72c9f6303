/** What the monitors of a guard find in a history. */
import { expect, test } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import { challenges, refusesBadCredentials, refusesWith } from '../../helpers/engine/guard.ts';
import type { Monitor } from '../../helpers/evidence/monitor.ts';

const known = { fixtures: {}, settleMs: 0 };

/** A history of cards.close in words: `good 200`, `bad 401 of a`, `filtered 403`, `unsaid 200`, each about card `a` where none is named. */
function historyOf(words: string, of = 'cards.close'): Answer[] {
  return words.split(', ').map((step, index) => {
    const [, kind, status, identifier = 'a'] = /^(\w+) (\d+)(?: of (\w))?$/.exec(step)!;
    return {
      exchange: `x${index}`,
      operation: operation(of),
      input: { path: { identifier } },
      intent: kind === 'good' ? 'refusable' : 'unauthorised',
      wrong: ['bad', 'filtered'].includes(kind!) ? { what: 'no token', isFiltered: kind === 'filtered' } : undefined,
      status: Number(status),
      headers: {},
      bytes: Buffer.alloc(0),
      json: undefined,
    } as unknown as Answer;
  });
}

const shown = (monitor: Monitor, words: string) => [...monitor(historyOf(words), known)].map(({ shows }) => shows);

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
])('of "%s" the refusal of bad credentials is %s', (words, found) => {
  expect(shown(refusesBadCredentials('cards.close'), words)).toEqual([found]);
});

test('what a target may not implement, since the documents only list it, is not applicable, with what leaves it out', () => {
  expect([
    ...refusesBadCredentials('cards.resync')(historyOf('good 404, bad 404', 'cards.resync'), known),
  ]).toMatchObject([
    {
      shows: 'nothing',
      isNotApplicable: true,
      reason: expect.stringContaining('TARGET_OPERATIONS=-cards.resync,-cards.replace,-cardholders leaves out'),
    },
  ]);
});

test('an operation that the documents only list, and that refuses some because of their credential, is there', () => {
  const [kept, open] = refusesBadCredentials('cards.resync')(
    historyOf('good 404, bad 401, bad 404', 'cards.resync'),
    known,
  );
  expect([kept?.shows, open]).toMatchObject([
    'kept',
    { shows: 'nothing', reason: expect.stringContaining('but a good') },
  ]);
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
])('of "%s" the status is %s', (words, found) => {
  expect(shown(refusesWith('cards.close', [400, 401]), words)).toEqual([found]);
});

test('a 401 names the scheme', () => {
  const [answer] = historyOf('bad 401');
  const judge = (headers: Answer['headers']) => [...challenges('cards.close')([{ ...answer!, headers }], known)];
  expect(judge({ 'www-authenticate': 'Bearer' })).toMatchObject([{ shows: 'kept' }]);
  expect(judge({})).toMatchObject([{ shows: 'contradiction', message: expect.stringContaining('WWW-Authenticate') }]);
  expect(shown(challenges('cards.close'), 'bad 403')).toEqual(['contradiction']);
});
