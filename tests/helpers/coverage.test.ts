import { expect, test } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer } from '../../helpers/answer.ts';
import { Coverage } from '../../helpers/contract-rules/coverage.ts';
import { readJson } from '../../helpers/json.ts';

const answer = (id: string, status: number, body?: unknown, identifier = 'c-1'): Answer => {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return {
    exchange: 'x00001',
    operation: operation(id),
    input: { path: { identifier } },
    intent: 'valid',
    status,
    headers: {},
    bytes,
    json: body === undefined ? undefined : readJson(bytes),
    sentAt: 0,
    answeredAt: 1,
    change: undefined,
  };
};
const card = (status: string, identifier?: string) => answer('cards.get', 200, { identifier, status }, identifier);

test('operations and their statuses, in the order of the documents', () => {
  const coverage = new Coverage();
  for (const one of [
    answer('cards.suspend', 200),
    answer('cards.get', 404),
    answer('cards.get', 404),
    answer('cards.get', 0),
  ])
    coverage.note(one);
  expect(coverage.seen().map(({ operation: id, statuses }) => [id, statuses])).toEqual([
    ['cards.get', { 404: 2, 'no answer': 1 }],
    ['cards.suspend', { 200: 1 }],
  ]);
});

test('states of cards, and what one accepted operation made of one', () => {
  const coverage = new Coverage();
  const suspend = (status: number) => answer('cards.suspend', status);
  for (const one of [
    card('Active'),
    suspend(409),
    card('Active'),
    suspend(200),
    card('Suspended'),
    card('Lost', 'c-2'),
  ])
    coverage.note(one);
  for (const one of [answer('cards.unsuspend', 200), answer('cards.close', 200), card('Closed')]) coverage.note(one);
  expect(coverage.cardStates()).toEqual({
    states: ['Active', 'Closed', 'Lost', 'Suspended'],
    transitions: [{ operation: 'cards.suspend', from: 'Active', to: 'Suspended' }],
  });
});
