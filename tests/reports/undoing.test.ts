import { expect, test } from 'vitest';
import { changing, undoing } from '../../reports/undoing.ts';
import { exchange } from './record-builder.ts';

const sent = (operation: string, path: string, body: string | null = null, status = 200) =>
  exchange(1, {
    operation,
    request: { method: 'POST', url: `https://api.example/cards/cards/${path}`, headers: {}, body },
    response: { status, headers: {}, body: null, bodyBytes: 0, truncated: false },
  });

test('what requests change is named, and taken back in the other order', () => {
  const all = [
    exchange(1),
    sent('cards.suspend', 'c-1/suspend'),
    sent('cards.transfer', 'c-1/transfer', '{"targetCardIdentifier":"c 2","amount":1.5}'),
    sent('cards.transfer', 'c-1/transfer', '{"amount":1.5}'),
    sent('cards.suspend', 'c-3/suspend', null, 401),
  ];
  expect(changing(all)).toEqual(['cards.suspend', 'cards.transfer']);
  expect(undoing(all).map(({ request }) => [request.url.split('/cards/cards/')[1], request.body])).toEqual([
    ['c%202/transfer', '{"targetCardIdentifier":"c-1","amount":1.5}'],
    ['c-1/unsuspend', null],
  ]);
});
