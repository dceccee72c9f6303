import { expect, test, vi } from 'vitest';
import type { Label } from '../../contracts/redaction.ts';
import { configuredRedactor } from '../../helpers/configuration/redactor.ts';
import { MAX_BODY_TEXT, SecretRedactor } from '../../redaction/redactor.ts';
import { promise } from '../docs/security/promises.ts';
import { workspace } from '../helpers/configuration/workspace.ts';

const TOKEN = 'eyJhbGciOi+JIUzI1/NiJ9.eyJzdWIiOiIx.4fK"x&=';
const CANARY = 'Canary-Secret+7311xQ/zz';
const JSON_TYPE = 'application/json; charset=utf-8';

/** A redactor that has learned secrets. */
function redactor(secrets: Partial<Record<Label, string>> = {}): SecretRedactor {
  const by = new SecretRedactor('mask');
  for (const [label, secret] of Object.entries(secrets)) by.learn(secret, label as Label);
  return by;
}

/** Expects a text to be written with everything between « and » replaced: «secret|LABEL» by a marker, «123|999» by what follows the bar. */
function expectWritten(text: string, write: (sent: string) => string): void {
  const isLabel = (instead: string) => /^[A-Z][A-Z_\d]{2,}$/.test(instead);
  const written = text.replaceAll(/«.*?\|(.*?)»/gs, (_, one) => (isLabel(one) ? `<REDACTED_${one}>` : one));
  expect(write(text.replaceAll(/«(.*?)\|.*?»/gs, '$1'))).toBe(written);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['as it is', TOKEN],
  ['in JSON within a JSON string', JSON.stringify({ note: JSON.stringify({ note: TOKEN }) })],
  ['within other text', `abc${TOKEN}def`],
])('a learned value is found %s; in other encodings, see property.ts', (_, text) => {
  const by = redactor({ ACCESS_TOKEN: TOKEN });
  const address = by.url(`http://h/p?q=${encodeURIComponent(text)}`);
  for (const redacted of [by.body(text, 'text/plain').text, by.text(text), address]) {
    expect(decodeURIComponent(redacted)).toContain('<REDACTED_ACCESS_TOKEN>');
    expect(redacted).not.toContain('JIUzI1');
  }
});

test.each(['id:', 'my-id:', 'a-longer-id:'])('a learned value is found in Basic credentials behind %s', (before) => {
  const by = redactor({ CLIENT_SECRET: 'p4ssw0rd-p4ssw0rd' });
  const echo = `{"echo":"${base64(`${before}p4ssw0rd-p4ssw0rd`)}"}`;
  expect(by.body(echo, JSON_TYPE).text).toContain('<REDACTED_CLIENT_SECRET>');
});

test('a learned value is found however many others end alike, such as with the name of the node that gave them out', () => {
  const by = redactor();
  const tokens = Array.from({ length: 100 }, (_, n) => `${n}Zk4-portal-node-01`);
  for (const token of tokens) by.learn(token, 'ACCESS_TOKEN');
  for (const token of tokens) expect(by.text(`it is ${token}`)).toBe('it is <REDACTED_ACCESS_TOKEN>');
});

type Secrets = Parameters<typeof redactor>[0];
const SSN = { SSN: '123456789' };
const PIN = { PIN: '6284' };
const SHORT = { PORTAL_PASSWORD: 'k7#q' };
const CLIENT_SECRET = { CLIENT_SECRET: CANARY };
/** How a step of a JSON Pointer is written. */
const inPointer = (secret: string): [string, string, Secrets] => [
  `${secret}, which a JSON Pointer escapes`,
  `at /results/0/customFields/«${secret.replaceAll('~', '~0').replaceAll('/', '~1')}|SESSION_ID»/b`,
  { SESSION_ID: secret },
];
const cutBefore = (after: string): [string, string, Secrets] => [
  `a long one that was cut without a sign before ${JSON.stringify(after)}`,
  `got «Canary-Secret+7311xQ/z|CLIENT_SECRET»${after}`,
  CLIENT_SECRET,
];

test.each<[string, string, Secrets?]>([
  ['digits alone', '«123456789|999999999»', SSN],
  ['digits alone, as a whole number', '51234567890', SSN],
  ['digits, whatever separates them', '«123-45-6789|999-99-9999», «123.45.6789|999.99.9999»', SSN],
  ['a placeholder, which is none', '********', { PASSWORD: '********' }],
  ['a secret in another case', '«P4SSW0RD-X|PASSWORD», «p4ssW0rd-x|PASSWORD»', { PASSWORD: 'p4ssW0rd-x' }],
  ['a short one, as a word', '«K7#Q|PORTAL_PASSWORD», xk7#q', SHORT],
  ['short digits, but not in identifiers and amounts', 'PIN «6284|9999» is weak, 16284, c0de-6284-b, 6284.50; ', PIN],
  ['one that overlaps itself', 'x «ab12ab12ab12ab12|ACCESS_TOKEN» y', { ACCESS_TOKEN: 'ab12ab12ab12' }],
  ['a session and a token', 'GET /x?sessionId=«ab12|SESSION_ID» refused Bearer «abc.def-123|AUTHORIZATION»; "pin"'],
  ['a member', 'refused Bearer «abc.def-123|AUTHORIZATION»; "pin": "«9876|PIN»"'],
  ['an e-mail address', 'no such user «jo@example.org|xx@xxxxxxx.xxx»'],
  ['digits after the word', 'PIN «6284|9999» is too weak; the SSN was «123-45-6789|999-99-9999»'],
  ['control characters and terminal escapes', 'a«\u001b|\\x1b»[2Jb«\u0007|\\x07»«\r|\\x0d»«\u202e|\\u202e»\n\tc'],
  ['what is said of secrets', 'cards.setPin: 127.0.0.1:45247 closed the connection; password: must not be empty'],
  ...['', '.', ' and no more', '"}'].map(cutBefore),
  ...['a~bc/defgh-7311', '~/~/secret-of-it', 'x/y~1z'].map(inPointer),
])('in messages: %s', (_, text, secrets) => {
  expectWritten(text, (sent) => redactor(secrets).text(sent));
});

test.each<[string, string, Secrets?]>([
  ['learned digits', '{"n":«123456789|999999999»,"s":"«123456789|999999999»"}', SSN],
  ['short learned digits', '{"amount":«6284|9999»,"pin":"«6284|PIN»"}', PIN],
  ['three characters, which are left to the name', '{"amount":123,"cvv":"«123|CVV»"}', { CVV: '123' }],
  ['numbers, which keep their type and number of digits', '{"ssn":«123456780|999999999»,"ssnLast4":«12|99»}'],
  ['what stands within a secret', '{"password":["«ab|PASSWORD»",{"hint":"«cd|PASSWORD»"}]}'],
  ['JSON within a string', '{"echo":"{\\"pin\\":\\"«4321|PIN»\\",\\"amount\\":5}"}'],
  ['JSON that is cut off', '{"a":1,"pin":"«43|PIN»'],
  ['JSON that is broken', '{"pin":"«4321|PIN»" oops "ssn" : "«12|SSN»"}]'],
  ['an answer that repeats it', '{"hint":"use «s3ss10n-abc|SESSION_ID»","sessionId":"«s3ss10n-abc|SESSION_ID»"}'],
  ['card numbers', '{"note":"card «4111111111111111|CARD_NUMBER», or «4111 1111 1111 1111|CARD_NUMBER»"}'],
  ['a number like that of a card', '{"n":«4111111111111111|9999999999999999»}'],
  ['what looks like a marker', '{"access_token":"«<PROMPT_COMMAND>|ACCESS_TOKEN»","pin":"«<PIN>|PIN»"}'],
  ['every other character', ' { "id":12345678901234567890,"id" : 1.0, "u":"\\u00e9\\/", "e":1E5 ,"pin":"«1|PIN»"} \n'],
  ['what is said of tokens', '{"continuationToken":"c0ntinue-here","token_type":"Bearer","expires_in":3600}'],
  ['what is said of secrets', '{"tokenType":"Bearer","isPinSet":"yes1","cardNumberLastFour":"1234"}'],
  ['names like those of secrets', '{"continuationToken":"abc1","shippingInfo":"fast1","passwordPolicy":"strong1"}'],
  ['errors and numbers', '{"errorCode":"E-17","mapping":"m1","cardNumberLastFour":"1111","note":"4111111111111112"}'],
  ['identifiers', '{"identifier":"4111111111111111","proxyNumber":"4111111111111111","customerId":4111111111111111}'],
  ['times', '{"at":"1700000000000","u":"2026-05-01T10:00:00.000Z"}'],
  ['a UUID', '{"n":[4111,1111,1111],"id":"0cde1a79-4b01-478b-a39e-4169fc5a4327","t":1700000000000}'],
])('in JSON: %s', (_, text, secrets) => {
  expectWritten(text, (sent) => redactor(secrets).body(sent, JSON_TYPE).text);
});

test.each([
  'https://h/_ah/api/login?loginID=«me|LOGIN_ID»&password=«pw|PASSWORD»&token=abc%3D%3D&max=5',
  'https://«user:pw|CREDENTIALS»@h/p',
  'http://h/p?loginID=«123456789|LOGIN_ID»',
  'http://h/users/customers?name=«Al%20B|Xx%20X»&max=2',
])('in addresses, where token is a continuation token and stays: %s', (address) => {
  expectWritten(address, (sent) => redactor(SSN).url(sent));
});

test('secrets by name in JSON, at any depth, in any spelling', () => {
  const labels = {
    access_token: 'ACCESS_TOKEN',
    AccessToken: 'ACCESS_TOKEN',
    'client-secret': 'CLIENT_SECRET',
    pin: 'PIN',
    ftpPassword: 'PASSWORD',
    sessionId: 'SESSION_ID',
    loginId: 'LOGIN_ID',
    ssnLastFour: 'SSN_LAST_4',
    cardNumber: 'CARD_NUMBER',
    encryptedPayload: 'ENCRYPTED_PAYLOAD',
    token: 'TEMPORARY_TOKEN',
  };
  const members = Object.entries(labels).map(([name, label], index) => `"${name}":"«a${index}|${label}»"`);
  expectWritten(`{"results":[{"deep":{${members}}}]}`, (sent) => redactor().body(sent, JSON_TYPE).text);
});

test('a secret by name in a form', () => {
  const form = 'grant_type=client_credentials&client_id=me&client_secret=«s%2B1|CLIENT_SECRET»&scope=a%20b';
  expectWritten(form, (sent) => redactor().body(sent, 'application/x-www-form-urlencoded').text);
});

const ofGateway = redactor({ ACCESS_TOKEN: 't0ken-t0ken', PIN: '4827' });
ofGateway.learnHeader('X-Gateway-Key');

test.each([
  ['authorization', 'Bearer «t0ken-t0ken|ACCESS_TOKEN»'],
  ['authorization', 'Bearer «t0ken-tXken|AUTHORIZATION»'],
  ['Cookie', '«a=b|COOKIE»'],
  ['set-cookie', '«a=b; Path=/|COOKIE»\n«c=d|COOKIE»'],
  ['x-gateway-key', '«k|HEADER»'],
  ['location', 'https://other/?sessionId=«12|SESSION_ID»'],
  ['content-type', 'application/json'],
  ['location', '/login?from=%7B%22pin%22%3A%22«5938|PIN»%22%2C%22page%22%3A2%7D'],
])('secrets in headers, with the scheme left readable: %s, %s', (name, value) => {
  const given = (sent: string) => (sent.includes('\n') ? sent.split('\n') : sent);
  expectWritten(value, (sent) => [ofGateway.headers({ [name]: given(sent) })[name]].flat().join('\n'));
});

test.each(['x-«4827|9999»', 'x-«4827|9999»-b', 'x-48271', 'x-«%34827|9999»'])(
  'a secret in the name of a header, of which dashes separate the words: %s',
  (name) => expectWritten(name, (sent) => Object.keys(ofGateway.headers({ [sent]: '1' })).join()),
);

test('a secret by name in what echoes a header or is HTML', () => {
  expectWritten('{"headers":{"X-Gateway-Key":"«k|HEADER»"}}', (sent) => ofGateway.body(sent, JSON_TYPE).text);
  const page = '<pre>{&quot;pin&quot;:&quot;«4827|PIN»&quot;,&quot;page&quot;:2}</pre>';
  expectWritten(page, (sent) => redactor().body(sent, 'text/html').text);
});

test('a token that an answer gave is redacted wherever it comes later', () => {
  const by = redactor();
  by.body('{"sessionId":"s3ss10n-abc"}', JSON_TYPE);
  expectWritten('http://h/cards/«s3ss10n-abc|SESSION_ID»?byToken=true', (sent) => by.url(sent));
});

test.each([
  ['that end alike', 'sessionId', (n: number) => `${n}f0e1d-2c3b-11ef-9a8b-0242ac120002`, '', 'SESSION_ID'],
  ['that begin alike', 'password', (n: number) => `token-that-is-altered-in-its-middle-${n}`, '...', 'PASSWORD'],
])('each of many secrets %s is learned', (_, name, given, end, label) => {
  const by = redactor();
  for (let n = 100; n < 200; n++) by.body(`{"${name}":"${given(n)}${end && '-and-goes-on'}"}`, JSON_TYPE);
  for (let n = 100; n < 200; n++) expectWritten(`it says «${given(n)}|${label}»${end}`, (sent) => by.text(sent));
});

test.each([
  ['letters', 'sid=abcdefghijkl; Path=/; HttpOnly', 'abcdefghijkl'],
  ['blanks around it', 'sid= abcdefghijkl ; Domain=target.invalid', 'abcdefghijkl'],
  ['percent escapes', 'sid=s%3AabcD%2FeF%2Bgh%3D%3D; Secure', 's%3AabcD%2FeF%2Bgh%3D%3D'],
  ['percent escapes, decoded', 'sid=s%3AabcD%2FeF%2Bgh%3D%3D', 's:abcD/eF+gh=='],
])('a cookie that is set is learned: %s', (_, cookie, value) => {
  const by = redactor();
  by.headers({ 'set-cookie': cookie });
  expectWritten(`it says «${value}|COOKIE» at target.invalid`, (sent) => by.text(sent));
});

test('a word in the place of a secret does not become one', () => {
  const by = redactor();
  by.body('{"errors":{"password":"required","sessionId":"must not be blank"}}', JSON_TYPE);
  expectWritten('name is required, must not be blank', (sent) => by.text(sent));
});

const PERSON = `{"firstName":"«Zoë|Xxé»","dateOfBirth":"«1990-01-02|9999-09-09»","phone":"«+1 (555) 010-9999|+9 (999) 999-9999»",
    "email":"«zoe.o-hara@example.org|xxx.x-xxxx@xxxxxxx.xxx»","zip":«12345|99999»,"identifier":"cust-7","status":"Active","balance":12.5,
    "billingAddress":{"line1":"«12 Main St|99 Xxxx Xx»","country":"«US|XX»"}}`;

test('personal data are masked, keeping type and length', () => {
  expectWritten(PERSON, (sent) => redactor().body(sent, JSON_TYPE).text);
});

test('personal data are kept on request, secrets are not', () => {
  const kept = PERSON.replaceAll(/«(.*?)\|.*?»/g, '$1').replace('{', '{"pin":"«1|PIN»",');
  expectWritten(kept, (sent) => new SecretRedactor('keep').body(sent, JSON_TYPE).text);
});

test.each([1, 10, 19, 20, 39, 40, 41])('a secret that is cut after %i characters leaves no part', (before) => {
  const secret = 's3cr3t-'.repeat(6);
  const body = `"${'x'.repeat(MAX_BODY_TEXT - before)}${secret}${'y'.repeat(99)}"`;
  const { text, truncated } = redactor({ ACCESS_TOKEN: secret }).body(body, 'text/plain');
  expect(truncated).toBe(true);
  expect(text).not.toContain('s3c');
  expect(text.length).toBeLessThan(MAX_BODY_TEXT + 20);
});

test('a secret by name that the cut divides leaves no part of it', () => {
  const { text } = redactor().body(`{"x":"${'x'.repeat(MAX_BODY_TEXT - 30)}","password":"topsecret1"}`, JSON_TYPE);
  expect(text).not.toContain('top');
});

test.each([
  JSON.stringify({ t: TOKEN, pin: 12, ssn: '9', firstName: 'Al', note: 'a@b.cd 4111111111111111 pin=3' }),
  `http://u:p@h/x/${encodeURIComponent(TOKEN)}?sessionId=1#a=b`,
  `\u001b[31m${TOKEN} pin=3\u0007`,
])('redacting a message twice is redacting it once, case %#', (message) => {
  const by = redactor({ ACCESS_TOKEN: TOKEN });
  const once = by.text(message);
  expect(once).toContain('<REDACTED_');
  expect(by.text(once)).toBe(once);
});

test('values are redacted member by member', () => {
  const body = { pin: '1234', amount: 2.5, customerId: 9007199254740991 };
  const redacted = { identifier: 'card-1', body: { ...body, pin: '<REDACTED_PIN>' } };
  expect(redactor().value({ identifier: 'card-1', body })).toEqual(redacted);
});

test('a negative number that was secret once stays a number wherever it stands', () => {
  const by = redactor();
  for (const name of ['ssn', 'other']) expect(by.value({ [name]: -12345678901 })).toEqual({ [name]: -99999999999 });
});

test('hostile nesting and quotes are got over', () => {
  const deep = `${'['.repeat(100_000)}"pin"${'{"pin":'.repeat(10_000)}`;
  expect(redactor().body(deep, JSON_TYPE).truncated).toBe(true);
  expect(redactor().text('"'.repeat(100_000))).toHaveLength(100_000);
  expect(redactor().text('\\"'.repeat(50_000))).toHaveLength(100_000);
});

test.each(['...', '…', ' …', '-...', '+/…'])('the beginning of a secret goes where a text was cut with %j', (mark) => {
  const by = redactor({ ACCESS_TOKEN: 'secret-value-0123456789' });
  expectWritten(`it says «secret-value-01|ACCESS_TOKEN»${mark}`, (sent) => by.text(sent));
  expectWritten(`secret-v is no secret${mark}`, (sent) => by.text(sent));
});

test('what is encoded over and over is not written at all', () => {
  let text = 'a secret that nobody can find';
  for (let times = 0; times < 12; times++) text = encodeURIComponent(`${text}&quot;\\u0041`);
  expect(redactor().body(text.slice(0, 8000), 'text/plain').text.length).toBeLessThan(9000);
});

// It ends: each prefix that is looked for anew would take minutes.
test('a target that hands out many secrets of nothing but 7- has them masked', () => {
  const by = redactor();
  const said = (length: number) => JSON.stringify({ access_token: '7-'.repeat(length / 2) });
  for (let length = 1000; length < 9000; length += 500) by.body(said(length), JSON_TYPE);
  expect(by.headers({ location: said(16_000) }).location).not.toContain('7-'.repeat(8));
});

test.each(
  [
    'pin newPin pinCode X-Pin pin_block password passwd newPassword clientSecret client_secret secret securityCode cvv',
    'cvvCode CVC2 cardVerificationValue ssn socialSecurityNumber cardNumber card_number pan apiKey x-api-key jwt idToken',
    'Ocp-Apim-Subscription-Key accessToken sessionToken refresh_token authToken track1 track2Data otp credentials',
    'encryptedPayload sessionId JSESSIONID',
  ].flatMap((names) => names.split(' ')),
)('a secret that only its name gives away: %s', (name) => {
  const value = 'q7Rt-55xk';
  const member = JSON.stringify({ [name]: value });
  const texts = [
    member,
    JSON.stringify({ echo: JSON.stringify({ deep: [{ [name]: value }] }) }),
    JSON.stringify({ headers: [{ name, value }] }),
    JSON.stringify({ field: name, rejectedValue: value }),
    `${name}=${value}`,
    `refused: ${name}: ${value}, try again`,
    `{'${name}': '${value}'}`,
    `<a><${name} kind="x">${value}</${name}></a>`,
    `<${name}><![CDATA[${value}]]></${name}>`,
    `<input name="x" ${name}="${value}">`,
    encodeURIComponent(member),
    base64(member),
    member.replaceAll('"', '&quot;'),
  ];
  for (const text of texts) {
    const header = redactor().headers({ 'x-said': text.replaceAll('\n', ' ') })['x-said'];
    const written = [redactor().body(text, 'text/plain').text, header, redactor().text(text)].join(' ');
    const runs = (written.match(/[\w+/=-]{6,}/g) ?? []).map((one) => Buffer.from(one, 'base64').toString());
    for (const reading of [written, ...runs]) expect(reading, `${text} is written as ${written}`).not.toContain(value);
  }
  expect(redactor().headers({ [name]: value })).toEqual({ [name]: expect.stringMatching(/^<REDACTED_/) });
  promise('secrets by name', name, { attempts: 3 * texts.length + 1, held: 3 * texts.length + 1 });
});

test.each([
  '4111111111111111',
  'PAN4111111111111111',
  '4111-1111-1111-1111',
  '4111.1111.1111.1111',
  '4111_1111_1111_1111',
  '4111 / 1111 / 1111 / 1111',
  '3782-822463-10005',
  '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
  '4111 1111 1111 1111 12/25',
  '%B4111111111111111^DOE/JOHN^25121010000000000?',
  ';4111111111111111=25121010000000000?',
])('a card number in any dress: %s', (number) => {
  const digits = number.replaceAll(/\D/g, '').slice(0, number.startsWith('3') ? 15 : 16);
  const texts = [{ note: number }, { [number]: 1 }, [number]].map((one) => JSON.stringify(one));
  for (const text of [number, ...texts])
    expect(redactor().body(text, JSON_TYPE).text.replaceAll(/\D/g, '')).not.toContain(digits);
  expect(redactor().headers({ 'x-said': number })['x-said']).toContain('<REDACTED_CARD_NUMBER>');
});

test('text that looks like a marker does not stay one', () => {
  const by = redactor();
  const forged = '{"identifier":"<REDACTED_CLIENT_SECRET>","x":"\\u003cREDACTED_PIN\\u003e"}';
  expect(by.body(forged, JSON_TYPE).text).not.toContain('<REDACTED_');
  expect(by.url('http://h/<REDACTED_CLIENT_SECRET>?a=<REDACTED_PIN>')).not.toContain('<REDACTED_');
  expect(by.headers({ 'x-said': '<REDACTED_PIN>' })['x-said']).not.toContain('<REDACTED_');
});

test('a secret that is a word of JSON is not one: taken out everywhere, it would leave no JSON', () => {
  const by = redactor();
  for (const word of ['null', 'true', 'false']) by.learn(word, 'SESSION_ID');
  expect(by.value({ cardType: null, deleted: false })).toEqual({ cardType: null, deleted: false });
});

test.each(['1","actual":"2', '1","actua'])('a value of which %s is a secret keeps its members', (secret) => {
  const unreadable = '<REDACTED_UNREADABLE>';
  const written = redactor({ SESSION_ID: secret }).value({ expected: 'a 1', actual: '2 b' });
  expect(written).toEqual({ expected: unreadable, actual: unreadable });
});

test('user and password of a proxy are secrets, as they are sent; what cannot be read is none', async () => {
  vi.stubEnv('http_proxy', 'http://user:proxy%2Bpass-0123@127.0.0.1:1');
  vi.stubEnv('https_proxy', 'http://user:half%zz@127.0.0.1:1');
  const by = configuredRedactor(await workspace().read());
  expectWritten('Basic for «user|LOGIN_ID»:«proxy+pass-0123|PASSWORD»', (sent) => by.text(sent));
});

test('the secrets within configured secrets are redacted, too', async () => {
  const gateway = base64('gateway-user:gateway-pass-77');
  const key = 'ApiKey id=client-4711, secret=kMnoPqrStu';
  const by = configuredRedactor(
    await workspace().read({
      TARGET_BASE_URL: 'http://127.0.0.1:1',
      TARGET_ACCESS_TOKEN: 'access-token-0123',
      TARGET_HEADERS: JSON.stringify({
        'X-Gateway': `Basic ${gateway}`,
        'X-Key': key,
        Cookie: 'route=eu; gate=zYxwVutsRq',
      }),
      TARGET_TEST_CLOCK_URL: 'http://127.0.0.1:1/clock?zone=eu&code=Xk7q',
    }),
  );
  for (const secret of ['gateway-user', 'gateway-pass-77', 'client-4711', 'kMnoPqrStu', 'zYxwVutsRq', 'Xk7q'])
    expect(by.text(`it says ${secret}`)).toMatch(/^it says <REDACTED_(?:HEADER|API_KEY)>$/);
  expectWritten(`it says «${gateway}|HEADER»; the zone is eu, the scheme is Basic`, (sent) => by.text(sent));
});

test('a sentence of the suite is searched for known secrets only', () => {
  const sentence = 'the token endpoint refuses the credentials: status 400';
  for (const text of [sentence, `${sentence} for «Canary-Secret%2B7311xQ%2Fzz|CLIENT_SECRET»`])
    expectWritten(text, (sent) => redactor(CLIENT_SECRET).sentence(sent));
});
