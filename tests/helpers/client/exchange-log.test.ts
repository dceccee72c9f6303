import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operation } from '../../../contracts/operations.ts';
import { ExchangeLog } from '../../../helpers/client/exchange-log.ts';
import { TransportError } from '../../../helpers/client/http/types.ts';
import { Recorder } from '../../../helpers/evidence/recorder.ts';
import { SecretRedactor } from '../../../redaction/redactor.ts';
import { temporaryDirectory } from '../../tools/directory.ts';

const SECRET = 'wJalrXUtnFEMI7K7MDENG';

test('what an answer breaks that could not be read is written without its secrets', () => {
  const directory = temporaryDirectory();
  const recorder = new Recorder(directory);
  const redactor = new SecretRedactor('mask');
  redactor.learn(SECRET, 'ACCESS_TOKEN');
  const requirement = 'users.list.status';
  const sent = {
    exchange: recorder.nextExchangeId(),
    operation: operation('users.list'),
    options: { check: `${requirement}: any exchange` },
    request: { method: 'GET', url: 'http://target.invalid/users/customers', headers: {} },
  };
  const difference = { expected: 'a whole answer', actual: SECRET };
  const finding = { requirement, message: `the answer ends within ${SECRET}`, difference };
  new ExchangeLog(recorder, redactor).failed(sent, new TransportError('reset', `cut within ${SECRET}`), [finding]);
  recorder.close();
  const written = readFileSync(join(directory, 'exchanges.ndjson'), 'utf8');
  expect(written).not.toContain(SECRET);
  const message = expect.stringMatching(/^the answer ends within <REDACTED/);
  expect(JSON.parse(written).findings).toMatchObject([{ requirement, message }]);
});
