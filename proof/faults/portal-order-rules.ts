/** Faults of the rules that an order is held against: its types, its members, and the options of its program. */
import { bodyIn, cardsIn, letThrough, thorough } from './broken.ts';
import type { Fault } from './fault.ts';
import { fault } from './portal-broken.ts';

const ORDER = 'portal.orderCards';

const lacksInCard = (member: string, isMeant: (index: number, count: number) => boolean) =>
  letThrough(({ operation, name, request }) => {
    const cards = cardsIn(bodyIn(request));
    const lacking = cards.findIndex((card) => card[member] === undefined);
    return operation === ORDER && name === `orderDetails.${member}` && isMeant(lacking, cards.length);
  });

export const orderRuleFaults: readonly Fault[] = [
  fault(
    'zip may be absent of an instant issue order',
    'portal.orderCards.required-members',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === ORDER && kind === 'missing-member' && name === 'zip' && bodyIn(request).isInstantIssue === true,
      ),
    },
    thorough,
  ),
  fault(
    'city may be absent of an order for Digital cards',
    'portal.orderCards.required-members',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === ORDER && kind === 'missing-member' && name === 'city' && bodyIn(request).cardType === 'Digital',
      ),
    },
    thorough,
  ),
  fault(
    'shippingFee may be absent of an order with load',
    'portal.orderCards.required-members',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === ORDER &&
          kind === 'missing-member' &&
          name === 'shippingFee' &&
          Boolean(bodyIn(request).totalValue),
      ),
    },
    thorough,
  ),
  fault('phone may be absent of the third card', 'portal.orderCards.required-item-members', {
    rules: lacksInCard('phone', (index) => index === 2),
  }),
  fault(
    'ssn may be absent of a card in the middle',
    'portal.orderCards.required-item-members',
    { rules: lacksInCard('ssn', (index, count) => index > 0 && index < count - 1) },
    thorough,
  ),
  fault('lastName may be absent of the first of several cards', 'portal.orderCards.required-item-members', {
    rules: lacksInCard('lastName', (index, count) => index === 0 && count > 1),
  }),
  fault('amounts without totalValue are taken where load is off', 'portal.orderCards.load-off', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER &&
        bodyIn(request).totalValue === undefined &&
        ((kind === 'program-option' && name === 'load') ||
          (kind === 'missing-member' && /totalValue|externalId/.test(name))),
    ),
  }),
  fault('an order with load is taken without externalIdentifier where load is off', 'portal.orderCards.load-off', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER &&
        bodyIn(request).externalIdentifier === undefined &&
        ((kind === 'program-option' && name === 'load') || (kind === 'missing-member' && /externalId/.test(name))),
    ),
  }),
  fault(
    'an order without cardType is refused, and no order of the fixtures has one',
    'portal.orderCards.card-type-optional',
    {
      rules: {
        alsoRefuses: (request) =>
          request.operation === ORDER && bodyIn(request).cardType === undefined
            ? { kind: 'missing-member', name: 'cardType' }
            : undefined,
      },
    },
    {
      configure: ({ fixtures }) => {
        const { personalized } = fixtures.portal!.programs!;
        fixtures.portal!.programs = { personalized: personalized! };
      },
    },
  ),
  fault('an order for a customer of another partner is taken', 'portal.orderCards.foreign-customer', {
    rules: letThrough(
      ({ operation, kind, name }) =>
        operation === ORDER && (kind === 'foreign' || (kind === 'mismatch' && name === 'custProgId')),
    ),
  }),
  {
    name: 'every order wants a totalValue',
    condemns: ['portal.orderCards.required-only'],
    sandbox: {
      rules: {
        requires: (operation, name, byDefault) =>
          (operation === 'portal.orderCards' && name === 'totalValue') || byDefault,
      },
    },
  },
  {
    name: 'otherInfo is required of the first card alone',
    condemns: ['portal.orderCards.other-info-required'],
    sandbox: {
      rules: letThrough(({ name, request }) => {
        const { orderDetails } = (request.body ?? {}) as { orderDetails?: unknown };
        const first = (Array.isArray(orderDetails) ? orderDetails[0] : undefined) as
          | { otherInfo?: unknown }
          | undefined;
        return name === 'orderDetails.otherInfo' && first?.otherInfo !== undefined;
      }),
    },
  },
];
