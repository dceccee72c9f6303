import { createServer } from 'node:https';
import { expect, test, vi } from 'vitest';
import { explainFailure } from '../../doctor/network.ts';
import { TransportError } from '../../helpers/client/http/types.ts';
import { listen, serve } from '../tools/servers.ts';
import { certificate, key } from './certificate.ts';
import { diagnose, faultsOf } from './targets.ts';

const env = (url: string) => ({
  TARGET_BASE_URL: url,
  TARGET_AUTH_URL: url,
  TARGET_TENANT_PATH: 't',
  TARGET_CLIENT_ID: 'id',
  TARGET_CLIENT_SECRET: 'secret-of-the-client',
});

const serveTls = async () =>
  (await listen(createServer({ cert: certificate, key }, (_, response) => response.end()))).replace('http:', 'https:');

test('a certificate that is not trusted is shown, with the variable that makes it trusted', async () => {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '');
  const [line] = faultsOf(await diagnose(env(await serveTls())));
  expect(line).toMatch(/SELF_SIGNED.*target\.example.*issued by target\.example, valid from Jan .* 2020/);
  expect(line).toMatch(/certificate of target\.example into a PEM file.*not in \.env.*NODE_EXTRA_CA_CERTS=/);
});

test('NODE_EXTRA_CA_CERTS that does not help is named', async () => {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', 'other.pem');
  const [line] = faultsOf(await diagnose(env(await serveTls())));
  expect(line).toMatch(/NODE_EXTRA_CA_CERTS=other\.pem does not hold/);
});

test('https where http is spoken, and http where https is', async () => {
  const plain = await serve((_, response) => response.end());
  expect(faultsOf(await diagnose(env(plain.replace('http:', 'https:'))))[0]).toMatch(
    /TARGET_AUTH_URL have to begin with http:\/\//,
  );
  expect(faultsOf(await diagnose(env((await serveTls()).replace('https:', 'http:'))))[0]).toMatch(
    /TARGET_AUTH_URL have to begin with https:\/\//,
  );
});

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate is not for 127\.0\.0\.1.*TARGET_BASE_URL/],
  ['CERT_HAS_EXPIRED', /renew its certificate, unless the clock of this machine is wrong/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /TARGET_CLIENT_CERT and TARGET_CLIENT_KEY/],
])('%s', async (code, advice) => {
  const error = new TransportError('tls', `127.0.0.1: no TLS connection (${code})`);
  const remark = await explainFailure(error, await serveTls(), 'TARGET_BASE_URL');
  expect(`${remark.text} → ${remark.advice}`).toMatch(advice);
});

test('a proxy that is in the way is named', async () => {
  vi.stubEnv('https_proxy', 'http://127.0.0.1:9');
  const error = new TransportError('proxy', 'target.example: the proxy refused to connect');
  const remark = await explainFailure(error, 'https://target.example', 'TARGET_BASE_URL');
  expect(remark.advice).toMatch(/the proxy of https_proxy .*target\.example in NO_PROXY/);
});
