/** Bodies of orders, made up or from the fixtures file, with fresh unique values each time. */
import { createHash } from 'node:crypto';
import type { FixtureProgram } from '../../../contracts/fixtures.ts';
import { FICTIONAL_ADDRESS } from '../../../contracts/v1/fictional.ts';
import { type Answer, bodyOf, isObject } from '../../../helpers/answer.ts';
import { namesListed } from '../../../helpers/cards/discovery.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { inconclusive, optional } from '../../../helpers/verdict.ts';
import type * as Customers from '../scenarios/customers.ts';
import * as Holders from './holders.ts';

/** The body of an order, or one of its cards. */
export type Body = Record<string, unknown>;

/** The body that an order was sent with, and its cards. */
export const orderIn = ({ input }: Answer) => input.json as Body;
export const cardsIn = (order: Answer): Body[] => cardsOf(orderIn(order));

/** Keys of portal.programs whose orders need nothing in particular; the likeliest come first. */
export const PLAIN_PROGRAMS = ['personalized', 'other', 'digitalOff', 'loadOff', 'loadOn', 'digitalOn'] as const;
/** All keys of portal.programs in the fixtures file. */
export const PROGRAMS = [...PLAIN_PROGRAMS, 'instantIssue', 'uniqueOtherInfo', 'duplicateLoadChecker'] as const;
export type ProgramKey = (typeof PROGRAMS)[number];

/** A program to order from. */
export interface Program {
  key: ProgramKey;
  custProgId: Customers.CustomerId;
  /** A complete order that it takes, if the fixtures file gives one. */
  order: Body | undefined;
  /** Whether its cards need an otherInfo of their own. */
  wantsOtherInfo: boolean;
}

/** A program of the fixtures file; undefined when it is not given. */
export function programOf({ fixtures }: Pick<Context, 'fixtures'>, key: ProgramKey): Program | undefined {
  const programs = fixtures.portal?.programs ?? {};
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

/** Those of some keys that are given, by default of all. */
export const programsOf = (t: Context, keys: readonly ProgramKey[] = PROGRAMS): Program[] =>
  keys.flatMap((key) => programOf(t, key) ?? []);

const idOf = (given: FixtureProgram): Customers.CustomerId => (typeof given === 'object' ? given.custProgId : given);

/** Members of a made-up order beyond the required ones. */
interface Extras {
  order: Body;
  card?: (holder: Body) => Body;
  /** Whether order and cards have an externalIdentifier. */
  isIdentified?: boolean;
}

/** The first shipping method that the target lists, as orders name it; nothing where there is none or the list is out of scope. */
export const listedMethod = scenario('shipping methods that orders name', async (t): Promise<Body> => {
  const list = await optional(t.call('portal.getShippingMethods', {}, { intent: 'refusable' }));
  const [shippingMethod] = list ? namesListed(bodyOf(list)) : [];
  return shippingMethod ? { shippingMethod } : {};
});

/** Extras to try one after the other until the program takes an order. */
export async function* extrasFor(t: Context, { key }: Program): AsyncGenerator<Extras> {
  const kind = key === 'instantIssue' ? { isInstantIssue: true, qty: 1 } : {};
  yield { order: kind };
  if (key === 'digitalOn') yield { order: { cardType: 'Digital' } };
  const method = await t.shared(listedMethod);
  yield {
    isIdentified: true,
    order: { ...kind, cardType: 'Physical', totalValue: 0, ...method },
    card: (holder) => ({ ...Holders.detailsOf(holder), ...method }),
  };
}

/** Builds an order of some cards from the required members, those `of` its customer and type, and the extras. */
export function build(t: Context, program: Program, of: Body, extras: Extras, cards: number): Body {
  const { custProgId, wantsOtherInfo } = program;
  const identifier = () => extras.isIdentified && { externalIdentifier: freshIdentifier(t) };
  return {
    ...FICTIONAL_ADDRESS,
    custProgId,
    shippingFee: 0,
    cardFee: 0,
    orderDetails: Array.from({ length: cards }, () => {
      const holder = { ...Holders.anotherHolder(t), ssn: madeUpSsn(t) };
      const otherInfo = wantsOtherInfo && { otherInfo: freshIdentifier(t) };
      return { ...holder, ...otherInfo, ...identifier(), ...extras.card?.(holder) };
    }),
    ...of,
    ...identifier(),
    ...extras.order,
  };
}

/**
 * Renews the unique values of an order of the fixtures file and keeps everything else, except the total of a load if the number of cards
 * changes. Additional cards are for holders that differ in ssn only.
 * @param cards their number; by default that of the order
 */
export function withFreshIdentifiers(t: Context, program: Program, order: Body, cards?: number): Body {
  const given = cardsOf(order);
  const further = (): Body => ({ ...given[0], ...('ssn' in (given[0] ?? {}) ? { ssn: madeUpSsn(t) } : {}) });
  const wanted = cards === undefined ? given : Array.from({ length: cards }, (_, n) => given[n] ?? further());
  const isOther = wanted.length !== given.length && 'totalValue' in order && isLoad(order);
  return {
    custProgId: program.custProgId,
    ...renewed(t, order),
    ...(isOther && { totalValue: totalOf(wanted) }),
    orderDetails: wanted.map((card) => ({
      ...renewed(t, card),
      ...(('otherInfo' in card || program.wantsOtherInfo) && { otherInfo: freshIdentifier(t, card.otherInfo) }),
    })),
  };
}

/** Tries after which a form counts as used up. */
const MOST_TRIES = 1000;

/**
 * An identifier that no other order has. It keeps the form of the given one, varying digits and, if these are few, letters
 * too (reading 48); without one it is twelve digits.
 * @throws Inconclusive; see {@link unusedOf}
 */
export function freshIdentifier(t: Context, like?: unknown): string {
  if (typeof like !== 'string' || !/[A-Za-z0-9]/.test(like)) return unusedOf(t, () => t.run.uniqueDigits());
  if (Forms.UUID.test(like)) return Forms.invented(like);
  // Of four digits there are enough variations without other letters.
  const varied = like.replaceAll(/[^0-9]/g, '').length >= 4 ? /[0-9]/g : /[A-Za-z0-9]/g;
  // One character in ten is kept, so that every identifier of the form can occur.
  const vary = (character: string) => (Math.random() < 0.1 ? character : Forms.another(character));
  return unusedOf(t, () => like.replaceAll(varied, vary));
}

/** The first identifier made that no other order has. @throws Inconclusive when all of the form are used up */
export function unusedOf(t: Context, make: () => string): string {
  const known = t.run.once(unusedOf, () => new Set<string>());
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const made = make();
    if (known.has(made)) continue;
    known.add(made);
    return made;
  }
  return inconclusive(
    'all identifiers like the one in portal.programs are used up: give a longer one in the fixtures file',
  );
}

export const cardsOf = ({ orderDetails }: Body): Body[] =>
  Array.isArray(orderDetails) ? orderDetails.filter(isObject) : [];

/** The order with each of its cards changed, or having these members. */
export const withCards = (order: Body, change: Body | ((card: Body, index: number) => Body)): Body => ({
  ...order,
  orderDetails: cardsOf(order).map(typeof change === 'function' ? change : (card) => ({ ...card, ...change })),
});

/** The order without these members, at top level and in its cards. */
export const withoutAnywhere = (order: Body, ...names: readonly string[]): Body =>
  withCards(without(order, ...names), (card) => without(card, ...names));

/** Members of a card whose values the client defines. */
export const CLIENT_DEFINED = Object.fromEntries(
  ['one', 'two', 'three', 'four', 'five'].map((value, index) => [`clientDefinedField${index + 1}`, value]),
);

/** Adds details of the holder to each card; those that the order has are kept. */
export const withDetails = (order: Body): Body => withCards(order, (card) => ({ ...Holders.detailsOf(card), ...card }));

/** The order or card with a fresh externalIdentifier, in the form of the one that it has. */
export const identified = (t: Context, body: Body): Body & { externalIdentifier: string } => ({
  ...body,
  externalIdentifier: freshIdentifier(t, body.externalIdentifier),
});

/** The same, where it has one. */
export const renewed = (t: Context, body: Body): Body => ('externalIdentifier' in body ? identified(t, body) : body);

/** The order with an externalIdentifier for each card, too. */
export const withCardIdentifiers = (t: Context, order: Body): Body =>
  withCards(order, (card) => ({ externalIdentifier: freshIdentifier(t), ...card }));

/** Load amounts to try, in units of the currency: the documents name no minimum, maximum or step (reading 47). */
export const LOADS = [10, 20, 25, 50, 100, 5, 1, 200, 500] as const;
export const LARGEST_LOAD = Math.max(...LOADS);
/** Those of them that most rules allow. */
export const USUAL_LOADS = [10, 100] as const;

export const isLoad = (order: Body): boolean => cardsOf(order).some((card) => Number(card.amount) > 0);

/**
 * Adds an amount per card, the total, and externalIdentifiers at both levels (Order rules, 4); values that the order has are kept.
 * @param amount of each card, in whole units of the currency
 */
export function withLoad(t: Context, order: Body, amount: number): Body {
  const loaded = isLoad(order) ? order : withCards(without(order, 'totalValue'), { amount });
  return {
    totalValue: totalOf(cardsOf(loaded)),
    externalIdentifier: freshIdentifier(t),
    ...withCardIdentifiers(t, loaded),
  };
}

/** The overall load amount of the cards, in whole units of the currency. */
const totalOf = (cards: readonly Body[]): number =>
  Math.round(cards.reduce((sum, { amount }) => sum + (Number(amount) || 0), 0));

/** The order with all that is optional of a card or an order, and plain. */
export const withAllOptional = (t: Context, order: Body): Body =>
  withCards(
    { host: 'Prepaid', campaignName: 'Spring', reasonCode: 'NEW', ...identified(t, withDetails(order)) },
    (card) => ({
      purseNo: 1,
      comment: 'Spring',
      embossedMessage: 'Card',
      otherInfo: freshIdentifier(t),
      externalIdentifier: freshIdentifier(t),
      ...card,
    }),
  );

export const isDigital = ({ cardType }: Body): boolean => cardType === 'Digital';

export const asPhysical = (order: Body): Body => ({ ...order, cardType: 'Physical' });

/** The order as an instant issue of one card (Order rules, 1). */
export const asInstantIssue = (order: Body): Body => ({ ...order, isInstantIssue: true, qty: 1 });

/** The order for Digital cards, without shippingMethod (Order rules, 3). */
export const asDigital = (order: Body): Body => ({ ...withoutAnywhere(order, 'shippingMethod'), cardType: 'Digital' });

/** A made-up social security number, different each time. */
function madeUpSsn(t: Context): string {
  const number = createHash('sha256').update(t.unique('holder')).digest().readUInt32BE(0);
  return [510 + (number % 50), 10 + (number % 89), 1000 + (number % 8999)].join('');
}
