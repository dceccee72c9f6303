import { onReply, overlook, succeeded } from '../tools.ts';
import { badQuery, badRequest, type Change, counted, instead, isWithin, later, set } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

const wantsOf = (name: string): Change => badRequest('token.issue', ({ text }) => !new URLSearchParams(text).get(name));

/** What a target may ask of listings and of the token request. */
export const lookupRules: Freedom[] = family('business-rule', [
  ...ways('nameContains', 'v3, GET customers, name: whether case and accents count is open', {
    'name-filter-in-any-case': set({ nameContains: (name, value) => name.toLowerCase().includes(value.toLowerCase()) }),
    'name-filter-without-accents': set({ nameContains: (name, value) => plain(name).includes(plain(value)) }),
    'name-filter-trimmed': set({ nameContains: (name, value) => name.includes(value.trim()) }),
  }),
  ...also('v3, GET customers and GET cards: which filters go together is open', {
    'name-filter-of-three-characters-at-least': badQuery(
      'users.list',
      (value, { query }) => query.has('name') && value('name').length < 3,
    ),
    'name-filter-in-ascii': badQuery('users.list', (value) => /[^\x20-\x7e]/.test(value('name'))),
    'name-filter-without-wildcards': badQuery('users.list', (value) => /[%_*?]/.test(value('name'))),
    'name-and-parent-not-together': badRequest(
      'users.list',
      ({ query }) => query.has('name') && query.has('parentIdentifier'),
    ),
    'v1-identifier-alone': badRequest(
      'users.list',
      ({ query }) => query.has('v1Identifier') && (query.has('name') || query.has('parentIdentifier')),
    ),
    'v1-identifier-of-digits': badQuery('users.list', (value) => /\D/.test(value('v1Identifier'))),
    'two-card-filters-at-most': badRequest(
      'cards.list',
      ({ query }) => [...query.keys()].filter((name) => name.endsWith('Identifier')).length > 2,
    ),
    'order-filter-with-program-only': badRequest(
      'cards.list',
      ({ query }) => query.has('orderIdentifier') && !query.has('programIdentifier'),
    ),
    'unknown-card-filters-refused': badRequest('cards.list', ({ query, world }) => {
      const customer = query.get('customerIdentifier');
      return customer !== null && !world.customers.some(({ identifier, ours }) => ours && identifier === customer);
    }),
    'unknown-parents-have-no-children': (c) => {
      overlook(c, 'users.list', 'unknown-filter');
      const usual = c.within;
      c.within = (parent) => (parent.ours ? usual(parent) : []);
    },
    'max-of-two-at-least': badQuery(['users.list', 'cards.list'], (value) => value('max') === '1'),
  }),
  ...ways('ownerMatches', 'v3, GET cards, customerIdentifier: whether customers below count is open', {
    'customer-filter-includes-those-below': set({ ownerMatches: isWithin }),
  }),
  ...doubtful('every field of tokenRequest is optional', [
    ...exactly('v3, tokenRequest: what is granted without a scope is open', {
      'token-wants-a-scope': wantsOf('scope'),
    }),
    ...exactly('v3, tokenRequest: what is granted without a grant_type is open', {
      'token-wants-a-grant-type': wantsOf('grant_type'),
    }),
  ]),
  ...also('v3, Token: how often one may be asked for is not shown', {
    'token-requests-counted': (c) => {
      const isOften = counted(20, 1000);
      instead('token.issue', () => (isOften() ? later(429, [{ errorCode: 'SLOWER' }]) : undefined))(c);
    },
    'token-endpoint-refuses-in-the-words-of-oauth': (c) => {
      onReply(c, 'token.issue', (reply) => {
        if (!succeeded(reply))
          reply.body = [{ errorCode: 'invalid_client', errorMessage: 'client authentication failed' }];
      });
    },
  }),
]);
