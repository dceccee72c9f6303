import type { Choices } from '../choices.ts';
import { onReply, rule, succeeded } from '../tools.ts';
import { also, doubtful, type Freedom, family, ways } from './freedom.ts';

const listings = [
  ...ways('nameContains', 'v3, GET customers, name: whether case and accents count is open', {
    'name-filter-in-any-case': (c) => {
      c.nameContains = (name, value) => name.toLowerCase().includes(value.toLowerCase());
    },
    'name-filter-without-accents': (c) => {
      const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
      c.nameContains = (name, value) => plain(name).includes(plain(value));
    },
    'name-filter-trimmed': (c) => {
      c.nameContains = (name, value) => name.includes(value.trim());
    },
  }),
  ...also('v3, GET customers and GET cards: which filters go together is open', {
    'name-filter-of-three-characters-at-least': (c) =>
      rule(c, 'users.list', ({ query }) => query.has('name') && query.get('name')!.length < 3, 400),
    'name-filter-in-ascii': (c) =>
      rule(c, 'users.list', ({ query }) => /[^\x20-\x7e]/.test(query.get('name') ?? ''), 400),
    'name-filter-without-wildcards': (c) =>
      rule(c, 'users.list', ({ query }) => /[%_*?]/.test(query.get('name') ?? ''), 400),
    'name-and-parent-not-together': (c) =>
      rule(c, 'users.list', ({ query }) => query.has('name') && query.has('parentIdentifier'), 400),
    'v1-identifier-alone': (c) =>
      rule(
        c,
        'users.list',
        ({ query }) => query.has('v1Identifier') && (query.has('name') || query.has('parentIdentifier')),
        400,
      ),
    'v1-identifier-of-digits': (c) =>
      rule(c, 'users.list', ({ query }) => /\D/.test(query.get('v1Identifier') ?? ''), 400),
    'two-card-filters-at-most': (c) =>
      rule(
        c,
        'cards.list',
        ({ query }) => [...query.keys()].filter((name) => name.endsWith('Identifier')).length > 2,
        400,
      ),
    'order-filter-with-program-only': (c) =>
      rule(c, 'cards.list', ({ query }) => query.has('orderIdentifier') && !query.has('programIdentifier'), 400),
    'unknown-card-filters-refused': (c) =>
      rule(
        c,
        'cards.list',
        ({ query, world }) => {
          const customer = query.get('customerIdentifier');
          return customer !== null && !world.customers.some(({ identifier, ours }) => ours && identifier === customer);
        },
        400,
      ),
    'unknown-parents-have-no-children': (c) => {
      c.verdicts.push(({ reason }, { operation }) =>
        reason === 'unknown-filter' && operation === 'users.list' ? 'overlook' : undefined,
      );
      const usual = c.within;
      c.within = (parent) => (parent.ours ? usual(parent) : []);
    },
    'max-of-two-at-least': (c) => rule(c, ['users.list', 'cards.list'], ({ query }) => query.get('max') === '1', 400),
  }),
  ...ways('ownerMatches', 'v3, GET cards, customerIdentifier: whether customers below count is open', {
    'customer-filter-includes-those-below': (c) => {
      c.ownerMatches = ({ owner }, identifier) => {
        for (let at: typeof owner | undefined = owner; at; at = at.parent)
          if (at.identifier === identifier) return true;
        return false;
      };
    },
  }),
];

const clients = [
  ...doubtful('every field of tokenRequest is optional', [
    {
      id: 'token-wants-a-scope',
      basis: 'v3, tokenRequest: what is granted without a scope is open',
      change: (c: Choices) => rule(c, 'token.issue', ({ text }) => !new URLSearchParams(text).get('scope'), 400),
    },
    {
      id: 'token-wants-a-grant-type',
      basis: 'v3, tokenRequest: what is granted without a grant_type is open',
      change: (c: Choices) => rule(c, 'token.issue', ({ text }) => !new URLSearchParams(text).get('grant_type'), 400),
    },
  ]),
  ...also('v3, Token: how often one may be asked for is not shown', {
    'token-requests-counted': (c) => {
      let recent: number[] = [];
      c.before.push(({ operation }) => {
        if (operation !== 'token.issue') return undefined;
        recent = recent.filter((at) => Date.now() - at < 1000);
        if (recent.length >= 20)
          return { status: 429, headers: { 'Retry-After': '1' }, body: [{ errorCode: 'SLOWER' }] };
        recent.push(Date.now());
        return undefined;
      });
    },
    'token-endpoint-refuses-in-the-words-of-oauth': (c) => {
      onReply(c, 'token.issue', (reply) => {
        if (!succeeded(reply))
          reply.body = [{ errorCode: 'invalid_client', errorMessage: 'client authentication failed' }];
      });
    },
  }),
];

/** What a target may ask of listings and of the token request. */
export const lookupRules: Freedom[] = family('business-rule', [...listings, ...clients]);
