/** Bodies of orders: made up, or from the fixtures file, with everything unique in them unique each time. */
import { createHash } from 'node:crypto';
import type { FixtureProgram } from '../../../contracts/fixtures.ts';
import { isObject } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/context.ts';
import type { CustomerId } from '../scenarios/customer-ids.ts';

export type Body = Record<string, unknown>;

/** Keys of portal.programs in the fixtures file; those that ask for nothing in particular of an order come first. */
export const PLAIN_PROGRAMS = ['personalized', 'other', 'digitalOff', 'loadOff', 'loadOn', 'digitalOn'] as const;
export const PROGRAMS = [...PLAIN_PROGRAMS, 'instantIssue', 'uniqueOtherInfo', 'duplicateLoadChecker'] as const;
export type ProgramKey = (typeof PROGRAMS)[number];

export interface Program {
  key: ProgramKey;
  custProgId: CustomerId;
  /** A whole order that it takes. */
  order: Body | undefined;
  /** Whether its cards need an otherInfo of their own. */
  wantsOtherInfo: boolean;
}

/** What the fixtures file says of a program; undefined when it says nothing. */
export function programOf(t: Context, key: ProgramKey): Program | undefined {
  const programs = t.fixtures.portal?.programs ?? {};
  const given = programs[key];
  if (given === undefined) return undefined;
  const unique = programs.uniqueOtherInfo;
  const custProgId = idOf(given);
  return {
    key,
    custProgId,
    order: typeof given === 'object' ? given.order : undefined,
    wantsOtherInfo: unique !== undefined && String(idOf(unique)) === String(custProgId),
  };
}

const idOf = (given: FixtureProgram): CustomerId => (typeof given === 'object' ? given.custProgId : given);

/** What a made-up order holds beside what is required of every order. */
export interface Extras {
  order: Body;
  card: Body;
}

/** An order of so many cards with the required members alone, and the extras. */
export function madeUpOrder(
  t: Context,
  { custProgId, wantsOtherInfo }: Program,
  customerId: CustomerId,
  orderProdType: string,
  extras: Extras,
  cards: number,
): Body {
  return {
    address1: '100 Main Street',
    address2: 'Suite 2',
    attn: 'Card Services',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    custProgId,
    shippingFee: 0,
    cardFee: 0,
    orderDetails: Array.from({ length: cards }, () => ({
      ...madeUpHolder(t),
      ...(wantsOtherInfo ? { otherInfo: t.unique('employee') } : {}),
      ...extras.card,
    })),
    orderProdType,
    customerId,
    ...extras.order,
  };
}

/** The order of the fixtures file for so many cards: as it is, with other identifiers; further cards are for other holders. */
export function renewedOrder(t: Context, program: Program, order: Body, cards?: number): Body {
  const given = cardsOf(order);
  const first = given[0] ?? {};
  const wanted =
    cards === undefined ? given : Array.from({ length: cards }, (_, n) => given[n] ?? { ...first, ...madeUpHolder(t) });
  return {
    custProgId: program.custProgId,
    ...order,
    ...('externalIdentifier' in order ? { externalIdentifier: t.unique('order') } : {}),
    orderDetails: wanted.map((card) => ({
      ...card,
      ...('externalIdentifier' in card ? { externalIdentifier: t.unique('load') } : {}),
      ...('otherInfo' in card || program.wantsOtherInfo ? { otherInfo: t.unique('employee') } : {}),
    })),
  };
}

/** The items of orderDetails. */
export function cardsOf(order: Body): Body[] {
  return Array.isArray(order.orderDetails) ? order.orderDetails.filter(isObject) : [];
}

/** The order with each of its cards changed. */
export const withCards = (order: Body, change: (card: Body, index: number) => Body): Body => ({
  ...order,
  orderDetails: cardsOf(order).map(change),
});

/** Dollars that each card of an order with load is loaded with. */
const LOAD = 10;

/** The order with an amount per card, the total and an externalIdentifier (Order rules, 4). */
export function withLoad(t: Context, order: Body): Body {
  const loaded = withCards(order, (card) => ({ ...card, amount: LOAD }));
  return { ...loaded, totalValue: LOAD * cardsOf(order).length, externalIdentifier: t.unique('order') };
}

/** The order for digital cards, without shipping method (Order rules, 3). */
export function asDigital(order: Body): Body {
  return {
    ...withCards(without(order, 'shippingMethod'), (card) => without(card, 'shippingMethod')),
    cardType: 'Digital',
  };
}

export function without(body: Body, name: string): Body {
  const { [name]: _, ...rest } = body;
  return rest;
}

/** A cardholder, another one each time. */
function madeUpHolder(t: Context): Body {
  const number = createHash('sha256').update(t.unique('holder')).digest().readUInt32BE(0);
  const ssn = [510 + (number % 50), 10 + (number % 89), 1000 + (number % 8999)].join('');
  return { firstName: 'Robin', lastName: 'Example', phone: '2175550100', ssn };
}
