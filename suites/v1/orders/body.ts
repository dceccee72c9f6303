/** Orders: required members of their bodies (readings 42 and 43). */
import { operation } from '../../../contracts/operations.ts';
import { REQUIRED_ITEM_MEMBERS } from '../../../contracts/v1/orders.ts';
import { writeJson } from '../../../files/json.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { skip } from '../../../helpers/verdict.ts';
import { expectWrongRefused, type Refusal, sendWrong } from '../../shared/right-twins.ts';
import { expectOperation } from '../scenarios/operation.ts';
import {
  type BaseOrder,
  baseAgain,
  expectOrderAccepted,
  ORDER,
  orderOfSeveral,
  plainOrder,
  requirePlainBase,
} from './base-orders.ts';
import { type Body, cardsOf, isLoad, withCards, without } from './bodies.ts';
import { DIGITAL, EMPLOYEE, INSTANT, type Kind, otherKinds, PHYSICAL, SEVERAL } from './kinds.ts';

const { check, suite } = defineSuite();
export const orderBodySuite = suite;

const REQUIRED = operation(ORDER).body!.requiredMembers;

/** Sends a malformed order. */
export const malformed = (t: Context, json: Body, alone = false) =>
  t.call(ORDER, { json }, { intent: 'malformed', alone });

/** Optional members that decide the kind of an order (Order rules): instant issue (1), load (4), otherInfo (5). */
const OF_ITS_KIND = ['isInstantIssue', 'qty'];
const OF_A_LOAD = ['totalValue', 'externalIdentifier'];
const CARD_OF_ITS_KIND = ['otherInfo'];
const CARD_OF_A_LOAD = ['amount', 'externalIdentifier'];

/** The order without optional members, at top level and in its cards, except those that decide its kind. */
function leastOf(order: Body): Body {
  const having = (names: readonly string[]) => (body: Body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
  const load = isLoad(order);
  return withCards(
    having([...REQUIRED, ...OF_ITS_KIND, ...(load ? OF_A_LOAD : [])])(order),
    having([...REQUIRED_ITEM_MEMBERS, ...CARD_OF_ITS_KIND, ...(load ? CARD_OF_A_LOAD : [])]),
  );
}

check('portal.orderCards.required-only', 'required members of order and card', async (t) => {
  await expectOperation(t, (await t.shared(plainOrder)).answer, {});
  const base = await requirePhysicalBase(t);
  const order = base.answer.input.json as Body;
  if (sameMembers(leastOf(order), order)) return;
  await expectOrderAccepted(t, base, 'an order with the required members alone', () => leastOf(base.make()));
});

const sameMembers = (one: Body, other: Body) => writeJson(one) === writeJson(other);

/** The base order of a plain program that takes physical cards. @throws Skipped, Inconclusive */
export async function requirePhysicalBase(t: Context): Promise<BaseOrder> {
  const found = await requirePlainBase(t);
  const { cardType } = found.answer.input.json as Body;
  return cardType === 'Digital' ? skip('needs a program in portal.programs that takes physical cards') : found;
}

const withoutBody = scenario(
  'orders without a body',
  async (t): Promise<Refusal[]> => [
    {
      what: 'an order of zero bytes declared as JSON',
      answer: await t.call(ORDER, { emptyJson: true }, { intent: 'malformed' }),
    },
    {
      what: 'an order of zero bytes without Content-Type',
      answer: await t.call(ORDER, {}, { intent: 'malformed' }),
    },
  ],
);

/** Expects orders to be refused while the plain base order is accepted. @throws Nonconformance, Inconclusive; see {@link expectWrongRefused} */
export async function expectOrdersRefused(t: Context, refusals: readonly Refusal[]) {
  await expectWrongRefused(t, baseAgain(await requirePlainBase(t)), refusals);
}

check('portal.orderCards.missing-body', 'zero bytes, with and without Content-Type', async (t) => {
  await requirePlainBase(t);
  await expectOrdersRefused(t, await t.shared(withoutBody));
});

check('portal.orderCards.missing-body-400', 'zero bytes, with and without Content-Type', async (t) => {
  await requirePlainBase(t);
  const [declared, undeclared] = await t.shared(withoutBody);
  await expectOrdersRefused(t, [
    { ...declared!, statuses: [400] },
    { ...undeclared!, statuses: [400, 415] },
  ]);
});

/** Whether a kind of order is tried only without a member, because its values are those of the plain one. */
export const isForMembersAlone = ({ kind }: Kind) => kind === PHYSICAL || kind === EMPLOYEE;

/** Pairs each member with one of the other kinds by the seed; N consecutive seeds cover N kinds. */
function lackedByOtherKinds(
  t: Context,
  members: readonly string[],
  kinds: readonly Kind[],
): (Kind & { name: string })[] {
  const { seed, thorough } = t.run.configuration.run;
  const tried = members.flatMap((name, index) =>
    kinds.flatMap((of, place) => (thorough || place === (seed + index) % kinds.length ? [{ ...of, name }] : [])),
  );
  const inWords = tried.map(({ kind, name }) => `${kind} without ${name}`);
  t.run.recordRotation('orders of other kinds without a member', inWords, kinds.length * members.length);
  return tried;
}

/** Members that belong together: a lenient target may do without all of them, though it requires each beside the others. */
const SHIP_TO = ['address1', 'address2', 'attn', 'city', 'state', 'zip'];
const WHOLES: readonly (readonly string[])[] = [
  ['shippingFee', 'cardFee'],
  ['custProgId', 'customerId'],
];

/** Orders without one required member, and without several. */
export const withoutMembers = scenario('orders without a required member', async (t): Promise<Refusal[]> => {
  const { make } = await requirePlainBase(t);
  const { seed } = t.run.configuration.run;
  const kinds = await otherKinds(t);
  // Half of them like an accepted order, the other half without anything that might stand in for the missing member.
  const makeFor = (index: number) => ((seed + index) % 2 === 0 ? make : () => leastOf(make()));
  const plain = REQUIRED.map((name, index) => ({ kind: 'an order', make: makeFor(index), names: [name] }));
  const wholes = [SHIP_TO, ...rotated(t.run, 'orders without several members', WHOLES)].map((names) => ({
    kind: 'an order',
    make,
    names,
  }));
  // Cards of an instant issue are for nobody in particular, so a target may not ask for orderDetails.
  const instant = kinds.filter(({ kind }) => kind === INSTANT).map((of) => ({ ...of, names: ['orderDetails'] }));
  const others = lackedByOtherKinds(t, REQUIRED, kinds).map((of) => ({ ...of, names: [of.name] }));
  return sendWrong(
    [...plain, ...wholes, ...instant, ...others].map((of) => ({
      what: `${of.kind} without ${of.names.join(' and ')}`,
      send: (alone) => malformed(t, of.names.reduce(without, of.make()), alone),
    })),
  );
});

/** Members of a card that a lenient target may do without together. */
const CARD_WHOLES: readonly (readonly string[])[] = [
  ['firstName', 'lastName'],
  ['phone', 'ssn'],
  ['firstName', 'lastName', 'phone', 'ssn'],
];

/**
 * Orders whose card lacks a required member: in an order of one card, in the first and the last card of an order of several where these are
 * accepted, in Digital and instant issue orders; one member each in the cards between, and in orders of other kinds.
 */
export const withoutCardMembers = scenario(
  'orders without a required member of a card',
  async (t): Promise<Refusal[]> => {
    const { make } = await requirePlainBase(t);
    const several = await t.shared(orderOfSeveral);
    const count = succeeded(several) ? cardsOf(several.input.json as Body).length : 0;
    const kinds = await otherKinds(t);
    const isAlways = ({ kind }: Kind) => kind === DIGITAL || kind === INSTANT;
    const ofSeveral = Array.from({ length: count }, (_, place) => ({
      of: `card ${place + 1} of ${count}`,
      order: () => make(count),
      place,
    }));
    const places = [
      { of: 'a card', order: () => make(1), place: 0 },
      ...ofSeveral.filter(({ place }) => [0, count - 1].includes(place)),
      ...kinds.filter(isAlways).map((of) => ({ of: `a card in ${of.kind}`, order: () => of.make(1), place: 0 })),
    ];
    const isOther = (one: Kind) => !isAlways(one) && one.kind !== SEVERAL;
    const others = lackedByOtherKinds(t, REQUIRED_ITEM_MEMBERS, kinds.filter(isOther)).map(({ kind, make, name }) => ({
      of: `a card in ${kind}`,
      order: () => make(1),
      place: 0,
      names: [name],
    }));
    const wholes = rotated(t.run, 'cards without several members', CARD_WHOLES).map((names) => ({
      of: 'a card of two',
      order: () => make(2),
      place: 1,
      names,
    }));
    const between = ofSeveral.slice(1, -1).flatMap((at) =>
      rotated(t.run, `orders without a required member of ${at.of}`, REQUIRED_ITEM_MEMBERS).map((name) => ({
        ...at,
        names: [name],
      })),
    );
    const each = places.flatMap((at) => REQUIRED_ITEM_MEMBERS.map((name) => ({ ...at, names: [name] })));
    return sendWrong(
      [...each, ...between, ...others, ...wholes].map(({ of, order, place, names }) => ({
        what: `an order without ${names.join(' and ')} of ${of}`,
        send: (alone) =>
          malformed(
            t,
            withCards(order(), (card, index) => (index === place ? names.reduce(without, card) : card)),
            alone,
          ),
      })),
    );
  },
);

check('portal.orderCards.required-members', 'each of the order', async (t) =>
  expectOrdersRefused(t, await t.shared(withoutMembers)),
);

check('portal.orderCards.required-item-members', 'each of the card', async (t) =>
  expectOrdersRefused(t, await t.shared(withoutCardMembers)),
);
