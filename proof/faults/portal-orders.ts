/** Faults of what an order is held against: its members, its types, the options of its program, and its values. */
import { REQUIRED_ITEM_MEMBERS } from '../../contracts/v1/orders.ts';
import type { RefusalKind } from '../../sandbox/exchange.ts';
import type { SandboxRequest } from '../../sandbox/index.ts';
import {
  type Body,
  bodyIn,
  broken,
  cardsIn,
  fault,
  is,
  letThrough,
  memory,
  portal,
  reads,
  refused,
  refusedWith,
  replacing,
} from './broken.ts';
import type { Fault } from './fault.ts';

const ORDER = 'portal.orderCards';
const UNIQUE_OTHER_INFO = 7008;
const LISTED = 'Personalized Payroll Order';

type IsMeant = (order: Body, cards: Body[], request: SandboxRequest) => boolean;
const ofOrders = (isMeant: IsMeant) => (request: SandboxRequest) =>
  isMeant(bodyIn(request), cardsIn(bodyIn(request)), request);

/** A refusal of some orders is not made. */
const lets = (
  name: string,
  condemns: string,
  which: { kind?: RefusalKind | RegExp; name?: string | RegExp },
  isMeant: IsMeant = () => true,
): Fault => fault(name, condemns, { rules: letThrough(is(ORDER, which, ofOrders(isMeant))) });

const isInstant = ({ isInstantIssue }: Body) => isInstantIssue === true;
const isDigital = ({ cardType }: Body) => cardType === 'Digital';
const isPhysical = ({ cardType }: Body) => cardType === 'Physical';

// ---- members -----------------------------------------------------------------------------------------------------

const ITEM_MEMBERS = 'portal.orderCards.required-item-members';

/** Where the first card without a member is: -1 if nowhere. */
const lacking = (cards: Body[], member: string) => cards.findIndex((card) => card[member] === undefined);

const members: readonly Fault[] = [
  ...(
    [
      ['city may be absent of an order of a Physical card in so many words', 'city', isPhysical],
      [
        'of an order shippingFee and cardFee may be absent together',
        /^(shipping|card)Fee$/,
        ({ shippingFee, cardFee }, _, { raw }) => raw.length > 0 && shippingFee === undefined && cardFee === undefined,
      ],
    ] satisfies [string, string | RegExp, IsMeant][]
  ).map(([what, name, isMeant]) =>
    lets(`portal: ${what}`, 'portal.orderCards.required-members', { kind: 'missing-member', name }, isMeant),
  ),
  ...(
    [
      ...REQUIRED_ITEM_MEMBERS.map((member): [string, string, IsMeant] => [
        `orders: ${member} is looked for in the first card alone`,
        member,
        (_, [card]) => card?.[member] !== undefined,
      ]),
      ...['firstName', 'lastName', 'phone', 'ssn'].map((member): [string, string, IsMeant] => [
        `portal: ${member} may be absent of a card of an instant issue`,
        member,
        isInstant,
      ]),
      ['orders: ssn of a Digital card may be absent', 'ssn', isDigital],
      ['portal: phone may be absent of the third card', 'phone', (_, cards) => lacking(cards, 'phone') === 2],
      [
        'portal: lastName may be absent of the first of several cards',
        'lastName',
        (_, cards) => lacking(cards, 'lastName') === 0 && cards.length > 1,
      ],
    ] satisfies [string, string, IsMeant][]
  ).map(([name, member, isMeant]) => lets(name, ITEM_MEMBERS, { name: `orderDetails.${member}` }, isMeant)),
  ...[
    lets(
      'portal: ssn may be absent of a card in the middle',
      ITEM_MEMBERS,
      { name: 'orderDetails.ssn' },
      (_, cards) => lacking(cards, 'ssn') > 0 && lacking(cards, 'ssn') < cards.length - 1,
    ),
    ...[
      ['phone', 'ssn'],
      ['firstName', 'lastName', 'phone', 'ssn'],
    ].map((absent) =>
      lets(
        `portal: of a card ${absent.join(' and ')} may be absent together`,
        ITEM_MEMBERS,
        { kind: 'missing-member', name: new RegExp(`^(orderDetails\\.)?(${absent.join('|')})$`) },
        (_, cards) => cards.some((card) => absent.every((member) => card[member] === undefined)),
      ),
    ),
  ],
  lets('orders: members of any type', 'portal.orderCards.body-types', { kind: 'member-type' }),
  broken(
    'orders: what is lacking is answered with 422',
    ['portal.orderCards.refused-with-400', 'portal.orderCards.missing-body-400'],
    refusedWith(422, is(ORDER, { kind: /^missing/ })),
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
  lets(
    'otherInfo is required of the first card alone',
    'portal.orderCards.other-info-required',
    { name: 'orderDetails.otherInfo' },
    (_, [card]) => card?.otherInfo !== undefined,
  ),
  lets(
    'portal: otherInfo may be absent of a Digital card',
    'portal.orderCards.other-info-required',
    { name: /^(orderDetails\.otherInfo|digital)$/ },
    (order) => isDigital(order) && order.custProgId === UNIQUE_OTHER_INFO,
  ),
  lets('orders: otherInfo is repeated in one order', 'portal.orderCards.other-info-repeated-in-order', {
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
      ...letThrough((refusal) => is(ORDER, { kind: 'program-option', name: 'digital' })(refusal) && isOn),
    },
    ...replacing(ORDER, (_, { request, world }) => {
      usedIn(world).isOn ||= isDigital(bodyIn(request));
      return undefined;
    }),
  });
}

/** Orders are refused beside those that the documents name. */
const refuses = (name: string, condemns: string, isMeant: (order: Body) => boolean): Fault =>
  refused(
    `orders: ${name}`,
    condemns,
    { kind: 'list', name: 'order' },
    (request) => request.operation === ORDER && isMeant(bodyIn(request)),
  );

const options: readonly Fault[] = [
  ...(
    [
      ['its number in the enumeration', (type) => /^\d$/.test(type)],
      ['a part of it', (type) => type.length > 3 && LISTED.startsWith(type)],
      ['what ends like it', (type) => type.endsWith(LISTED)],
    ] satisfies [string, (type: string) => boolean][]
  ).map(([what, isLike]) =>
    broken(`portal: ${what} is taken for an orderProdType`, 'portal.orderCards.unlisted-order-type', {
      listsOrderType: (type, byDefault) => byDefault || isLike(type),
      takesOrderType: (_, type, byDefault) => byDefault || isLike(type),
    }),
  ),
  broken(
    'orderCards: an orderProdType that begins like a listed one is taken',
    'portal.orderCards.unlisted-order-type',
    {
      listsOrderType: (type, byDefault) => byDefault || / Order?e? \d+$/.test(type) || /^Direct/.test(type),
      takesOrderType: () => true,
    },
  ),
  {
    ...refused(
      'portal: an order without cardType is refused, and no order of the fixtures has one',
      'portal.orderCards.card-type-optional',
      { kind: 'missing-member', name: 'cardType' },
      (request) => request.operation === ORDER && bodyIn(request).cardType === undefined,
    ),
    configure: ({ fixtures }) => {
      const { personalized } = fixtures.portal!.programs!;
      fixtures.portal!.programs = { personalized: personalized! };
    },
  },
  refuses(
    'a null shippingMethod is refused',
    'portal.orderCards.digital-accepted',
    ({ shippingMethod }) => shippingMethod === null,
  ),
  refuses(
    'orders with load are refused everywhere',
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
      ['with a null shippingMethod', ({ shippingMethod }) => shippingMethod === null],
      ['with an externalIdentifier', ({ externalIdentifier }) => externalIdentifier !== undefined],
    ] satisfies [string, IsMeant][]
  ).map(([what, isMeant]) =>
    lets(`portal: Digital cards are taken ${what} where they are off`, DIGITAL_OFF, { name: 'digital' }, isMeant),
  ),
];

// ---- unusual values ----------------------------------------------------------------------------------------------

const UNUSUAL = 'portal.orderCards.unusual-values';

const breaksAt = (what: string, condemns: string | readonly string[], isMeant: IsMeant): Fault =>
  portal(
    what,
    condemns,
    replacing(ORDER, (_, { request }) => ofOrders(isMeant)(request) && { status: 500, body: {} }),
  );

const hasText =
  (isMeant: RegExp): IsMeant =>
  (order, cards) =>
    [order, ...cards].flatMap(Object.values).some((value) => typeof value === 'string' && isMeant.test(value));

const values: readonly Fault[] = [
  ...(
    [
      ['a comment of 300 characters', (_, cards) => cards.some(({ comment }) => String(comment ?? '').length > 255)],
      ['a letter beyond ASCII in an order', hasText(/[^ -~]/)],
      ['a percent sign in an order', hasText(/%/)],
    ] satisfies [string, IsMeant][]
  ).map(([what, isMeant]) => breaksAt(`${what} is answered with 500`, ['portal.orderCards.status', UNUSUAL], isMeant)),
  ...(
    [
      [
        'a letter beyond Latin-1 in the name of a holder is answered with 500',
        (_, cards) => cards.some(({ lastName }) => /[\u0100-\uffff]/.test(String(lastName))),
      ],
      ['a zip with a hyphen is answered with 500', ({ zip }) => String(zip).includes('-')],
      [
        'clientDefinedField5 of a card is answered with 500',
        (_, cards) => cards.some((card) => card.clientDefinedField5 !== undefined),
      ],
      [
        'fees with cents is answered with 500 to an order',
        ({ shippingFee }) => shippingFee !== undefined && !Number.isInteger(shippingFee),
      ],
      [
        'a name of more than 50 letters is answered with 500 to an order',
        (_, cards) => cards.some(({ lastName }) => String(lastName).length > 50),
      ],
      [
        'a long campaignName is answered with 500 to an order',
        ({ campaignName }) => String(campaignName ?? '').length > 50,
      ],
      [
        'a quote in an embossedMessage is answered with 500 to an order',
        (_, cards) => cards.some((card) => /"/.test(String(card.embossedMessage))),
      ],
    ] satisfies [string, IsMeant][]
  ).map(([what, isMeant]) => breaksAt(what, UNUSUAL, isMeant)),
];

export const portalOrderFaults: readonly Fault[] = [...members, ...otherInfos, ...options, ...values];
