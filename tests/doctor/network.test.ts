import { expect, test, vi } from 'vitest';
import { explainFailure } from '../../doctor/network.ts';
import { TransportError } from '../../helpers/client/http/types.ts';

const refused = (by: string) =>
  new TransportError('refused', `target.invalid: the connection was refused (ECONNREFUSED ${by})`, null);

test('a proxy that refuses is told from a target that does', async () => {
  vi.stubEnv('http_proxy', 'http://127.0.0.1:3128');
  const about = (by: string) => explainFailure(refused(by), 'http://target.invalid:8080', 'TARGET_BASE_URL');
  expect(JSON.stringify(await about('127.0.0.1:3128'))).toContain('the proxy of http_proxy refused, not the target');
  expect(JSON.stringify(await about('127.0.0.1:8080'))).toContain('check host and port in TARGET_BASE_URL');
});
