/** Faults of orders: how their values are read, looked up and remembered. */
import type { SandboxOptions, World } from '../../sandbox/index.ts';
import { bodyIn, cardsIn, letThrough, thorough } from './broken.ts';
import type { Fault } from './fault.ts';
import { absentTogether, type Body, breaksAt, fault, isBeyondLatin1, lets, reads } from './portal-broken.ts';

const ORDER = 'portal.orderCards';
const NAMES = ['firstName', 'lastName'];
const LOAD_OFF = 7007;
const UNIQUE_OTHER_INFO = 7008;
const LISTED = 'Personalized Payroll Order';
const takesType = (isLike: (type: string) => boolean): SandboxOptions => ({
  rules: {
    listsOrderType: (type, byDefault) => byDefault || isLike(type),
    takesOrderType: (_, type, byDefault) => byDefault || isLike(type),
  },
});

/** Where load is off, some loads are not seen as such; digital cards are on. */
const unseenLoad = (isMeant: (order: Body, cards: Body[]) => boolean): SandboxOptions =>
  reads(ORDER, (order) =>
    order.custProgId === LOAD_OFF && isMeant(order, cardsIn(order))
      ? {
          ...order,
          cardType: null,
          totalValue: 0,
          orderDetails: cardsIn(order).map((card) => ({ ...card, amount: 0 })),
        }
      : order,
  );

/** Members of a card may be absent where all of them are. */
const absentOfCard = (members: readonly string[]): SandboxOptions =>
  lets(
    ORDER,
    ({ kind, name }, order) =>
      kind === 'missing-member' &&
      members.includes(name.replace('orderDetails.', '')) &&
      cardsIn(order).some((card) => members.every((member) => card[member] === undefined)),
  );

/** What one program has switched on is on everywhere, once somebody used it. */
function onEverywhere(option: 'digital' | 'load', uses: (order: Body, cards: Body[]) => boolean): SandboxOptions {
  const worlds = new WeakSet<World>();
  let isOn = false;
  return {
    rules: {
      meanwhile: (world) => {
        isOn = worlds.has(world);
      },
      ...letThrough(
        ({ operation, kind, name }) => operation === ORDER && kind === 'program-option' && name === option && isOn,
      ),
    },
    middleware: [
      (answer, { operation, request, world }) => {
        const order = bodyIn(request);
        if (operation === ORDER && answer.status === 200 && uses(order, cardsIn(order))) worlds.add(world);
        return undefined;
      },
    ],
  };
}

const HOUR_MS = 3_600_000;

/** What is unique is so for an hour. */
function isFreeAgain(member: 'externalIdentifier' | 'otherInfo', name: string): SandboxOptions {
  const madeIn = new WeakMap<World, Map<unknown, number>>();
  let made = new Map<unknown, number>();
  let nowMs = 0;
  const valuesIn = (order: Body) => [order, ...cardsIn(order)].map((one) => one[member]).filter(Boolean);
  return {
    rules: {
      meanwhile: (world) => {
        made = madeIn.get(world) ?? made;
      },
      ...letThrough(
        (refusal) =>
          refusal.kind === 'duplicate' &&
          refusal.name === name &&
          valuesIn(bodyIn(refusal.request)).every((value) => (made.get(value) ?? nowMs) + HOUR_MS < nowMs),
      ),
    },
    middleware: [
      (answer, { operation, request, world, nowMs: now }) => {
        nowMs = now;
        if (!madeIn.has(world)) madeIn.set(world, new Map());
        if (operation === ORDER && answer.status === 200)
          for (const value of valuesIn(bodyIn(request))) madeIn.get(world)!.set(value, now);
        return undefined;
      },
    ],
  };
}

export const orderValueFaults: readonly Fault[] = [
  ...[['shippingFee', 'cardFee']].map((members) =>
    fault(
      `of an order ${members.join(' and ')} may be absent together`,
      'portal.orderCards.required-members',
      absentTogether(ORDER, members),
      thorough,
    ),
  ),
  ...[
    ['phone', 'ssn'],
    [...NAMES, 'phone', 'ssn'],
  ].map((members) =>
    fault(
      `of a card ${members.join(' and ')} may be absent together`,
      'portal.orderCards.required-item-members',
      absentOfCard(members),
      thorough,
    ),
  ),
  ...['firstName', 'lastName', 'phone', 'ssn'].map((member) =>
    fault(
      `${member} may be absent of a card of an instant issue`,
      'portal.orderCards.required-item-members',
      lets(ORDER, ({ name }, { isInstantIssue }) => name === `orderDetails.${member}` && isInstantIssue === true),
    ),
  ),
  fault(
    'DIGITAL is looked at as nothing in particular, and taken where Digital is off',
    'portal.orderCards.digital-off',
    reads(ORDER, (order) => (order.cardType === 'DIGITAL' ? { ...order, cardType: 'Physical' } : order)),
    thorough,
  ),
  fault(
    'Digital cards are taken with an email for each where they are off',
    'portal.orderCards.digital-off',
    lets(ORDER, ({ name }, order) => name === 'digital' && cardsIn(order).every(({ email }) => email)),
    thorough,
  ),
  fault(
    'Digital cards are on everywhere once one was taken',
    'portal.orderCards.digital-off',
    onEverywhere('digital', ({ cardType }) => cardType === 'Digital'),
  ),
  fault(
    'otherInfo may be absent of a Digital card',
    'portal.orderCards.other-info-required',
    lets(
      ORDER,
      ({ name }, { cardType, custProgId }) =>
        cardType === 'Digital' &&
        custProgId === UNIQUE_OTHER_INFO &&
        ['orderDetails.otherInfo', 'digital'].includes(name),
    ),
  ),
  ...(
    [
      ['externalIdentifier', 'externalIdentifier', 'portal.orderCards.duplicate-order'],
      ['otherInfo', 'otherInfo-over-orders', 'portal.orderCards.other-info-repeated-over-orders'],
    ] as const
  ).map(([member, refusal, condemned]) =>
    fault(`an ${member} is free again after an hour`, condemned, isFreeAgain(member, refusal), {
      also: ['token.issue', 'portal.login'],
    }),
  ),
  fault(
    'a letter beyond Latin-1 in the name of a holder is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, (_, cards) => cards.some(({ lastName }) => isBeyondLatin1(lastName))),
    thorough,
  ),
  fault(
    'a zip with a hyphen is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, ({ zip }) => String(zip).includes('-')),
    thorough,
  ),
  fault(
    'clientDefinedField5 of a card is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, (_, cards) => cards.some((card) => card.clientDefinedField5 !== undefined)),
    thorough,
  ),
  ...(
    [
      ['its number in the enumeration', (type) => /^\d$/.test(type)],
      ['a part of it', (type) => type.length > 3 && LISTED.startsWith(type)],
      ['what ends like it', (type) => type.endsWith(LISTED)],
    ] satisfies [string, (type: string) => boolean][]
  ).map(([what, isLike]) =>
    fault(`${what} is taken for an orderProdType`, 'portal.orderCards.unlisted-order-type', takesType(isLike)),
  ),
  fault(
    'city may be absent of an order of a Physical card in so many words',
    'portal.orderCards.required-members',
    lets(
      ORDER,
      ({ kind, name }, { cardType }) => kind === 'missing-member' && name === 'city' && cardType === 'Physical',
    ),
    thorough,
  ),
  ...(
    [
      ['in an instant issue', ({ isInstantIssue }) => isInstantIssue === true],
      ['with a null shippingMethod', ({ shippingMethod }) => shippingMethod === null],
      ['with an externalIdentifier', ({ externalIdentifier }) => externalIdentifier !== undefined],
    ] satisfies [string, (order: Body) => boolean][]
  ).map(([what, isMeant]) =>
    fault(
      `Digital cards are taken ${what} where they are off`,
      'portal.orderCards.digital-off',
      lets(ORDER, ({ name }, order) => name === 'digital' && isMeant(order)),
      thorough,
    ),
  ),
  ...(
    [
      ['in an instant issue', ({ isInstantIssue }) => isInstantIssue === true],
      ['of a Physical card', ({ cardType }) => cardType === 'Physical'],
      ['of a Digital card', ({ cardType }) => cardType === 'Digital'],
      ['of the third card alone', (_, cards) => cards.length > 2 && !cards[0]!.amount && !cards[1]!.amount],
    ] satisfies [string, (order: Body, cards: Body[]) => boolean][]
  ).map(([what, isMeant]) =>
    fault(`a load ${what} is taken where load is off`, 'portal.orderCards.load-off', unseenLoad(isMeant), thorough),
  ),
  ...(
    [
      ['phone', 'email'],
      ['ssn', 'dateOfBirth'],
    ] as const
  ).map(([member, other]) =>
    fault(
      `${member} may be absent of a card that has ${other}`,
      'portal.orderCards.required-item-members',
      lets(ORDER, ({ kind, name }, order) => {
        const isAbsent = kind === 'missing-member' && name === `orderDetails.${member}`;
        return isAbsent && cardsIn(order).some((card) => card[other]);
      }),
      thorough,
    ),
  ),
  fault(
    'address1 may be absent where cards have a mailingAddr1',
    'portal.orderCards.required-members',
    lets(
      ORDER,
      ({ kind, name }, order) =>
        kind === 'missing-member' && name === 'address1' && cardsIn(order).some(({ mailingAddr1 }) => mailingAddr1),
    ),
    thorough,
  ),
  ...(
    [
      ['fees with cents', ({ shippingFee }) => shippingFee !== undefined && !Number.isInteger(shippingFee)],
      ['a name of more than 50 letters', (_, cards) => cards.some(({ lastName }) => String(lastName).length > 50)],
      ['a long campaignName', ({ campaignName }) => String(campaignName ?? '').length > 50],
      ['a quote in an embossedMessage', (_, cards) => cards.some((card) => /"/.test(String(card.embossedMessage)))],
    ] satisfies [string, (order: Body, cards: Body[]) => boolean][]
  ).map(([what, isMeant]) =>
    fault(
      `${what} is answered with 500 to an order`,
      'portal.orderCards.unusual-values',
      breaksAt(ORDER, isMeant),
      thorough,
    ),
  ),
];
