/** Orders: what is required of their bodies, and which values their members take (readings 42 and 43). */

import { operation } from '../../../contracts/operations.ts';
import { REQUIRED_ITEM_MEMBERS } from '../../../contracts/v1/orders.ts';
import { writeJson } from '../../../files/json.ts';
import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { accepted, expectRefused, expectStatus } from '../../../helpers/expect.ts';
import { fail, skip } from '../../../helpers/verdict.ts';
import { wrongTypes } from '../../shared/wrong-types.ts';
import { inSession } from '../scenarios/session-lifecycle.ts';
import { type BaseOrder, baseOrders, isPlain, ORDER, orderOfTwo, plainBase, plainOrder } from './base-orders.ts';
import { asDigital, type Body, cardsOf, programOf, withCards, without } from './bodies.ts';

const { check, suite } = defineSuite();
export const ordersSuite = suite;

const REQUIRED = operation(ORDER).body!.requiredMembers;

const refusable = (t: Context, json: Body) => t.call(ORDER, { json }, { intent: 'refusable' });
const malformed = (t: Context, json: Body) => t.call(ORDER, { json }, { intent: 'malformed' });

/** The order without any optional member, at top level and in its cards. */
function leastOf(order: Body): Body {
  const required = (names: readonly string[]) => (body: Body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
  return withCards(required(REQUIRED)(order), required(REQUIRED_ITEM_MEMBERS));
}

check(
  'portal.orderCards.required-only',
  'required members of order and card',
  inSession(async (t) => {
    await isThere(t);
    const { make, answer, program } = await physicalBase(t);
    if (!isPlain(program)) skip('needs a program in portal.programs that asks for nothing beside what is required');
    const order = make();
    const least = leastOf(order);
    accepted(
      sameMembers(least, order) ? answer : await refusable(t, least),
      'an order with the required members alone',
    );
  }),
);

const sameMembers = (one: Body, other: Body) => writeJson(one) === writeJson(other);

/** What answers alike with and without a body, by a status that says that nothing is there, takes no orders. @throws Nonconformance */
async function isThere(t: Context): Promise<void> {
  const { answer } = await t.shared(plainOrder);
  if (![404, 405, 501].includes(answer.status)) return;
  const { status } = (await t.shared(withoutBody))[0]!.answer;
  if (status === answer.status)
    fail(`orders are answered with status ${status}, and so is a request without body`, {
      expected: 'an operation that takes orders',
      actual: describe(answer),
    });
}

/** The base order of a plain program that takes physical cards. @throws Skipped, Inconclusive */
async function physicalBase(t: Context): Promise<BaseOrder> {
  const found = await plainBase(t);
  const { cardType } = found.answer.input.json as Body;
  return cardType === 'Digital' ? skip('needs a program in portal.programs that takes physical cards') : found;
}

interface Refusal {
  what: string;
  answer: Answer;
}

const withoutBody = scenario(
  'orders without a body',
  async (t): Promise<Refusal[]> => [
    { what: 'zero bytes declared as JSON', answer: await t.call(ORDER, { emptyJson: true }, { intent: 'malformed' }) },
    { what: 'zero bytes without Content-Type', answer: await t.call(ORDER, {}, { intent: 'malformed' }) },
  ],
);

check(
  'portal.orderCards.missing-body',
  'zero bytes, with and without Content-Type',
  inSession(async (t) => {
    await plainBase(t);
    for (const { what, answer } of await t.shared(withoutBody)) expectRefused(answer, `an order of ${what}`);
  }),
);

check(
  'portal.orderCards.missing-body-400',
  'zero bytes, with and without Content-Type',
  inSession(async (t) => {
    await plainBase(t);
    for (const { what, answer } of await t.shared(withoutBody)) expectStatus(answer, [400], `an order of ${what}`);
  }),
);

const withoutMembers = scenario('orders without a required member', async (t): Promise<Refusal[]> => {
  const { make } = await plainBase(t);
  return Promise.all(REQUIRED.map(async (name) => ({ what: name, answer: await malformed(t, without(make(), name)) })));
});

/** Orders of one Digital card, by a program that takes them; undefined where none is known. */
async function digitalOrders(t: Context): Promise<(() => Body) | undefined> {
  if (!programOf(t, 'digitalOn')) return undefined;
  const { make, answer } = await t.shared(baseOrders.digitalOn);
  return succeeded(answer) ? () => asDigital(make(1)) : undefined;
}

/** In an order of one card, in the second of two, and in one of a Digital card, where such orders are accepted. */
const withoutCardMembers = scenario('orders without a required member of a card', async (t): Promise<Refusal[]> => {
  const { make } = await plainBase(t);
  const sizes = succeeded(await t.shared(orderOfTwo)) ? [1, 2] : [1];
  const digital = await digitalOrders(t);
  const kinds = [
    ...sizes.map((size) => ({ of: size === 1 ? '' : ' of its second card', order: () => make(size) })),
    ...(digital ? [{ of: ' of its Digital card', order: digital }] : []),
  ];
  const probes = kinds.flatMap((kind) => REQUIRED_ITEM_MEMBERS.map((name) => ({ ...kind, name })));
  return Promise.all(
    probes.map(async ({ of, order, name }) => {
      const json = order();
      const last = cardsOf(json).length - 1;
      const lacking = (card: Body, index: number) => (index === last ? without(card, name) : card);
      return { what: `${name}${of}`, answer: await malformed(t, withCards(json, lacking)) };
    }),
  );
});

check(
  'portal.orderCards.required-members',
  'each of the order',
  inSession(async (t) => {
    for (const { what, answer } of await t.shared(withoutMembers)) expectRefused(answer, `an order without ${what}`);
  }),
);

check(
  'portal.orderCards.required-item-members',
  'each of the card',
  inSession(async (t) => {
    for (const { what, answer } of await t.shared(withoutCardMembers))
      expectRefused(answer, `an order without ${what}`);
  }),
);

const unlistedType = scenario('order of an unlisted type', async (t) =>
  malformed(t, { ...(await plainBase(t)).make(), orderProdType: 'Unlisted Card Order' }),
);

const unlistedCard = scenario('order of an unlisted card type', async (t) =>
  malformed(t, { ...(await plainBase(t)).make(), cardType: 'Wooden' }),
);

check(
  'portal.orderCards.unlisted-order-type',
  'Unlisted Card Order',
  inSession(async (t) => {
    expectRefused(await t.shared(unlistedType), 'an orderProdType outside the list');
  }),
);

check(
  'portal.orderCards.unlisted-card-type',
  'Wooden',
  inSession(async (t) => {
    expectRefused(await t.shared(unlistedCard), 'a cardType outside the list');
  }),
);

check(
  'portal.orderCards.refused-with-400',
  'what is lacking or misnamed',
  inSession(async (t) => {
    const refusals = [
      ...(await t.shared(withoutMembers)),
      ...(await t.shared(withoutCardMembers)),
      { what: 'a listed orderProdType', answer: await t.shared(unlistedType) },
      { what: 'a listed cardType', answer: await t.shared(unlistedCard) },
    ];
    for (const { what, answer } of refusals) expectStatus(answer, [400], `an order without ${what}`);
  }),
);

check(
  'portal.orderCards.body-types',
  'each member of order and card',
  inSession(async (t) => {
    const { make } = await plainBase(t);
    const ofCard = cardsOf(make())[0] ?? {};
    const probes = [
      ...wrongTypes(make()).map(({ name, value }) => ({
        name,
        change: (order: Body) => ({ ...order, [name]: value }),
      })),
      ...wrongTypes(ofCard).map(({ name, value }) => ({
        name: `${name} of a card`,
        change: (order: Body) => withCards(order, (card) => ({ ...card, [name]: value })),
      })),
    ];
    for (const { name, change } of probes)
      expectRefused(await malformed(t, change(make())), `another JSON type of ${name}`);
  }),
);

const CARD_TYPES = [
  ['absent', (order: Body) => without(order, 'cardType')],
  ['empty', (order: Body) => ({ ...order, cardType: '' })],
  ['null', (order: Body) => ({ ...order, cardType: null })],
  ['Physical', (order: Body) => ({ ...order, cardType: 'Physical' })],
] as const;

for (const [what, change] of CARD_TYPES)
  check(
    'portal.orderCards.card-type-optional',
    `cardType ${what}`,
    inSession(async (t) => {
      const { make, answer } = await physicalBase(t);
      const order = make();
      const changed = change(order);
      const isBase = what === 'absent' && sameMembers(changed, order);
      accepted(isBase ? answer : await refusable(t, changed), `an order with cardType ${what}`);
    }),
  );
