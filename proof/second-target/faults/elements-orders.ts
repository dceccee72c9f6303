import type { Choices } from '../choices.ts';
import { isObject } from '../json.ts';
import { onBody, onCards, onReply, orderedCards, overlook, succeeded } from '../tools.ts';
import { type Draft, type Fault, overlooked, sentences, spot } from './fault.ts';

const perCard = 'portal, orderCards body: fields of each orderDetails item that are required';

const required = ['firstName', 'lastName', 'phone', 'ssn'];

function secondCard(name: string): (c: Choices) => void {
  return (c) =>
    overlook(c, 'portal.orderCards', 'bad-order', (x, field) => {
      const [first, ...rest] = orderedCards(x);
      return field === name && typeof first?.[name] === 'string' && rest.some((card) => typeof card[name] !== 'string');
    });
}

const orders: Draft[] = [
  ...required.map(
    (name): Draft => [
      `second-card-without-${name.toLowerCase()}-taken`,
      'portal.orderCards',
      perCard,
      secondCard(name),
    ],
  ),
  overlooked(
    'second-card-with-duplicate-other-info-taken',
    'portal.orderCards',
    sentences.otherInfo,
    'other-info-duplicate',
    (x) => fresh(x.program!.otherInfos, orderedCards(x)[0]?.otherInfo),
  ),
  overlooked(
    'duplicate-other-info-within-an-order-taken',
    'portal.orderCards',
    sentences.otherInfo,
    'other-info-duplicate',
    (x) => orderedCards(x).every((card) => fresh(x.program!.otherInfos, card.otherInfo)),
  ),
  overlooked('second-card-with-duplicate-load-taken', 'portal.orderCards', sentences.load, 'load-duplicate', (x) =>
    fresh(x.program!.loadIdentifiers, orderedCards(x)[0]?.externalIdentifier),
  ),
  overlooked('duplicate-load-within-an-order-taken', 'portal.orderCards', sentences.load, 'load-duplicate', (x) =>
    orderedCards(x).every((card) => fresh(x.program!.loadIdentifiers, card.externalIdentifier)),
  ),
  overlooked(
    'second-card-without-other-info-taken',
    'portal.orderCards',
    'portal, Order rule 5: Make Other Field Required',
    'other-info-missing',
    (x) => !!orderedCards(x)[0]?.otherInfo,
  ),
  overlooked(
    'load-on-the-second-card-only-taken-with-load-off',
    'portal.orderCards',
    'portal, Order rule 4: the load-while-ordering setting must be on',
    'load-off',
    (x) => !orderedCards(x)[0]?.amount,
  ),
  overlooked(
    'load-on-the-second-card-only-taken-without-total-value',
    'portal.orderCards',
    'portal, Order rule 4: the load-while-ordering setting must be on',
    ['load-off', 'load-incomplete'],
    (x) => !x.content.totalValue && !orderedCards(x)[0]?.amount,
  ),
  overlooked(
    'load-of-one-unit-taken-with-load-off',
    'portal.orderCards',
    'portal, Order rule 4: the load-while-ordering setting must be on',
    ['load-off', 'load-incomplete'],
    (x) => orderedCards(x).every(({ amount }) => Number(amount ?? 0) <= 1),
  ),
  overlooked(
    'order-of-two-cards-duplicate-taken',
    'portal.orderCards',
    sentences.duplicateOrder,
    'order-duplicate',
    (x) => orderedCards(x).length > 1,
  ),
  [
    'order-of-three-cards-answers-a-proxy',
    'portal.orderCards',
    'portal, Order rule 2: a multiple order answers with an orderId',
    (c) =>
      onReply(
        c,
        'portal.orderCards',
        (reply, x) =>
          void (
            succeeded(reply) &&
            orderedCards(x).length > 2 &&
            Object.assign(reply, { body: c.orderReply({ proxy: '4400000001' }) })
          ),
      ),
  ],
];

function fresh(known: string[], value: unknown): boolean {
  return !known.includes(String(value));
}

const records: Draft[] = [
  [
    'third-shipping-method-as-object',
    'portal.getShippingMethods',
    'portal, getShippingMethods: array of string',
    (c) =>
      onBody(
        c,
        'portal.getShippingMethods',
        ({ items }) => void (Array.isArray(items) && items.splice(2, 1, { name: 'Ground' })),
      ),
  ],
  [
    'second-message-as-text',
    'portal.getCIPCheck',
    'portal, CIP response, detailedMessages: array of {message: string}',
    (c) =>
      onBody(
        c,
        'portal.getCIPCheck',
        ({ data }) =>
          void (isObject(data) && Array.isArray(data.detailedMessages) && data.detailedMessages.splice(1, 1, 'text')),
      ),
  ],
  [
    'second-related-card-with-expiration-as-number',
    'cards.listRelated',
    'v3, card, expiration: string, date-time',
    (c) => onCards(c, (card, _x, i) => void (i === 1 && Object.assign(card, { expiration: 1 })), 'cards.listRelated'),
  ],
];

/** Only the first, the last, or the plain one of several is handled right: cards of an order, and records. */
export const orderElementFaults: Fault[] = spot(5, [...orders, ...records]);
