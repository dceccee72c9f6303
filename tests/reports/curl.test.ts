import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../contracts/record.ts';
import { curlScript } from '../../reports/curl.ts';
import { giftsOf, scriptOf } from '../../reports/script.ts';
import { quote } from '../../reports/shell.ts';
import { anyText } from './any-text.ts';
import { get, LOGIN, post, Recorder } from './page/synthetic.ts';
import { answer, exchange, HOSTILE } from './record-builder.ts';

/** Runs a script in sh, where curl is a function that prints its arguments with a NUL after each, and answers. */
function run(script: string, env: Record<string, string> = {}, answered = '{"access_token": "t0k"}'): string[] {
  const curl = `curl() { for one in "$@"; do printf '%s\\0' "$one" >&3; done; printf '%s' '${answered}'; }`;
  const options = { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' } as const;
  const output = execFileSync('sh', ['-c', `exec 3>&1 >/dev/null 2>&1\n${curl}\n${script}`], options);
  return output.split('\0').slice(0, -1);
}

/** The commands of exchanges, which find in the run what the others give. */
function script(exchanges: readonly Exchange[], ofRun: readonly Exchange[] = []): string {
  const gifts = ofRun.flatMap((one) => giftsOf(one).map(({ key }) => [key, one] as const));
  const givers = new Map([...Map.groupBy(gifts, ([key]) => key)].map(([key, of]) => [key, of.map(([, one]) => one)]));
  return curlScript(scriptOf(exchanges, [], givers));
}

/** What curl is given to send a request. */
const sent = (over: Partial<Exchange['request']>, env?: Record<string, string>): string[] => {
  const request = { method: 'GET', url: 'https://api.example/cards', headers: {}, body: null, ...over };
  return run(script([exchange(1, { request })]), env);
};

/** The options of every command, before the method. */
const OPTIONS = ['-sS', '-i', '-g', '--path-as-is', '--proto', '=http,https', '-X'];

test('any text that is quoted reaches a command as it is', () => {
  const special = fc.string({ unit: fc.constantFrom(...'\'"\\$`!#~*?[]{}()<>|&;\n\r\t\u001b \u202eaé') });
  const texts = fc.sample(fc.oneof(anyText, fc.string({ unit: 'grapheme' }), special), { numRuns: 100, seed: 7 });
  const all = [...texts, HOSTILE, '', '-n', '@file', '~', '=ls'];
  const expected = all.map((text) => text.toWellFormed().replaceAll('\0', ''));
  // A lone marker would be a variable; the sample has none.
  expect(run(expected.map((text) => `curl ${quote(text)}`).join('\n'))).toEqual(expected);
});

test('a quoted text holds nothing that a terminal would act on when it is pasted', () => {
  fc.assert(fc.property(anyText, (text) => !/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(quote(text))));
});

test('a quoted text leaves the history of a shell no exclamation mark, within double quotes either', () => {
  for (const text of ['!#; touch x', "a!b'!!"]) expect(quote(text)).not.toMatch(/(?<!\\)!/);
  expect(run(`X="$(curl ${quote('a!!b')})"`)).toEqual(['a!!b']);
});

describe('curl', () => {
  test('sends method, address, headers and body', () => {
    const url = "https://api.example/cards/a%2Fb/transfer?q=it's&x=[1]";
    const headers = { 'content-type': 'text/x', 'content-length': '9', 'x-many': ['1', '2'], 'x-empty': '' };
    const body = '{"comment":"it\'s\n10%"}';
    const given = ['content-type: text/x', 'x-many: 1', 'x-many: 2', 'x-empty;'].flatMap((one) => ['-H', one]);
    const all = ['POST', '--url', url, ...given, '--data-raw', body];
    expect(sent({ method: 'POST', url, headers, body })).toEqual([...OPTIONS, ...all]);
  });

  test('of a record by somebody else reads no file, writes none and uses no other protocol', () => {
    const headers = { '@/etc/passwd': 'x', 'X-a\nb': 'y', 'X-c': 'z\r\n\r\nGET /second HTTP/1.1' };
    const url = 'https://api.example/cards';
    expect(sent({ headers })).toEqual([...OPTIONS, 'GET', '--url', url]);
    for (const method of ['-o/tmp/x', 'GET /second HTTP/1.1\r\n', 'GRPC']) expect(sent({ method })).toEqual([]);
    for (const address of ['-K/etc/passwd', 'file:///etc/passwd', `${url}\nx`, `${url} x`, `${url}\u2028`])
      expect(sent({ url: address })).toEqual([]);
  });

  test('gives each configured header a variable of its own', () => {
    const headers = { 'x-key': '<REDACTED_HEADER>', 'X-Other': '<REDACTED_HEADER>' };
    const given = sent({ headers }, { TARGET_HEADER_X_KEY: 'a', TARGET_HEADER_X_OTHER: 'b' });
    expect(given.filter((one) => /^x-/i.test(one))).toEqual(['x-key: a', 'X-Other: b']);
  });

  test('adds no content type of its own to a body that was sent without one', () => {
    expect(sent({ method: 'POST', body: '' }).slice(-4)).toEqual(['-H', 'content-type:', '--data-raw', '']);
  });

  test('takes what only looks like a marker as it is', () => {
    const body = '{"identifier":"<AWS_SECRET>","pin":"<PIN>","note":"<REDACTED_AWS_SECRET> <TARGET_AWS_SECRET>"}';
    const env = { AWS_SECRET: 'leaked', PIN: '1', TARGET_AWS_SECRET: 'leaked', REDACTED_AWS_SECRET: 'leaked' };
    expect(sent({ method: 'POST', body }, env).at(-1)).toBe(body);
  });
});

describe('what is pasted', () => {
  const recorder = new Recorder();
  const token = recorder.send('token.issue', LOGIN);
  const transfer = recorder.send('cards.transfer', post('/cards/cards/c/transfer', { amount: 1 }));
  const balance = recorder.send('cards.getBalance', get('/cards/cards/c/balance'));
  const jsonOf = (body: string) => JSON.parse(body) as Record<string, unknown>;
  const bodiesOf = (sent: string[]) => sent.filter((_, index) => sent[index - 1] === '--data-raw').map(jsonOf);
  const addressesOf = (sent: string[]) =>
    sent.filter((one) => one.startsWith('https:')).map((url) => decodeURIComponent(url.replace(/^.*\/api\//, '')));

  test('asks for the secrets it needs, and goes on with them', () => {
    const sent = run(script([transfer, balance], [token]), { TARGET_CLIENT_SECRET: "s3 cr&t'" });
    const form = ['--data-raw', 'client_id=me', '--data-urlencode', "client_secret=s3 cr&t'"];
    expect(sent.slice(sent.indexOf('--data-raw')).slice(0, 4)).toEqual(form);
    expect(sent.filter((one) => one === 'authorization: Bearer t0k')).toHaveLength(2);
  });

  test('stops at once where a secret is not set, and asks for nothing that it gets by itself', () => {
    expect(() => run(script([transfer], [token]))).toThrow();
    expect(() => run(script([transfer]), { TARGET_CLIENT_SECRET: 's3cret' })).toThrow();
    expect(script([token, transfer], [token]).match(/curl /g)).toHaveLength(2);
  });

  test('gives a token for what was sent with an invented one', () => {
    const invented = get('/cards/cards/c', { authorization: 'Bearer <REDACTED_AUTHORIZATION>' });
    expect(run(script([recorder.send('cards.get', invented)]))).toContain('authorization: Bearer invented');
  });

  const entering = post('/login?loginID=<REDACTED_PORTAL_LOGIN_ID>&password=<REDACTED_PORTAL_PASSWORD>', undefined, {});
  const response = answer(200, '{"loginId":"<REDACTED_PORTAL_LOGIN_ID>","access_token":"<REDACTED_SESSION_ID>"}');
  const login = (over: Partial<Exchange>) => recorder.send('portal.login', { ...entering, response, ...over });
  const listing = get('/getShippingMethods?sessionId=<REDACTED_SESSION_ID>', {});
  const methods = (over: Partial<Exchange>) => recorder.send('portal.getShippingMethods', { ...listing, ...over });
  const credentials = { TARGET_PORTAL_LOGIN_ID: 'me', TARGET_PORTAL_PASSWORD: 'p%w' };

  test('percent-encodes what stands in an address', () => {
    const before = login({});
    const sent = run(script([methods({})], [before]), credentials, '{"access_token":"a+b/c=%&"}');
    expect(addressesOf(sent)).toEqual(['login?loginID=me&password=p%w', 'getShippingMethods?sessionId=a+b/c=%&']);
  });

  test('uses each of several sessions where the run did, and logs in first', () => {
    const sessions = ['credential 1', 'credential 2'] as const;
    const logins = sessions.map((gives) => login({ gives }));
    const inSession = sessions.map((credential) => methods({ credential }));
    const commands = script(inSession, logins);
    const used = [...commands.matchAll(/sessionId='"\$\(encoded "\$(\w+)/g)].map(([, name]) => name);
    expect(used).toEqual(['TARGET_SESSION_ID', 'TARGET_SESSION_ID_2']);
    const paths = addressesOf(run(commands, credentials)).map((path) => path.split('?')[0]);
    expect(paths).toEqual(['login', 'login', 'getShippingMethods', 'getShippingMethods']);
  });

  test('follows the token of the page before, from the first page on', () => {
    const page = (query: string, continuationToken?: string) => {
      const response = answer(200, { results: [], continuationToken });
      return recorder.send('users.list', { ...get(`/customers?max=1${query}`, {}), response });
    };
    const pages = [page('', 'page-2'), page('&token=page-2', 'page-3'), page('&token=page-3')];
    const sent = run(script(pages.slice(2), pages), {}, '{"continuationToken": "its next"}');
    const next = 'customers?max=1&token=its next';
    expect(addressesOf(sent)).toEqual(['customers?max=1', next, next]);
  });

  const order = (members: object) => recorder.send('portal.orderCards', post('/orderCards', members, {}));

  test('makes unique values of orders fresh, and keeps what they have in common', () => {
    const orders = ['123456789012', '123456789013'].map((externalIdentifier) => order({ externalIdentifier }));
    const [one, other] = bodiesOf(run(script(orders))).map(({ externalIdentifier }) => String(externalIdentifier));
    expect(one).toMatch(/^(?!123456)\d{6}789012$/);
    expect(other).toBe(one!.replace(/2$/, '3'));
    expect(script([order({ otherInfo: 'A-1' })])).toContain("need TARGET_UNIQUE 'a value that no order");
  });

  test('asks for persons that are masked, and never sends a mask', () => {
    const person = {
      firstName: 'Ada',
      lastName: 'Lovely',
      dobMonth: 12,
      dateOfBirth: '1990-12-10',
      zip: 62701,
    };
    const masks = {
      firstName: 'Xxxxx',
      lastName: 'Xxxxxx',
      dobMonth: 99,
      dateOfBirth: '9999-09-09',
      zip: 99999,
    };
    const masked = post('/getCIPCheck', { ...masks, ssn: 999999999, city: '' }, {});
    const commands = script([recorder.send('portal.getCIPCheck', masked)]);
    const variableOf = (member: string) => `TARGET_PERSON_${member.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
    const all = Object.entries({ ...person, ssn: 541234567 });
    const env = Object.fromEntries(all.map(([member, value]) => [variableOf(member), String(value)]));
    expect(bodiesOf(run(commands, env))).toEqual([{ ...person, ssn: 541234567, city: '' }]);
    for (const name of Object.keys(env)) expect(() => run(commands, { ...env, [name]: '' })).toThrow();
  });

  test('sends the person that the suite made up, where it was that one', () => {
    const details = { firstName: 'Xxxxx', lastName: 'Xxxxxxx', ssn: '<REDACTED_SSN>' };
    const made = { firstName: 'Robin', lastName: 'Example', ssn: '541234567' };
    const sent = bodiesOf(run(script([order({ address1: '999 Xxxx Xxxxxx', orderDetails: [details] })])));
    expect(sent).toEqual([{ address1: '100 Main Street', orderDetails: [made] }]);
  });

  test('asks for a card of the kind that it uses up', () => {
    const closed = [
      recorder.change('c-7', 'cards.close'),
      recorder.send('cards.get', get('/cards/cards/c-7')),
      recorder.send('cards.transfer', post('/cards/cards/c-8/transfer', { targetCardIdentifier: 'c-7' })),
    ];
    const commands = script(closed, [token]);
    expect(commands).toContain("need TARGET_CARD 'the identifier of an Active card, in place of c-7,");
    const sent = run(commands, { TARGET_CARD: 'c-9', TARGET_CLIENT_SECRET: 's3cret' });
    const [, ...addresses] = addressesOf(sent);
    expect(addresses).toEqual(['cards/cards/c-9/close', 'cards/cards/c-9', 'cards/cards/c-8/transfer']);
    expect(sent).toContain('{"targetCardIdentifier":"c-9"}');
  });

  test('asks for a token that has ended, where one was sent', () => {
    const wrong = { what: 'a token that has expired', hasExpired: true };
    const late = recorder.send('cards.get', { ...get('/cards/cards/c'), wrong });
    const sent = run(script([late], [token]), { TARGET_EXPIRED_ACCESS_TOKEN: '0ld' });
    expect(sent).toContain('authorization: Bearer 0ld');
  });
});
