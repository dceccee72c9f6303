/** Faults of what an order is held against: its members, its types, the options of its program, and its values. */
import { REQUIRED_ITEM_MEMBERS } from '../../contracts/v1/orders.ts';
import type { SandboxRequest } from '../../sandbox/index.ts';
import { type Body, bodyIn, cardsIn, is, letThrough, memory, reads, replacing } from '../changed-sandbox.ts';
import { breaking, broken, misrefused, portal, refused, tolerated } from './broken.ts';
import type { Fault } from './fault.ts';

const ORDER = 'portal.orderCards';
const UNIQUE_OTHER_INFO = 7008;
const LISTED = 'Personalized Payroll Order';

type IsMeant = (order: Body, cards: Body[], request: SandboxRequest) => boolean;
type Rows = [string, IsMeant][];
const ofOrders = (isMeant: IsMeant) => (request: SandboxRequest) =>
  isMeant(bodyIn(request), cardsIn(bodyIn(request)), request);

const isInstant: IsMeant = ({ isInstantIssue }) => isInstantIssue === true;
const isDigital: IsMeant = ({ cardType }) => cardType === 'Digital';
const hasNullMethod: IsMeant = ({ shippingMethod }) => shippingMethod === null;

// ---- members -----------------------------------------------------------------------------------------------------

/** A member may be absent of the cards of some orders. */
const mayLack = (name: string, member: string, isMeant: IsMeant): Fault =>
  tolerated(name, 'portal.orderCards.required-item-members', { name: `orderDetails.${member}` }, ofOrders(isMeant));

/** Where the first card without a member is: -1 if nowhere. */
const lacking = (cards: Body[], member: string) => cards.findIndex((card) => card[member] === undefined);

const members: readonly Fault[] = [
  tolerated(
    'portal: city may be absent of an order of a Physical card in so many words',
    'portal.orderCards.required-members',
    { kind: 'missing-member', name: 'city' },
    ofOrders(({ cardType }) => cardType === 'Physical'),
  ),
  tolerated(
    'portal: of an order shippingFee and cardFee may be absent together',
    'portal.orderCards.required-members',
    { kind: 'missing-member', name: /^(shipping|card)Fee$/ },
    ofOrders((order, _, { raw }) => raw.length > 0 && order.shippingFee === undefined && order.cardFee === undefined),
  ),
  ...REQUIRED_ITEM_MEMBERS.flatMap((member) => [
    mayLack(
      `orders: ${member} is looked for in the first card alone`,
      member,
      (_, [card]) => card?.[member] !== undefined,
    ),
    mayLack(`portal: ${member} may be absent of a card of an instant issue`, member, isInstant),
  ]),
  mayLack('orders: ssn of a Digital card may be absent', 'ssn', isDigital),
  mayLack('portal: phone may be absent of the third card', 'phone', (_, cards) => lacking(cards, 'phone') === 2),
  mayLack(
    'portal: lastName may be absent of the first of several cards',
    'lastName',
    (_, cards) => lacking(cards, 'lastName') === 0 && cards.length > 1,
  ),
  mayLack(
    'portal: ssn may be absent of a card in the middle',
    'ssn',
    (_, cards) => lacking(cards, 'ssn') > 0 && lacking(cards, 'ssn') < cards.length - 1,
  ),
  ...[['phone', 'ssn'], REQUIRED_ITEM_MEMBERS].map((absent) =>
    tolerated(
      `portal: of a card ${absent.join(' and ')} may be absent together`,
      'portal.orderCards.required-item-members',
      { kind: 'missing-member', name: new RegExp(`^(orderDetails\\.)?(${absent.join('|')})$`) },
      ofOrders((_, cards) => cards.some((card) => absent.every((member) => card[member] === undefined))),
    ),
  ),
  tolerated('orders: members of any type', 'portal.orderCards.body-types', { kind: 'member-type' }),
  misrefused(
    'orders: what is lacking is answered with 422',
    ['portal.orderCards.refused-with-400', 'portal.orderCards.missing-body-400'],
    422,
    { kind: /^missing/ },
  ),
  portal('portal.orderCards answers what is not JSON with HTML', 'portal.orderCards.error-shape', {
    middleware: [
      (answer, { refusal }) =>
        refusal?.operation === ORDER && refusal.kind === 'malformed-body'
          ? { ...answer, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Bad request</h1>') }
          : undefined,
    ],
  }),
  broken('every order wants a totalValue', 'portal.orderCards.required-only', {
    requires: (operation, name, byDefault) => (operation === ORDER && name === 'totalValue') || byDefault,
  }),
];

// ---- otherInfo ---------------------------------------------------------------------------------------------------

const otherInfos: readonly Fault[] = [
  tolerated(
    'otherInfo is required of the first card alone',
    'portal.orderCards.other-info-required',
    { name: 'orderDetails.otherInfo' },
    ofOrders((_, [card]) => card?.otherInfo !== undefined),
  ),
  tolerated(
    'portal: otherInfo may be absent of a Digital card',
    'portal.orderCards.other-info-required',
    { name: /^(orderDetails\.otherInfo|digital)$/ },
    ofOrders(({ cardType, custProgId }) => cardType === 'Digital' && custProgId === UNIQUE_OTHER_INFO),
  ),
  tolerated('orders: otherInfo is repeated in one order', 'portal.orderCards.other-info-repeated-in-order', {
    kind: 'duplicate',
    name: 'otherInfo-in-order',
  }),
];

// ---- types and options -------------------------------------------------------------------------------------------

const DIGITAL_OFF = 'portal.orderCards.digital-off';

/** What one program has switched on is on everywhere, once somebody used it. */
function digitalEverywhere(): Fault {
  const usedIn = memory(() => ({ isOn: false }));
  let isOn = false;
  return portal('Digital cards are on everywhere once one was taken', DIGITAL_OFF, {
    rules: {
      meanwhile: (world) => {
        ({ isOn } = usedIn(world));
      },
      ...letThrough(is(ORDER, { kind: 'program-option', name: 'digital' }, () => isOn)),
    },
    ...replacing(ORDER, (_, { request, world }) => {
      usedIn(world).isOn ||= ofOrders(isDigital)(request);
      return undefined;
    }),
  });
}

/** Orders are refused beside those that the documents name. */
const refuses = (name: string, condemns: string, isMeant: IsMeant): Fault =>
  refused(name, condemns, { kind: 'list', name: 'order' }, ofOrders(isMeant));

/** Types of orders are taken for listed ones. */
const listing = (name: string, isTaken: (type: string) => boolean, takesAll = false): Fault =>
  broken(name, 'portal.orderCards.unlisted-order-type', {
    listsOrderType: (type, byDefault) => byDefault || isTaken(type),
    takesOrderType: (_, type, byDefault) => byDefault || takesAll || isTaken(type),
  });

const options: readonly Fault[] = [
  listing('portal: its number in the enumeration is taken for an orderProdType', (type) => /^\d$/.test(type)),
  listing('portal: a part of it is taken for an orderProdType', (type) => type.length > 3 && LISTED.startsWith(type)),
  listing('portal: what ends like it is taken for an orderProdType', (type) => type.endsWith(LISTED)),
  listing(
    'orderCards: an orderProdType that begins like a listed one is taken',
    (type) => / Order?e? \d+$/.test(type) || /^Direct/.test(type),
    true,
  ),
  {
    ...refused(
      'portal: an order without cardType is refused, and no order of the fixtures has one',
      'portal.orderCards.card-type-optional',
      { kind: 'missing-member', name: 'cardType' },
      ofOrders(({ cardType }) => cardType === undefined),
    ),
    configure: ({ fixtures }) => {
      const { personalized } = fixtures.portal!.programs!;
      fixtures.portal!.programs = { personalized: personalized! };
    },
  },
  refuses('orders: a null shippingMethod is refused', 'portal.orderCards.digital-accepted', hasNullMethod),
  refuses('orders: Digital orders of every type are refused', 'portal.orderCards.digital-accepted', isDigital),
  refuses(
    'orders: orders with load are refused everywhere',
    'portal.orderCards.load-accepted',
    ({ totalValue }) => totalValue !== undefined,
  ),
  broken(
    'portal: an order for a customer of another partner is taken',
    'portal.orderCards.foreign-customer',
    letThrough(
      (refusal) =>
        is(ORDER, { kind: 'foreign' })(refusal) || is(ORDER, { kind: 'mismatch', name: 'custProgId' })(refusal),
    ),
  ),
  digitalEverywhere(),
  portal('DIGITAL is looked at as nothing in particular, and taken where Digital is off', DIGITAL_OFF, {
    rules: reads(ORDER, (order) => (order.cardType === 'DIGITAL' ? { ...order, cardType: 'Physical' } : order)),
  }),
  ...(
    [
      ['with an email for each', (_, cards) => cards.every(({ email }) => email)],
      ['in an instant issue', isInstant],
      ['with a null shippingMethod', hasNullMethod],
      ['with an externalIdentifier', ({ externalIdentifier }) => externalIdentifier !== undefined],
    ] satisfies Rows
  ).map(([what, isMeant]) =>
    tolerated(
      `portal: Digital cards are taken ${what} where they are off`,
      DIGITAL_OFF,
      { name: 'digital' },
      ofOrders(isMeant),
    ),
  ),
];

// ---- unusual values ----------------------------------------------------------------------------------------------

const UNUSUAL = 'portal.orderCards.unusual-values';

const hasText =
  (isMeant: RegExp): IsMeant =>
  (order, cards) =>
    [order, ...cards].flatMap(Object.values).some((value) => typeof value === 'string' && isMeant.test(value));
const ofACard =
  (isMeant: (card: Body) => boolean): IsMeant =>
  (_, cards) =>
    cards.some(isMeant);

const values: readonly Fault[] = [
  ...(
    [
      ['a comment of 300 characters', ofACard(({ comment }) => String(comment ?? '').length > 255)],
      ['a letter beyond ASCII in an order', hasText(/[^ -~]/)],
      ['a percent sign in an order', hasText(/%/)],
    ] satisfies Rows
  ).map(([what, isMeant]) =>
    breaking(`portal: ${what} is answered with 500`, ['portal.orderCards.status', UNUSUAL], ofOrders(isMeant)),
  ),
  ...(
    [
      [
        'a letter beyond Latin-1 in the name of a holder',
        ofACard(({ lastName }) => /[\u0100-\uffff]/.test(String(lastName))),
      ],
      ['a zip with a hyphen', ({ zip }) => String(zip).includes('-')],
      ['clientDefinedField5 of a card', ofACard((card) => card.clientDefinedField5 !== undefined)],
    ] satisfies Rows
  ).map(([what, isMeant]) => breaking(`portal: ${what} is answered with 500`, UNUSUAL, ofOrders(isMeant))),
  ...(
    [
      ['fees with cents', ({ shippingFee }) => shippingFee !== undefined && !Number.isInteger(shippingFee)],
      ['a name of more than 50 letters', ofACard(({ lastName }) => String(lastName).length > 50)],
      ['a long campaignName', ({ campaignName }) => String(campaignName ?? '').length > 50],
      ['a quote in an embossedMessage', ofACard(({ embossedMessage }) => /"/.test(String(embossedMessage)))],
    ] satisfies Rows
  ).map(([what, isMeant]) => breaking(`portal: ${what} is answered with 500 to an order`, UNUSUAL, ofOrders(isMeant))),
];

export const portalOrderFaults: readonly Fault[] = [...members, ...otherInfos, ...options, ...values];
