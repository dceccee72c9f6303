import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Json, JsonObject } from '../json.ts';
import { isAscii, orderedCards, rule, since, tally, textsOf } from '../tools.ts';
import { also, type Draft, doubtful, type Freedom, family, ways } from './freedom.ts';

/** A condition on an order, which then is told by whole orders in the fixtures. */
export function order(
  broken: (sent: JsonObject, cards: JsonObject[], x: Exchange) => boolean,
  meet?: (order: JsonObject, card: JsonObject) => void,
): Draft['change'] {
  return (c) => {
    told(c, meet ?? (() => {}));
    rule(c, 'portal.orderCards', (x) => broken(x.content, orderedCards(x), x), 400);
  };
}

function told(c: Choices, meet: (order: JsonObject, card: JsonObject) => void): void {
  c.wholeOrders = true;
  c.fixtures.push(({ portal }) => {
    for (const program of Object.values(portal!.programs as JsonObject)) {
      const whole = (program as JsonObject).order as JsonObject;
      for (const card of whole.orderDetails as JsonObject[]) meet(whole, card);
    }
  });
}

const some = (cards: JsonObject[], broken: (card: JsonObject) => boolean) => cards.some(broken);
const bad = (value: Json, form: RegExp) => value != null && value !== '' && !form.test(String(value));

const fields = also(
  'portal, orderCards body: nothing is said of what the values have to be beyond their types (told by whole orders)',
  {
    'order-names-in-ascii': order(
      (_sent, cards) => !isAscii(cards),
      (whole, card) => {
        whole.attn = 'Zoe';
        Object.assign(card, { firstName: 'Zoe', lastName: 'Ost' });
      },
    ),
    'order-names-of-21-letters-at-most': order((_sent, cards) =>
      some(cards, (card) => `${card.firstName} ${card.lastName}`.length > 21),
    ),
    'order-phones-of-ten-digits': order(
      (_sent, cards) => some(cards, (card) => bad(card.phone, /^\d{10}$/)),
      (_whole, card) => {
        card.phone = '8025550100';
      },
    ),
    'order-phones-with-country': order((_sent, cards) => some(cards, (card) => bad(card.phone, /^(\+1)?\d{10}$/))),
    'order-ssn-of-nine-digits': order((_sent, cards) => some(cards, (card) => bad(card.ssn, /^\d{9}$/))),
    'order-ssn-not-of-one-digit': order((_sent, cards) => some(cards, (card) => /^(\d)\1+$/.test(String(card.ssn)))),
    'order-emails-look-like-emails': order((_sent, cards) => some(cards, (card) => bad(card.email, /^\S+@\S+\.\S+$/))),
    'order-zip-of-five-digits': order(({ zip }) => bad(zip, /^\d{5}(-\d{4})?$/)),
    'order-state-of-two-letters': order(({ state }) => bad(state, /^[A-Za-z]{2}$/)),
    'order-zip-belongs-to-its-state': order(
      ({ zip, state }) => state !== 'VT' || !/^05/.test(String(zip)),
      (whole) => {
        Object.assign(whole, { zip: '05701', state: 'VT' });
      },
    ),
    'order-not-to-a-box': order(({ address1 }) => /box/i.test(String(address1))),
    'order-address-not-empty': order(({ address1, city }) => !address1 || !city),
    'order-attn-not-empty': order(
      ({ attn }) => !attn,
      (whole) => {
        whole.attn = 'Mail room';
      },
    ),
    'order-embossing-of-21-letters': order((_sent, cards) =>
      some(cards, (card) => String(card.embossedMessage ?? '').length > 21),
    ),
    'order-fees-not-negative': order(({ shippingFee, cardFee }) => Number(shippingFee) < 0 || Number(cardFee) < 0),
    'order-shipping-fee-as-published': order(
      ({ shippingFee }) => ![0, 12.25].includes(Number(shippingFee)),
      (whole) => {
        whole.shippingFee = 0;
      },
    ),
    'order-card-fee-of-the-program': order(
      ({ cardFee }) => cardFee !== 1.5,
      (whole) => {
        whole.cardFee = 1.5;
      },
    ),
    'order-campaign-of-a-list': order(({ campaignName }) => bad(campaignName, /^(spring|autumn)$/)),
    'order-reason-of-a-list': order(({ reasonCode }) => bad(reasonCode, /^R\d\d$/)),
    'order-host-of-two': order(({ host }) => bad(host, /^(Prepaid|Second)$/)),
    'order-purse-small': order((_sent, cards) => some(cards, (card) => Number(card.purseNo ?? 0) > 9)),
    'order-texts-of-100-characters': order((sent) => textsOf(sent).some((value) => value.length > 100)),
    'order-comments-in-ascii': order((_sent, cards) => some(cards, (card) => !isAscii(card.comment))),
  },
);

const births = ways('births', 'portal, orderDetails, dateOfBirth is a string: its form is open', {
  'order-births-year-first': order((_sent, cards) =>
    some(cards, (card) => bad(card.dateOfBirth, /^\d{4}-\d{2}-\d{2}$/)),
  ),
  'order-births-month-first': order(
    (_sent, cards) => some(cards, (card) => bad(card.dateOfBirth, /^\d{2}\/\d{2}\/\d{4}$/)),
    (_whole, card) => {
      card.dateOfBirth = '02/28/1970';
    },
  ),
  'order-births-given': order(
    (_sent, cards) => some(cards, (card) => !card.dateOfBirth),
    (_whole, card) => {
      card.dateOfBirth = '02/28/1970';
    },
  ),
});

const identifiers = [
  ...ways('orderIdentifier', 'portal, orderCards, externalIdentifier is a string: its form is open', {
    'order-identifier-of-digits': order(
      (sent) => bad(sent.externalIdentifier, /^\d+$/),
      (whole) => {
        whole.externalIdentifier = '1000001';
      },
    ),
    'order-identifier-of-20-characters': order((sent) => String(sent.externalIdentifier ?? '').length > 20),
    'order-identifier-of-36-characters': order((sent) => String(sent.externalIdentifier ?? '').length > 36),
    'order-identifier-without-hyphens': order((sent) => bad(sent.externalIdentifier, /^[^-]+$/)),
    'order-identifier-in-ascii': order((sent) => !isAscii(sent.externalIdentifier)),
    'order-identifier-of-letters-and-digits': order(
      (sent) => bad(sent.externalIdentifier, /^[A-Za-z0-9]+$/),
      (whole) => {
        if (whole.externalIdentifier) whole.externalIdentifier = 'first';
      },
    ),
  }),
  ...ways('loadIdentifier', 'portal, orderDetails, externalIdentifier is a string: its form is open', {
    'load-identifier-of-digits': order(
      (_sent, cards) => some(cards, (card) => bad(card.externalIdentifier, /^\d+$/)),
      (_whole, card) => {
        if (card.externalIdentifier) card.externalIdentifier = '2000001';
      },
    ),
    'load-identifier-of-16-characters': order((_sent, cards) =>
      some(cards, (card) => String(card.externalIdentifier ?? '').length > 16),
    ),
  }),
  ...ways('otherInfo', 'portal, orderDetails, otherInfo is a string: its form is open', {
    'other-info-of-digits': order(
      (_sent, cards) => some(cards, (card) => bad(card.otherInfo, /^\d+$/)),
      (_whole, card) => {
        if (card.otherInfo) card.otherInfo = '3000001';
      },
    ),
    'other-info-of-15-characters': order((_sent, cards) =>
      some(cards, (card) => String(card.otherInfo ?? '').length > 15),
    ),
    'other-info-without-hyphens': order((_sent, cards) => some(cards, (card) => bad(card.otherInfo, /^[^-]+$/))),
  }),
];

function ordersAtMost(most: number, key: (x: Exchange) => unknown): Draft['change'] {
  return (c) => {
    const done = tally(c, 'portal.orderCards', key);
    rule(c, 'portal.orderCards', (x) => done(x) >= most, 400);
  };
}

const loaded = (card: JsonObject) => Number(card.amount ?? 0) > 0;

const amounts = [
  ...ways('orderCount', 'portal, orderCards: how many orders are taken is open', {
    'five-orders-a-day-and-program': ordersAtMost(5, ({ program }) => program),
    'thirty-orders-a-day': ordersAtMost(30, () => 'all'),
    'twenty-orders-a-session': ordersAtMost(20, ({ session }) => session),
  }),
  ...ways('leastLoad', 'portal, Order rule 4: the least amount of a load is open (told by whole orders)', {
    'load-of-five-at-least': order((_sent, cards) => some(cards, (card) => loaded(card) && Number(card.amount) < 5)),
    'load-of-ten-at-least': order(
      (_sent, cards) => some(cards, (card) => loaded(card) && Number(card.amount) < 10),
      (whole, card) => {
        if (loaded(card)) Object.assign(card, { amount: 10 });
        if (loaded(card)) whole.totalValue = 10;
      },
    ),
  }),
  ...also('portal, Order rules: nothing is said of amounts and counts', {
    'load-of-500-at-most': order((_sent, cards) => some(cards, (card) => Number(card.amount ?? 0) > 500)),
    'load-of-whole-amounts': order((_sent, cards) => some(cards, (card) => !Number.isInteger(card.amount ?? 0))),
    'total-value-is-the-sum': order((sent, cards) => {
      const sum = cards.reduce((total, card) => total + Number(card.amount ?? 0), 0);
      return sent.totalValue != null && Math.abs(Number(sent.totalValue) - sum) >= 1;
    }),
    'quantity-of-ten-at-most': order(({ qty }) => Number(qty ?? 0) > 10),
    'quantity-with-instant-issue': order(({ isInstantIssue, qty }) => isInstantIssue === true && qty == null),
    'quantity-in-stock': order(({ qty }) => Number(qty ?? 0) > 1000),
    'instant-types-are-flagged': order(
      ({ orderProdType, isInstantIssue }) => /Instant/.test(String(orderProdType)) && isInstantIssue !== true,
    ),
    'five-cards-an-order': order((_sent, cards) => cards.length > 5),
    'three-cards-an-order': order((_sent, cards) => cards.length > 3),
    'a-person-once-an-order': order((_sent, cards) => new Set(cards.map(({ ssn }) => ssn)).size < cards.length),
    'orders-50-ms-apart': (c) => {
      const ago = since(c, 'portal.orderCards', ({ program }) => program);
      rule(c, 'portal.orderCards', (x) => ago(x) < 50, 409);
    },
    'no-loads-with-plain-orders-at-once': (c) => {
      const ago = since(c, 'portal.orderCards', () => 'any');
      rule(c, 'portal.orderCards', (x) => x.program!.load && ago(x) < 30, 409);
    },
  }),
];

const doubts = doubtful('the table says that the field is not required', [
  {
    id: 'order-identifier-wanted',
    basis: 'portal, Order rule 6: "send a unique externalIdentifier at order level"',
    change: order(
      (sent) => !sent.externalIdentifier,
      (whole) => {
        whole.externalIdentifier ??= '1000002';
      },
    ),
  },
  {
    id: 'shipping-method-wanted-for-plastic',
    basis: 'portal, Order rule 3: shippingMethod is optional for a digital card, others are not named',
    change: order(({ shippingMethod, cardType }) => cardType !== 'Digital' && !shippingMethod),
  },
]);

/** What a target may ask of orders. */
export const orderRules: Freedom[] = family('business-rule', [
  ...fields,
  ...births,
  ...identifiers,
  ...amounts,
  ...doubts,
]);
