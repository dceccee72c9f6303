/** Orders that are refused, accepted, or may be either (readings 6, 9, 42 and 43). Each differs from an accepted one in what its row says. */
import { FICTIONAL_DETAILS } from '../../../contracts/v1/fictional.ts';
import { REQUIRED_ITEM_MEMBERS } from '../../../contracts/v1/orders.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { formsOf, having, lacking, lackingAll, ofWrongType, type Row, valuesOf } from '../../../helpers/engine/rows.ts';
import { check } from '../../declare.ts';
import * as Customers from '../scenarios/customers.ts';
import * as ValidRequests from '../scenarios/valid-requests.ts';
import * as Bodies from './bodies.ts';
import * as Orders from './orders.ts';
import { isOfLeast, leastOf, orders, REQUIRED, requirePhysicalBase } from './table.ts';

/** Kinds with values of their own. */
const VALUED = ['digital', 'load', 'instant', 'several'] as const;

/** Rows about a card of an order, made from rows about a card. @param place its index, counted from the end where it is negative */
const ofCard = (rows: readonly Row[], which: string, place: number): Row[] =>
  rows.map((row) => ({
    ...row,
    what: `${row.what} of ${which}`,
    of: (order, t) =>
      Bodies.withCards(order, (card) => (card === Bodies.cardsOf(order).at(place) ? row.of(card, t) : card)),
  }));

check('portal.orderCards.required-only', 'required members of order and card', async (t) => {
  await ValidRequests.expectOperation(t, (await t.shared(Orders.plain)).answer);
  const base = await requirePhysicalBase(t);
  if (isOfLeast(base.answer)) return;
  const what = 'an order with the required members alone';
  await Orders.expectTaken(t, base, what, () => leastOf(base.make()), base.make, isOfLeast);
});

const withoutContentType = 'an order of zero bytes without Content-Type';
const noBody = orders.refuses('portal.orderCards.missing-body', 'zero bytes', [
  having('an order of zero bytes declared as JSON', {}, { input: { emptyJson: true } }),
  having(withoutContentType, {}, { input: {} }),
]);
orders.refusedWith(
  'portal.orderCards.missing-body-400',
  'zero bytes',
  ({ what }) => (what === withoutContentType ? [400, 415] : [400]),
  noBody,
);

const EACH = lacking('an order', REQUIRED);
const members = [
  // Like an accepted order, or without anything that might stand in for the missing member.
  orders.refuses('portal.orderCards.required-members', 'each of the order', EACH, { on: ['plain', 'least'] }),
  orders.refuses('portal.orderCards.required-members', 'each of other kinds', EACH, {
    on: [...VALUED, 'employee', 'physical'],
    tries: 8,
  }),
  orders.refuses('portal.orderCards.required-members', 'several that belong together', [
    lackingAll('an order', ['address1', 'address2', 'attn', 'city', 'state', 'zip']),
    // Cards of an instant issue are for nobody in particular, so a target may not ask for orderDetails.
    { ...lackingAll('an order', ['orderDetails']), on: ['instant'] },
    [lackingAll('an order', ['shippingFee', 'cardFee']), lackingAll('an order', ['custProgId', 'customerId'])],
  ]),
];

const EACH_OF_CARD = lacking('an order', REQUIRED_ITEM_MEMBERS);
const first = ofCard(EACH_OF_CARD, 'the first card', 0);
const last = ofCard(EACH_OF_CARD, 'the last card', -1);
const second = (rows: readonly Row[]) => ofCard(rows, 'the second card', 1);
const NAMES = ['firstName', 'lastName'];
const NUMBERS = ['phone', 'ssn'];
const together = [NAMES, NUMBERS, [...NAMES, ...NUMBERS]].map((names) => lackingAll('an order', names));
const cardMembers = (
  [
    ['of the first card', first, { on: ['one', 'several', 'digital', 'instant'], isEachForm: true }],
    ['of other kinds', first, { on: ['load', 'employee', 'physical'], tries: 2 }],
    ['of the last card', last, { on: ['several'] }],
    ['of the second card', second(EACH_OF_CARD), { on: ['several'], tries: 1 }],
    ['several that belong together', second(together), { on: ['two'], tries: 1 }],
  ] as const
).map(([name, rows, trying]) => orders.refuses('portal.orderCards.required-item-members', name, rows, trying));

/** Values that a careless comparison takes for a listed type: with suffixes, with a prefix, cut short, and an enumeration's number. */
const ANOTHER = { name: 'followed by a word', of: (listed: unknown) => `${listed} Plus` };
const UNLISTED = [
  ANOTHER,
  { name: 'behind a word', of: (listed: unknown) => `Express ${listed}` },
  { name: 'followed by a number', of: (listed: unknown) => `${listed} 7` },
  { name: 'without its last word', of: (listed: unknown) => String(listed).replace(/[ -]+[^ -]+$/, '') },
  { name: 'as a number', of: () => '1' },
];

const values = [
  orders.refuses('portal.orderCards.unlisted-order-type', 'like a listed one', formsOf('orderProdType', UNLISTED)),
  orders.refuses('portal.orderCards.unlisted-order-type', 'of other kinds', formsOf('orderProdType', [ANOTHER]), {
    on: VALUED,
    isEachForm: true,
  }),
  ...(
    [
      ['Wooden, and values like a listed one', ['Wooden', '1', 'Physical,Digital', 'Physical2', 'null'], {}],
      // Values that a target may take for Digital where digital cards are on.
      ['like Digital', ['Virtual', 'Digital Card'], { on: ['digital'] }],
      ['of other kinds', ['Wooden'], { on: ['load', 'instant', 'several'], isEachForm: true }],
    ] as const
  ).map(([name, unlisted, trying]) =>
    orders.refuses('portal.orderCards.unlisted-card-type', name, valuesOf('cardType', unlisted), trying),
  ),
];

/** Identifiers of no program: other numbers, and what resembles the right one. */
const NO_PROGRAMS = [
  { name: 'that no program has', of: () => Orders.NO_PROGRAM },
  { name: 'that is 0', of: () => 0 },
  ...Forms.formsLike('numberOfNobody', '7001').map(({ name, of }) => ({
    name,
    of: (right: unknown) => BigInt(of(right)),
  })),
];

const NO_PROGRAM_ROWS = formsOf('custProgId', NO_PROGRAMS).map((row) => ({ ...row, intent: 'unknown' as const }));
orders.refuses('portal.orderCards.unknown-program', 'custProgIds that no program has', NO_PROGRAM_ROWS, { tries: 2 });
orders.refuses('portal.orderCards.unknown-program', 'of other kinds', NO_PROGRAM_ROWS, { on: VALUED, tries: 1 });

orders.refusedWith(
  'portal.orderCards.refused-with-400',
  'missing members and unlisted values',
  () => [400],
  ...members,
  ...cardMembers,
  ...values,
);

/** Members that a made-up order has; which have the wrong type rotates. */
const TYPED = ['address1', 'city', 'zip', 'custProgId', 'customerId', 'shippingFee', 'cardFee', 'orderDetails'];
orders.advisesAgainst('portal.orderCards.body-types', 'what is not JSON, and each member of order and card', [
  Forms.oddBodies.map(({ name, input }) => having(`a body ${name}`, {}, { input })),
  [...ofWrongType(TYPED), ...ofCard(ofWrongType(REQUIRED_ITEM_MEMBERS), 'a card', 0)],
]);
orders.refuses('portal.orderCards.foreign-customer', 'customerId of the foreign customer', [
  {
    what: 'an order for a customer outside the reach of the login',
    intent: 'foreign',
    of: (order, t) => ({ ...order, customerId: Customers.foreignId(t) }),
  },
]);

orders.accepts(
  'portal.orderCards.card-type-optional',
  'absent, empty and null',
  [...lacking('an order', ['cardType']), ...valuesOf('cardType', ['', null])],
  { on: ['onlyPhysical'] },
);
orders.accepts('portal.orderCards.card-type-optional', 'of other kinds', valuesOf('cardType', ['', null]), {
  on: ['physicalLoad', 'physicalInstant', 'physicalEmployee', 'physicalSeveral'],
  tries: 1,
});

/** Free texts of an order, and of its cards beside the names. */
const ORDER_TEXTS = ['attn', 'address1', 'address2', 'city', 'campaignName', 'reasonCode'];
const CARD_TEXTS = ['comment', 'embossedMessage', 'shippingAddress1', 'mailingAddr1', 'clientDefinedField1'];
const each = (names: readonly string[], text: string): Bodies.Body =>
  Object.fromEntries(names.map((name) => [name, text]));

/** A row of unusual values, of the order and of each of its cards. */
const unusual = (what: string, order: Bodies.Body, card: Bodies.Body = {}): Row => ({
  what: `an order with ${what}`,
  of: (right) => Bodies.withCards({ ...right, ...order }, card),
});

orders.observes('portal.orderCards.unusual-values', 'comments, names and addresses, and rarer ones', [
  unusual(
    'most of what is optional',
    {
      isInstantIssue: false,
      qty: 2,
      host: 'Prepaid',
      totalValue: 0,
      campaignName: 'Spring',
      reasonCode: 'NEW',
    },
    {
      ...FICTIONAL_DETAILS,
      purseNo: 1,
      embossedMessage: 'Robin Example',
      shippingAddress1: '100 Main Street',
      shippingAddress2: 'Suite 2',
      shippingCity: 'Springfield',
      shippingState: 'IL',
      shippingZip: '62701',
      mailingAddr2: 'Suite 2',
      ...Bodies.CLIENT_DEFINED,
    },
  ),
  unusual('a comment of 300 characters', {}, { comment: 'a'.repeat(300) }),
  unusual(
    'marks and letters beyond ASCII in names and the ship-to block',
    { attn: `Zoë O'Neil, 50% "Cards" & Co. #1`, address2: 'Straße 5' },
    { firstName: 'Zoë', lastName: "O'Muñoz-Smith" },
  ),
  [
    unusual('fees with cents', { shippingFee: 12.25, cardFee: 4.99 }),
    unusual('names of 60 letters', {}, { firstName: 'R'.padEnd(60, 'anna'), lastName: 'E'.padEnd(60, 'anna') }),
    unusual('a long campaign and a reason with marks', {
      campaignName: 'Été "50%" '.repeat(15),
      reasonCode: `O'NE #1`,
    }),
    unusual('marks in an embossed message', {}, { embossedMessage: `Zoë's "50%"` }),
    unusual('letters beyond Latin-1', { attn: 'Łukasz Žižek' }, { firstName: 'Łukasz', lastName: 'Žižek' }),
    unusual('a phone and a zip with marks', { zip: '62701-1234' }, { phone: '(217) 555-0100' }),
    unusual('a comment of two lines with a backslash', {}, { comment: 'one\ntwo \\ three' }),
  ],
]);

orders.records(
  'odd texts',
  Forms.oddTextsOf('json').flatMap(({ name, text }): Row[] => [
    { ...unusual(`names ${name}`, {}, { firstName: text, lastName: text }), intent: 'unusual' },
    { ...unusual(`other texts ${name}`, each(ORDER_TEXTS, text), each(CARD_TEXTS, text)), intent: 'unusual' },
  ]),
  { mayCost: true, tries: 1 },
);
