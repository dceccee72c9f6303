/** What the doctor says of a target that the network does not reach. */
import { createServer } from 'node:https';
import { expect, test, vi } from 'vitest';
import { explainFailure } from '../../doctor/network.ts';
import { TransportError } from '../../helpers/client/http/types.ts';
import { listen, serve } from '../tools/servers.ts';
import { certificate, key } from './certificate.ts';
import { at, diagnose, faultsOf } from './targets.ts';

const serveTls = async () =>
  (await listen(createServer({ cert: certificate, key }, (_, response) => response.end()))).replace('http:', 'https:');
const servePlain = () => serve((_, response) => response.end());
const firstFault = async (url: string) => faultsOf(await diagnose(at(url)))[0];

/** What is said of a failure to reach a target, with the advice. */
async function explained(kind: TransportError['kind'], message: string, url: string): Promise<string> {
  const { text, advice } = await explainFailure(new TransportError(kind, message, null), url, 'TARGET_BASE_URL');
  return `${text} → ${advice}`;
}

test.each([
  ['', /SELF_SIGNED.*target\.example.*issued by target\.example, valid from Jan .* 2020/],
  ['', /certificate of target\.example into a PEM file.*not in \.env.*NODE_EXTRA_CA_CERTS=/],
  ['other.pem', /NODE_EXTRA_CA_CERTS=other\.pem does not hold/],
])(
  'a certificate that is not trusted is shown, with the variable that makes it trusted: %j, %s',
  async (file, told) => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', file);
    expect(await firstFault(await serveTls())).toMatch(told);
  },
);

test('https where http is spoken, and http where https is', async () => {
  const told = (scheme: string) => `TARGET_AUTH_URL have to begin with ${scheme}://`;
  expect(await firstFault((await servePlain()).replace('http:', 'https:'))).toContain(told('http'));
  expect(await firstFault((await serveTls()).replace('https:', 'http:'))).toContain(told('https'));
});

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate is not for 127\.0\.0\.1.*TARGET_BASE_URL/],
  ['CERT_HAS_EXPIRED', /renew its certificate, unless the clock of this machine is wrong/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /TARGET_CLIENT_CERT and TARGET_CLIENT_KEY/],
])('%s', async (code, told) => {
  expect(await explained('tls', `127.0.0.1: no TLS connection (${code})`, await serveTls())).toMatch(told);
});

test.each([
  ['a proxy that refuses', '127.0.0.1:3128', 'the proxy of http_proxy refused, not the target'],
  ['a target that refuses', '127.0.0.1:8080', 'check host and port in TARGET_BASE_URL'],
])('%s is told from the other', async (_, by, told) => {
  vi.stubEnv('http_proxy', 'http://127.0.0.1:3128');
  const message = `target.invalid: the connection was refused (ECONNREFUSED ${by})`;
  expect(await explained('refused', message, 'http://target.invalid:8080')).toContain(told);
});

test('a proxy that is in the way is named', async () => {
  vi.stubEnv('https_proxy', 'http://127.0.0.1:9');
  const said = await explained('proxy', 'target.example: the proxy refused to connect', 'https://target.example');
  expect(said).toMatch(/the proxy of https_proxy .*target\.example in NO_PROXY/);
});
