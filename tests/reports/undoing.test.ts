import { expect, test } from 'vitest';
import type { Exchange } from '../../contracts/record.ts';
import { changesInWords, type FormerPermissions, formerPermissions, undoing } from '../../reports/undoing.ts';
import { post } from './page/synthetic.ts';
import { answer, exchange } from './record-builder.ts';

const sent = (operation: string, path: string, json?: object, status = 200) =>
  exchange(7, { operation, ...post(path, json), response: answer(status, null) });
const undone = (exchanges: Exchange[], former: FormerPermissions = new Map()) =>
  undoing(exchanges, former).map(({ request: { url, body } }) => [url.replace(/^.*\/api/, ''), body]);

test('what requests change is named, and taken back in the other order', () => {
  const all = [
    exchange(1),
    sent('cards.suspend', '/cards/cards/c-1/suspend'),
    sent('cards.transfer', '/cards/cards/c-1/transfer', { targetCardIdentifier: 'c 2', amount: 1.5, comment: 'rent' }),
    sent('cards.suspend', '/cards/cards/c-3/suspend', undefined, 401),
  ];
  const transfer = ['/cards/cards/c%202/transfer', '{"targetCardIdentifier":"c-1","amount":1.5,"comment":"rent"}'];
  expect(undone(all)).toEqual([transfer, ['/cards/cards/c-1/unsuspend', null]]);
  const words = 'This changes the target: cards.suspend, cards.transfer. Its last commands undo that.';
  expect(changesInWords(all, undoing(all, new Map()))).toBe(words);
});

test('an address that redaction left with half an escape is taken back as it stands', () => {
  const money = { targetCardIdentifier: '\ud800', amount: 1 };
  const transfer = sent('cards.transfer', '/cards/cards/c%<REDACTED_PIN>/transfer', money);
  const body = '{"targetCardIdentifier":"c%<REDACTED_PIN>","amount":1}';
  expect(undone([transfer])).toEqual([['/cards/cards/%EF%BF%BD/transfer', body]]);
});

test('permissions are put back as the log of changes has them', () => {
  const operation = 'users.setPermissions';
  const set = sent(operation, '/customers/u-1/permissions', { canSearchLoads: true });
  const undo = { operation, input: { json: { canSearchLoads: false } } };
  const former = formerPermissions([
    { id: 'c00001', at: '', event: 'sending', operation, undo },
    { id: 'c00001', at: '', event: 'answered', operation, exchange: set.id, status: 200 },
  ]);
  expect(undone([set], former)).toEqual([['/customers/u-1/permissions', '{"canSearchLoads":false}']]);
  expect(undone([set])).toEqual([]);
});

test('it is said what lasts', () => {
  const closed = sent('cards.close', '/cards/cards/c-1/close');
  const suspended = sent('cards.suspend', '/cards/cards/c-2/suspend');
  const inWords = (...exchanges: Exchange[]) => changesInWords(exchanges, undoing(exchanges, new Map()));
  expect(inWords(exchange(1))).toBe('');
  expect(inWords(closed)).toMatch(/cards\.close\. Nothing here undoes that\.$/);
  expect(inWords(closed, suspended)).toMatch(/undo what can be undone\.$/);
});
