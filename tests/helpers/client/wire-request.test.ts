/** Requests as they are sent: each value as it was given, a parameter that is given several times among them. */
import { expect, test } from 'vitest';
import { operation } from '../../../contracts/operations.ts';
import { wireRequest } from '../../../helpers/client/wire-request.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';

const target = { baseUrl: 'http://127.0.0.1:9', headers: {} } as unknown as Configuration['target'];

test('a parameter with several values is sent several times, and one without a value not at all', () => {
  const query = { max: ['1', '2'], name: 'a b', token: undefined };
  const { url } = wireRequest(target, operation('users.list'), { query }, {});
  expect(new URL(url).search).toBe('?max=1&max=2&name=a%20b');
});
