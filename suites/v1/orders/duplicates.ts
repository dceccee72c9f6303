/** Order rule 6: repeated identifiers create no second order (reading 44). */
import { randomInt } from 'node:crypto';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { inconclusive, skip } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import { REPEATED_LATER } from '../scenarios/session-lifecycle.ts';
import { unauthorised } from '../scenarios/sessions.ts';
import {
  type BaseOrder,
  expectOrderAccepted,
  firstAccepted,
  ORDER,
  order,
  requireBaseOrder,
  requireSeveral,
  twoAtOnce,
} from './base-orders.ts';
import {
  asDigital,
  asInstantIssue,
  type Body,
  freshIdentifier,
  identified,
  isLoad,
  programOf,
  withCards,
} from './bodies.ts';
import { expectAnother } from './identifiers.ts';
import { requireAcceptedLoad } from './kinds.ts';
import { ordersWithOneIdentifier } from './monitors.ts';
import { expectDistinct, oddFormsOf, ofSiblingType, programForDuplicates, repetitions } from './repetitions.ts';

const noSecond = monitored('portal.orderCards.duplicate-order', ordersWithOneIdentifier);

noSecond('of several cards, and of one', {}, async (t) => {
  const base = await requireBaseOrder(t);
  const { make } = await requireSeveral(t, base);
  const plain = String(identified(t, make()).externalIdentifier);
  const forms = oddFormsOf(t, 'orders with an externalIdentifier again', plain);
  const bodies = forms.map((externalIdentifier) => ({ ...make(), externalIdentifier }));
  await repeat(t, bodies, [make, () => base.make(1)]);
});

/** Sends orders until one is accepted, and then others with its externalIdentifier. */
async function repeat(t: Context, bodies: readonly Body[], others: readonly (() => Body)[]): Promise<void> {
  const first = requireAccepted(await firstAccepted(t, bodies, 'unusual'), 'an order with an externalIdentifier');
  const { externalIdentifier } = first.input.json as Body;
  await t.settle();
  for (const make of others) await order(t, { ...make(), externalIdentifier });
}

noSecond('again and again', {}, (t) => t.shared(repetitions));

noSecond('two at the same moment', {}, async (t) => {
  const body = identified(t, (await programForDuplicates(t)).make());
  await twoAtOnce(t, () => body);
});

for (const [when, options, repeatAll] of REPEATED_LATER) noSecond(when, options, repeatAll);

/** The order with twice the load, where it has one. */
function doubled(order: Body): Body {
  const doubling = withCards(order, (card) => ({ ...card, amount: 2 * Number(card.amount) }));
  return isLoad(order) ? { ...doubling, totalValue: 2 * Number(order.totalValue) } : order;
}

/** Of one character, so another order may have it. */
const SHORT_IDENTIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

// Kinds of orders other than the plain one, with the program that takes them.
for (const [kind, key, change] of [
  ['with load', 'loadOn', undefined],
  ['of a Digital card', 'digitalOn', asDigital],
  ['of an instant issue', 'instantIssue', asInstantIssue],
] as const)
  noSecond(`orders ${kind}`, {}, async (t) => {
    // The plain orders show it, too.
    if (!programOf(t, key)) return t.shared(repetitions);
    const base = await requireBaseOrder(t, key);
    const make = change ? () => change(base.make(1)) : await requireAcceptedLoad(t, key);
    const plain = identified(t, make());
    const externalIdentifier = SHORT_IDENTIFIERS[randomInt(SHORT_IDENTIFIERS.length)];
    const others = [make, () => ofSiblingType(make()), () => doubled(base.make())];
    await repeat(t, [{ ...plain, externalIdentifier }, plain], others);
  });

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
  const again = () => under(externalIdentifier);
  // Each program may prescribe its own format of identifiers.
  const control = () => under(freshIdentifier(t, externalIdentifier));
  const made = succeeded(answer) ? answer : await expectOrderAccepted(t, other, what, again, control);
  expectAnother(first, made, [base.answer, other.answer], what);
});

noSecond('on a program whose externalIdentifier is that of another one, too', {}, async (t) => {
  if (!programOf(t, 'other')) return t.shared(repetitions);
  const { externalIdentifier, under, answer } = await t.shared(onOtherProgram);
  requireAccepted(answer, 'an order with the externalIdentifier of an order on another program');
  await t.settle();
  await order(t, under(externalIdentifier));
});

check('portal.orderCards.distinct-identifiers', 'externalIdentifiers that differ in one character', async (t) => {
  const { first, base, externalIdentifier: given } = await t.shared(repetitions);
  const under = (externalIdentifier: string) => ({ ...base.make(), externalIdentifier });
  await expectDistinct(t, base, 'an order with an externalIdentifier', first, given, under);
});

noSecond('on another program', {}, async (t) => {
  // No other check of duplicates uses these: one per run.
  const others = ['uniqueOtherInfo', 'duplicateLoadChecker', 'loadOff', 'digitalOff'] as const;
  const given = others.filter((key) => programOf(t, key));
  if (given.length === 0) return t.shared(repetitions);
  for (const key of t.rotated('programs of repeated orders', given, { costs: ORDER })) {
    const { make } = await requireBaseOrder(t, key);
    await repeat(t, [identified(t, make())], [make]);
  }
});

/** Defects of orders that are refused, then corrected under the same externalIdentifier. */
const CORRECTED = [
  { name: 'lacks a member', spoil: (order: Body) => without(order, 'city') },
  { name: 'is of an unlisted type', spoil: (order: Body) => ({ ...order, orderProdType: 'Unlisted Card Order' }) },
];

check('portal.orderCards.corrected-order-accepted', 'an order that lacks or misnames a member', async (t) => {
  const base = await requireBaseOrder(t);
  for (const { spoil } of t.rotated('orders that are corrected', CORRECTED, { costs: ORDER }))
    await expectCorrected(t, base, (right) => t.call(ORDER, { json: spoil(right) }, { intent: 'malformed' }));
});

check('portal.orderCards.corrected-order-accepted', 'an order without session', async (t) =>
  expectCorrected(t, await requireBaseOrder(t), (json) => t.call(ORDER, { json }, unauthorised(undefined))),
);

check('portal.orderCards.corrected-order-accepted', 'a Digital order where digital cards are off', async (t) => {
  if (!programOf(t, 'digitalOff')) await t.shared(repetitions);
  else await expectCorrected(t, await requireBaseOrder(t, 'digitalOff'), (right) => order(t, asDigital(right)));
});

/** @throws Nonconformance when the corrected order is refused; Inconclusive when the wrong one was accepted */
async function expectCorrected(t: Context, base: BaseOrder, sendWrong: (right: Body) => Promise<Answer>) {
  const right = identified(t, base.make());
  if (succeeded(await sendWrong(right))) inconclusive('the wrong order is accepted');
  await t.settle();
  await expectOrderAccepted(t, base, 'an order that was refused and corrected', () => right);
}
