import type { Choices } from '../choices.ts';
import type { Json } from '../json.ts';
import { cardShape } from '../shapes.ts';
import { bodyWith, onBody, onCards, onReply, recordsOf, succeeded } from '../tools.ts';
import { type Draft, type Fault, spot } from './fault.ts';

const card = (name: string, type: string) => `v3, card, ${name}: ${type}`;

const identities: Draft[] = [
  [
    'card-identifier-in-other-letters',
    'cards.get',
    card('identifier', 'card identifier'),
    (c) => bodyWith(c, 'cards.get', ({ identifier }) => ({ identifier: String(identifier).toLowerCase() })),
  ],
  [
    'card-identifier-in-other-letters-in-listings',
    'cards.list',
    card('identifier', 'card identifier'),
    (c) =>
      onCards(
        c,
        (record) => void Object.assign(record, { identifier: String(record.identifier).toLowerCase() }),
        'cards.list',
      ),
  ],
  [
    'customer-identifier-in-other-letters',
    'users.get',
    'v3, customer, identifier',
    (c) => bodyWith(c, 'users.get', ({ identifier }) => ({ identifier: String(identifier).toLowerCase() })),
  ],
  [
    'permissions-answer-another-customer',
    'users.setPermissions',
    'v3, PUT permissions: 200 customer',
    (c) => bodyWith(c, 'users.setPermissions', (_body, { world }) => ({ identifier: world.home.identifier })),
  ],
  [
    'owner-in-other-letters',
    'cards.get',
    card('customerIdentifier', 'owning customer'),
    (c) =>
      bodyWith(c, 'cards.get', ({ customerIdentifier }) => ({
        customerIdentifier: String(customerIdentifier).toLowerCase(),
      })),
  ],
  [
    'card-by-token-with-the-token-for-identifier',
    'cards.get',
    card('identifier', 'card identifier'),
    (c) =>
      bodyWith(c, 'cards.get', ({ identifier }, { query, path }) => ({
        identifier: query.get('byToken') === 'true' ? path.identifier : identifier,
      })),
  ],
  [
    'card-by-proxy-with-the-proxy-for-identifier',
    'cards.get',
    card('identifier', 'card identifier'),
    (c) =>
      bodyWith(c, 'cards.get', ({ identifier }, { query, path }) => ({
        identifier: query.get('byProxy') === 'true' ? path.identifier : identifier,
      })),
  ],
  [
    'active-in-small-letters',
    'cards.get',
    card('status', 'Active'),
    (c) => void Object.assign(c.cardStatus, { active: 'active' }),
  ],
  [
    'active-as-text-of-a-number',
    'cards.get',
    card('status', 'Active'),
    (c) => void Object.assign(c.cardStatus, { active: '11' }),
  ],
  [
    'suspended-cards-say-active',
    'cards.get',
    card('status', 'Active is a status of its own'),
    (c) => void Object.assign(c.cardStatus, { suspended: 'Active' }),
  ],
  [
    'closed-cards-say-active',
    'cards.get',
    card('status', 'Active is a status of its own'),
    (c) => void Object.assign(c.cardStatus, { closed: 'Active' }),
  ],
  [
    'filtered-by-customer-shows-others',
    'cards.list',
    'v3, GET cards: customerIdentifier selects',
    (c) => mixedIn(c, 'customerIdentifier'),
  ],
  [
    'filtered-by-external-identifier-shows-others',
    'cards.list',
    'v3, GET cards: externalIdentifier selects',
    (c) => mixedIn(c, 'externalIdentifier'),
  ],
  [
    'second-filter-ignored',
    'cards.list',
    'v3, GET cards: customerIdentifier and programIdentifier select',
    (c) =>
      c.before.push(({ operation, query }) => {
        if (operation === 'cards.list' && query.has('customerIdentifier'))
          for (const name of ['programIdentifier', 'orderIdentifier', 'externalIdentifier']) query.delete(name);
        return undefined;
      }),
  ],
  [
    'name-ignored-with-a-parent',
    'users.list',
    'v3, GET customers: name and parentIdentifier select',
    (c) =>
      c.before.push(({ operation, query }) => {
        if (operation === 'users.list' && query.has('parentIdentifier')) query.delete('name');
        return undefined;
      }),
  ],
  [
    'parent-ignored-with-a-name',
    'users.list',
    'v3, GET customers: name and parentIdentifier select',
    (c) =>
      c.before.push(({ operation, query }) => {
        if (operation === 'users.list' && query.has('name')) query.delete('parentIdentifier');
        return undefined;
      }),
  ],
  ['same-customer-twice-in-a-listing', 'users.list', 'v3, customerResults, results', (c) => twice(c, 'users.list')],
  [
    'card-among-its-related-with-another-owner',
    'cards.listRelated',
    card('customerIdentifier', 'owning customer'),
    (c) =>
      onCards(
        c,
        (record, { world }) => void Object.assign(record, { customerIdentifier: world.home.identifier }),
        'cards.listRelated',
      ),
  ],
  [
    'listing-and-card-disagree-on-the-owner',
    'cards.list',
    card('customerIdentifier', 'owning customer'),
    (c) =>
      onCards(
        c,
        (record, { world, query }) =>
          void (
            query.has('customerIdentifier') || Object.assign(record, { customerIdentifier: world.home.identifier })
          ),
        'cards.list',
      ),
  ],
];

function mixedIn(c: Choices, name: string): void {
  onBody(c, 'cards.list', (body, x) => {
    if (!x.query.has(name)) return;
    const others = x.world.cards
      .filter(({ owner }) => owner.ours && owner.identifier !== x.query.get(name))
      .slice(0, 2);
    body.results = [...recordsOf(body, 'results'), ...others.map((other) => cardShape(other, x))];
  });
}

function twice(c: Choices, operation: 'cards.list' | 'users.list'): void {
  onBody(c, operation, (body) => {
    const list = recordsOf(body, 'results');
    if (list.length > 3) body.results = [...list.slice(0, -1), list[1]!];
  });
}

const stale: Draft[] = [
  [
    'record-a-transfer-behind-after-a-balance-read',
    'cards.getBalance',
    'v3, GET balance: also refreshes the stored card record',
    (c) => {
      const before = new Map<unknown, number>();
      onReply(c, 'cards.getBalance', (reply, { card, world }) => {
        if (!succeeded(reply) || !card) return;
        const last = before.get(card);
        before.set(card, card.facts.cents);
        if (last !== undefined) world.alter(card, (facts) => void Object.assign(facts, { recordedCents: last }));
      });
    },
  ],
  [
    'record-in-listings-behind-after-a-balance-read',
    'cards.list',
    'v3, GET balance: also refreshes the stored card record',
    (c) => {
      const first = new Map<unknown, Json>();
      onCards(
        c,
        (record) => {
          if (first.has(record.identifier)) record.balance = first.get(record.identifier);
          else first.set(record.identifier, record.balance);
        },
        'cards.list',
      );
    },
  ],
  [
    'record-of-the-target-never-refreshed',
    'cards.getBalance',
    'v3, GET balance: also refreshes the stored card record',
    (c) => {
      const received = new Set<unknown>();
      onReply(c, 'cards.transfer', (reply, { target }) => void (succeeded(reply) && received.add(target?.identifier)));
      const kept = new Map<unknown, Json>();
      onCards(c, (record) => {
        if (!received.has(record.identifier)) kept.set(record.identifier, record.balance);
        else if (kept.has(record.identifier)) record.balance = kept.get(record.identifier);
      });
    },
  ],
];

/** What answers already show to whoever looks: whose records they are, and how old. */
export const shownIdentityFaults: Fault[] = spot(12, [...identities, ...stale]);
