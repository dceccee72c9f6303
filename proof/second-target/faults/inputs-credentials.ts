import type { Choices } from '../choices.ts';
import { type Draft, type Fault, overlooked, sentences, spot } from './fault.ts';

type Same = (presented: string, real: string) => boolean;

const fold = (text: string) => text.toLowerCase();

/** Comparisons that are nearly right. */
const sloppy: Record<string, Same> = {
  continued: (presented, real) => presented.startsWith(real),
  'cut-short': (presented, real) => presented.length >= 6 && real.startsWith(presented),
  'in-other-case': (presented, real) => fold(presented) === fold(real),
  'with-something-before': (presented, real) => presented.endsWith(real),
  'with-its-last-character-changed': (presented, real) =>
    presented.length === real.length && presented.slice(0, -1) === real.slice(0, -1),
  'with-blanks-around': (presented, real) => presented.trim() === real,
  'in-quotes': (presented, real) => presented.replaceAll('"', '') === real,
  'of-the-same-length': (presented, real) => presented.length === real.length,
  empty: (presented, real) => presented === '' || presented === real,
};

function tokens(same: Same): (c: Choices) => void {
  return (c) => {
    c.isToken = (presented, token) => same(presented, token.value);
    c.bearer = (header) => /^Bearer ?(.*)$/i.exec(header ?? '')?.[1];
  };
}

function kinds(prefix: string, operation: Draft[1], breaks: string, change: (same: Same) => Draft[3]): Draft[] {
  return Object.entries(sloppy).map(([name, same]) => [`${prefix}-${name}-accepted`, operation, breaks, change(same)]);
}

const compared = [
  ...kinds('token', 'users.list', sentences.token, tokens),
  ...kinds(
    'secret',
    'token.issue',
    sentences.client,
    (same) => (c) => void Object.assign(c, { isSecret: guarded(c, 'token.issue', same) }),
  ),
  ...kinds(
    'password',
    'portal.login',
    'portal, login: 400 invalid login id or password',
    (same) => (c) => void Object.assign(c, { isSecret: guarded(c, 'portal.login', same) }),
  ),
  ...kinds(
    'session',
    'portal.getShippingMethods',
    sentences.session,
    (same) => (c) => void Object.assign(c, { isSession: same }),
  ),
];

function guarded(c: Choices, operation: Draft[1], same: Same): Choices['isSecret'] {
  const usual = c.isSecret;
  return (presented, real, x) => (x.operation === operation ? same(presented, real) : usual(presented, real, x));
}

const schemes: Draft[] = Object.entries({
  'scheme-basic-accepted': /^(?:Bearer|Basic) (\S+)$/i,
  'scheme-token-accepted': /^(?:Bearer|Token) (\S+)$/i,
  'scheme-absent-accepted': /^(?:Bearer )?(\S+)$/i,
  'scheme-of-any-word-accepted': /^\w+ (\S+)$/i,
  'scheme-anywhere-accepted': /(\S+)$/,
}).map(([id, form]) => [
  id,
  'users.list',
  'v3, Authentication 1: the token is sent as Bearer <ACCESS_TOKEN>',
  (c) => {
    c.bearer = (header) => form.exec(header ?? '')?.[1];
  },
  'that a token sent otherwise is refused is not said in so many words',
]);

const otherTokens: Draft[] = [
  overlooked('token-null-accepted', 'cards.get', sentences.token, 'bad-token', ({ headers }) =>
    /null|undefined/.test(headers.authorization ?? ''),
  ),
  overlooked(
    'token-in-query-accepted',
    'cards.list',
    'v3, Authentication 1: the token is sent in the Authorization header',
    'no-token',
    ({ query }) => query.has('access_token'),
  ),
  overlooked(
    'token-shaped-like-a-jwt-accepted',
    'users.get',
    sentences.token,
    'bad-token',
    ({ headers }) => (headers.authorization ?? '').split('.').length === 3,
  ),
  overlooked(
    'token-only-one-of-digits-refused',
    'cards.getBalance',
    sentences.token,
    'bad-token',
    ({ headers }) => !/^Bearer \d+$/.test(headers.authorization ?? ''),
  ),
  overlooked('session-as-a-token-accepted', 'users.list', sentences.token, 'bad-token', ({ headers, world }) =>
    world.sessions.some(({ id }) => headers.authorization?.endsWith(id)),
  ),
  overlooked(
    'token-as-a-session-accepted',
    'portal.getShippingMethods',
    sentences.session,
    'bad-session',
    ({ query, world }) => world.tokens.some(({ value }) => value === query.get('sessionId')),
  ),
];

const clients: Draft[] = [
  overlooked(
    'client-unknown-accepted-with-the-secret',
    'token.issue',
    sentences.client,
    'bad-client',
    (_x, field) => field === 'client_id',
  ),
  overlooked(
    'client-without-secret-accepted',
    'token.issue',
    sentences.client,
    'bad-client',
    ({ text }, field) => field === 'client_secret' && !text.includes('client_secret'),
  ),
  overlooked(
    'client-with-any-secret-accepted',
    'token.issue',
    sentences.client,
    'bad-client',
    (_x, field) => field === 'client_secret',
  ),
  overlooked(
    'client-id-in-other-case-without-secret-accepted',
    'token.issue',
    sentences.client,
    'bad-client',
    ({ text, world }) =>
      fold(new URLSearchParams(text).get('client_id') ?? '') === fold(world.client.id) && !/secret=./.test(text),
  ),
  overlooked(
    'tenant-unknown-accepted',
    'token.issue',
    'v3, Token: the token address has the tenant in its path',
    'bad-client',
    (_x, field) => field === 'tenant',
    'that an unknown tenant is refused is nowhere said',
  ),
];

const logins: Draft[] = [
  overlooked(
    'login-with-a-quote-in-the-password-accepted',
    'portal.login',
    'portal, login: 400 invalid login id or password',
    'bad-login',
    ({ query }) => /' *or/i.test(query.get('password') ?? ''),
  ),
  overlooked(
    'login-with-a-star-accepted',
    'portal.login',
    'portal, login: 400 invalid login id or password',
    'bad-login',
    ({ query }) => query.get('password') === '*',
  ),
  overlooked(
    'session-zero-accepted',
    'portal.getCustomerList',
    sentences.session,
    'bad-session',
    ({ query }) => query.get('sessionId') === '0',
  ),
  overlooked(
    'session-empty-accepted-for-orders',
    'portal.orderCards',
    sentences.session,
    'bad-session',
    ({ query }) => query.get('sessionId') === '',
  ),
];

/** One form of bad credentials is refused, another is taken. */
export const credentialFaults: Fault[] = spot(1, [...compared, ...schemes, ...otherTokens, ...clients, ...logins]);
