import type { Choices } from '../choices.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { cardShape, customerShape, portalCustomerShape } from '../shapes.ts';
import {
  bodyWith,
  cardsWith,
  type customerLists,
  holdersWith,
  itemsWith,
  onBody,
  onCards,
  onItems,
  onReply,
  recordsOf,
  succeeded,
} from '../tools.ts';
import { asText, type Draft, type Fault, sentences, spot } from './fault.ts';

const card = (name: string, type: string) => `v3, card, ${name}: ${type}`;

const foreign: Draft[] = [
  ['foreign-card-among-related', 'cards.listRelated', sentences.reach, (c) => add(c, 'cards.listRelated')],
  ['foreign-card-in-the-listing', 'cards.list', sentences.reach, (c) => add(c, 'cards.list')],
  [
    'foreign-customer-in-the-listing',
    'users.list',
    'v3, Users, read with the fixture of a customer that must not be reached',
    (c) =>
      onBody(c, 'users.list', (body, { world, query }) => {
        const outside = world.customers.filter(({ ours, parent }) => !ours && parent).map(customerShape);
        if (!query.size || query.has('max'))
          body.results = [...recordsOf(body, 'results').slice(outside.length), ...outside];
      }),
    'the scope gives full access to user calls',
  ],
  [
    'foreign-customer-in-the-hierarchy',
    'portal.getCustomerHierarchy',
    'portal, getCustomerHierarchy: customers under the given id',
    (c) => rivals(c, 'portal.getCustomerHierarchy'),
  ],
  [
    'foreign-customer-in-the-customer-list',
    'portal.getCustomerList',
    'portal, Authentication 3: what a user is not entitled to',
    (c) => rivals(c, 'portal.getCustomerList'),
  ],
  [
    'foreign-target-shown-by-its-transfer',
    'cards.transfer',
    'v3, transfer, receiverIdentifier: the target card',
    (c) =>
      bodyWith(c, 'cards.transfer', (_body, { world }) => ({ receiverIdentifier: world.cards.at(-1)!.identifier })),
  ],
];

function add(c: Choices, operation: 'cards.list' | 'cards.listRelated'): void {
  onBody(c, operation, (body, x) => {
    const outside = x.world.cards.find(({ owner }) => !owner.ours)!;
    if (!x.query.has('customerIdentifier'))
      body.results = [...recordsOf(body, 'results').slice(0, 49), cardShape(outside, x)];
  });
}

function rivals(c: Choices, operation: (typeof customerLists)[number]): void {
  onBody(c, operation, (body, { world }) => {
    const rival = world.customers.find(({ name }) => name === 'Rival Harbour')!;
    body.items = [...recordsOf(body, 'items'), portalCustomerShape(rival)];
  });
}

function onPageTwo(change: (record: JsonObject) => void): (c: Choices) => void {
  return (c) =>
    onBody(c, ['users.list', 'cards.list'], (body, { query }) => {
      if (query.has('token')) recordsOf(body, 'results').forEach(change);
    });
}

const types: Draft[] = [
  [
    'page-two-with-balances-as-text',
    'cards.list',
    card('balance', 'number'),
    onPageTwo((record) => asText(record, 'balance')),
  ],
  [
    'page-two-with-dates-without-offset',
    'cards.list',
    card('creationDate', 'date-time'),
    onPageTwo((record) => void (record.creationDate && Object.assign(record, { creationDate: '2021-01-01T00:00:00' }))),
  ],
  [
    'page-two-with-identifiers-as-numbers',
    'users.list',
    'v3, customer, identifier: string',
    onPageTwo((record) => void (record.balance === undefined && Object.assign(record, { identifier: 7 }))),
  ],
  [
    'page-two-without-correlation',
    'cards.list',
    'v3, cards, correlationId: string',
    (c) =>
      bodyWith(c, 'cards.list', ({ correlationId }, { query }) => ({
        correlationId: query.has('token') ? 0 : correlationId,
      })),
  ],
  [
    'page-two-with-flags-as-text',
    'cards.list',
    card('isProvisionedToWallet', 'boolean'),
    onPageTwo((record) => asText(record, 'isProvisionedToWallet')),
  ],
  [
    'page-two-with-a-number-for-its-token',
    'users.list',
    'v3, customerResults, continuationToken: string',
    (c) =>
      bodyWith(c, 'users.list', ({ continuationToken }, { query }) => ({
        continuationToken: query.has('token') && continuationToken ? 12 : continuationToken,
      })),
  ],
  [
    'proxy-as-number',
    'cards.get',
    card('proxyNumber', 'string'),
    (c) => cardsWith(c, ({ proxyNumber }) => ({ proxyNumber: Number(proxyNumber) })),
  ],
  [
    'last-four-as-number',
    'cards.list',
    card('cardNumberLastFour', 'string'),
    (c) => cardsWith(c, ({ cardNumberLastFour }) => ({ cardNumberLastFour: Number(cardNumberLastFour) })),
  ],
  [
    'last-four-of-three-digits',
    'cards.get',
    card('cardNumberLastFour', 'last four digits'),
    (c) =>
      cardsWith(c, ({ cardNumberLastFour }) => ({ cardNumberLastFour: String(cardNumberLastFour).replace(/^0/, '') })),
    'shows on cards whose last four begin with zero',
  ],
  [
    'last-four-is-the-whole-number',
    'cards.get',
    card('cardNumberLastFour', 'last four digits'),
    (c) => cardsWith(c, ({ cardNumberLastFour }) => ({ cardNumberLastFour: `411111111111${cardNumberLastFour}` })),
  ],
  ['ssn-whole', 'cards.get', 'v3, cardholder, ssnLastFour', (c) => holdersWith(c, { ssnLastFour: '123456789' })],
  [
    'is-refreshing-as-text',
    'cards.get',
    card('isRefreshing', 'boolean'),
    (c) => onCards(c, (record) => asText(record, 'isRefreshing')),
  ],
  [
    'balance-null',
    'cards.get',
    card('balance', 'number'),
    (c) => cardsWith(c, ({ balance }) => ({ balance: balance || null })),
    'shows on empty cards',
  ],
  ['custom-fields-as-array', 'cards.get', card('customFields', 'object'), (c) => cardsWith(c, { customFields: [] })],
  [
    'custom-field-as-number',
    'cards.list',
    card('customFields', 'strings'),
    (c) => cardsWith(c, { customFields: { customField1: 5 } }),
  ],
  [
    'cardholder-as-text',
    'cards.listRelated',
    card('cardholder', 'cardholder'),
    (c) => onCards(c, (record) => void Object.assign(record, { cardholder: 'Zoe' }), 'cards.listRelated'),
  ],
  [
    'postal-code-as-number',
    'cards.get',
    'v3, address, postalCode: string',
    (c) =>
      holdersWith(c, ({ mailingAddress }) => ({
        mailingAddress: { ...(mailingAddress as JsonObject), postalCode: 5701 },
      })),
  ],
  [
    'expiration-as-month-and-year',
    'cards.get',
    card('expiration', 'string, date-time'),
    (c) => cardsWith(c, { expiration: '12/29' }),
  ],
  [
    'transfer-amount-as-text',
    'cards.transfer',
    'v3, transfer, amount: number',
    (c) => onBody(c, 'cards.transfer', (body) => asText(body, 'amount')),
  ],
  [
    'transfer-date-in-words',
    'cards.transfer',
    'v3, transfer, creationDate: date',
    (c) => bodyWith(c, 'cards.transfer', { creationDate: 'Nov 3rd, 2025' }),
  ],
  [
    'transfer-sender-and-receiver-exchanged',
    'cards.transfer',
    'v3, transfer, senderIdentifier and receiverIdentifier',
    (c) =>
      bodyWith(c, 'cards.transfer', ({ senderIdentifier, receiverIdentifier }) => ({
        senderIdentifier: receiverIdentifier,
        receiverIdentifier: senderIdentifier,
      })),
  ],
  [
    'transfer-of-another-customer',
    'cards.transfer',
    'v3, transfer, customerIdentifier',
    (c) =>
      bodyWith(c, 'cards.transfer', (_body, { world }) => ({ customerIdentifier: world.customers[0]!.identifier })),
    'whose customer is meant is not said',
  ],
  [
    'zip-with-leading-zero-as-text',
    'portal.getCustomerHierarchy',
    'portal, Customer, zip: integer',
    (c) => itemsWith(c, 'portal.getCustomerHierarchy', { zip: '05701' }),
  ],
  [
    'years-as-text',
    'portal.getCustomerList',
    'portal, Customer, businessYrs: integer',
    (c) => itemsWith(c, 'portal.getCustomerList', { businessYrs: '3' }),
  ],
  [
    'employees-as-number',
    'portal.getCustomerList',
    'portal, Customer, noEmployees: string',
    (c) => itemsWith(c, 'portal.getCustomerList', { noEmployees: 12 }),
  ],
  [
    'customer-id-with-fraction',
    'portal.getCustomerList',
    'portal, Customer, customerId: integer',
    (c) => itemsWith(c, 'portal.getCustomerList', ({ customerId }) => ({ customerId: Number(customerId) + 0.5 })),
  ],
  [
    'program-flags-as-numbers',
    'portal.getCustomerProgramList',
    'portal, CustomerProgram, isDeleted: boolean',
    (c) => itemsWith(c, 'portal.getCustomerProgramList', { isDeleted: 0 }),
  ],
  [
    'program-counts-as-text',
    'portal.getCustomerProgramList',
    'portal, CustomerProgram, inventoryCount: integer',
    (c) => onItems(c, 'portal.getCustomerProgramList', (item) => asText(item, 'inventoryCount')),
  ],
  [
    'plan-id-as-text',
    'portal.getCustomerProgramList',
    'portal, CustomerProgram, PlanId: integer',
    (c) => onItems(c, 'portal.getCustomerProgramList', (item) => asText(item, 'PlanId')),
  ],
  [
    'token-times-as-text',
    'token.issue',
    'v3, tokenResponse, expires_on: number',
    (c) => onBody(c, 'token.issue', (body) => asText(body, 'expires_on')),
  ],
  [
    'token-resource-as-array',
    'token.issue',
    'v3, tokenResponse, resource: string',
    (c) => bodyWith(c, 'token.issue', { resource: ['a'] }),
  ],
  [
    'payload-as-object',
    'cards.encryptForVde',
    'v3, encryptedPayload: string',
    (c) => bodyWith(c, 'cards.encryptForVde', { encryptedPayload: { iv: '', data: '' } }),
  ],
];

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
    'customer-identifier-of-its-parent',
    'users.get',
    'v3, customer, identifier',
    (c) =>
      bodyWith(c, 'users.get', ({ identifier }, { customer }) => ({
        identifier: customer?.parent?.ours ? customer.parent.identifier : identifier,
      })),
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
    'filtered-by-program-shows-others',
    'cards.list',
    'v3, GET cards: programIdentifier selects',
    (c) => ignored(c, 'programIdentifier'),
  ],
  [
    'filtered-by-order-shows-others',
    'cards.list',
    'v3, GET cards: orderIdentifier selects',
    (c) => ignored(c, 'orderIdentifier'),
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
  ['same-card-twice-in-a-listing', 'cards.list', 'v3, cards, results', (c) => twice(c, 'cards.list')],
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

function ignored(c: Choices, name: string): void {
  c.before.push(({ operation, query }) => {
    if (operation === 'cards.list') query.delete(name);
    return undefined;
  });
}

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

const errors: Draft[] = [
  [
    'errors-as-object',
    'users.list',
    'v3, Errors: error bodies are an array',
    (c) => onReply(c, 'users.list', unwrapped),
  ],
  [
    'errors-as-object-for-cards',
    'cards.list',
    'v3, Errors: error bodies are an array',
    (c) => onReply(c, 'cards.list', unwrapped),
  ],
  [
    'errors-as-object-for-one-card',
    'cards.get',
    'v3, Errors: error bodies are an array',
    (c) => onReply(c, 'cards.get', unwrapped),
  ],
  [
    'errors-in-a-member',
    'cards.transfer',
    'v3, Errors: error bodies are an array',
    (c) =>
      onReply(
        c,
        'cards.transfer',
        (reply) => void (succeeded(reply) || Object.assign(reply, { body: { errors: reply.body } })),
      ),
  ],
  [
    'errors-as-texts',
    'users.list',
    'v3, errors: array of error',
    (c) => onReply(c, 'users.list', (reply) => void (succeeded(reply) || Object.assign(reply, { body: ['bad'] }))),
  ],
  [
    'error-field-name-as-array',
    'cards.list',
    'v3, error, fieldName: string',
    (c) =>
      onReply(
        c,
        'cards.list',
        (reply) => void (succeeded(reply) || Object.assign(reply, { body: [{ fieldName: ['max'] }] })),
      ),
  ],
  [
    'errors-as-html',
    'users.list',
    'v3, Resources: all bodies are JSON',
    (c) =>
      onReply(
        c,
        'users.list',
        (reply) =>
          void (
            succeeded(reply) ||
            Object.assign(reply, { bytes: '<h1>Bad Request</h1>', headers: { 'Content-Type': 'text/html' } })
          ),
      ),
  ],
  [
    'bad-requests-answered-422',
    'users.list',
    'v3, GET users customers answers a bad request with 400',
    (c) => onReply(c, 'users.list', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 422 }))),
  ],
  [
    'bad-requests-answered-500',
    'cards.list',
    'v3, GET cards answers a bad request with 400',
    (c) => onReply(c, 'cards.list', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 500 }))),
  ],
  [
    'bad-customer-ids-answered-500',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: 400 invalid sessionId or customerId',
    (c) =>
      onReply(
        c,
        'portal.getCustomerProgramList',
        (reply) => void (reply.status === 400 && Object.assign(reply, { status: 500 })),
      ),
  ],
  [
    'failed-logout-answered-404',
    'portal.logout',
    'portal, logout: 400 logout failed',
    (c) => onReply(c, 'portal.logout', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 404 }))),
  ],
  [
    'bad-places-answered-422',
    'portal.getATMLocation',
    'portal, getATMLocation: 400 bad request data',
    (c) =>
      onReply(
        c,
        'portal.getATMLocation',
        (reply) => void (reply.status === 400 && Object.assign(reply, { status: 422 })),
      ),
  ],
  [
    'bad-people-answered-422',
    'portal.getCIPCheck',
    'portal, getCIPCheck: 400, 401, 500 error objects',
    (c) =>
      onReply(c, 'portal.getCIPCheck', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 422 }))),
  ],
  [
    'portal-errors-as-text',
    'portal.getCustomerHierarchy',
    'portal, Errors: error objects',
    (c) =>
      onReply(
        c,
        'portal.getCustomerHierarchy',
        (reply) => void (succeeded(reply) || Object.assign(reply, { body: 'bad' })),
      ),
  ],
];

function unwrapped(reply: { status: number; body?: Json }): void {
  if (Array.isArray(reply.body) && isObject(reply.body[0])) reply.body = reply.body[0];
}

/** What answers already show to whoever looks. */
export const shownFaults: Fault[] = spot(12, [...foreign, ...types, ...identities, ...stale, ...errors]);
