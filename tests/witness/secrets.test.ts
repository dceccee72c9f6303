/** What a client sends is in nothing that is written of it, though the target gives every piece of it back. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startProxy } from '../../run/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { serve } from '../tools/servers.ts';

const base64 = (of: string) => Buffer.from(of).toString('base64');
const FORM = 'application/x-www-form-urlencoded';
/** A form in parts, as browsers write it. */
const parts = (members: Record<string, string>, end = '\r\n') => ({
  headers: { 'content-type': 'multipart/form-data; boundary=b0undary' },
  body: `${Object.entries(members)
    .map(([head, value]) => `--b0undary${end}Content-Disposition: form-data; ${head}${end}${end}${value}${end}`)
    .join('')}--b0undary--${end}`,
});
const DIGEST =
  'Digest username="mufasa", realm="cards@target.invalid", nonce="dcd98b7102dd2f0e", uri="/cards/cards/7", qop=auth, nc=00000001, cnonce="0a4f113bCn0nce", response="6629fae49393a05397450978507c4ef1"';

/** Requests, and the secrets in them. */
const SENT: [string, { path?: string; headers?: Record<string, string>; body?: string }, string[]][] = [
  ['a code in the query', { path: '/cards/cards/7/close?state=ok&code=Q7-granted-1' }, ['Q7-granted-1']],
  [
    'a code and its verifier in a form',
    {
      headers: { 'content-type': FORM },
      body: 'grant_type=authorization_code&code=Q7-granted-2&code_verifier=v3rifier-abcdefghijkl',
    },
    ['Q7-granted-2', 'v3rifier-abcdefghijkl'],
  ],
  [
    'a code and its verifier in JSON',
    {
      headers: { 'content-type': 'application/json' },
      body: '{"code":"Q7-granted-3","grant_type":"authorization_code","codeVerifier":"v3rifier-json"}',
    },
    ['Q7-granted-3', 'v3rifier-json'],
  ],
  [
    'members in parts',
    parts({
      'name="password"': 'p4ss-in-parts',
      'name=pin': '6284',
      "name*=utf-8''client%5Fsecret": 's3cret-in-parts',
    }),
    ['p4ss-in-parts', '6284', 's3cret-in-parts'],
  ],
  [
    'members in parts with bare line ends',
    parts({ 'filename="a.txt"; name="clientAssertion"': 'ass3rtion.of-two.lines-9' }, '\n'),
    ['ass3rtion.of-two.lines-9'],
  ],
  ['Digest', { headers: { authorization: DIGEST } }, ['6629fae49393a05397450978507c4ef1', '0a4f113bCn0nce']],
  [
    'Basic',
    { headers: { authorization: `Basic ${base64('teller-77:p4ss-in-basic')}` } },
    [base64('teller-77:p4ss-in-basic'), 'teller-77', 'p4ss-in-basic'],
  ],
  [
    'two sets of credentials',
    { headers: { authorization: 'Bearer f1rst-t0ken, Bearer s3cond-t0ken' } },
    ['f1rst-t0ken', 's3cond-t0ken'],
  ],
  [
    'credentials of several schemes',
    { headers: { authorization: 'ApiKey k3y-of-api-7, Hawk id="dh37fgj492je", mac="aSe1DERmZuRl3pI36"' } },
    ['k3y-of-api-7', 'aSe1DERmZuRl3pI36'],
  ],
  ['credentials beside others', { headers: { 'x-forwarded-authorization': 'Bearer th1rd-t0ken' } }, ['th1rd-t0ken']],
];

test.each(SENT)('%s', async (_, { path = '/cards/cards/7/transfer', headers = {}, body }, secrets) => {
  const target = await serve(async (request, response) => {
    const said = JSON.stringify({
      message: `it was ${await text(request)}`,
      headers: request.headers,
      at: request.url,
    });
    const pieces = secrets.map((secret) => ({ note: `(${secret})`, again: base64(`x ${secret}`) }));
    const answer = JSON.stringify({ said, pieces, location: `https://app.invalid${request.url}` });
    response.writeHead(400, { 'content-type': 'application/json', location: `https://app.invalid${request.url}` });
    response.end(answer);
  });
  const reportDir = temporaryDirectory();
  const proxy = await startProxy({ target: { baseUrl: target, authUrl: target, tenantPath: 'auth' }, reportDir });
  const { TARGET_BASE_URL: base } = proxy.environment;
  const again = { authorization: 'Bearer f0urth-token' };
  for (const at of [path, path, '/cards/cards/7/transfer'])
    await (await fetch(base + at, { method: 'POST', headers: { ...again, ...headers }, body: body ?? '{}' })).text();
  await proxy.end();
  const written = readdirSync(reportDir).map((name) => readFileSync(join(reportDir, name), 'utf8'));
  expect(written.join('\n')).toContain('it was');
  const decoded = written.flatMap((one) => [
    one,
    ...(one.match(/[\w+/]{8,}=*/g) ?? []).map((word) => Buffer.from(word, 'base64').toString()),
  ]);
  for (const secret of secrets) expect(decoded.filter((one) => one.includes(secret))).toEqual([]);
});
