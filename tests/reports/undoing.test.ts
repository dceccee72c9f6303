import { expect, test } from 'vitest';
import { changesInWords, formerPermissions, undoing } from '../../reports/undoing.ts';
import { exchange } from './record-builder.ts';

const sent = (operation: string, path: string, body: string | null = null, status = 200, id = 1) =>
  exchange(id, {
    operation,
    request: { method: 'POST', url: `https://api.example/cards/cards/${path}`, headers: {}, body },
    response: { status, headers: {}, body: null, bodyBytes: 0, truncated: false },
  });

test('what requests change is named, and taken back in the other order', () => {
  const all = [
    exchange(1),
    sent('cards.suspend', 'c-1/suspend'),
    sent('cards.transfer', 'c-1/transfer', '{"targetCardIdentifier":"c 2","amount":1.5,"comment":"rent"}'),
    sent('cards.suspend', 'c-3/suspend', null, 401),
  ];
  const undo = undoing(all, new Map());
  expect(undo.map(({ request }) => [request.url.split('/cards/cards/')[1], request.body])).toEqual([
    ['c%202/transfer', '{"targetCardIdentifier":"c-1","amount":1.5,"comment":"rent"}'],
    ['c-1/unsuspend', null],
  ]);
  expect(changesInWords(all, undo)).toBe(
    'This changes the target: cards.suspend, cards.transfer. Its last commands undo that.',
  );
});

test('an address that redaction left with half an escape is taken back as it stands', () => {
  const transfer = sent('cards.transfer', 'c%<REDACTED_PIN>/transfer', '{"targetCardIdentifier":"\\ud800","amount":1}');
  expect(
    undoing([transfer], new Map()).map(({ request }) => [request.url.split('/cards/cards/')[1], request.body]),
  ).toEqual([['%EF%BF%BD/transfer', '{"targetCardIdentifier":"c%<REDACTED_PIN>","amount":1}']]);
});

test('permissions are put back as the log of changes has them', () => {
  const set = sent('users.setPermissions', 'u-1/permissions', '{"canSearchLoads":true}', 200, 7);
  const former = formerPermissions([
    {
      id: 'c00001',
      at: '',
      event: 'sending',
      operation: 'users.setPermissions',
      undo: { operation: 'users.setPermissions', input: { json: { canSearchLoads: false } } },
    },
    { id: 'c00001', at: '', event: 'answered', operation: 'users.setPermissions', exchange: set.id, status: 200 },
  ]);
  expect(undoing([set], former).map(({ request }) => request.body)).toEqual(['{"canSearchLoads":false}']);
  expect(undoing([set], new Map())).toEqual([]);
});

test('it is said what lasts', () => {
  const closed = sent('cards.close', 'c-1/close');
  const suspended = sent('cards.suspend', 'c-2/suspend');
  expect(changesInWords([exchange(1)], [])).toBe('');
  expect(changesInWords([closed], [])).toMatch(/cards\.close\. Nothing here undoes that\.$/);
  expect(changesInWords([closed, suspended], undoing([closed, suspended], new Map()))).toMatch(
    /undo what can be undone\.$/,
  );
});
