import type { IdKind } from '../choices.ts';
import { bodyWith, cardsWith, holdersWith, itemsWith } from '../tools.ts';
import { anyCase, type Change, set } from './changes.ts';
import { doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

const ids = (form: (kind: IdKind, n: number) => string): Change =>
  set(({ identifier: usual }) => ({ identifier: (kind, n) => (kind === 'proxy' ? usual(kind, n) : form(kind, n)) }));

const proxies = (form: (n: number) => string): Change =>
  set(({ identifier: usual }) => ({ identifier: (kind, n) => (kind === 'proxy' ? form(n) : usual(kind, n)) }));

const padded = (n: number) => String(n).padStart(12, '0');
const encoded = (text: string) => Buffer.from(text).toString('base64url');
const utc = (ms: number) => new Date(ms).toISOString();

function hex(n: number, length: number): string {
  return ((n + 17) * 2654435761).toString(16).repeat(8).slice(0, length);
}

function shifted(ms: number, hours: number, minutes = 0): string {
  const sign = hours < 0 ? -1 : 1;
  const local = utc(ms + sign * (Math.abs(hours) * 60 + minutes) * 60_000);
  const two = (n: number) => String(Math.abs(n)).padStart(2, '0');
  return local.replace('Z', `${sign < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`);
}

const tokenTimes =
  (change: (seconds: number) => number): Change =>
  (c) =>
    bodyWith(c, 'token.issue', ({ not_before, expires_on }) => ({
      not_before: change(Number(not_before)),
      expires_on: change(Number(expires_on)),
    }));

const launch =
  (launchDate: string): Change =>
  (c) =>
    itemsWith(c, ['portal.getCustomerList', 'portal.getCustomerHierarchy', 'portal.getCustomerProgramList'], {
      launchDate,
    });

/** What form the values have that the documents only give a type. */
export const formatFreedoms: Freedom[] = family('format', [
  ...ways('identifier', 'v3, Resources, identifier is a string: its form is open', {
    'identifiers-as-uuids': ids((kind, n) => `${hex(n, 8)}-0000-4${kind.length}00-8000-${padded(n)}`),
    'identifiers-of-digits': ids((kind, n) => `${kind.length}${kind.charCodeAt(2)}${String(n).padStart(9, '0')}`),
    'identifiers-with-slash': ids((kind, n) => `${kind}/${n}/x`),
    'identifiers-in-base64': ids((kind, n) => `${Buffer.from(`${kind}?>${n}`).toString('base64')}+==`),
    'identifiers-of-200-characters': ids((kind, n) => `${kind}${n}`.padEnd(200, 'long')),
    'identifiers-short': ids((kind, n) => `${kind[0]}${kind[2]}${n.toString(36)}`),
    'identifiers-not-ascii': ids((kind, n) => `${kind}-Ñandú-№${n}`),
    'identifiers-with-space': ids((kind, n) => `${kind} ${n} b`),
    'identifiers-with-percent': ids((kind, n) => `100%${kind}%20${n}%`),
    'identifiers-like-addresses': ids((kind, n) => `https://id.example/${kind}?n=${n}#x`),
    'identifiers-with-colons': ids((kind, n) => `urn:second:${kind}:${n}`),
    'identifiers-alike-but-for-case': ids((kind, n) => {
      const letters = n % 2 ? kind.toUpperCase() : kind.toLowerCase();
      return `${letters}${Math.floor(n / 2)}`;
    }),
    'identifiers-in-any-case': anyCase(/^(cards|users)\./),
    'identifiers-with-leading-zeros': ids((kind, n) => `000${kind.charCodeAt(1)}${kind.charCodeAt(0)}0${n}`),
    'identifiers-that-look-like-words': ids((kind, n) => `null.${kind}.true.${n}`),
    'identifiers-with-quotes': ids((kind, n) => `'${kind}'"${n}"`),
    'identifiers-with-ampersand': ids((kind, n) => `${kind}&max=${n}=1;`),
  }),
  ...ways('v1Id', 'portal, Resources, ids are integers: their size is open', {
    'portal-ids-small': set({ v1Id: (_kind, n) => n }),
    'portal-ids-near-the-largest-safe-integer': set({
      v1Id: (kind, n) => Number.MAX_SAFE_INTEGER - 3000 - n - kind.length * 500,
    }),
    'portal-ids-of-eight-digits': set({ v1Id: (kind, n) => kind.length * 10_000_000 + n * 3 }),
    'portal-ids-beyond-32-bits-by-little': set({ v1Id: (kind, n) => 2 ** 32 + kind.length * 1000 + n }),
  }),
  ...ways('accessToken', 'v3, Resources, access_token is a string: its form is open', {
    'token-like-a-jwt': set({ accessToken: (n) => `eyJhbGciOiJub25lIn0.${encoded(`{"n":${n}}`)}.sig` }),
    'token-of-4000-characters': set({ accessToken: (n) => `${n}.`.padEnd(4000, 'aB3-') }),
    'token-of-few-characters': set({ accessToken: (n) => `t${n}` }),
    'token-of-digits': set({ accessToken: (n) => String(7_000_000 + n * 7919) }),
    'token-in-hex': set({ accessToken: (n) => hex(n, 64) }),
  }),
  ...ways('sessionId', 'portal, Resources, sessionId is a string: its form is open', {
    'session-of-digits': set({ sessionId: (n) => String(4_000_000 + n * 7919) }),
    'session-as-uuid': set({ sessionId: (n) => `${hex(n, 8)}-1111-4111-8111-${padded(n)}` }),
    'session-not-ascii': set({ sessionId: (n) => `séance №${n} ☂` }),
    'session-of-1000-characters': set({ sessionId: (n) => `${n}:`.padEnd(1000, 'S+') }),
    'session-like-a-jwt': set({ sessionId: (n) => `e30.${encoded(`{"s":${n}}`)}.x` }),
    'session-like-markup': set({ sessionId: (n) => `<s n='${n}'>&amp;%41</s>` }),
  }),
  ...ways('continuation', 'v3, customerResults, continuationToken is a string: its form is open', {
    'continuation-of-digits': set({ continuation: (text) => text.replace(/\D/g, '').padStart(6, '0') }),
    'continuation-as-json': set({ continuation: (text) => `{"next":${text},"q":"a&b=c"}` }),
    'continuation-of-2000-characters': set({ continuation: (text) => text.padEnd(2000, '+/=') }),
    'continuation-url-safe': set({ continuation: encoded }),
    'continuation-not-ascii': set({ continuation: (text) => `página ${text} →` }),
    'continuation-encrypted': set({ continuation: (text) => hex(Number(text.replace(/\D/g, '')), 48) }),
  }),
  ...ways('dateTime', 'v3, card, date-time: offset and fraction of the second are open', {
    'date-time-whole-seconds': set({ dateTime: (ms) => utc(ms).replace(/\.\d+/, '') }),
    'date-time-milliseconds': set({ dateTime: utc }),
    'date-time-microseconds': set({ dateTime: (ms) => utc(ms).replace('Z', '123Z') }),
    'date-time-seven-digits': set({ dateTime: (ms) => utc(ms).replace('Z', '4321Z') }),
    'date-time-west': set({ dateTime: (ms) => shifted(ms, -3, 30) }),
    'date-time-far-east': set({ dateTime: (ms) => shifted(ms, 14) }),
    'date-time-on-a-leap-second': set(({ dateTime: usual }) => ({
      dateTime: (ms) => (new Date(ms).getUTCFullYear() < 2024 ? '2016-12-31T23:59:60Z' : usual(ms)),
    })),
    'date-time-far-in-the-future': set(({ dateTime: usual }) => ({
      dateTime: (ms) => (ms > Date.now() + 86_400_000 ? '9999-12-31T23:59:59.999Z' : usual(ms)),
    })),
    'date-time-offset-unknown': set({ dateTime: (ms) => utc(ms).replace('Z', '-00:00') }),
    'date-time-zero-offset': set({ dateTime: (ms) => shifted(ms, 0) }),
  }),
  ...doubtful(
    'RFC 3339 allows lower case, yet not every reader does',
    exactly(
      'v3, card, date-time: RFC 3339 allows t and z',
      { 'date-time-lower-case': set({ dateTime: (ms) => utc(ms).toLowerCase() }) },
      'dateTime',
    ),
  ),
  ...doubtful(
    'the row says "date" without a format: a plain date may be what is meant',
    exactly('v3, Other shapes, transfer: creationDate and lastUpdateDate are (date), which may have a time', {
      'transfer-dates-with-time': set({ date: utc }),
    }),
  ),
  ...ways('tokenType', 'v3, tokenResponse, token_type is a string naming the kind', {
    'token-type-capital': (c) => bodyWith(c, 'token.issue', { token_type: 'Bearer' }),
    'token-type-all-capitals': (c) => bodyWith(c, 'token.issue', { token_type: 'BEARER' }),
  }),
  ...ways('tokenTimes', 'v3, tokenResponse, not_before and expires_on are numbers: unit and epoch are open', {
    'token-times-in-milliseconds': tokenTimes((seconds) => seconds * 1000),
    'token-times-with-fraction': tokenTimes((seconds) => seconds + 0.25),
  }),
  ...(['deepLink', 'tinyUrl'] as const).flatMap((name) =>
    ways(name, `v3, card, ${name} is a string: its form is open`, {
      [`${name.toLowerCase()}-without-scheme`]: (c) => cardsWith(c, { [name]: 't.example/~1' }),
      [`${name.toLowerCase()}-of-3000-characters`]: (c) =>
        cardsWith(c, { [name]: 'https://t.example/'.padEnd(3000, 'x') }),
      [`${name.toLowerCase()}-empty`]: (c) => cardsWith(c, { [name]: '' }),
    }),
  ),
  ...ways('holderTexts', 'v3, cardholder, strings without a format', {
    'holder-phone-with-letters': (c) => holdersWith(c, { phone: '802-CALL-US x7' }),
    'holder-names-of-one-letter': (c) => holdersWith(c, { firstName: 'X', lastName: 'O' }),
    'holder-names-of-other-scripts': (c) => holdersWith(c, { firstName: '良子', lastName: 'Ωμέγα 😀' }),
    'holder-address-of-empty-strings': (c) => holdersWith(c, { billingAddress: { line1: '', country: '' } }),
    'holder-born-on-leap-day': (c) => holdersWith(c, { dateOfBirth: '1904-02-29' }),
  }),
  ...ways('proxy', 'v3, card, proxyNumber is a string: letters and length are open', {
    'proxy-of-letters': proxies((n) => `PX-${n}-z`),
    'proxy-of-19-digits': proxies((n) => String(n).padStart(19, '4')),
    'proxy-with-leading-zeros': proxies(padded),
  }),
  ...ways('programStatus', 'portal, Transitions, values of the customer program status: not shown', {
    'program-status-letter': (c) => itemsWith(c, 'portal.getCustomerProgramList', { status: 'A' }),
    'program-status-closed': (c) => itemsWith(c, 'portal.getCustomerProgramList', { status: 'CLOSED?' }),
    'program-status-empty': (c) => itemsWith(c, 'portal.getCustomerProgramList', { status: '' }),
  }),
  ...ways('launchDate', 'portal, Customer and CustomerProgram, launchDate is a string without a format', {
    'launch-date-in-words': launch('third of May'),
    'launch-date-iso': launch('2019-05-03T00:00:00-04:00'),
    'launch-date-as-number-text': launch('1556841600000'),
    'launch-date-empty': launch(''),
  }),
]);
