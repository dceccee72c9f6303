/** Order rule 6: repeated identifiers create no second order (reading 44). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectWrongRefused } from '../../../helpers/engine/refusal.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { judgeEach } from '../../../helpers/engine/step.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { rotatedAtCost } from '../../../helpers/rotation.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { inconclusive, skip } from '../../../helpers/verdict.ts';
import { ordersLater } from '../scenarios/orders-later.ts';
import { restrictedUserIfGiven } from '../scenarios/restricted-user.ts';
import { cite, isAccepted, lifecycleOf } from '../scenarios/session-lifecycle.ts';
import {
  type BaseOrder,
  baseAgain,
  expectOrderAccepted,
  firstAccepted,
  ORDER,
  order,
  orderOfSeveral,
  requireBaseOrder,
  requirePlainBase,
} from './base-orders.ts';
import {
  asDigital,
  asInstantIssue,
  type Body,
  cardsOf,
  freshIdentifier,
  identified,
  oddFormsOf,
  ofSiblingType,
  oneCharacter,
  programOf,
} from './bodies.ts';
import { expectDistinct } from './distinct.ts';
import { expectAnother, expectNoSecond } from './identifiers.ts';
import { requireAcceptedLoad } from './kinds.ts';
import { inTurn, programForDuplicates, type Repetition, repetitions } from './repetitions.ts';

const { check, suite } = defineSuite();
export const orderDuplicatesSuite = suite;

const identifierOf = ({ input }: Answer) => (input.json as Body).externalIdentifier;

/** An accepted order, and orders that repeat its externalIdentifier. */
interface Repeated {
  first: Answer;
  again: readonly Repetition[];
}

check('portal.orderCards.duplicate-order', 'of several cards, and of fewer', async (t) => {
  const { make } = await requirePlainBase(t);
  const several = requireAccepted(await t.shared(orderOfSeveral), 'an order of several cards');
  const count = cardsOf(several.input.json as Body).length;
  const plain = String(identified(t, make()).externalIdentifier);
  const forms = oddFormsOf(t, 'orders with an externalIdentifier again', plain);
  const first = requireAccepted(
    await firstAccepted(
      t,
      forms.map((externalIdentifier) => ({ ...make(count), externalIdentifier })),
      'unusual',
    ),
    'an order of several cards',
  );
  await t.settle();
  const externalIdentifier = identifierOf(first);
  const again = await inTurn([
    {
      what: 'order of several cards with the same externalIdentifier',
      send: () => order(t, { ...make(count), externalIdentifier }),
    },
    {
      what: 'order of two cards with the same externalIdentifier',
      send: () => order(t, { ...make(2), externalIdentifier }),
    },
  ]);
  expectNoneMade(t, { first, again });
});

/** Expects that no order was created beside the first, nor beside an earlier repetition. @throws Nonconformance, Inconclusive; see {@link expectNoSecond} */
function expectNoneMade(t: Context, { first, again }: Repeated): void {
  const taken = again.filter(({ answer }) => isAccepted(answer));
  judgeEach([
    ...again.map(
      ({ what, answer }) =>
        () =>
          expectNoSecond(t.run, first, answer(), what),
    ),
    ...taken.slice(1).map(
      ({ what, answer }, index) =>
        () =>
          expectNoSecond(t.run, taken[index]!.answer(), answer(), what),
    ),
  ]);
}

check('portal.orderCards.duplicate-order', 'again and again', async (t) => {
  expectNoneMade(t, await t.shared(repetitions));
});

check('portal.orderCards.duplicate-order', 'two at the same moment', async (t) => {
  const { make } = await programForDuplicates(t);
  const body = identified(t, make());
  const [one, other] = await Promise.all([order(t, body, true), order(t, body, true)]);
  if (!succeeded(one) && !succeeded(other))
    inconclusive('neither of two identical orders at the same moment is accepted');
  if (succeeded(one) && succeeded(other)) expectNoSecond(t.run, one, other, 'order with the same externalIdentifier');
});

check('portal.orderCards.duplicate-order', 'in another session, and by another user', { phase: 'last' }, async (t) => {
  const { orderAgain } = await lifecycleOf(t);
  const { first } = await t.shared(repetitions);
  const { duplicateOrder } = await restrictedUserIfGiven(t);
  expectNoneMade(t, {
    first,
    again: [
      ...(orderAgain
        ? [{ what: 'order with the same externalIdentifier, in another session,', answer: () => cite(t, orderAgain) }]
        : []),
      ...(duplicateOrder
        ? [{ what: 'order with the same externalIdentifier, by another user,', answer: () => duplicateOrder }]
        : []),
    ],
  });
});

check('portal.orderCards.duplicate-order', 'hours later', { phase: 'later', applies: hasClock }, async (t) => {
  const { first } = await t.shared(repetitions);
  const { duplicateOrder } = await t.shared(ordersLater);
  if (duplicateOrder)
    expectNoSecond(t.run, first, duplicateOrder, 'order with the same externalIdentifier, hours later,');
});

/** Kinds of orders other than the plain one, with the program that takes them and a function that prepares their maker. */
const KINDS = [
  ['with load', 'loadOn', async (t: Context) => requireAcceptedLoad(t, 'loadOn')],
  [
    'of a Digital card',
    'digitalOn',
    async (_: Context, { make }: BaseOrder) =>
      () =>
        asDigital(make(1)),
  ],
  [
    'of an instant issue',
    'instantIssue',
    async (_: Context, { make }: BaseOrder) =>
      () =>
        asInstantIssue(make()),
  ],
] as const;

for (const [kind, key, makerOf] of KINDS)
  check('portal.orderCards.duplicate-order', `orders ${kind}`, async (t) => {
    if (!programOf(t, key)) return requireOtherKind(t);
    const base = await requireBaseOrder(t, key);
    const make = await makerOf(t, base);
    const plain = identified(t, make());
    const first = requireAccepted(
      await firstAccepted(t, [{ ...plain, externalIdentifier: oneCharacter() }, plain]),
      `an order ${kind}`,
    );
    await t.settle();
    const externalIdentifier = identifierOf(first);
    const again = await inTurn([
      {
        what: `order ${kind} with the same externalIdentifier`,
        send: () => order(t, { ...make(), externalIdentifier }),
      },
      {
        what: `order ${kind} and of another type with the same externalIdentifier`,
        send: () => order(t, { ...ofSiblingType(make()), externalIdentifier }),
      },
      {
        what: 'plain order with the same externalIdentifier',
        send: () => order(t, { ...base.make(), externalIdentifier }),
      },
    ]);
    expectNoneMade(t, { first, again });
  });

/** Falls back on the plain orders where the fixtures file does not give the program of a kind. @throws Skipped, Inconclusive */
async function requireOtherKind(t: Context): Promise<void> {
  await t.shared(repetitions);
}

/** Places an order on `other` with the externalIdentifier of an order on another program. @throws Skipped, Inconclusive */
const onOtherProgram = scenario('an order on another program with the same externalIdentifier', async (t) => {
  const other = await requireBaseOrder(t, 'other');
  const { first, externalIdentifier, base } = await t.shared(repetitions);
  if (String(other.program.custProgId) === String(base.program.custProgId))
    skip('needs a second program beside portal.programs.other in the fixtures file');
  const under = (identifier: unknown): Body => ({ ...other.make(), externalIdentifier: identifier });
  return { other, base, first, externalIdentifier, under, answer: await order(t, under(externalIdentifier)) };
});

check('portal.orderCards.duplicate-other-program', 'the same externalIdentifier on another program', async (t) => {
  const { other, base, first, externalIdentifier, under, answer } = await t.shared(onOtherProgram);
  const what = 'an order with the externalIdentifier of an order on another program';
  const made = succeeded(answer)
    ? answer
    : await expectOrderAccepted(t, other, what, () => under(externalIdentifier), {
        // Each program may prescribe its own format of identifiers.
        control: () => under(freshIdentifier(t, externalIdentifier)),
      });
  expectAnother(first, made, [base.answer, other.answer], what);
});

check(
  'portal.orderCards.duplicate-order',
  'on a program whose externalIdentifier is that of another one, too',
  async (t) => {
    if (!programOf(t, 'other')) return requireOtherKind(t);
    const { externalIdentifier, under, answer } = await t.shared(onOtherProgram);
    requireAccepted(answer, 'an order with the externalIdentifier of an order on another program');
    await t.settle();
    const again = await order(t, under(externalIdentifier));
    expectNoSecond(t.run, answer, again, 'order with an externalIdentifier that an order on another program has, too,');
  },
);

check('portal.orderCards.distinct-identifiers', 'externalIdentifiers that differ in the last character', async (t) => {
  const { first, base, externalIdentifier: identifier } = await t.shared(repetitions);
  const under = (externalIdentifier: string) => ({ ...base.make(), externalIdentifier });
  await expectDistinct(t, base, 'an order with an externalIdentifier', { first, identifier, under });
});

/** Programs that no other check of duplicates uses: one per run. */
const OTHER_PROGRAMS = ['uniqueOtherInfo', 'duplicateLoadChecker', 'loadOff', 'digitalOff'] as const;

check('portal.orderCards.duplicate-order', 'on another program', async (t) => {
  const given = OTHER_PROGRAMS.filter((key) => programOf(t, key));
  if (given.length === 0) return requireOtherKind(t);
  for (const key of rotatedAtCost(t.run, ORDER, 'programs of repeated orders', given)) {
    const { make } = await requireBaseOrder(t, key);
    const { externalIdentifier, ...rest } = identified(t, make());
    const first = requireAccepted(
      await order(t, { ...rest, externalIdentifier }),
      'an order with an externalIdentifier',
    );
    await t.settle();
    const again = await order(t, { ...make(), externalIdentifier });
    expectNoSecond(t.run, first, again, `order on portal.programs.${key} with the same externalIdentifier`);
  }
});

/** Defects of orders that are refused, then corrected under the same externalIdentifier. */
const CORRECTED = [
  { name: 'lacks a member', spoil: (order: Body): Body => without(order, 'city') },
  {
    name: 'is of an unlisted type',
    spoil: (order: Body): Body => ({ ...order, orderProdType: 'Unlisted Card Order' }),
  },
];

check('portal.orderCards.corrected-order-accepted', 'an order that lacks or misnames a member', async (t) => {
  const base = await requirePlainBase(t);
  for (const { spoil } of rotatedAtCost(t.run, ORDER, 'orders that are corrected', CORRECTED)) {
    const right = identified(t, base.make());
    await expectCorrected(t, base, right, await t.call(ORDER, { json: spoil(right) }, { intent: 'malformed' }));
  }
});

check('portal.orderCards.corrected-order-accepted', 'an order without session', async (t) => {
  const base = await requirePlainBase(t);
  const right = identified(t, base.make());
  const options = { intent: 'unauthorised', authorisation: { sessionId: undefined } } as const;
  await expectCorrected(t, base, right, await t.call(ORDER, { json: right }, options));
});

check('portal.orderCards.corrected-order-accepted', 'a Digital order where digital cards are off', async (t) => {
  if (!programOf(t, 'digitalOff')) return requireOtherKind(t);
  const base = await requireBaseOrder(t, 'digitalOff');
  const right = identified(t, base.make());
  await expectCorrected(t, base, right, await order(t, asDigital(right)));
});

/** @throws Nonconformance when the corrected order is refused; Inconclusive when the wrong one was accepted */
async function expectCorrected(t: Context, base: BaseOrder, right: Body, wrong: Answer): Promise<void> {
  if (succeeded(wrong)) inconclusive('the wrong order is accepted');
  await t.settle();
  await expectOrderAccepted(t, base, 'an order that was refused and corrected', () => right);
}

check('portal.orderCards.foreign-customer', 'customerId of the foreign customer', async (t) => {
  const base = await requirePlainBase(t);
  const json = { ...base.make(), customerId: t.fixtures.portal!.foreignCustomerId };
  const answer = await t.call(ORDER, { json }, { intent: 'foreign' });
  await expectWrongRefused(t, baseAgain(base), [
    { what: 'an order for a customer outside the reach of the login', answer },
  ]);
});
