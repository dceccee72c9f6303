/** What a rule says where its condition did not come about, though a request could bring it about. */
import { expect, test } from 'vitest';
import { operation } from '../../contracts/operations.ts';
import type { Answer, Intent } from '../../helpers/answer.ts';
import { errorRules } from '../../helpers/contract-rules/errors.ts';

const rule = errorRules(operation('users.list')).find(({ requirement }) => requirement === 'users.list.error-shape')!;
const judge = (status: number, intent: Intent) => rule.judge({ status, intent, input: {} } as Answer, {});

test.each<[number, Intent, unknown]>([
  [200, 'valid', undefined],
  [200, 'malformed', { lacks: 'a 400' }],
  [422, 'refusable', { lacks: 'a 400' }],
  [503, 'malformed', undefined],
  [400, 'malformed', { message: 'status 400 has no body', difference: expect.anything() }],
])('a %d to a request that is %s', (status, intent, expected) => {
  expect(judge(status, intent)).toEqual(expected);
});
