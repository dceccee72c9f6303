import { expect, test } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Intent } from '../../helpers/answer.ts';
import { Presence } from '../../helpers/evidence/presence.ts';

test.each([
  ['404 to everything', '404 valid, 404 malformed, 404 unknown', 404],
  ['501 to everything', '501 valid', 501],
  ['404, and 401 without a token', '401 unauthorised, 404 valid, 404 unknown', 404],
  ['a success once', '404 unknown, 200 valid, 404 valid', undefined],
  ['404 and 400', '404 valid, 400 malformed', undefined],
  ['404 to what does not exist alone', '404 unknown, 404 foreign', undefined],
])('an operation that answers %s', (_, answers, status) => {
  const presence = new Presence();
  for (const answer of answers.split(', ')) {
    const [code, intent] = answer.split(' ') as [string, Intent];
    presence.note({ operation: operation('cards.setPin'), status: Number(code), intent, exchange: '' });
  }
  expect(presence.absent()).toEqual(status === undefined ? [] : [{ operation: 'cards.setPin', status }]);
});
