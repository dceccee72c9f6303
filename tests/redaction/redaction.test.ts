import { describe, expect, test, vi } from 'vitest';
import { configuredRedactor } from '../../helpers/configuration/redactor.ts';
import { MAX_BODY_TEXT, SecretRedactor } from '../../redaction/redactor.ts';
import { promise } from '../docs/security/promises.ts';
import { workspace } from '../helpers/configuration/workspace.ts';

const TOKEN = 'eyJhbGciOi+JIUzI1/NiJ9.eyJzdWIiOiIx.4fK"x&=';
const JSON_TYPE = 'application/json; charset=utf-8';

const redactor = (personalData: 'mask' | 'keep' = 'mask') => new SecretRedactor(personalData);
const json = (value: unknown, by = redactor()) => JSON.parse(by.body(JSON.stringify(value), JSON_TYPE).text);

describe('a learned value of eight characters or more', () => {
  test.each([
    ['as it is', TOKEN],
    ['in JSON within a JSON string', JSON.stringify({ note: JSON.stringify({ note: TOKEN }) })],
    ['within other text', `abc${TOKEN}def`],
  ])('is found %s; in other encodings, see property.ts', (_, text) => {
    const by = redactor();
    by.learn(TOKEN, 'ACCESS_TOKEN');
    for (const redacted of [
      by.body(text, 'text/plain').text,
      by.text(text),
      by.url(`http://h/p?q=${encodeURIComponent(text)}`),
    ]) {
      expect(decodeURIComponent(redacted)).toContain('<REDACTED_ACCESS_TOKEN>');
      expect(redacted).not.toContain('JIUzI1');
    }
  });

  test.each(['id:', 'my-id:', 'a-longer-id:'])('is found in Basic credentials behind %s', (before) => {
    const by = redactor();
    by.learn('p4ssw0rd-p4ssw0rd', 'CLIENT_SECRET');
    const credentials = Buffer.from(`${before}p4ssw0rd-p4ssw0rd`).toString('base64');
    expect(by.body(`{"echo":"${credentials}"}`, JSON_TYPE).text).toContain('<REDACTED_CLIENT_SECRET>');
  });

  test('of digits alone counts only as a whole number', () => {
    const by = redactor();
    by.learn('123456789', 'SSN');
    expect(by.text('123456789')).toBe('999999999');
    expect(by.body('{"n":123456789,"s":"123456789"}', JSON_TYPE).text).toBe('{"n":999999999,"s":"999999999"}');
    expect(by.url('http://h/p?loginID=123456789')).toBe('http://h/p?loginID=<REDACTED_LOGIN_ID>');
    expect(by.text('51234567890')).toBe('51234567890');
  });

  test('is not learned when it is a placeholder', () => {
    const by = redactor();
    by.learn('********', 'PASSWORD');
    expect(by.text('********')).toBe('********');
  });

  test('is found whatever its case, and digits whatever separates them', () => {
    const by = redactor();
    by.learn('p4ssW0rd-x', 'PASSWORD');
    by.learn('123456789', 'SSN');
    expect(by.text('P4SSW0RD-X, 123-45-6789, 123.45.6789')).toBe('<REDACTED_PASSWORD>, 999-99-9999, 999.99.9999');
  });

  test('shorter ones count only as a word, and digits not as a part of an identifier or an amount', () => {
    const by = redactor();
    by.learn('6284', 'PIN');
    by.learn('k7#q', 'PORTAL_PASSWORD');
    expect(json({ amount: 6284, pin: '6284' }, by)).toEqual({ amount: 9999, pin: '<REDACTED_PIN>' });
    expect(by.text('PIN 6284 is weak, 16284, c0de-6284-b, 6284.50; K7#Q, xk7#q')).toBe(
      'PIN 9999 is weak, 16284, c0de-6284-b, 6284.50; <REDACTED_PORTAL_PASSWORD>, xk7#q',
    );
  });

  test('is found however many others end alike, such as with the name of the node that gave them out', () => {
    const by = new SecretRedactor('mask');
    const tokens = Array.from({ length: 100 }, (_, n) => `${n}Zk4-portal-node-01`);
    for (const token of tokens) by.learn(token, 'ACCESS_TOKEN');
    for (const token of tokens) expect(by.text(`it is ${token}`)).toBe('it is <REDACTED_ACCESS_TOKEN>');
  });

  test('of three characters or less is left to the names of members', () => {
    const by = redactor();
    by.learn('123', 'CVV');
    expect(json({ amount: 123, cvv: '123' }, by)).toEqual({ amount: 123, cvv: '<REDACTED_CVV>' });
  });
});

describe('secrets by name', () => {
  test('in JSON, at any depth, in any spelling', () => {
    const labels = {
      access_token: 'ACCESS_TOKEN',
      AccessToken: 'ACCESS_TOKEN',
      'client-secret': 'CLIENT_SECRET',
      ftpPassword: 'PASSWORD',
      sessionId: 'SESSION_ID',
      loginId: 'LOGIN_ID',
      pin: 'PIN',
      ssnLastFour: 'SSN_LAST_4',
      cardNumber: 'CARD_NUMBER',
      encryptedPayload: 'ENCRYPTED_PAYLOAD',
      token: 'TEMPORARY_TOKEN',
    };
    const each = (written: (label: string, index: number) => string) =>
      Object.fromEntries(Object.entries(labels).map(([name, label], index) => [name, written(label, index)]));
    const redacted = json({ results: [{ deep: each((_, index) => `a${index}`) }] });
    expect(redacted).toEqual({ results: [{ deep: each((label) => `<REDACTED_${label}>`) }] });
  });

  test('a number keeps its type and its number of digits', () => {
    expect(json({ ssn: 123456780, ssnLast4: 12 })).toEqual({ ssn: 999999999, ssnLast4: 99 });
  });

  test('what stands within a secret is secret', () => {
    expect(json({ password: ['ab', { hint: 'cd' }] })).toEqual({
      password: ['<REDACTED_PASSWORD>', { hint: '<REDACTED_PASSWORD>' }],
    });
  });

  test('in JSON within a string', () => {
    const text = json({ echo: JSON.stringify({ pin: '4321', amount: 5 }) }).echo;
    expect(JSON.parse(text)).toEqual({ pin: '<REDACTED_PIN>', amount: 5 });
  });

  test('in JSON that is cut off or broken', () => {
    expect(redactor().body('{"a":1,"pin":"43', JSON_TYPE).text).toBe('{"a":1,"pin":"<REDACTED_PIN>');
    expect(redactor().body('{"pin":"4321" oops "ssn" : "12"}]', JSON_TYPE).text).toBe(
      '{"pin":"<REDACTED_PIN>" oops "ssn" : "<REDACTED_SSN>"}]',
    );
  });

  test('in a form', () => {
    const body = 'grant_type=client_credentials&client_id=me&client_secret=s%2B1&scope=a%20b';
    expect(redactor().body(body, 'application/x-www-form-urlencoded').text).toBe(
      'grant_type=client_credentials&client_id=me&client_secret=<REDACTED_CLIENT_SECRET>&scope=a%20b',
    );
  });

  test('in addresses, where token is a continuation token and stays', () => {
    expect(redactor().url('https://h/_ah/api/login?loginID=me&password=pw&token=abc%3D%3D&max=5')).toBe(
      'https://h/_ah/api/login?loginID=<REDACTED_LOGIN_ID>&password=<REDACTED_PASSWORD>&token=abc%3D%3D&max=5',
    );
    expect(redactor().url('https://user:pw@h/p')).toBe('https://<REDACTED_CREDENTIALS>@h/p');
  });

  test('continuationToken and token_type stay readable', () => {
    const body = { continuationToken: 'c0ntinue-here', token_type: 'Bearer', expires_in: 3600 };
    expect(json(body)).toEqual(body);
  });

  test('in headers, with the scheme left readable', () => {
    const by = redactor();
    by.learn('t0ken-t0ken', 'ACCESS_TOKEN');
    by.learnHeader('X-Gateway-Key');
    const headers = {
      authorization: 'Bearer t0ken-t0ken',
      Cookie: 'a=b',
      'set-cookie': ['a=b; Path=/', 'c=d'],
      'x-gateway-key': 'k',
      location: 'https://other/?sessionId=12',
      'content-type': 'application/json',
    };
    expect(by.headers(headers)).toEqual({
      authorization: 'Bearer <REDACTED_ACCESS_TOKEN>',
      Cookie: '<REDACTED_COOKIE>',
      'set-cookie': ['<REDACTED_COOKIE>', '<REDACTED_COOKIE>'],
      'x-gateway-key': '<REDACTED_HEADER>',
      location: 'https://other/?sessionId=<REDACTED_SESSION_ID>',
      'content-type': 'application/json',
    });
    expect(json({ headers: { 'X-Gateway-Key': 'k' } }, by)).toEqual({
      headers: { 'X-Gateway-Key': '<REDACTED_HEADER>' },
    });
    expect(by.headers({ authorization: 'Bearer t0ken-tXken' })).toEqual({
      authorization: 'Bearer <REDACTED_AUTHORIZATION>',
    });
  });

  test('in the name of a header, of which dashes separate the words', () => {
    const by = redactor();
    by.learn('4827', 'PIN');
    expect(by.headers({ 'x-4827': '1', 'x-4827-b': '2', 'x-48271': '3' })).toEqual({
      'x-9999': '1',
      'x-9999-b': '2',
      'x-48271': '3',
    });
    expect(by.headers({ 'x-%34827': '1' })).toEqual({ 'x-9999': '1' });
  });

  test('in messages', () => {
    expect(redactor().text('GET /x?sessionId=ab12 refused Bearer abc.def-123; "pin": "9876"')).toBe(
      'GET /x?sessionId=<REDACTED_SESSION_ID> refused Bearer <REDACTED_AUTHORIZATION>; "pin": "<REDACTED_PIN>"',
    );
  });
});

describe('learning from answers', () => {
  test('a token that an answer gave is redacted wherever it comes later, or came earlier in it', () => {
    const by = redactor();
    const body = by.body('{"hint":"use s3ss10n-abc","sessionId":"s3ss10n-abc"}', JSON_TYPE).text;
    expect(body).toBe('{"hint":"use <REDACTED_SESSION_ID>","sessionId":"<REDACTED_SESSION_ID>"}');
    expect(by.url('http://h/cards/s3ss10n-abc?byToken=true')).toBe('http://h/cards/<REDACTED_SESSION_ID>?byToken=true');
  });

  test('each of many secrets that end alike is learned', () => {
    const by = redactor();
    const given = (n: number) => `${n}f0e1d-2c3b-11ef-9a8b-0242ac120002`;
    for (let n = 100; n < 200; n++) by.body(JSON.stringify({ sessionId: given(n) }), JSON_TYPE);
    for (let n = 100; n < 200; n++) expect(by.text(`it says ${given(n)}`)).toBe('it says <REDACTED_SESSION_ID>');
  });

  test.each([
    ['letters', 'sid=abcdefghijkl; Path=/; HttpOnly', 'abcdefghijkl'],
    ['blanks around it', 'sid= abcdefghijkl ; Domain=target.invalid', 'abcdefghijkl'],
    ['percent escapes', 'sid=s%3AabcD%2FeF%2Bgh%3D%3D; Secure', 's%3AabcD%2FeF%2Bgh%3D%3D'],
    ['percent escapes, decoded', 'sid=s%3AabcD%2FeF%2Bgh%3D%3D', 's:abcD/eF+gh=='],
  ])('a cookie that is set is learned: %s', (_, cookie, value) => {
    const by = redactor();
    by.headers({ 'set-cookie': cookie });
    expect(by.text(`it says ${value} at target.invalid`)).toBe('it says <REDACTED_COOKIE> at target.invalid');
  });

  test('a word in the place of a secret does not become one', () => {
    const by = redactor();
    by.body('{"errors":{"password":"required","sessionId":"must not be blank"}}', JSON_TYPE);
    expect(by.text('name is required, must not be blank')).toBe('name is required, must not be blank');
  });
});

describe('card numbers', () => {
  test('are found by their look in text and numbers', () => {
    const text = '{"note":"card 4111111111111111, or 4111 1111 1111 1111","n":4111111111111111}';
    expect(redactor().body(text, JSON_TYPE).text).toBe(
      '{"note":"card <REDACTED_CARD_NUMBER>, or <REDACTED_CARD_NUMBER>","n":9999999999999999}',
    );
  });

  test('identifiers, proxies, last four digits and wrong check digits stay', () => {
    const body = {
      identifier: '4111111111111111',
      proxyNumber: '4111111111111111',
      cardNumberLastFour: '1111',
      note: '4111111111111112',
      customerId: 4111111111111111,
      at: '1700000000000',
    };
    expect(json(body)).toEqual(body);
  });
});

describe('personal data', () => {
  const person = {
    firstName: 'Zoë',
    dateOfBirth: '1990-01-02',
    phone: '+1 (555) 010-9999',
    email: 'zoe.o-hara@example.org',
    zip: 12345,
    billingAddress: { line1: '12 Main St', country: 'US' },
    status: 'Active',
    balance: 12.5,
    identifier: 'cust-7',
  };

  test('is masked, keeping type and length', () => {
    expect(json(person)).toEqual({
      firstName: 'Xxé',
      dateOfBirth: '9999-09-09',
      phone: '+9 (999) 999-9999',
      email: 'xxx.x-xxxx@xxxxxxx.xxx',
      zip: 99999,
      billingAddress: { line1: '99 Xxxx Xx', country: 'XX' },
      status: 'Active',
      balance: 12.5,
      identifier: 'cust-7',
    });
  });

  test('is masked in filters and e-mail addresses anywhere', () => {
    expect(redactor().url('http://h/users/customers?name=Al%20B&max=2')).toBe(
      'http://h/users/customers?name=Xx%20X&max=2',
    );
    expect(redactor().text('no such user jo@example.org')).toBe('no such user xx@xxxxxxx.xxx');
  });

  test('is kept on request, secrets are not', () => {
    expect(json({ ...person, pin: '1' }, redactor('keep'))).toEqual({ ...person, pin: '<REDACTED_PIN>' });
  });
});

describe('evidence', () => {
  test('everything else stays as it was sent, character by character', () => {
    const text = ' { "id":12345678901234567890,"id" : 1.0, "u":"\\u00e9\\/", "e":1E5 ,"pin":"1"} \n';
    expect(redactor().body(text, JSON_TYPE).text).toBe(text.replace('"pin":"1"', '"pin":"<REDACTED_PIN>"'));
  });

  test.each([1, 10, 19, 20, 39, 40, 41])(
    'a secret that the cut divides leaves no part of it (%i characters before)',
    (before) => {
      const by = redactor();
      const secret = 's3cr3t-'.repeat(6);
      by.learn(secret, 'ACCESS_TOKEN');
      const { text, truncated } = by.body(
        `"${'x'.repeat(MAX_BODY_TEXT - before)}${secret}${'y'.repeat(99)}"`,
        'text/plain',
      );
      expect(truncated).toBe(true);
      expect(text).not.toContain('s3c');
      expect(text.length).toBeLessThan(MAX_BODY_TEXT + 20);
    },
  );

  test('a secret by name that the cut divides leaves no part of it', () => {
    const { text } = redactor().body(`{"x":"${'x'.repeat(MAX_BODY_TEXT - 30)}","password":"topsecret1"}`, JSON_TYPE);
    expect(text).not.toContain('top');
  });

  test('redacting a message twice is redacting it once', () => {
    const by = redactor();
    by.learn(TOKEN, 'ACCESS_TOKEN');
    const body = JSON.stringify({
      t: TOKEN,
      pin: 12,
      ssn: '9',
      firstName: 'Al',
      note: 'a@b.cd 4111111111111111 pin=3',
    });
    for (const message of [
      body,
      `http://u:p@h/x/${encodeURIComponent(TOKEN)}?sessionId=1#a=b`,
      `\u001b[31m${TOKEN} pin=3\u0007`,
    ]) {
      const once = by.text(message);
      expect(once).toContain('<REDACTED_');
      expect(by.text(once)).toBe(once);
    }
  });

  test('control characters and terminal escapes are made visible in messages', () => {
    expect(redactor().text('a\u001b[2Jb\u0007\r\u202e\n\tc')).toBe('a\\x1b[2Jb\\x07\\x0d\\u202e\n\tc');
  });

  test('values are redacted member by member', () => {
    const value = { identifier: 'card-1', body: { pin: '1234', amount: 2.5, customerId: 9007199254740991 } };
    expect(redactor().value(value)).toEqual({
      identifier: 'card-1',
      body: { pin: '<REDACTED_PIN>', amount: 2.5, customerId: 9007199254740991 },
    });
  });

  test('a negative number that was secret once stays a number wherever it stands', () => {
    const r = new SecretRedactor('mask');
    expect(r.value({ ssn: -12345678901 })).toEqual({ ssn: -99999999999 });
    expect(r.value({ other: -12345678901 })).toEqual({ other: -99999999999 });
  });

  test('hostile nesting and quotes are got over', () => {
    const deep = `${'['.repeat(100_000)}"pin"${'{"pin":'.repeat(10_000)}`;
    expect(redactor().body(deep, JSON_TYPE).truncated).toBe(true);
    expect(redactor().text('"'.repeat(100_000))).toHaveLength(100_000);
    expect(redactor().text('\\"'.repeat(50_000))).toHaveLength(100_000);
  });
});

describe('what is wrapped or cut', () => {
  const redactor = () => {
    const made = new SecretRedactor('mask');
    made.learn('secret-value-0123456789', 'ACCESS_TOKEN');
    return made;
  };

  test.each(['...', '…', ' …', '-...', '+/…'])('the beginning of a secret where a text was cut with %j', (mark) => {
    expect(redactor().text(`it says secret-value-01${mark}`)).toBe(`it says <REDACTED_ACCESS_TOKEN>${mark}`);
    expect(redactor().text(`secret-v is no secret${mark}`)).toBe(`secret-v is no secret${mark}`);
  });

  test('the beginning of one of many secrets that begin alike, where a text was cut beyond where they differ', () => {
    const made = redactor();
    const given = (n: number) => `{"password":"token-that-is-altered-in-its-middle-${n}-and-goes-on"}`;
    for (let n = 100; n < 150; n++) made.body(given(n), JSON_TYPE);
    expect(made.text('it says token-that-is-altered-in-its-middle-149...')).toBe('it says <REDACTED_PASSWORD>...');
  });

  test('a short secret in JSON that is percent-encoded or in HTML', () => {
    const json = JSON.stringify({ pin: '4827', page: 2 });
    expect(redactor().headers({ location: `/login?from=${encodeURIComponent(json)}` })).toEqual({
      location: '/login?from=%7B%22pin%22%3A%22<REDACTED_PIN>%22%2C%22page%22%3A2%7D',
    });
    const page = `<pre>${json.replaceAll('"', '&quot;')}</pre>`;
    expect(redactor().body(page, 'text/html').text).toBe(
      '<pre>{&quot;pin&quot;:&quot;<REDACTED_PIN>&quot;,&quot;page&quot;:2}</pre>',
    );
  });
});

describe('secrets that only their name gives away', () => {
  const ofNames = (names: string) => names.split(' ');

  test.each([
    ...ofNames('pin newPin pinCode X-Pin pin_block password passwd newPassword clientSecret client_secret secret'),
    ...ofNames(
      'securityCode cvv cvvCode CVC2 cardVerificationValue ssn socialSecurityNumber cardNumber card_number pan',
    ),
    ...ofNames(
      'apiKey x-api-key Ocp-Apim-Subscription-Key jwt idToken accessToken sessionToken refresh_token authToken',
    ),
    ...ofNames('track1 track2Data otp credentials encryptedPayload sessionId JSESSIONID'),
  ])('%s', (name) => {
    const value = 'q7Rt-55xk';
    const texts = [
      JSON.stringify({ [name]: value }),
      JSON.stringify({ echo: JSON.stringify({ deep: [{ [name]: value }] }) }),
      JSON.stringify({ headers: [{ name, value }] }),
      JSON.stringify({ field: name, rejectedValue: value }),
      `${name}=${value}`,
      `refused: ${name}: ${value}, try again`,
      `{'${name}': '${value}'}`,
      `<a><${name} kind="x">${value}</${name}></a>`,
      `<${name}><![CDATA[${value}]]></${name}>`,
      `<input name="x" ${name}="${value}">`,
      encodeURIComponent(JSON.stringify({ [name]: value })),
      Buffer.from(JSON.stringify({ [name]: value })).toString('base64'),
      JSON.stringify({ [name]: value }).replaceAll('"', '&quot;'),
    ];
    for (const text of texts) {
      const by = redactor();
      const written = [
        by.body(text, 'text/plain').text,
        redactor().headers({ 'x-said': text.replaceAll('\n', ' ') })['x-said'],
        redactor().text(text),
      ].join(' ');
      for (const reading of [
        written,
        ...(written.match(/[\w+/=-]{6,}/g) ?? []).map((one) => Buffer.from(one, 'base64').toString()),
      ])
        expect(reading, `${text} is written as ${written}`).not.toContain(value);
    }
    expect(redactor().headers({ [name]: value })).toEqual({ [name]: expect.stringMatching(/^<REDACTED_/) });
    promise('secrets by name', name, { attempts: 3 * texts.length + 1, held: 3 * texts.length + 1 });
  });

  test('what is said of them stays', () => {
    const said = {
      ...{ tokenType: 'Bearer', token_type: 'Bearer', expires_in: 3600, continuationToken: 'abc1', isPinSet: 'yes1' },
      ...{
        cardNumberLastFour: '1234',
        shippingInfo: 'fast1',
        errorCode: 'E-17',
        passwordPolicy: 'strong1',
        mapping: 'm1',
      },
    };
    expect(json(said)).toEqual(said);
    const text = 'cards.setPin: 127.0.0.1:45247 closed the connection; password: must not be empty';
    expect(redactor().text(text)).toBe(text);
  });

  test('digits after the word', () => {
    expect(redactor().text('PIN 6284 is too weak; the SSN was 123-45-6789')).toBe(
      'PIN 9999 is too weak; the SSN was 999-99-9999',
    );
  });
});

describe('card numbers in any dress', () => {
  test.each([
    '4111111111111111',
    'PAN4111111111111111',
    '4111-1111-1111-1111',
    '4111.1111.1111.1111',
    '4111 / 1111 / 1111 / 1111',
    '4111_1111_1111_1111',
    '3782-822463-10005',
    '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
    '%B4111111111111111^DOE/JOHN^25121010000000000?',
    ';4111111111111111=25121010000000000?',
    '4111 1111 1111 1111 12/25',
  ])('%s', (number) => {
    const digits = number.replaceAll(/\D/g, '').slice(0, number.startsWith('3') ? 15 : 16);
    for (const text of [
      number,
      JSON.stringify({ note: number }),
      JSON.stringify({ [number]: 1 }),
      JSON.stringify([number]),
    ])
      expect(redactor().body(text, JSON_TYPE).text.replaceAll(/\D/g, '')).not.toContain(digits);
    expect(redactor().headers({ 'x-said': number })['x-said']).toContain('<REDACTED_CARD_NUMBER>');
  });

  test('times, lists of numbers and identifiers are none', () => {
    const text =
      '{"at":"2026-05-01T10:00:00.000Z","n":[4111,1111,1111],"id":"0cde1a79-4b01-478b-a39e-4169fc5a4327","t":1700000000000}';
    expect(redactor().body(text, JSON_TYPE).text).toBe(text);
  });
});

describe('markers', () => {
  test('text that looks like one is redacted, and does not stay a marker', () => {
    const by = redactor();
    expect(json({ access_token: '<PROMPT_COMMAND>', pin: '<PIN>' }, by)).toEqual({
      access_token: '<REDACTED_ACCESS_TOKEN>',
      pin: '<REDACTED_PIN>',
    });
    const forged = '{"identifier":"<REDACTED_CLIENT_SECRET>","x":"\\u003cREDACTED_PIN\\u003e"}';
    expect(by.body(forged, JSON_TYPE).text).not.toMatch(/<REDACTED_/);
    expect(by.url('http://h/<REDACTED_CLIENT_SECRET>?a=<REDACTED_PIN>')).not.toContain('<REDACTED_');
    expect(by.headers({ 'x-said': '<REDACTED_PIN>' })['x-said']).not.toContain('<REDACTED_');
  });
});

test('what is encoded over and over is not written at all', () => {
  let text = 'a secret that nobody can find';
  for (let times = 0; times < 12; times++) text = encodeURIComponent(`${text}&quot;\\u0041`);
  const { text: written } = redactor().body(text.slice(0, 8000), 'text/plain');
  expect(written.length).toBeLessThan(9000);
});

// It ends: each prefix that is looked for anew would take minutes.
test('a target that hands out many secrets of nothing but 7- has them masked', () => {
  const repeated = '7-';
  const by = redactor();
  const said = (length: number) => JSON.stringify({ access_token: repeated.repeat(length / repeated.length) });
  for (let length = 1000; length < 9000; length += 500) by.body(said(length), JSON_TYPE);
  const { location } = by.headers({ location: said(16_000) });
  expect(location).not.toContain(repeated.repeat(8));
});

test.each(['', '.', ' and no more', '"}'])(
  'a long secret that was cut without a sign is not left, whatever follows: %j',
  (after) => {
    const by = redactor();
    by.learn('Canary-Secret+7311xQ/zz', 'CLIENT_SECRET');
    expect(by.text(`got Canary-Secret+7311xQ/z${after}`)).toBe(`got <REDACTED_CLIENT_SECRET>${after}`);
  },
);

test('a secret that overlaps itself is taken out whole', () => {
  const by = redactor();
  by.learn('ab12ab12ab12', 'ACCESS_TOKEN');
  expect(by.text('x ab12ab12ab12ab12 y')).toBe('x <REDACTED_ACCESS_TOKEN> y');
});

test('a secret that is a word of JSON is not one: taken out everywhere, it would leave no JSON', () => {
  const r = redactor();
  for (const word of ['null', 'true', 'false']) r.learn(word, 'SESSION_ID');
  expect(r.value({ cardType: null, deleted: false })).toEqual({ cardType: null, deleted: false });
});

test.each(['1","actual":"2', '1","actua'])(
  'a value of which %s is a secret keeps its members, which readers rely on',
  (secret) => {
    const r = redactor();
    r.learn(secret, 'SESSION_ID');
    const unreadable = '<REDACTED_UNREADABLE>';
    expect(r.value({ expected: 'a 1', actual: '2 b' })).toEqual({ expected: unreadable, actual: unreadable });
  },
);

test('user and password of a proxy are secrets, as they are sent; what cannot be read is none', async () => {
  vi.stubEnv('http_proxy', 'http://user:proxy%2Bpass-0123@127.0.0.1:1');
  vi.stubEnv('https_proxy', 'http://user:half%zz@127.0.0.1:1');
  const by = configuredRedactor(await workspace().read());
  expect(by.text('Basic for user:proxy+pass-0123')).toBe('Basic for <REDACTED_LOGIN_ID>:<REDACTED_PASSWORD>');
});

test('the secrets within configured secrets are redacted, too', async () => {
  const headers = {
    'X-Gateway': `Basic ${Buffer.from('gateway-user:gateway-pass-77').toString('base64')}`,
    'X-Key': 'ApiKey id=client-4711, secret=kMnoPqrStu',
    Cookie: 'route=eu; gate=zYxwVutsRq',
  };
  const by = configuredRedactor(
    await workspace().read({
      TARGET_BASE_URL: 'http://127.0.0.1:1',
      TARGET_ACCESS_TOKEN: 'access-token-0123',
      TARGET_HEADERS: JSON.stringify(headers),
      TARGET_TEST_CLOCK_URL: 'http://127.0.0.1:1/clock?zone=eu&code=Xk7q',
    }),
  );
  for (const secret of ['gateway-user', 'gateway-pass-77', 'client-4711', 'kMnoPqrStu', 'zYxwVutsRq', 'Xk7q'])
    expect(by.text(`it says ${secret}`)).toMatch(/^it says <REDACTED_(?:HEADER|API_KEY)>$/);
  expect(by.text(`it says ${headers['X-Gateway'].slice(6)}`)).toBe('it says <REDACTED_HEADER>');
  expect(by.text('the zone is eu, the scheme is Basic')).toBe('the zone is eu, the scheme is Basic');
});

test('a sentence of the suite is searched for known secrets only', () => {
  const by = redactor();
  by.learn('Canary-Secret+7311xQ/zz', 'CLIENT_SECRET');
  const sentence = 'the token endpoint refuses the credentials: status 400';
  expect(by.sentence(sentence)).toBe(sentence);
  expect(by.sentence(`${sentence} for Canary-Secret%2B7311xQ%2Fzz`)).toBe(`${sentence} for <REDACTED_CLIENT_SECRET>`);
});

test.each(['a~bc/defgh-7311', '~/~/secret-of-it', 'x/y~1z'])('a secret that a JSON Pointer escapes: %s', (secret) => {
  const by = redactor();
  by.learn(secret, 'SESSION_ID');
  const step = secret.replaceAll('~', '~0').replaceAll('/', '~1');
  expect(by.text(`at /results/0/customFields/${step}/b`)).toBe('at /results/0/customFields/<REDACTED_SESSION_ID>/b');
});
