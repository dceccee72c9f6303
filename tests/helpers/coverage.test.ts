import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { Coverage } from '../../helpers/contract-rules/coverage.ts';
import { answerTo } from '../tools/answers.ts';

/** An answer about a card, a success unless said otherwise. */
const about = (operation: string, status = 200, identifier = 'c-1', body?: object) =>
  answerTo(`cards.${operation}`, body, { status, input: { path: { identifier } } });
const card = (status: string, identifier?: string) => about('get', 200, identifier, { identifier, status });

function coverageOf(...answers: Answer[]): Coverage {
  const coverage = new Coverage();
  for (const answer of answers) coverage.note(answer);
  return coverage;
}

test('operations and their statuses, in the order of the documents', () => {
  const seen = coverageOf(about('suspend'), about('get', 404), about('get', 404), about('get', 0)).seen();
  expect(seen.map(({ operation, statuses }) => [operation, statuses])).toEqual([
    ['cards.get', { 404: 2, 'no answer': 1 }],
    ['cards.suspend', { 200: 1 }],
  ]);
});

test('states of cards, and what one accepted operation made of one', () => {
  const suspended = [card('Active'), about('suspend', 409), card('Active'), about('suspend'), card('Suspended')];
  const closed = [card('Lost', 'c-2'), about('unsuspend'), about('close'), card('Closed')];
  expect(coverageOf(...suspended, ...closed).cardStates()).toEqual({
    states: ['Active', 'Closed', 'Lost', 'Suspended'],
    transitions: [{ operation: 'cards.suspend', from: 'Active', to: 'Suspended' }],
  });
});
