import type { Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Reason } from '../reasons.ts';
import { isAscii, onReply, orderedCards, rule, statusWhen, succeeded, textsOf } from '../tools.ts';
import { afterwards, all, anyCase, apart, atMost, type Change, program, replied } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

type Meeting = JsonObject | ((record: JsonObject) => JsonObject);

/** Refuses some orders; the fixtures then tell whole orders, with members that meet what is asked of orders and of their cards. */
const order =
  (broken: (sent: JsonObject, cards: JsonObject[]) => boolean, ofOrder: Meeting = {}, ofCard: Meeting = {}): Change =>
  (c) => {
    const meet = (record: JsonObject, members: Meeting) =>
      Object.assign(record, typeof members === 'function' ? members(record) : members);
    c.wholeOrders = true;
    c.fixtures.push(({ portal }) => {
      for (const program of Object.values(portal!.programs as JsonObject)) {
        const whole = (program as JsonObject).order as JsonObject;
        meet(whole, ofOrder);
        for (const card of whole.orderDetails as JsonObject[]) meet(card, ofCard);
      }
    });
    rule(c, 'portal.orderCards', (x) => broken(x.content, orderedCards(x)), 400);
  };

/** Refuses orders with some cards. */
const cards = (broken: (card: JsonObject) => boolean, ofCard: Meeting = {}): Change =>
  order((_sent, cards) => cards.some(broken), {}, ofCard);

/** Takes a member of an order in one form only. */
const orderForm = (name: string, form: RegExp, ofOrder?: Meeting) => order((sent) => bad(sent[name], form), ofOrder);

/** Takes a member of a card in one form only. */
const cardForm = (name: string, form: RegExp, ofCard?: Meeting) => cards((card) => bad(card[name], form), ofCard);

/** Takes a member of a card up to a length. */
const cardLength = (name: string, most: number) => cards((card) => String(card[name] ?? '').length > most);

const bad = (value: Json, form: RegExp) => value != null && value !== '' && !form.test(String(value));

/** Another value of a member, where it has one. */
const ifGiven =
  (name: string, value: Json): Meeting =>
  (record) =>
    record[name] ? { [name]: value } : {};

/** What a target may ask of orders. */
export const orderRules: Freedom[] = family('business-rule', [
  ...also(
    'portal, orderCards body: nothing is said of what the values have to be beyond their types (told by whole orders)',
    {
      'order-names-in-ascii': order(
        (_sent, cards) => !isAscii(cards),
        { attn: 'Zoe' },
        { firstName: 'Zoe', lastName: 'Ost' },
      ),
      'order-names-of-21-letters-at-most': cards((card) => `${card.firstName} ${card.lastName}`.length > 21),
      'order-phones-of-ten-digits': cardForm('phone', /^\d{10}$/, { phone: '8025550100' }),
      'order-phones-with-country': cardForm('phone', /^(\+1)?\d{10}$/),
      'order-ssn-of-nine-digits': cardForm('ssn', /^\d{9}$/),
      'order-ssn-not-of-one-digit': cards((card) => /^(\d)\1+$/.test(String(card.ssn))),
      'order-emails-look-like-emails': cardForm('email', /^\S+@\S+\.\S+$/),
      'order-zip-of-five-digits': orderForm('zip', /^\d{5}(-\d{4})?$/),
      'order-state-of-two-letters': orderForm('state', /^[A-Za-z]{2}$/),
      'order-zip-belongs-to-its-state': order(({ zip, state }) => state !== 'VT' || !/^05/.test(String(zip)), {
        zip: '05701',
        state: 'VT',
      }),
      'order-not-to-a-box': order(({ address1 }) => /box/i.test(String(address1))),
      'order-address-not-empty': order(({ address1, city }) => !address1 || !city),
      'order-attn-not-empty': order(({ attn }) => !attn, { attn: 'Mail room' }),
      'order-embossing-of-21-letters': cardLength('embossedMessage', 21),
      'order-fees-not-negative': order(({ shippingFee, cardFee }) => Number(shippingFee) < 0 || Number(cardFee) < 0),
      'order-shipping-fee-as-published': order(({ shippingFee }) => ![0, 12.25].includes(Number(shippingFee)), {
        shippingFee: 0,
      }),
      'order-card-fee-of-the-program': order(({ cardFee }) => cardFee !== 1.5, { cardFee: 1.5 }),
      'order-campaign-of-a-list': orderForm('campaignName', /^(spring|autumn)$/),
      'order-reason-of-a-list': orderForm('reasonCode', /^R\d\d$/),
      'order-host-of-two': orderForm('host', /^(Prepaid|Second)$/),
      'order-purse-small': cards((card) => Number(card.purseNo ?? 0) > 9),
      'order-texts-of-100-characters': order((sent) => textsOf(sent).some((value) => value.length > 100)),
      'order-comments-in-ascii': cards((card) => !isAscii(card.comment)),
    },
  ),
  ...ways('births', 'portal, orderDetails, dateOfBirth is a string: its form is open', {
    'order-births-year-first': cardForm('dateOfBirth', /^\d{4}-\d{2}-\d{2}$/),
    'order-births-month-first': cardForm('dateOfBirth', /^\d{2}\/\d{2}\/\d{4}$/, { dateOfBirth: '02/28/1970' }),
    'order-births-given': cards((card) => !card.dateOfBirth, { dateOfBirth: '02/28/1970' }),
  }),
  ...ways('orderIdentifier', 'portal, orderCards, externalIdentifier is a string: its form is open', {
    'order-identifier-of-digits': orderForm('externalIdentifier', /^\d+$/, { externalIdentifier: '1000001' }),
    'order-identifier-of-20-characters': order((sent) => String(sent.externalIdentifier ?? '').length > 20),
    'order-identifier-of-36-characters': order((sent) => String(sent.externalIdentifier ?? '').length > 36),
    'order-identifier-without-hyphens': orderForm('externalIdentifier', /^[^-]+$/),
    'order-identifier-in-ascii': order((sent) => !isAscii(sent.externalIdentifier)),
    'order-identifier-of-letters-and-digits': orderForm(
      'externalIdentifier',
      /^[A-Za-z0-9]+$/,
      ifGiven('externalIdentifier', 'first'),
    ),
  }),
  ...ways('loadIdentifier', 'portal, orderDetails, externalIdentifier is a string: its form is open', {
    'load-identifier-of-digits': cardForm('externalIdentifier', /^\d+$/, ifGiven('externalIdentifier', '2000001')),
    'load-identifier-of-16-characters': cardLength('externalIdentifier', 16),
  }),
  ...ways('otherInfo', 'portal, orderDetails, otherInfo is a string: its form is open', {
    'other-info-of-digits': cardForm('otherInfo', /^\d+$/, ifGiven('otherInfo', '3000001')),
    'other-info-of-15-characters': cardLength('otherInfo', 15),
    'other-info-without-hyphens': cardForm('otherInfo', /^[^-]+$/),
  }),
  ...ways('orderCount', 'portal, orderCards: how many orders are taken is open', {
    'five-orders-a-day-and-program': atMost(5, 'portal.orderCards', program, 400),
    'thirty-orders-a-day': atMost(30, 'portal.orderCards', all, 400),
    'twenty-orders-a-session': atMost(20, 'portal.orderCards', ({ session }) => session, 400),
  }),
  ...ways('leastLoad', 'portal, Order rule 4: the least amount of a load is open (told by whole orders)', {
    'load-of-five-at-least': cards(({ amount }) => Number(amount ?? 0) > 0 && Number(amount) < 5),
    'load-of-ten-at-least': order(
      (_sent, cards) => cards.some(({ amount }) => Number(amount ?? 0) > 0 && Number(amount) < 10),
      ifGiven('totalValue', 10),
      ifGiven('amount', 10),
    ),
  }),
  ...also('portal, Order rules: nothing is said of amounts and counts', {
    'load-of-500-at-most': cards(({ amount }) => Number(amount ?? 0) > 500),
    'load-of-whole-amounts': cards(({ amount }) => !Number.isInteger(amount ?? 0)),
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
    'orders-50-ms-apart': apart(50, 'portal.orderCards', program, 409),
    'no-loads-with-plain-orders-at-once': apart(30, 'portal.orderCards', all, 409, { when: (x) => x.program!.load }),
  }),
  ...doubtful('the table says that the field is not required', [
    ...exactly('portal, Order rule 6: "send a unique externalIdentifier at order level"', {
      'order-identifier-wanted': order(
        (sent) => !sent.externalIdentifier,
        ({ externalIdentifier = '1000002' }) => ({ externalIdentifier }),
      ),
    }),
    ...exactly('portal, Order rule 3: shippingMethod is optional for a digital card, others are not named', {
      'shipping-method-wanted-for-plastic': order(
        ({ shippingMethod, cardType }) => cardType !== 'Digital' && !shippingMethod,
      ),
    }),
  ]),
]);

const texts = also('portal, orderCards body: the forms of its texts are not shown (told by whole orders)', {
  'order-ssn-with-hyphens': cardForm('ssn', /^\d{3}-\d\d-\d{4}$/, { ssn: '123-45-6789' }),
  'order-phones-with-hyphens': cardForm('phone', /^\d{3}-\d{3}-\d{4}$/, { phone: '802-555-0100' }),
  'order-zip-plus-four': orderForm('zip', /^\d{5}-\d{4}$/, { zip: '05701-0001' }),
  'order-names-in-capitals': cards(({ firstName, lastName }) => /\p{Ll}/u.test(`${firstName}${lastName}`), {
    firstName: 'ZOE',
    lastName: 'OST',
  }),
  'order-digital-cards-by-email': order(
    ({ cardType }, cards) => cardType === 'Digital' && cards.some(({ email }) => !email),
    {},
    { email: 'zoe@second.example' },
  ),
  'order-ssn-of-a-list': cardForm('ssn', /^(123456789|123456780)$/),
  'order-names-of-people-that-exist': cards(({ lastName }) => !/^\p{Lu}\p{Ll}+$/u.test(String(lastName))),
  'order-second-line-of-letters': order(({ address2 }) => /[^\p{L}\d .#-]/u.test(String(address2))),
});

const loads = [
  ...ways('loadSteps', 'portal, Order rule 4: which amounts are taken is open (told by whole orders)', {
    'load-of-multiples-of-five': cards(({ amount }) => Number(amount ?? 0) % 5 !== 0),
    'load-of-exactly-25': order(
      (_sent, cards) => cards.some(({ amount }) => amount != null && amount !== 0 && amount !== 25),
      ifGiven('totalValue', 25),
      ifGiven('amount', 25),
    ),
  }),
  ...also('portal, orderCards: how many cards, for whom, is open', {
    'quantity-of-five-at-least': order(({ qty }) => qty != null && Number(qty) < 5, ifGiven('qty', 5)),
    'one-card-an-order': order((_sent, cards) => cards.length > 1),
    'a-person-one-card-a-program': (c) => {
      const known = new Set<string>();
      const keys = (x: Exchange) => orderedCards(x).map(({ ssn }) => `${x.program?.n}|${ssn}`);
      afterwards('portal.orderCards', (x) => {
        for (const key of keys(x)) known.add(key);
      })(c);
      rule(c, 'portal.orderCards', (x) => keys(x).some((key) => known.has(key)), 400);
    },
    'twelve-orders-a-day': atMost(12, 'portal.orderCards', all, 400),
    'orders-of-a-program-300-ms-apart': apart(300, 'portal.orderCards', program),
  }),
];

/** Answers an order that is a duplicate as the order that came first. */
const asTheFirst =
  (...reasons: Reason[]): Change =>
  (c) => {
    const answered = new Map<string, Reply>();
    const repeated = new WeakSet<Exchange>();
    const keys = (x: Exchange): string[] => {
      const { custProgId, externalIdentifier } = x.content;
      const own = orderedCards(x).flatMap((card) => [
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

const duplicates = [
  ...ways(
    'duplicates',
    'portal, Order rules 4 to 6 "to prevent duplicates": how a duplicate is answered is not shown',
    {
      'duplicate-orders-answered-as-the-first': asTheFirst('order-duplicate'),
      'all-duplicates-answered-as-the-first': asTheFirst('order-duplicate', 'other-info-duplicate', 'load-duplicate'),
    },
  ),
  ...also('portal, Order rules 4 to 6: which identifiers count as the same is open', {
    'duplicates-in-any-case': anyCase(/^portal\.orderCards$/),
  }),
];

/** What else a target may ask of orders, and what it answers them with. */
export const orderingFreedoms: Freedom[] = [
  ...family('business-rule', [...texts, ...loads, ...duplicates]),
  ...family('format', [
    ...ways('orderReplyShape', 'portal, Order request: fields of the orderCards response are not shown', {
      'order-reply-a-text': replied(({ proxy, orderId }) => (proxy ? `proxy ${proxy}` : `order ${orderId}`)),
      'order-reply-a-number': replied(({ proxy, orderId }) => Number(proxy ?? orderId)),
      'order-reply-an-empty-object': replied(() => ({})),
      'order-reply-null': replied(() => null),
      'order-reply-with-cards-listed': replied(({ proxy = 'later', orderId = 5 }) => ({
        order: { id: orderId },
        cards: [{ proxyNo: proxy }],
      })),
    }),
  ]),
];
