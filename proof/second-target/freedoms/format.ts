import type { Choices, IdKind } from '../choices.ts';
import { bodyWith, cardsWith, holdersWith, itemsWith } from '../tools.ts';
import { doubtful, type Freedom, family, ways } from './freedom.ts';

function ids(form: (kind: IdKind, n: number) => string): (c: Choices) => void {
  return (c) => {
    const usual = c.identifier;
    c.identifier = (kind, n) => (kind === 'proxy' ? usual(kind, n) : form(kind, n));
  };
}

function hex(n: number, length: number): string {
  return ((n + 17) * 2654435761).toString(16).repeat(8).slice(0, length);
}

const identifiers = ways('identifier', 'v3, Resources, identifier is a string: its form is open', {
  'identifiers-as-uuids': ids((kind, n) => `${hex(n, 8)}-0000-4${kind.length}00-8000-${String(n).padStart(12, '0')}`),
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
  'identifiers-in-any-case': (c) => {
    const usual = c.isSame;
    c.isSame = (one, other, x) =>
      /^(cards|users)\./.test(x.operation) ? one.toLowerCase() === other.toLowerCase() : usual(one, other, x);
  },
  'identifiers-with-leading-zeros': ids((kind, n) => `000${kind.charCodeAt(1)}${kind.charCodeAt(0)}0${n}`),
  'identifiers-that-look-like-words': ids((kind, n) => `null.${kind}.true.${n}`),
  'identifiers-with-quotes': ids((kind, n) => `'${kind}'"${n}"`),
  'identifiers-with-ampersand': ids((kind, n) => `${kind}&max=${n}=1;`),
});

const numbers = ways('v1Id', 'portal, Resources, ids are integers: their size is open', {
  'portal-ids-small': (c) => {
    c.v1Id = (_kind, n) => n;
  },
  'portal-ids-near-the-largest-safe-integer': (c) => {
    c.v1Id = (kind, n) => Number.MAX_SAFE_INTEGER - 3000 - n - kind.length * 500;
  },
  'portal-ids-of-eight-digits': (c) => {
    c.v1Id = (kind, n) => kind.length * 10_000_000 + n * 3;
  },
  'portal-ids-beyond-32-bits-by-little': (c) => {
    c.v1Id = (kind, n) => 2 ** 32 + kind.length * 1000 + n;
  },
});

const accessTokens = ways('accessToken', 'v3, Resources, access_token is a string: its form is open', {
  'token-like-a-jwt': (c) => {
    c.accessToken = (n) => `eyJhbGciOiJub25lIn0.${Buffer.from(`{"n":${n}}`).toString('base64url')}.sig`;
  },
  'token-of-4000-characters': (c) => {
    c.accessToken = (n) => `${n}.`.padEnd(4000, 'aB3-');
  },
  'token-of-few-characters': (c) => {
    c.accessToken = (n) => `t${n}`;
  },
  'token-of-digits': (c) => {
    c.accessToken = (n) => String(7_000_000 + n * 7919);
  },
  'token-in-hex': (c) => {
    c.accessToken = (n) => hex(n, 64);
  },
});

const sessions = ways('sessionId', 'portal, Resources, sessionId is a string: its form is open', {
  'session-of-digits': (c) => {
    c.sessionId = (n) => String(4_000_000 + n * 7919);
  },
  'session-as-uuid': (c) => {
    c.sessionId = (n) => `${hex(n, 8)}-1111-4111-8111-${String(n).padStart(12, '0')}`;
  },
  'session-not-ascii': (c) => {
    c.sessionId = (n) => `séance №${n} ☂`;
  },
  'session-of-1000-characters': (c) => {
    c.sessionId = (n) => `${n}:`.padEnd(1000, 'S+');
  },
  'session-like-a-jwt': (c) => {
    c.sessionId = (n) => `e30.${Buffer.from(`{"s":${n}}`).toString('base64url')}.x`;
  },
  'session-like-markup': (c) => {
    c.sessionId = (n) => `<s n='${n}'>&amp;%41</s>`;
  },
});

const continuations = ways('continuation', 'v3, customerResults, continuationToken is a string: its form is open', {
  'continuation-of-digits': (c) => {
    c.continuation = (text) => text.replace(/\D/g, '').padStart(6, '0');
  },
  'continuation-as-json': (c) => {
    c.continuation = (text) => `{"next":${text},"q":"a&b=c"}`;
  },
  'continuation-of-2000-characters': (c) => {
    c.continuation = (text) => text.padEnd(2000, '+/=');
  },
  'continuation-url-safe': (c) => {
    c.continuation = (text) => Buffer.from(text).toString('base64url');
  },
  'continuation-not-ascii': (c) => {
    c.continuation = (text) => `página ${text} →`;
  },
  'continuation-encrypted': (c) => {
    c.continuation = (text) => hex(Number(text.replace(/\D/g, '')), 48);
  },
});

function shifted(ms: number, hours: number, minutes = 0): string {
  const sign = hours < 0 ? -1 : 1;
  const local = new Date(ms + sign * (Math.abs(hours) * 60 + minutes) * 60_000).toISOString();
  const two = (n: number) => String(Math.abs(n)).padStart(2, '0');
  return local.replace('Z', `${sign < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`);
}

const dateTimes = ways('dateTime', 'v3, card, date-time: offset and fraction of the second are open', {
  'date-time-whole-seconds': (c) => {
    c.dateTime = (ms) => new Date(ms).toISOString().replace(/\.\d+/, '');
  },
  'date-time-milliseconds': (c) => {
    c.dateTime = (ms) => new Date(ms).toISOString();
  },
  'date-time-microseconds': (c) => {
    c.dateTime = (ms) => new Date(ms).toISOString().replace('Z', '123Z');
  },
  'date-time-seven-digits': (c) => {
    c.dateTime = (ms) => new Date(ms).toISOString().replace('Z', '4321Z');
  },
  'date-time-west': (c) => {
    c.dateTime = (ms) => shifted(ms, -3, 30);
  },
  'date-time-far-east': (c) => {
    c.dateTime = (ms) => shifted(ms, 14);
  },
  'date-time-on-a-leap-second': (c) => {
    const usual = c.dateTime;
    c.dateTime = (ms) => (new Date(ms).getUTCFullYear() < 2024 ? '2016-12-31T23:59:60Z' : usual(ms));
  },
  'date-time-far-in-the-future': (c) => {
    const usual = c.dateTime;
    c.dateTime = (ms) => (ms > Date.now() + 86_400_000 ? '9999-12-31T23:59:59.999Z' : usual(ms));
  },
  'date-time-offset-unknown': (c) => {
    c.dateTime = (ms) => new Date(ms).toISOString().replace('Z', '-00:00');
  },
  'date-time-zero-offset': (c) => {
    c.dateTime = (ms) => shifted(ms, 0);
  },
});

const lowerCase = doubtful('RFC 3339 allows lower case, yet not every reader does', [
  {
    id: 'date-time-lower-case',
    basis: 'v3, card, date-time: RFC 3339 allows t and z',
    slot: 'dateTime',
    change: (c) => {
      c.dateTime = (ms) => new Date(ms).toISOString().toLowerCase();
    },
  },
]);

const transferDates = doubtful('the row says "date" without a format: a plain date may be what is meant', [
  {
    id: 'transfer-dates-with-time',
    basis: 'v3, Other shapes, transfer: creationDate and lastUpdateDate are (date), which may have a time',
    change: (c) => {
      c.date = (ms) => new Date(ms).toISOString();
    },
  },
]);

const tokenTypes = ways('tokenType', 'v3, tokenResponse, token_type is a string naming the kind', {
  'token-type-capital': (c) => bodyWith(c, 'token.issue', { token_type: 'Bearer' }),
  'token-type-all-capitals': (c) => bodyWith(c, 'token.issue', { token_type: 'BEARER' }),
});

const times = ways('tokenTimes', 'v3, tokenResponse, not_before and expires_on are numbers: unit and epoch are open', {
  'token-times-in-milliseconds': (c) =>
    bodyWith(c, 'token.issue', ({ not_before, expires_on }) => ({
      not_before: Number(not_before) * 1000,
      expires_on: Number(expires_on) * 1000,
    })),
  'token-times-with-fraction': (c) =>
    bodyWith(c, 'token.issue', ({ not_before, expires_on }) => ({
      not_before: Number(not_before) + 0.25,
      expires_on: Number(expires_on) + 0.25,
    })),
});

const links = (['deepLink', 'tinyUrl'] as const).flatMap((name) =>
  ways(name, `v3, card, ${name} is a string: its form is open`, {
    [`${name.toLowerCase()}-without-scheme`]: (c: Choices) => cardsWith(c, { [name]: 't.example/~1' }),
    [`${name.toLowerCase()}-of-3000-characters`]: (c: Choices) =>
      cardsWith(c, { [name]: 'https://t.example/'.padEnd(3000, 'x') }),
    [`${name.toLowerCase()}-empty`]: (c: Choices) => cardsWith(c, { [name]: '' }),
  }),
);

const holders = ways('holderTexts', 'v3, cardholder, strings without a format', {
  'holder-phone-with-letters': (c) => holdersWith(c, { phone: '802-CALL-US x7' }),
  'holder-names-of-one-letter': (c) => holdersWith(c, { firstName: 'X', lastName: 'O' }),
  'holder-names-of-other-scripts': (c) => holdersWith(c, { firstName: '良子', lastName: 'Ωμέγα 😀' }),
  'holder-address-of-empty-strings': (c) => holdersWith(c, { billingAddress: { line1: '', country: '' } }),
  'holder-born-on-leap-day': (c) => holdersWith(c, { dateOfBirth: '1904-02-29' }),
});

const proxies = ways('proxy', 'v3, card, proxyNumber is a string: letters and length are open', {
  'proxy-of-letters': (c) => proxyAs(c, (n) => `PX-${n}-z`),
  'proxy-of-19-digits': (c) => proxyAs(c, (n) => String(n).padStart(19, '4')),
  'proxy-with-leading-zeros': (c) => proxyAs(c, (n) => String(n).padStart(12, '0')),
});

function proxyAs(c: Choices, form: (n: number) => string): void {
  const usual = c.identifier;
  c.identifier = (kind, n) => (kind === 'proxy' ? form(n) : usual(kind, n));
}

const programTexts = ways('programStatus', 'portal, Transitions, values of the customer program status: not shown', {
  'program-status-letter': (c) => itemsWith(c, 'portal.getCustomerProgramList', { status: 'A' }),
  'program-status-closed': (c) => itemsWith(c, 'portal.getCustomerProgramList', { status: 'CLOSED?' }),
  'program-status-empty': (c) => itemsWith(c, 'portal.getCustomerProgramList', { status: '' }),
});

const launchDates = ways(
  'launchDate',
  'portal, Customer and CustomerProgram, launchDate is a string without a format',
  {
    'launch-date-in-words': (c) => launch(c, 'third of May'),
    'launch-date-iso': (c) => launch(c, '2019-05-03T00:00:00-04:00'),
    'launch-date-as-number-text': (c) => launch(c, '1556841600000'),
    'launch-date-empty': (c) => launch(c, ''),
  },
);

function launch(c: Choices, launchDate: string): void {
  const lists = ['portal.getCustomerList', 'portal.getCustomerHierarchy', 'portal.getCustomerProgramList'] as const;
  itemsWith(c, lists, { launchDate });
}

/** What form the values have that the documents only give a type. */
export const formatFreedoms: Freedom[] = family('format', [
  ...identifiers,
  ...numbers,
  ...accessTokens,
  ...sessions,
  ...continuations,
  ...dateTimes,
  ...lowerCase,
  ...transferDates,
  ...tokenTypes,
  ...times,
  ...links,
  ...holders,
  ...proxies,
  ...programTexts,
  ...launchDates,
]);
