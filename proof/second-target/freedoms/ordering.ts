import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Reason } from '../reasons.ts';
import { onReply, orderedCards, rule, since, statusWhen, succeeded, tally } from '../tools.ts';
import { also, type Draft, type Freedom, family, ways } from './freedom.ts';
import { order } from './order-rules.ts';

const bad = (value: Json, form: RegExp) => value != null && value !== '' && !form.test(String(value));

const texts = also('portal, orderCards body: the forms of its texts are not shown (told by whole orders)', {
  'order-ssn-with-hyphens': order(
    (_sent, cards) => cards.some(({ ssn }) => bad(ssn, /^\d{3}-\d\d-\d{4}$/)),
    (_whole, card) => {
      card.ssn = '123-45-6789';
    },
  ),
  'order-phones-with-hyphens': order(
    (_sent, cards) => cards.some(({ phone }) => bad(phone, /^\d{3}-\d{3}-\d{4}$/)),
    (_whole, card) => {
      card.phone = '802-555-0100';
    },
  ),
  'order-zip-plus-four': order(
    ({ zip }) => bad(zip, /^\d{5}-\d{4}$/),
    (whole) => {
      whole.zip = '05701-0001';
    },
  ),
  'order-names-in-capitals': order(
    (_sent, cards) => cards.some(({ firstName, lastName }) => /\p{Ll}/u.test(`${firstName}${lastName}`)),
    (_whole, card) => {
      Object.assign(card, { firstName: 'ZOE', lastName: 'OST' });
    },
  ),
  'order-digital-cards-by-email': order(
    ({ cardType }, cards) => cardType === 'Digital' && cards.some(({ email }) => !email),
    (_whole, card) => {
      card.email = 'zoe@second.example';
    },
  ),
  'order-ssn-of-a-list': order((_sent, cards) => cards.some(({ ssn }) => bad(ssn, /^(123456789|123456780)$/))),
  'order-names-of-people-that-exist': order((_sent, cards) =>
    cards.some(({ lastName }) => !/^\p{Lu}\p{Ll}+$/u.test(String(lastName))),
  ),
  'order-second-line-of-letters': order(({ address2 }) => /[^\p{L}\d .#-]/u.test(String(address2))),
});

const amounts = [
  ...ways('loadSteps', 'portal, Order rule 4: which amounts are taken is open (told by whole orders)', {
    'load-of-multiples-of-five': order((_sent, cards) => cards.some(({ amount }) => Number(amount ?? 0) % 5 !== 0)),
    'load-of-exactly-25': order(
      (_sent, cards) => cards.some(({ amount }) => amount != null && amount !== 0 && amount !== 25),
      (whole, card) => {
        if (Number(card.amount ?? 0) > 0) Object.assign(card, { amount: 25 });
        if (Number(whole.totalValue ?? 0) > 0) whole.totalValue = 25;
      },
    ),
  }),
  ...also('portal, orderCards: how many cards, for whom, is open', {
    'quantity-of-five-at-least': order(
      ({ qty }) => qty != null && Number(qty) < 5,
      (whole) => {
        if (whole.qty != null) whole.qty = 5;
      },
    ),
    'one-card-an-order': order((_sent, cards) => cards.length > 1),
    'a-person-one-card-a-program': (c) => {
      const known = new Set<string>();
      const keys = (x: Exchange) => orderedCards(x).map(({ ssn }) => `${x.program?.n}|${ssn}`);
      onReply(c, 'portal.orderCards', (reply, x) => {
        if (succeeded(reply)) for (const key of keys(x)) known.add(key);
      });
      rule(c, 'portal.orderCards', (x) => keys(x).some((key) => known.has(key)), 400);
    },
    'twelve-orders-a-day': (c) => {
      const done = tally(c, 'portal.orderCards', () => 'all');
      rule(c, 'portal.orderCards', (x) => done(x) >= 12, 400);
    },
    'orders-of-a-program-300-ms-apart': (c) => {
      const ago = since(c, 'portal.orderCards', ({ program }) => program);
      rule(c, 'portal.orderCards', (x) => ago(x) < 300);
    },
  }),
];

const DUPLICATES: readonly Reason[] = ['order-duplicate', 'other-info-duplicate', 'load-duplicate'];

/** Answers an order that is a duplicate as the order that came first. */
function asTheFirst(reasons: readonly Reason[]): Draft['change'] {
  return (c) => {
    const answered = new Map<string, Reply>();
    const repeated = new WeakSet<Exchange>();
    const keys = (x: Exchange): string[] => {
      const { custProgId, externalIdentifier } = x.content;
      const own = orderedCards(x).flatMap((card: JsonObject) => [
        `i ${custProgId} ${card.otherInfo}`,
        `l ${custProgId} ${card.externalIdentifier}`,
      ]);
      return [`o ${custProgId} ${externalIdentifier}`, ...own].filter((key) => !key.endsWith('undefined'));
    };
    statusWhen(c, ({ reason }, x) => {
      if (reasons.includes(reason)) repeated.add(x);
      return undefined;
    });
    onReply(c, 'portal.orderCards', (reply, x) => {
      if (succeeded(reply)) for (const key of keys(x)) answered.set(key, structuredClone(reply));
      const first = keys(x)
        .map((key) => answered.get(key))
        .find(Boolean);
      if (repeated.has(x) && first) Object.assign(reply, structuredClone(first));
    });
  };
}

const duplicates = [
  ...ways(
    'duplicates',
    'portal, Order rules 4 to 6 "to prevent duplicates": how a duplicate is answered is not shown',
    {
      'duplicate-orders-answered-as-the-first': asTheFirst(['order-duplicate']),
      'all-duplicates-answered-as-the-first': asTheFirst(DUPLICATES),
    },
  ),
  ...also('portal, Order rules 4 to 6: which identifiers count as the same is open', {
    'duplicates-in-any-case': (c: Choices) => {
      const usual = c.isSame;
      c.isSame = (one, other, x) =>
        x.operation === 'portal.orderCards' ? one.toLowerCase() === other.toLowerCase() : usual(one, other, x);
    },
  }),
];

const replies = ways('orderReplyShape', 'portal, Order request: fields of the orderCards response are not shown', {
  'order-reply-a-text': (c) => {
    c.orderReply = ({ proxy, orderId }) => (proxy ? `proxy ${proxy}` : `order ${orderId}`);
  },
  'order-reply-a-number': (c) => {
    c.orderReply = ({ proxy, orderId }) => Number(proxy ?? orderId);
  },
  'order-reply-an-empty-object': (c) => {
    c.orderReply = () => ({});
  },
  'order-reply-null': (c) => {
    c.orderReply = () => null;
  },
  'order-reply-with-cards-listed': (c) => {
    c.orderReply = ({ proxy, orderId }) => ({ order: { id: orderId ?? 5 }, cards: [{ proxyNo: proxy ?? 'later' }] });
  },
});

/** What a target may ask of orders, and answer them with. */
export const orderingFreedoms: Freedom[] = [
  ...family('business-rule', [...texts, ...amounts, ...duplicates]),
  ...family('format', replies),
];
