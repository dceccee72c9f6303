/** Order rule 6: repeated identifiers create no second order (reading 44). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { requireAccepted, requireRefused } from '../../../helpers/expect.ts';
import { judgeInTurn, skip } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import * as Lifecycle from '../scenarios/lifecycle.ts';
import * as Sessions from '../scenarios/sessions.ts';
import * as Bodies from './bodies.ts';
import * as Identifiers from './identifiers.ts';
import { ordersWithOneIdentifier } from './monitors.ts';
import * as Orders from './orders.ts';
import * as Repeats from './repeats.ts';
import * as Repetitions from './repetitions.ts';

const noSecond = monitored('portal.orderCards.duplicate-order', ordersWithOneIdentifier);

noSecond('again and again', {}, (t) => t.shared(Repetitions.repeated));

noSecond('of two kinds', {}, Repeats.ofIdentifiers.inSession);
for (const [when, options, repeatAll] of Lifecycle.repeatedLast(
  'portal.orderCards.duplicate-order',
  Repeats.ofIdentifiers,
))
  noSecond(when, options, repeatAll);

/** An order whose externalIdentifier is used on another program, and the order there. */
interface OnOther {
  first: Answer;
  answer: Answer;
  externalIdentifier: unknown;
  under(identifier: unknown): Bodies.Body;
}

/** Orders on another program with the externalIdentifier of a plain order, or of another kind: all kinds where everything is tried. */
const onOtherProgram = scenario('orders on another program with the same externalIdentifier', async (t) => {
  const other = await Orders.requireBase(t, 'other');
  const { first: plain, base } = await t.shared(Repetitions.identified);
  if (String(other.program.custProgId) === String(base.program.custProgId))
    skip('needs a second program beside portal.programs.other in the fixtures file');
  const otherId = String(other.program.custProgId);
  const ofKinds = (await Repeats.ofIdentifiers.firsts(t)).filter(({ kind }) => kind !== 'plain');
  const elsewhere = ofKinds.filter(({ first }) => String(Bodies.orderIn(first).custProgId) !== otherId);
  const firsts = [{ name: 'a plain order', first: plain }, ...elsewhere];
  const made: OnOther[] = [];
  for (const { first } of t.rotated(Repeats.ON_OTHERS, firsts, {
    costs: Orders.ORDER,
  })) {
    const { externalIdentifier } = Bodies.orderIn(first);
    const under = (identifier: unknown): Bodies.Body => ({ ...other.make(), externalIdentifier: identifier });
    made.push({ first, externalIdentifier, under, answer: await Orders.send(t, under(externalIdentifier)) });
  }
  return { other, base, made };
});

check('portal.orderCards.duplicate-other-program', 'the same externalIdentifier on another program', async (t) => {
  const { other, base, made } = await t.shared(onOtherProgram);
  const what = 'an order with the externalIdentifier of an order on another program';
  const judge = async ({ first, externalIdentifier, under, answer }: OnOther) => {
    const again = () => under(externalIdentifier);
    // Each program may prescribe its own format of identifiers.
    const control = () => under(Bodies.freshIdentifier(t, externalIdentifier));
    const taken = succeeded(answer) ? answer : await Orders.expectTaken(t, other, what, again, control);
    Identifiers.expectAnother(first, taken, [base.answer, other.answer], what);
  };
  await judgeInTurn(made, judge);
});

noSecond('on a program whose externalIdentifier is that of another one, too', {}, async (t) => {
  if (!Bodies.programOf(t, 'other')) return t.shared(Repetitions.repeated);
  const { made } = await t.shared(onOtherProgram);
  const { externalIdentifier, under, answer } = made[0]!;
  requireAccepted(answer, 'an order with the externalIdentifier of an order on another program');
  await t.settle();
  await Orders.send(t, under(externalIdentifier), { mayUseKept: true });
});

check('portal.orderCards.distinct-identifiers', 'externalIdentifiers that resemble each other', async (t) => {
  const { first, base, externalIdentifier: identifier } = await t.shared(Repetitions.long);
  const under = (externalIdentifier: string) => ({ ...base.make(), externalIdentifier });
  await Repetitions.expectDistinct(t, {
    what: 'an order with an externalIdentifier',
    base,
    first,
    identifier,
    under,
  });
});

/** Defects of orders that are refused, then corrected under the same externalIdentifier. */
const CORRECTED: readonly { name: string; spoil: (order: Bodies.Body) => Bodies.Body }[] = [
  { name: 'lacks a member', spoil: (order) => without(order, 'city') },
  { name: 'is of an unlisted type', spoil: (order) => ({ ...order, orderProdType: 'Unlisted Card Order' }) },
];

check('portal.orderCards.corrected-order-accepted', 'an order that lacks or misnames a member', async (t) => {
  const base = await Orders.requireBase(t);
  for (const { spoil } of t.rotated('orders that are corrected', CORRECTED, { costs: Orders.ORDER }))
    await expectCorrected(t, base, (right) => t.call(Orders.ORDER, { json: spoil(right) }, { intent: 'malformed' }));
});

check('portal.orderCards.corrected-order-accepted', 'an order without session', async (t) => {
  const base = await Orders.requireBase(t);
  await expectCorrected(t, base, (json) => t.call(Orders.ORDER, { json }, Sessions.unauthorised(undefined)));
});

check('portal.orderCards.corrected-order-accepted', 'a Digital order where digital cards are off', async (t) => {
  const sendDigital = (right: Bodies.Body) => Orders.send(t, Bodies.asDigital(right));
  if (!Bodies.programOf(t, 'digitalOff')) await t.shared(Repetitions.repeated);
  else await expectCorrected(t, await Orders.requireBase(t, 'digitalOff'), sendDigital);
});

/** @throws Nonconformance when the corrected order is refused; Inconclusive when the wrong one was accepted */
async function expectCorrected(t: Context, base: Orders.Base, sendWrong: (right: Bodies.Body) => Promise<Answer>) {
  const right = Bodies.identified(t, base.make());
  requireRefused(await sendWrong(right), 'the order that is to be corrected');
  await t.settle();
  await Orders.expectTaken(t, base, 'an order that was refused and corrected', () => right);
}
