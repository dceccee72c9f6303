import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../contracts/record.ts';
import { chain, curl, handedOut, variablesOf } from '../../reports/page/reproduction.ts';
import { quote } from '../../reports/shell.ts';
import { HOSTILE } from '../reports/record-builder.ts';
import { answer, get, post, Recorder } from './synthetic.ts';

/** Runs a script in sh, where curl is a function that prints its arguments with a NUL after each and answers a token. */
function run(script: string, env: Record<string, string> = {}, token = 't0k'): string[] {
  const curlStub = `curl() { for one in "$@"; do printf '%s\\0' "$one" >&3; done; printf '{"access_token": "%s"}' '${token}'; }`;
  const output = execFileSync('sh', ['-c', `exec 3>&1 >/dev/null 2>&1\n${curlStub}\n${script}`], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return output.split('\0').slice(0, -1);
}

const request = (over: Partial<Exchange['request']>): Pick<Exchange, 'request'> => ({
  request: { method: 'GET', url: 'https://api.example/cards', headers: {}, body: null, ...over },
});

describe('quote', () => {
  test('gives any text to a command as it is', () => {
    const texts = fc.sample(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: fc.constantFrom(...'\'"\\$`!#~*?[]{}()<>|&;\n\r\t\u001b \u202eaé') }),
      ),
      { numRuns: 300, seed: 7 },
    );
    const expected = [...texts, HOSTILE, '', '-n', '@file', '~', '=ls'].map((text) =>
      text.toWellFormed().replaceAll('\0', ''),
    );
    // A lone marker would be a variable; the sample has none.
    expect(run(expected.map((text) => `curl ${quote(text)}`).join('\n'))).toEqual(expected);
  });

  test('holds nothing that a terminal would act on when it is pasted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(quote(text)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test('leaves no exclamation mark to the history of a shell, within double quotes either', () => {
    for (const text of ['!#; touch x', "a!b'!!"]) expect(quote(text)).not.toMatch(/(?<!\\)!/);
    expect(run(`X="$(curl ${quote('a!!b')})"`)).toEqual(['a!!b']);
  });

  test('makes a redacted secret a variable', () => {
    expect(quote('Bearer <REDACTED_ACCESS_TOKEN>')).toBe(`'Bearer '"$TARGET_ACCESS_TOKEN"`);
    const secret = 'a b\'"$(id)';
    expect(run(`curl ${quote('x<REDACTED_SESSION_ID>y')}`, { TARGET_SESSION_ID: secret })).toEqual([`x${secret}y`]);
  });

  test('leaves what only looks like a marker as it is', () => {
    const body = '{"identifier":"<AWS_SECRET>","pin":"<PIN>","note":"<REDACTED_AWS_SECRET> <TARGET_AWS_SECRET>"}';
    expect(variablesOf(request({ body }))).toEqual(new Set());
    const env = { AWS_SECRET: 'leaked', PIN: '1', TARGET_AWS_SECRET: 'leaked', REDACTED_AWS_SECRET: 'leaked' };
    expect(run(`curl ${quote(body)}`, env)).toEqual([body]);
  });
});

describe('curl', () => {
  test('sends method, address, headers and body', () => {
    const command = curl(
      request({
        method: 'POST',
        url: "https://api.example/cards/a%2Fb/transfer?q=it's&x=[1]",
        headers: { 'content-type': 'application/json', 'content-length': '9', 'x-many': ['1', '2'], 'x-empty': '' },
        body: '{"comment":"it\'s\n10%"}',
      }),
    );
    expect(run(command)).toEqual([
      ...[
        '-sS',
        '-i',
        '-g',
        '--path-as-is',
        '--proto',
        '=http,https',
        '-X',
        'POST',
        '--url',
        "https://api.example/cards/a%2Fb/transfer?q=it's&x=[1]",
      ],
      ...['-H', 'content-type: application/json', '-H', 'x-many: 1', '-H', 'x-many: 2', '-H', 'x-empty;'],
      ...['--data-raw', '{"comment":"it\'s\n10%"}'],
    ]);
  });

  test('of a record by somebody else reads no file, writes none and uses no other protocol', () => {
    const hostile = request({
      method: '-o/tmp/x',
      url: '-K/etc/passwd',
      headers: { '@/etc/passwd': 'x', 'X-a\nb': 'y' },
    });
    const sent = run(curl(hostile));
    expect(sent).toEqual([
      ...['-sS', '-i', '-g', '--path-as-is', '--proto', '=http,https', '-X', '-o/tmp/x', '--url', '-K/etc/passwd'],
    ]);
  });

  test('gives each configured header a variable of its own', () => {
    const command = curl(request({ headers: { 'x-key': '<REDACTED_HEADER>', 'X-Other': '<REDACTED_HEADER>' } }));
    expect(
      run(command, { TARGET_HEADER_X_KEY: 'a', TARGET_HEADER_X_OTHER: 'b' }).filter((one) => /^x-/i.test(one)),
    ).toEqual(['x-key: a', 'X-Other: b']);
  });

  test('adds no content type of its own to a body that was sent without one', () => {
    expect(run(curl(request({ method: 'POST', body: '' }))).slice(-4)).toEqual([
      '-H',
      'content-type:',
      '--data-raw',
      '',
    ]);
  });
});

describe('chain', () => {
  const recorder = new Recorder();
  const token = recorder.send('token.issue', {
    request: {
      method: 'POST',
      url: 'https://login.example/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'client_id=me&client_secret=<REDACTED_CLIENT_SECRET>',
    },
    response: answer(200, '{"access_token":"<REDACTED_ACCESS_TOKEN>"}'),
  });
  const transfer = recorder.send('cards.transfer', { request: post('/cards/cards/c/transfer', { amount: 1 }) });
  const balance = recorder.send('cards.getBalance', { request: get('/cards/cards/c/balance') });
  const givers = new Map([['TARGET_ACCESS_TOKEN', token]]);

  test('asks for the secrets it needs, and goes on with them', () => {
    expect([...handedOut(token)]).toEqual([['TARGET_ACCESS_TOKEN', 'access_token']]);
    const sent = run(chain([transfer, balance], givers), { TARGET_CLIENT_SECRET: "s3 cr&t'" });
    expect(sent.slice(sent.indexOf('--data-raw'), sent.indexOf('--data-raw') + 4)).toEqual([
      ...['--data-raw', 'client_id=me', '--data-urlencode', "client_secret=s3 cr&t'"],
    ]);
    expect(sent.filter((one) => one === 'authorization: Bearer t0k')).toHaveLength(2);
  });

  test('stops at once where a secret is not set', () => {
    expect(() => run(chain([transfer], givers))).toThrow();
    expect(() => run(chain([transfer], new Map()), { TARGET_CLIENT_SECRET: 's3cret' })).toThrow();
  });

  test('keeps a session for the addresses after it, percent-encoded', () => {
    const login = recorder.send('portal.login', {
      request: post(
        '/_ah/api/login?loginID=<REDACTED_PORTAL_LOGIN_ID>&password=<REDACTED_PORTAL_PASSWORD>',
        undefined,
        false,
      ),
      response: answer(200, '{"loginId":"<REDACTED_PORTAL_LOGIN_ID>","access_token":"<REDACTED_SESSION_ID>"}'),
    });
    expect([...handedOut(login)]).toEqual([['TARGET_SESSION_ID', 'access_token']]);
    const methods = recorder.send('portal.getShippingMethods', {
      request: { ...get('/_ah/api/getShippingMethods?sessionId=<REDACTED_SESSION_ID>'), headers: {} },
    });
    const script = chain([methods], new Map([['TARGET_SESSION_ID', login]]));
    const sent = run(script, { TARGET_PORTAL_LOGIN_ID: 'me', TARGET_PORTAL_PASSWORD: 'p%26w' }, 'a+b/c=%&');
    expect(sent.filter((one) => one.startsWith('https:')).map((url) => url.replace(/^.*api\//, ''))).toEqual([
      'login?loginID=me&password=p%26w',
      'getShippingMethods?sessionId=a%2Bb%2Fc%3D%25%26',
    ]);
  });

  test('asks for nothing that the chain gets by itself', () => {
    const script = chain([token, transfer], givers);
    expect(script.match(/curl /g)).toHaveLength(2);
  });

  test('keeps beginning and end of a very long one', () => {
    const script = chain(
      Array.from({ length: 100 }, () => balance),
      new Map(),
    );
    expect(script.match(/curl -sS/g)).toHaveLength(60);
    expect(script).toContain('40 requests are left out here');
  });

  test('gives a token for what was sent with an invented one', () => {
    const invented = recorder.send('cards.get', {
      request: { ...get('/cards/cards/c'), headers: { authorization: 'Bearer <REDACTED_AUTHORIZATION>' } },
    });
    expect(run(chain([invented], givers))).toContain('authorization: Bearer invented');
  });
});
