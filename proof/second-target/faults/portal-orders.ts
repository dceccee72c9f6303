/** Faults of orders. */
import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Reason } from '../reasons.ts';
import { onReply, orderedCards, overlook, sleep, succeeded } from '../tools.ts';
import { type Fault, instead, type Prediction, predicted, sentences } from './fault.ts';

const duplicate = (id: string, expects: string, when: (x: Exchange) => boolean): Prediction => [
  id,
  6,
  'portal.orderCards',
  expects,
  sentences.duplicateOrder,
  (c) => overlook(c, 'portal.orderCards', 'order-duplicate', when),
];

const lacking = (name: string, when: (x: Exchange) => boolean) => (c: Choices) =>
  overlook(c, 'portal.orderCards', 'bad-order', (x, field) => field === name && when(x));

/** Overlooks refusals of orders. */
const order = (
  id: string,
  spot: number,
  requirement: string,
  breaks: string,
  reason: Reason,
  when: (x: Exchange, field: string | undefined) => boolean,
  doubt?: string,
): Prediction => [
  id,
  spot,
  'portal.orderCards',
  `portal.orderCards.${requirement}`,
  breaks,
  (c) => overlook(c, 'portal.orderCards', reason, when),
  ...(doubt ? ([doubt] as const) : ([] as const)),
];

const several = (x: Exchange) => orderedCards(x).length > 1;
const cardTypes = 'portal, orderCards: allowed cardType values';
const orderTypes = 'portal, orderCards: allowed orderProdType values';
const off = 'portal, Order rules 3 and 4: the program option must be on';

/** Knows of duplicates only what the same user ordered. */
const perUser =
  (reason: 'order-duplicate' | 'other-info-duplicate', values: (x: Exchange) => unknown[]) => (c: Choices) => {
    const made = new Map<unknown, unknown>();
    overlook(c, 'portal.orderCards', reason, (x) =>
      values(x).every((value) => made.get(value) !== x.session?.user.userId),
    );
    onReply(c, 'portal.orderCards', (reply, x) => {
      if (succeeded(reply)) for (const value of values(x)) made.set(value, x.session?.user.userId);
    });
  };

/** Answers what some orders hold with status 500. */
const breaksAt = (id: string, isMeant: (x: Exchange) => boolean): Prediction => [
  id,
  9,
  'portal.orderCards',
  'portal.orderCards.status',
  'portal, HTTP status codes: 400 for invalid input, 500 for a server error while processing',
  (c) =>
    instead(c, 'portal.orderCards', (x) => {
      x.json();
      return isMeant(x) ? { status: 500, body: {} } : undefined;
    }),
];

export const portalOrderFaults: Fault[] = predicted([
  duplicate(
    'duplicate-order-taken-with-a-campaign',
    'portal.orderCards.duplicate-order',
    ({ content }) => !!content.campaignName,
  ),
  duplicate(
    'duplicate-order-taken-from-the-third-card-on',
    'portal.orderCards.duplicate-order',
    (x) => orderedCards(x).length > 2,
  ),
  duplicate(
    'duplicate-order-taken-with-a-load',
    'portal.orderCards.duplicate-order',
    ({ content }) => Number(content.totalValue) > 0,
  ),
  duplicate(
    'duplicate-order-taken-when-instant',
    'portal.orderCards.duplicate-order',
    ({ content }) => content.isInstantIssue === true,
  ),
  duplicate(
    'duplicate-order-taken-with-other-fees',
    'portal.orderCards.duplicate-order',
    ({ content }) => content.shippingFee === 1,
  ),
  duplicate('duplicate-order-taken-with-blanks', 'portal.orderCards.duplicate-order', ({ content }) =>
    / /.test(String(content.externalIdentifier)),
  ),
  [
    'identifiers-of-orders-are-forgotten-after-three',
    6,
    'portal.orderCards',
    'portal.orderCards.duplicate-order',
    sentences.duplicateOrder,
    (c) =>
      onReply(c, 'portal.orderCards', (_reply, { program }) => {
        if (program && program.orderIdentifiers.length > 3) program.orderIdentifiers.shift();
      }),
    'three other orders in between',
  ],
  [
    'orders-at-once-with-one-identifier-and-different-cards-both-made',
    3,
    'portal.orderCards',
    'portal.orderCards.duplicate-order',
    sentences.duplicateOrder,
    (c) => {
      const under = new Map<string, number>();
      c.between.push(async (x) => {
        if (x.operation !== 'portal.orderCards') return;
        const body = `${x.text.length}`;
        under.set(body, (under.get(body) ?? 0) + 1);
        const isSame = under.get(body)! > 1;
        await sleep(40);
        under.set(body, under.get(body)! - 1);
        x.refuseIf(isSame && !!x.content.externalIdentifier, 'order-duplicate', 'externalIdentifier');
      });
    },
    'orders at once are identical',
  ],
  [
    'digital-taken-where-off-for-several-cards',
    2,
    'portal.orderCards',
    'portal.orderCards.digital-off',
    'portal, Order rule 3: the program option must be on',
    (c) => overlook(c, 'portal.orderCards', 'digital-off', (x) => orderedCards(x).length > 1),
  ],
  [
    'load-taken-where-off-the-second-time',
    6,
    'portal.orderCards',
    'portal.orderCards.load-off',
    'portal, Order rule 4: the setting must be on',
    (c) => {
      let asked = 0;
      overlook(c, 'portal.orderCards', 'load-off', () => {
        asked += 1;
        return asked > 1;
      });
    },
  ],
  [
    'other-info-not-needed-for-digital-cards',
    2,
    'portal.orderCards',
    'portal.orderCards.other-info-required',
    'portal, Order rule 5: otherInfo is required',
    (c) => overlook(c, 'portal.orderCards', 'other-info-missing', ({ content }) => content.cardType === 'Digital'),
    'digital cards may be off there',
  ],
  [
    'other-info-of-blanks-taken-twice',
    9,
    'portal.orderCards',
    'portal.orderCards.other-info-repeated-over-orders',
    sentences.otherInfo,
    (c) =>
      overlook(c, 'portal.orderCards', 'other-info-duplicate', (x) =>
        orderedCards(x).some(({ otherInfo }) => /^ | $/.test(String(otherInfo))),
      ),
  ],
  [
    'city-not-needed-with-a-load',
    2,
    'portal.orderCards',
    'portal.orderCards.required-members',
    'portal, orderCards body: city is required',
    lacking('city', ({ content }) => Number(content.totalValue) > 0),
  ],
  [
    'zip-not-needed-for-instant-issue',
    2,
    'portal.orderCards',
    'portal.orderCards.required-members',
    'portal, orderCards body: zip is required',
    lacking('zip', ({ content }) => content.isInstantIssue === true),
  ],
  [
    'fees-not-needed-for-digital-cards',
    2,
    'portal.orderCards',
    'portal.orderCards.required-members',
    'portal, orderCards body: cardFee is required',
    lacking('cardFee', ({ content }) => content.cardType === 'Digital'),
  ],
  [
    'phone-not-needed-of-the-third-card',
    5,
    'portal.orderCards',
    'portal.orderCards.required-item-members',
    'portal, orderDetails: phone is required',
    (c) =>
      overlook(
        c,
        'portal.orderCards',
        'bad-order',
        (x, field) => field === 'phone' && orderedCards(x).findIndex(({ phone }) => phone === undefined) === 2,
      ),
  ],
  [
    'order-type-with-a-blank-behind-taken',
    1,
    'portal.orderCards',
    'portal.orderCards.unlisted-order-type',
    'portal, orderCards: allowed orderProdType values',
    lacking('orderProdType', ({ content }) => / $/.test(String(content.orderProdType))),
    'that blanks count is not said',
  ],
  [
    'card-type-cut-short-taken',
    1,
    'portal.orderCards',
    'portal.orderCards.unlisted-card-type',
    'portal, orderCards: allowed cardType values',
    lacking('cardType', ({ content }) => /^(Phys|Digi)/.test(String(content.cardType))),
  ],
  order('card-type-of-any-word-taken-with-a-load', 2, 'unlisted-card-type', cardTypes, 'bad-order', (x, field) => {
    return field === 'cardType' && Number(x.content.totalValue) > 0;
  }),
  order(
    'card-type-of-any-word-taken-for-several-cards',
    2,
    'unlisted-card-type',
    cardTypes,
    'bad-order',
    (x, field) => {
      return field === 'cardType' && several(x);
    },
  ),
  order(
    'order-type-of-any-word-taken-for-several-cards',
    2,
    'unlisted-order-type',
    orderTypes,
    'bad-order',
    (x, field) => {
      return field === 'orderProdType' && several(x);
    },
  ),
  order(
    'order-type-of-any-word-taken-when-instant',
    2,
    'unlisted-order-type',
    orderTypes,
    'bad-order',
    ({ content }, field) => field === 'orderProdType' && content.isInstantIssue === true,
  ),
  order(
    'attn-not-needed-of-several-cards',
    2,
    'required-members',
    'portal, orderCards body: attn is required',
    'bad-order',
    (x, field) => field === 'attn' && several(x),
  ),
  order(
    'zip-not-needed-with-an-identifier',
    2,
    'required-members',
    'portal, orderCards body: zip is required',
    'bad-order',
    ({ content }, field) => field === 'zip' && !!content.externalIdentifier,
  ),
  order(
    'phone-not-needed-with-a-load',
    2,
    'required-item-members',
    'portal, orderDetails: phone is required',
    'bad-order',
    ({ content }, field) => field === 'phone' && Number(content.totalValue) > 0,
  ),
  order('load-taken-where-off-of-large-amounts', 9, 'load-off', off, 'load-off', ({ content }) => {
    return Number(content.totalValue) >= 100;
  }),
  order('digital-taken-where-off-with-a-shipping-method', 2, 'digital-off', off, 'digital-off', ({ content }) => {
    return typeof content.shippingMethod === 'string';
  }),
  order(
    'other-info-not-needed-of-the-third-card',
    5,
    'other-info-required',
    'portal, Order rule 5: otherInfo is required',
    'other-info-missing',
    (x) => orderedCards(x).findIndex(({ otherInfo }) => !otherInfo) === 2,
  ),
  [
    'orders-are-known-of-the-same-user-only',
    6,
    'portal.orderCards',
    'portal.orderCards.duplicate-order',
    sentences.duplicateOrder,
    perUser('order-duplicate', ({ content }) => [content.externalIdentifier]),
  ],
  [
    'other-infos-are-known-of-the-same-user-only',
    6,
    'portal.orderCards',
    'portal.orderCards.other-info-repeated-over-orders',
    sentences.otherInfo,
    perUser('other-info-duplicate', (x) => orderedCards(x).map(({ otherInfo }) => otherInfo)),
  ],
  ...(
    [
      ['a-birth-date', (x: Exchange) => orderedCards(x).some(({ dateOfBirth }) => !!dateOfBirth)],
      ['an-e-mail', (x: Exchange) => orderedCards(x).some(({ email }) => !!email)],
      ['a-shipping-method', ({ content }: Exchange) => !!content.shippingMethod],
      ['a-client-defined-field', (x: Exchange) => orderedCards(x).some((card) => !!card.clientDefinedField3)],
      ['a-card-type', ({ content }: Exchange) => content.cardType === 'Physical'],
    ] as const
  ).map(([what, when]) =>
    order(
      `duplicate-order-taken-with-${what}`,
      2,
      'duplicate-order',
      sentences.duplicateOrder,
      'order-duplicate',
      when,
    ),
  ),
  order(
    'duplicate-other-info-taken-with-an-order-identifier',
    2,
    'other-info-repeated-over-orders',
    sentences.otherInfo,
    'other-info-duplicate',
    ({ content }) => !!content.externalIdentifier,
  ),
  order(
    'duplicate-other-info-taken-for-several-cards',
    2,
    'other-info-repeated-over-orders',
    sentences.otherInfo,
    'other-info-duplicate',
    several,
    'an orderId alone does not show which cards were made',
  ),
  [
    'identifiers-of-orders-are-forgotten-after-ten',
    6,
    'portal.orderCards',
    'portal.orderCards.duplicate-order',
    sentences.duplicateOrder,
    (c) =>
      onReply(c, 'portal.orderCards', (_reply, { program }) => {
        if (program && program.orderIdentifiers.length > 10) program.orderIdentifiers.shift();
      }),
    'ten other orders of the program in between',
  ],
  breaksAt('order-identifier-with-an-apostrophe-answers-500', ({ content }) =>
    String(content.externalIdentifier).includes("'"),
  ),
  breaksAt('order-identifier-of-80-characters-answers-500', ({ content }) => {
    return String(content.externalIdentifier).length >= 80;
  }),
  breaksAt('other-info-with-accents-answers-500', (x) =>
    orderedCards(x).some(({ otherInfo }) => /[^ -~]/.test(String(otherInfo))),
  ),
]);
