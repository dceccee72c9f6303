import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { givenToken, isText } from '../../suites/shared/identifiers.ts';

test.each(['XXXX-XXXX-4417', 'xxxxxx4417', '************4417', '•••4417', '###'])('%s is masked', (text) => {
  expect(isText(text)).toBe(false);
});

test.each(['417', 'xXx4417', 'AxX_xXx-9'])('%s is a text', (text) => {
  expect(isText(text)).toBe(true);
});

test('a token is never masked, whatever chance made of it', () => {
  const answer = { json: { ok: true, value: { token: 'k3xxx0PQ', continuationToken: '' } } } as Answer;
  expect(givenToken(answer)).toBe('k3xxx0PQ');
  expect(givenToken(answer, 'continuationToken')).toBeUndefined();
});
