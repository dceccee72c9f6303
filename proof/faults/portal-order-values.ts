/** Faults of orders: how their values are read, looked up and remembered. */
import type { SandboxOptions, World } from '../../sandbox/index.ts';
import { wholeOrder } from '../variants/portal-order-rules.ts';
import { bodyIn, cardsIn, letThrough, thorough } from './broken.ts';
import type { Fault } from './fault.ts';
import { absentTogether, type Body, breaksAt, fault, isBeyondLatin1, lets, reads } from './portal-broken.ts';

const ORDER = 'portal.orderCards';
const NAMES = ['firstName', 'lastName'];
/** Programs of the sandbox. */
const PERSONALIZED = 7001;
const INSTANT_ISSUE = 7002;
const DIGITAL_ON = [7001, 7003];
const LOAD_OFF = 7007;
const UNIQUE_OTHER_INFO = 7008;
const LOAD_CHECKER = 7009;
const LISTED = 'Personalized Payroll Order';
const takesType = (isLike: (type: string) => boolean): SandboxOptions => ({
  rules: {
    listsOrderType: (type, byDefault) => byDefault || isLike(type),
    takesOrderType: (_, type, byDefault) => byDefault || isLike(type),
  },
});

/** What the sandbox makes an order of that it does not know by its externalIdentifier. */
const unknownBy = (isMeant: (order: Body) => boolean): SandboxOptions =>
  reads(ORDER, (order, { callNumber }) =>
    order.externalIdentifier !== undefined && isMeant(order)
      ? { ...order, externalIdentifier: `${order.externalIdentifier}-${callNumber}` }
      : order,
  );

const isLong = (value: unknown) => String(value ?? '').length > 100;

/** Of all orders with an externalIdentifier the first is looked up, and is no duplicate where it is of another program. */
function firstOfAllPrograms(): SandboxOptions {
  return {
    rules: {
      duplicateOrders: 'accept',
      alsoRefuses: ({ operation, body }, { orders }) => {
        const { externalIdentifier, custProgId, city } = (body ?? {}) as Body;
        const earlier = orders.find((one) => externalIdentifier && one.externalIdentifier === externalIdentifier);
        return operation === ORDER && city !== undefined && earlier && earlier.custProgId === custProgId
          ? { kind: 'duplicate', name: 'externalIdentifier' }
          : undefined;
      },
    },
  };
}

/** The otherInfo of some cards is not remembered. */
function forgets(isMeant: (otherInfo: unknown, index: number, count: number) => boolean): SandboxOptions {
  const forgotten = new WeakMap<World, Set<unknown>>();
  let now = new Set<unknown>();
  return {
    rules: {
      meanwhile: (world) => {
        if (!forgotten.has(world)) forgotten.set(world, new Set());
        now = forgotten.get(world)!;
      },
      enforces: ({ kind, name, request }) =>
        !(
          kind === 'duplicate' &&
          name === 'otherInfo-over-orders' &&
          cardsIn(bodyIn(request)).every(({ otherInfo }) => now.has(otherInfo))
        ),
    },
    middleware: [
      (answer, { operation, request, world }) => {
        const cards = cardsIn(bodyIn(request));
        if (operation === ORDER && answer.status === 200)
          for (const [index, { otherInfo }] of cards.entries())
            if (isMeant(otherInfo, index, cards.length)) forgotten.get(world)!.add(otherInfo);
        return undefined;
      },
    ],
  };
}

const wantsCardType = (isMeant: (order: Body, cards: Body[]) => boolean, value: '' | null): SandboxOptions => ({
  rules: {
    alsoRefuses: (request) => {
      const order = bodyIn(request);
      return request.operation === ORDER && order.cardType === value && isMeant(order, cardsIn(order))
        ? { kind: 'list', name: 'cardType' }
        : undefined;
    },
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

/** Identifiers are kept in another form than that in which they are compared. */
const keptOtherwise = (
  member: 'externalIdentifier' | 'otherInfo',
  isAsBefore: (identifier: string) => boolean,
): SandboxOptions =>
  member === 'externalIdentifier'
    ? unknownBy(({ externalIdentifier }) => !isAsBefore(String(externalIdentifier)))
    : forgets((otherInfo) => !isAsBefore(String(otherInfo)));
const KEPT: readonly [string, (identifier: string) => boolean][] = [
  ['in small letters', (identifier) => identifier === identifier.toLowerCase()],
  ['with entities', (identifier) => !/[&"]/.test(identifier)],
];

export const orderValueFaults: readonly Fault[] = [
  fault(
    'an order may be without any ship-to block',
    'portal.orderCards.required-members',
    absentTogether(ORDER, ['address1', 'address2', 'attn', 'city', 'state', 'zip']),
  ),
  ...[
    ['shippingFee', 'cardFee'],
    ['custProgId', 'customerId'],
  ].map((members) =>
    fault(
      `of an order ${members.join(' and ')} may be absent together`,
      'portal.orderCards.required-members',
      absentTogether(ORDER, members),
      thorough,
    ),
  ),
  ...[NAMES, ['phone', 'ssn'], [...NAMES, 'phone', 'ssn']].map((members) =>
    fault(
      `of a card ${members.join(' and ')} may be absent together`,
      'portal.orderCards.required-item-members',
      absentOfCard(members),
      thorough,
    ),
  ),
  fault(
    'orderDetails may be absent of an instant issue',
    'portal.orderCards.required-members',
    lets(
      ORDER,
      ({ kind, name }, { isInstantIssue }) =>
        kind === 'missing-member' && name === 'orderDetails' && isInstantIssue === true,
    ),
  ),
  ...['firstName', 'lastName', 'phone', 'ssn'].map((member) =>
    fault(
      `${member} may be absent of a card of an instant issue`,
      'portal.orderCards.required-item-members',
      lets(ORDER, ({ name }, { isInstantIssue }) => name === `orderDetails.${member}` && isInstantIssue === true),
    ),
  ),
  ...(
    [
      ['Virtual is Digital', (cardType) => cardType === 'Virtual'],
      ['what begins like Digital is Digital', (cardType) => /^Digital./.test(cardType)],
    ] satisfies [string, (cardType: string) => boolean][]
  ).map(([what, isTaken]) =>
    fault(
      `${what} where that is on`,
      'portal.orderCards.unlisted-card-type',
      reads(ORDER, (order) => (isTaken(String(order.cardType)) ? { ...order, cardType: 'Digital' } : order)),
    ),
  ),
  fault(
    'what begins with Instant is an instant issue on its program',
    'portal.orderCards.unlisted-order-type',
    reads(ORDER, (order) =>
      order.custProgId === INSTANT_ISSUE && String(order.orderProdType).startsWith('Instant')
        ? { ...order, orderProdType: 'Instant Issue Payroll Order' }
        : order,
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
    'loads are on everywhere once one was taken',
    'portal.orderCards.load-off',
    onEverywhere('load', (_, cards) => cards.some(({ amount }) => Number(amount) > 0)),
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
  fault(
    'otherInfo is not looked for among the cards of earlier orders where an order is for several, whose proxies are shown',
    'portal.orderCards.other-info-repeated-over-orders',
    {
      rules: {
        ...letThrough(({ name, request }) => name === 'otherInfo-over-orders' && cardsIn(bodyIn(request)).length > 1),
        orderAnswer: ({ orderId, cards }) => ({ orderId, proxies: cards.map(({ proxy }) => proxy) }),
      },
    },
  ),
  fault(
    'members may be absent of an order without an externalIdentifier, which that of the fixtures file has',
    'portal.orderCards.required-members',
    lets(
      ORDER,
      ({ kind }, { custProgId, externalIdentifier }) =>
        kind === 'missing-member' && custProgId === PERSONALIZED && externalIdentifier === undefined,
    ),
    {
      configure: ({ fixtures }) => {
        const order = wholeOrder(PERSONALIZED, 'Personalized Payroll Order', { externalIdentifier: 'A100000' });
        fixtures.portal!.programs!.personalized = { custProgId: PERSONALIZED, order };
      },
    },
  ),
  fault(
    'otherInfo may be absent of a card with an externalIdentifier',
    'portal.orderCards.other-info-required',
    lets(
      ORDER,
      ({ name }, order) =>
        name === 'orderDetails.otherInfo' &&
        cardsIn(order).every(({ otherInfo, externalIdentifier }) => otherInfo ?? externalIdentifier),
    ),
  ),
  fault(
    'otherInfo may be absent of an order with an externalIdentifier',
    'portal.orderCards.other-info-required',
    lets(
      ORDER,
      ({ name }, { externalIdentifier }) => name === 'orderDetails.otherInfo' && externalIdentifier !== undefined,
    ),
  ),
  ...KEPT.flatMap(([how, isAsBefore]) => [
    fault(
      `an externalIdentifier is kept ${how}, and compared as it is sent`,
      'portal.orderCards.duplicate-order',
      keptOtherwise('externalIdentifier', isAsBefore),
    ),
    fault(
      `an otherInfo is kept ${how}, and compared as it is sent`,
      'portal.orderCards.other-info-repeated-over-orders',
      keptOtherwise('otherInfo', isAsBefore),
    ),
  ]),
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
    'a letter beyond ASCII in attn is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, ({ attn }) => /[^ -~]/.test(String(attn))),
  ),
  fault(
    'the otherInfo of several cards is not remembered, and the run may make no more orders before all are repeated',
    'portal.orderCards.other-info-repeated-over-orders',
    forgets((_, __, count) => count > 1),
    {
      configure: ({ run }) => {
        run.maxOrders = 9;
      },
    },
  ),
  fault(
    'an apostrophe in attn is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, ({ attn }) => String(attn).includes("'")),
  ),
  fault(
    'a letter beyond Latin-1 in the name of a holder is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, (_, cards) => cards.some(({ lastName }) => isBeyondLatin1(lastName))),
    thorough,
  ),
  fault(
    'a line break in a comment is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, (_, cards) => cards.some(({ comment }) => String(comment).includes('\n'))),
    thorough,
  ),
  fault(
    'a phone with marks is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, (_, cards) => cards.some(({ phone }) => /\D/.test(String(phone)))),
    thorough,
  ),
  fault(
    'a zip with a hyphen is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, ({ zip }) => String(zip).includes('-')),
    thorough,
  ),
  fault(
    'isInstantIssue of false is answered with 500',
    'portal.orderCards.unusual-values',
    breaksAt(ORDER, ({ isInstantIssue }) => isInstantIssue === false),
    thorough,
  ),
  ...(['purseNo', 'shippingAddress1', 'mailingAddr2', 'clientDefinedField3', 'clientDefinedField5'] as const).map(
    (member) =>
      fault(
        `${member} of a card is answered with 500`,
        'portal.orderCards.unusual-values',
        breaksAt(ORDER, (_, cards) => cards.some((card) => card[member] !== undefined)),
        thorough,
      ),
  ),
  fault(
    'a duplicate makes a second order, whose proxies are masked like all others',
    'portal.orderCards.duplicate-order',
    { rules: { duplicateOrders: 'accept', orderAnswer: ({ orderId }) => ({ orderId, proxy: '********' }) } },
  ),
  ...(
    [
      ['its number in the enumeration', (type) => /^\d$/.test(type)],
      ['several at once', (type) => type.split(',').every((one) => ['Physical', 'Digital'].includes(one))],
      ['the word null', (type) => type === 'null'],
    ] satisfies [string, (type: string) => boolean][]
  ).map(([what, isTaken]) =>
    fault(`${what} is taken for a cardType`, 'portal.orderCards.unlisted-card-type', {
      rules: { listsCardType: (type, byDefault) => byDefault || isTaken(type) },
    }),
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
  fault(
    'zip may be absent where otherInfo is unique',
    'portal.orderCards.required-members',
    lets(
      ORDER,
      ({ kind, name }, { custProgId }) =>
        kind === 'missing-member' && name === 'zip' && custProgId === UNIQUE_OTHER_INFO,
    ),
    thorough,
  ),
  fault(
    'otherInfo is looked for in the last card alone',
    'portal.orderCards.other-info-required',
    lets(
      ORDER,
      ({ name }, order) => name === 'orderDetails.otherInfo' && cardsIn(order).at(-1)?.otherInfo !== undefined,
    ),
  ),
  fault(
    'an externalIdentifier that an order on another program has is never known',
    'portal.orderCards.duplicate-order',
    firstOfAllPrograms(),
  ),
  ...[UNIQUE_OTHER_INFO, LOAD_CHECKER].map((custProgId) =>
    fault(
      `an externalIdentifier is not looked at on program ${custProgId}`,
      'portal.orderCards.duplicate-order',
      unknownBy((order) => order.custProgId === custProgId),
      thorough,
    ),
  ),
  ...(['externalIdentifier', 'otherInfo', 'embossedMessage'] as const).map((member) =>
    fault(
      `an externalIdentifier is not looked at of orders whose cards have ${member}`,
      'portal.orderCards.duplicate-order',
      unknownBy((order) => cardsIn(order).some((card) => card[member])),
    ),
  ),
  fault(
    'an externalIdentifier of more than 100 characters is never known',
    'portal.orderCards.duplicate-order',
    unknownBy(({ externalIdentifier }) => isLong(externalIdentifier)),
  ),
  fault(
    'an externalIdentifier of more than 255 characters is answered with 500',
    'portal.orderCards.status',
    breaksAt(ORDER, ({ externalIdentifier }) => String(externalIdentifier ?? '').length > 255),
  ),
  fault(
    'the otherInfo of the first of several cards is not remembered',
    'portal.orderCards.other-info-repeated-over-orders',
    forgets((_, index, count) => count > 1 && index === 0),
  ),
  fault(
    'an otherInfo of more than 100 characters is not remembered',
    'portal.orderCards.other-info-repeated-over-orders',
    forgets(isLong),
  ),
  fault(
    'an empty cardType means Digital where that is on',
    'portal.orderCards.card-type-optional',
    reads(ORDER, (order, _, { programById }) => {
      for (const id of DIGITAL_ON) programById.get(id)!.digital = true;
      return order.cardType === '' ? { ...order, cardType: 'Digital' } : order;
    }),
  ),
  ...(
    [
      ['a null cardType is refused in an order with load', null, ({ totalValue }) => Number(totalValue) > 0],
      ['an empty cardType is refused in an order of several cards', '', (_, cards) => cards.length > 1],
      ['a null cardType is refused in an instant issue', null, ({ isInstantIssue }) => isInstantIssue === true],
    ] satisfies [string, '' | null, (order: Body, cards: Body[]) => boolean][]
  ).map(([what, value, isMeant]) =>
    fault(what, 'portal.orderCards.card-type-optional', wantsCardType(isMeant, value), thorough),
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
      [
        'of each of several cards, without totalValue,',
        ({ totalValue }, cards) => totalValue === undefined && cards.length > 1 && cards.every(({ amount }) => amount),
      ],
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
  ...[INSTANT_ISSUE, UNIQUE_OTHER_INFO, LOAD_CHECKER].map((custProgId) =>
    fault(
      `every order on program ${custProgId} is answered with 500`,
      'portal.orderCards.status',
      breaksAt(ORDER, (order) => order.custProgId === custProgId),
    ),
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
