/** Orders: accepted and refused values of their members (readings 42 and 43). */
import { expectAccepted } from '../../../helpers/acceptance.ts';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { rotated, rotatedAtCost } from '../../../helpers/rotation.ts';
import { fail } from '../../../helpers/verdict.ts';
import { outcomeInWords } from '../../shared/observed.ts';
import { type Refusal, sendWrong } from '../../shared/right-twins.ts';
import { attempt, values } from '../../shared/step.ts';
import { NOT_JSON, wrongTypes } from '../../shared/wrong-types.ts';
import { type BaseOrder, baseOrders, expectOrderAccepted, ORDER, requirePlainBase } from './base-orders.ts';
import { type Body, cardsOf, programOf, withCards, without } from './bodies.ts';
import {
  expectOrdersRefused,
  isForMembersAlone,
  malformed,
  requirePhysicalBase,
  withoutCardMembers,
  withoutMembers,
} from './body.ts';
import { type Kind, otherKinds, PHYSICAL } from './kinds.ts';

const { check, suite } = defineSuite();
export const orderValuesSuite = suite;

/** Values that a careless comparison takes for a listed type: with a suffix, with a prefix, cut short, and an enumeration's number. */
const likeType = (listed: string): string[] => [
  `${listed} Plus`,
  `Express ${listed}`,
  listed.replace(/[ -]+[^ -]+$/, ''),
  '1',
];
const UNLISTED_CARDS = ['Wooden', '1', 'Physical,Digital', 'null'];
/** Values that a target may take for Digital where digital cards are on. */
const LIKE_DIGITAL = ['Virtual', 'Digital Card'];

const unlistedTypes = scenario('orders of an unlisted type', async (t): Promise<Refusal[]> => {
  const { make } = await requirePlainBase(t);
  const others = (await otherKinds(t)).filter((of) => !isForMembersAlone(of));
  const orders = [
    ...likeType(String(make().orderProdType)).map((orderProdType) => ({ kind: 'an order', make, orderProdType })),
    ...others.map((of) => ({ ...of, orderProdType: `${of.make().orderProdType} Plus` })),
  ];
  return sendWrong(
    orders.map(({ kind, make, orderProdType }) => ({
      what: `${kind} whose orderProdType is ${orderProdType}, which is not listed,`,
      send: (alone) => malformed(t, { ...make(), orderProdType }, alone),
    })),
  );
});

const unlistedCard = scenario('orders of an unlisted card type', async (t): Promise<Refusal[]> => {
  const { make } = await requirePlainBase(t);
  const others = (await otherKinds(t)).filter((of) => !isForMembersAlone(of));
  const isDigital = ({ make: of }: Kind) => of().cardType === 'Digital';
  const orders = [
    ...UNLISTED_CARDS.map((cardType) => ({ kind: 'an order', make, cardType })),
    ...others.filter(isDigital).flatMap((of) => LIKE_DIGITAL.map((cardType) => ({ ...of, cardType }))),
    ...others.filter((of) => !isDigital(of)).map((of) => ({ ...of, cardType: 'Wooden' })),
  ];
  return sendWrong(
    orders.map(({ kind, make: of, cardType }) => ({
      what: `${kind} whose cardType is ${cardType}, which is not listed,`,
      send: (alone) => malformed(t, { ...of(), cardType }, alone),
    })),
  );
});

check('portal.orderCards.unlisted-order-type', 'like a listed one, and of other kinds of orders', async (t) =>
  expectOrdersRefused(t, await t.shared(unlistedTypes)),
);

check('portal.orderCards.unlisted-card-type', 'Wooden, and values like a listed one', async (t) =>
  expectOrdersRefused(t, await t.shared(unlistedCard)),
);

check('portal.orderCards.refused-with-400', 'what is lacking or misnamed', async (t) => {
  const refusals = [withoutMembers, withoutCardMembers, unlistedTypes, unlistedCard].map((one) => t.shared(one));
  const wrong = (await Promise.all(refusals)).flat();
  await expectOrdersRefused(
    t,
    wrong.map((one) => ({ ...one, statuses: [400] })),
  );
});

/** Orders of wrong types that are sent at the same time. */
const WRONG_TYPES_AT_ONCE = 3;

check('portal.orderCards.body-types', 'each member of order and card, and what is not JSON', async (t) => {
  const { make } = await requirePlainBase(t);
  // A gateway in front of the target may never answer it.
  const [broken] = values([await attempt(() => t.call(ORDER, { text: NOT_JSON }, { intent: 'malformed' }))]);
  if (broken) expectRefused(broken, 'a body that is not JSON');
  const ofCard = cardsOf(make())[0] ?? {};
  const wrong = [
    ...wrongTypes(make()).map(({ name, value }) => ({ name, order: { ...make(), [name]: value } })),
    ...wrongTypes(ofCard).map(({ name, value }) => ({
      name: `${name} of a card`,
      order: withCards(make(), (card) => ({ ...card, [name]: value })),
    })),
  ];
  const tried = rotated(t.run, 'orders of wrong types', wrong);
  // Few at once: accepting one is only advised against, and each accepted order costs.
  for (let first = 0; first < tried.length; first += WRONG_TYPES_AT_ONCE) {
    const some = tried.slice(first, first + WRONG_TYPES_AT_ONCE);
    const refusals = await sendWrong(
      some.map(({ name, order }) => ({
        what: `another JSON type of ${name}`,
        send: (alone) => malformed(t, order, alone),
      })),
    );
    for (const { what, answer } of refusals) expectRefused(answer, what);
  }
});

for (const [what, change] of [
  ['absent', (order: Body) => without(order, 'cardType')],
  ['empty', (order: Body) => ({ ...order, cardType: '' })],
  ['null', (order: Body) => ({ ...order, cardType: null })],
] as const)
  check('portal.orderCards.card-type-optional', `cardType ${what}`, async (t) => {
    const base = await requireOnlyPhysicalBase(t);
    if (what === 'absent' && !('cardType' in (base.answer.input.json as Body))) return;
    await expectOrderAccepted(t, base, `an order with cardType ${what}`, () => change(base.make()));
  });

/** The base order of a program that takes physical cards; where possible one that takes no others. @throws Skipped, Inconclusive */
async function requireOnlyPhysicalBase(t: Context): Promise<BaseOrder> {
  const found = programOf(t, 'digitalOff') && (await t.shared(baseOrders.digitalOff));
  return found && succeeded(found.answer) ? found : requirePhysicalBase(t);
}

check('portal.orderCards.card-type-optional', 'orders of another kind', async (t) => {
  const kinds = (await otherKinds(t)).filter(({ kind, make }) => kind !== PHYSICAL && make().cardType !== 'Digital');
  const forms = kinds.flatMap((of) => ['', null].map((cardType) => ({ ...of, cardType })));
  if (forms.length === 0) return void (await requirePlainBase(t));
  const name = ({ kind, cardType }: (typeof forms)[number]) => `${kind} with cardType ${JSON.stringify(cardType)}`;
  for (const form of rotatedAtCost(t.run, ORDER, 'orders of other kinds with an empty cardType', forms, name))
    await expectAccepted(t, {
      operation: ORDER,
      what: name(form),
      input: () => ({ json: { ...form.make(), cardType: form.cardType } }),
      control: () => ({ json: form.make() }),
      fixture: 'portal.programs',
    });
});

/** Unusual but valid orders: they may be refused, but not with status 500. */
const UNUSUAL: readonly [string, (order: Body) => Body][] = [
  ['a comment of 300 characters', (order) => withCards(order, (card) => ({ ...card, comment: 'a'.repeat(300) }))],
  [
    'names with marks and letters beyond ASCII',
    (order) => withCards(order, (card) => ({ ...card, firstName: 'Zoë', lastName: "O'Muñoz-Smith" })),
  ],
  [
    'marks and letters beyond ASCII in the ship-to block',
    (order) => ({ ...order, attn: `Zoë O'Neil, 50% "Cards" & Co. #1`, address2: 'Straße 5' }),
  ],
];
/** Further unusual orders; a run tries some of them. */
const RARELY_SEEN: typeof UNUSUAL = [
  ['fees with cents', (order) => ({ ...order, shippingFee: 12.25, cardFee: 4.99 })],
  [
    'names of 60 letters',
    (order) =>
      withCards(order, (card) => ({ ...card, firstName: 'R'.padEnd(60, 'anna'), lastName: 'E'.padEnd(60, 'anna') })),
  ],
  [
    'a long campaign and a reason with marks',
    (order) => ({ ...order, campaignName: 'Été "50%" '.repeat(15), reasonCode: `O'NE #1` }),
  ],
  [
    'marks in an embossed message',
    (order) => withCards(order, (card) => ({ ...card, embossedMessage: `Zoë's "50%"` })),
  ],
  [
    'letters beyond Latin-1',
    (order) =>
      withCards({ ...order, attn: 'Łukasz Žižek' }, (card) => ({ ...card, firstName: 'Łukasz', lastName: 'Žižek' })),
  ],
  [
    'a phone and a zip with marks',
    (order) => withCards({ ...order, zip: '62701-1234' }, (card) => ({ ...card, phone: '(217) 555-0100' })),
  ],
  [
    'a comment of two lines with a backslash',
    (order) => withCards(order, (card) => ({ ...card, comment: 'one\ntwo \\ three' })),
  ],
  [
    'most of what is optional',
    (order) =>
      withCards({ ...order, isInstantIssue: false, qty: 2, host: 'Prepaid', totalValue: 0 }, (card) => ({
        ...card,
        purseNo: 1,
        shippingAddress1: '100 Main Street',
        shippingAddress2: 'Suite 2',
        shippingCity: 'Springfield',
        shippingState: 'IL',
        shippingZip: '62701',
        mailingAddr2: 'Suite 2',
        clientDefinedField1: 'one',
        clientDefinedField2: 'two',
        clientDefinedField3: 'three',
        clientDefinedField4: 'four',
        clientDefinedField5: 'five',
      })),
  ],
];

check('portal.orderCards.unusual-values', 'comments, names and addresses', async (t) => {
  const { make } = await requirePlainBase(t);
  for (const [what, change] of [
    ...UNUSUAL,
    ...rotatedAtCost(t.run, ORDER, 'unusual orders', RARELY_SEEN, ([of]) => of),
  ]) {
    const answer: Answer = await t.call(ORDER, { json: change(make()) }, { intent: 'unusual' });
    t.observe(ORDER, what, outcomeInWords(answer));
    if (answer.status === 500)
      fail(`an order with ${what} is answered with status 500`, {
        expected: 'success, or a refusal',
        actual: '500',
        in: answer,
      });
  }
});
