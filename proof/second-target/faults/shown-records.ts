import type { Choices } from '../choices.ts';
import type { JsonObject } from '../json.ts';
import { cardShape, customerShape, portalCustomerShape } from '../shapes.ts';
import { bodyWith, cardsWith, type customerLists, holdersWith, onBody, recordsOf } from '../tools.ts';
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
    'balance-null',
    'cards.get',
    card('balance', 'number'),
    (c) => cardsWith(c, ({ balance }) => ({ balance: balance || null })),
    'shows on empty cards',
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
];

/** What answers already show to whoever looks: records that should not be there, and fields of other types. */
export const shownRecordFaults: Fault[] = spot(12, [...foreign, ...types]);
