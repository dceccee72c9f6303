import type { Choices } from '../choices.ts';
import type { JsonObject } from '../json.ts';
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
  recordsOf,
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

/** What answers already show to whoever looks: records that should not be there, and fields of other types. */
export const shownRecordFaults: Fault[] = spot(12, [...foreign, ...types]);
