import { expect, test } from 'vitest';
import type { Exchange } from '../../contracts/record.ts';
import { junit } from '../../reports/junit.ts';
import { markdown } from '../../reports/markdown.ts';
import { page } from '../../reports/page/index.ts';
import { reasonIn } from '../../reports/said.ts';
import { summaryText } from '../../reports/summary.ts';
import { viewOf } from '../../reports/view.ts';
import { answer, conformance, exchange, judged } from './record-builder.ts';

const answering = (number: number, status: number, body: unknown, over: Partial<Exchange> = {}) =>
  exchange(number, { operation: 'cards.transfer', response: answer(status, body), ...over });

test.each([
  [409, [{ errorCode: 'state', errorMessage: 'The card is closed.' }, { errorMessage: 'no' }], 'The card is closed.'],
  [400, { code: 7, errorMessage: 'No such program.' }, 'No such program.'],
  [401, { error: 'invalid_client', error_description: 'Unknown client.' }, 'Unknown client.'],
  [400, { errorMessage: ' ' }, undefined],
  [400, [null], undefined],
  [400, null, undefined],
  [200, { errorMessage: 'nothing is wrong' }, undefined],
])('what a refusal with %i and %j says', (status, body, said) => {
  expect(reasonIn(answering(1, status, body))).toBe(said);
});

test('an accusation stands beside what the target said of the last right request, not of the wrong ones', () => {
  const exchanges = [
    answering(1, 409, [{ errorMessage: 'Too soon.' }]),
    answering(2, 409, [{ errorMessage: 'Cards of different customers.' }]),
    answering(3, 401, [{ errorMessage: 'No token.' }], { intent: 'unauthorised' }),
    answering(4, 400, [{ errorMessage: 'Unknown card.' }], { wrong: { what: 'an unknown card' } }),
    answering(5, 200, { balance: 1 }, { operation: 'cards.getBalance' }),
  ];
  const failed = { message: 'no transfer moves money', exchanges: exchanges.map(({ id }) => id) };
  const view = viewOf(conformance([judged('cards.transfer.moves-amount', 'failed', failed)]), { exchanges });
  const words = 'no transfer moves money; the target said “Cards of different customers.”';
  expect(summaryText(view, { directory: 'reports/latest' })).toContain(`finding   ${words}`);
  for (const report of [junit(view), markdown(view), page(view, exchanges)]) expect(report).toContain(words);
});

test('what was wrongly accepted stands by itself', () => {
  const exchanges = [answering(1, 409, [{ errorMessage: 'Too soon.' }]), answering(2, 200, {})];
  const failed = judged('cards.transfer.repeated', 'failed', { exchanges: ['x00001', 'x00002'], shownBy: 'x00002' });
  const view = viewOf(conformance([failed]), { exchanges });
  expect(view.findings.failures[0]!.said).toBeUndefined();
});
