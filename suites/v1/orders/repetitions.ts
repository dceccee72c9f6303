/** Orders that are repeated: what they may differ in and still be a duplicate. */
import { FICTIONAL_DETAILS } from '../../../contracts/v1/fictional.ts';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { attempt, type Fact, Inconclusive, judgeEach, optional } from '../../../helpers/verdict.ts';
import * as Bodies from './bodies.ts';
import * as Holders from './holders.ts';
import * as Identifiers from './identifiers.ts';
import * as Orders from './orders.ts';
import * as Types from './types.ts';

/** Ways in which a repeated order may differ from the first and still be a duplicate: only the unique values count. */
const DIFFERENCES: readonly { name: string; of: (order: Bodies.Body, t: Context) => Bodies.Body }[] = [
  {
    name: 'another person',
    of: (order, t) => Bodies.withCards(order, (card) => ({ ...card, ...Holders.anotherHolder(t) })),
  },
  { name: 'another address', of: (order) => ({ ...order, address1: '221 Oak Avenue', attn: 'Robin Miller' }) },
  { name: 'a host', of: (order) => ({ host: 'Prepaid', ...order }) },
  { name: 'other fees', of: (order) => ({ isInstantIssue: false, ...order, shippingFee: 1, cardFee: 1 }) },
  {
    name: 'a campaign, a reason and a comment',
    of: (order) => Bodies.withCards({ ...order, campaignName: 'Spring', reasonCode: 'NEW' }, { comment: 'Spring' }),
  },
  {
    name: 'what is optional of a physical card',
    of: (order) => Bodies.withCards(order, (card) => ({ ...PHYSICAL_DETAILS, ...card })),
  },
  // Neither is required, and a plain order is of physical cards if it says nothing.
  {
    name: 'no shippingMethod, or cardType said where it was not',
    of: ({ shippingMethod: _, cardType = 'absent', ...order }) => ({
      ...order,
      ...(cardType === 'Digital' && { cardType }),
      ...(cardType === 'absent' && { cardType: 'Physical' }),
    }),
  },
  {
    name: 'what identifies its cards',
    of: (order, t) =>
      Bodies.withCards(order, (card) => ({
        ...Bodies.identified(t, card),
        otherInfo: Bodies.freshIdentifier(t, card.otherInfo),
        embossedMessage: 'Robin Example',
      })),
  },
];

const OTHER_PLACE = { dateOfBirth: '1981-11-16', mailingAddr1: '221 Oak Avenue' };
const PHYSICAL_DETAILS = { ...FICTIONAL_DETAILS, ...OTHER_PLACE, ...Bodies.CLIENT_DEFINED };

/** The order with all {@link DIFFERENCES}. */
export const withAllDifferences = (t: Context, order: Bodies.Body): Bodies.Body =>
  DIFFERENCES.reduce((made, { of }) => of(made, t), order);

/** Variations of an order: one with all {@link DIFFERENCES} where the program is known to take that, else one for each that this run tries. */
export const variationsOf = (t: Context, subject: string, order: Bodies.Body, takesAll: boolean): Bodies.Body[] =>
  takesAll
    ? [withAllDifferences(t, order)]
    : t.rotated(`${subject}: said otherwise`, DIFFERENCES).map(({ of }) => of(order, t));

/** The base order of a plain program to repeat, preferably not that of `other`. */
export async function requireBase(t: Context): Promise<Orders.Base> {
  const other = Bodies.programOf(t, 'other');
  for (const key of Bodies.PLAIN_PROGRAMS) {
    const found = await Orders.acceptedBase(t, key);
    if (found && String(found.program.custProgId) !== String(other?.custProgId)) return found;
  }
  return Orders.requireBase(t);
}

/** An order with an externalIdentifier. @throws Skipped without a program to order from, Inconclusive when it is refused */
export const identified = scenario('an order with an externalIdentifier', async (t) => {
  t.prioritise();
  const base = await requireBase(t);
  const { externalIdentifier, ...rest } = Bodies.identified(t, base.make());
  const answer = await Orders.send(t, { ...rest, externalIdentifier });
  return { first: requireAccepted(answer, 'the order whose externalIdentifier is repeated'), externalIdentifier, base };
});

/** Repeats that externalIdentifier, in an equal order, after others, and with other values. @throws Skipped, Inconclusive as {@link identified} */
export const repeated = scenario('orders with an externalIdentifier that is not the latest', async (t) => {
  t.prioritise();
  const { externalIdentifier, base } = await t.shared(identified);
  const { make } = base;
  const otherwise = await Orders.send(t, Bodies.identified(t, withAllDifferences(t, make())));
  if (!succeeded(otherwise)) await Orders.send(t, Bodies.identified(t, make()));
  // The first may take a while to show.
  await t.settle();
  const repeat = (body: Bodies.Body) => attempt(() => Orders.send(t, { ...body, externalIdentifier }));
  await repeat(make());
  await repeat(make());
  // Between the repetitions comes one that is refused for a missing member.
  const lacking = { json: { ...without(make(), 'city'), externalIdentifier } };
  await optional(t.call(Orders.ORDER, lacking, { intent: 'malformed' }));
  const bodies = variationsOf(t, 'orders with an externalIdentifier again', make(), succeeded(otherwise));
  for (const body of [...bodies, Types.ofSiblingType(make())]) await repeat(body);
});

/** Longer than what columns of narrow width, or numbers of 64 bits, hold. */
const LONG = 40;
/** An order with a long externalIdentifier, or one of {@link identified}. */
export const long = scenario('an order with a long externalIdentifier', async (t) => {
  const { externalIdentifier, ...plain } = await t.shared(identified);
  const longer = String(externalIdentifier).padEnd(LONG, '1234567890');
  const answer = await Orders.send(t, { ...plain.base.make(), externalIdentifier: longer }, { intent: 'unusual' });
  return succeeded(answer) ? { ...plain, first: answer, externalIdentifier: longer } : { ...plain, externalIdentifier };
});

/** An order that was accepted, what it is identified by, and how others are made. */
interface Identified {
  /** In words: `an order with an otherInfo`. */
  what: string;
  base: Orders.Base;
  first: Answer;
  identifier: string;
  /** Makes an order with another identifier. */
  under(identifier: string): Bodies.Body;
}

/**
 * Expects orders to be taken whose identifiers resemble that of an accepted one (reading 44): some that hold what this one holds, and some with other marks.
 * @throws Nonconformance when one of them is refused, or answered as the first; Inconclusive where the program takes none of their forms
 */
export async function expectDistinct(t: Context, of: Identified): Promise<void> {
  const { what, identifier } = of;
  const { plain, odd } = Forms.byAlphabet(identifier, Forms.lookAlikes(t, 'orderIdentifier', identifier));
  // The first shows the most.
  const tried = [
    ...plain.slice(0, 1),
    ...t.rotated(`${what}, distinct`, plain.slice(1), { costs: Orders.ORDER }),
    ...t.rotated(`${what}, distinct by marks`, odd, { costs: Orders.ORDER }),
  ];
  await t.settle();
  const judged: Fact<void>[] = [];
  for (const form of tried) judged.push(await attempt(() => expectOneMore(t, of, form)));
  // A form that the program does not take shows nothing where it takes another.
  const left = judged.filter(({ ended }) => !(ended instanceof Inconclusive));
  judgeEach((left.length > 0 ? left : judged).map((fact) => () => fact.get()));
}

/**
 * Expects an order to be taken whose identifier resembles that of an accepted one. Where it is refused, others are sent whose identifiers resemble those
 * of further orders in the same way, between orders whose identifiers have this form and resemble none: no identifier that was refused is sent again.
 */
async function expectOneMore(t: Context, of: Identified, { name, text }: Forms.LookAlike) {
  const { base, first, identifier, under } = of;
  const what = `${of.what} that is an earlier one ${name}`;
  const unused = (made: string) => under(Bodies.unusedOf(t, () => made));
  const second = await Orders.send(t, unused(text));
  if (succeeded(second)) return Identifiers.expectAnother(first, second, [base.answer], what);
  const fresh = () => Bodies.freshIdentifier(t, identifier);
  const like = (earlier: string) => unused(Forms.likewise(t, name, earlier));
  const afterAnother = async () => {
    const earlier = fresh();
    requireAccepted(await Orders.send(t, under(earlier)), 'an order that another one is to resemble');
    return like(earlier);
  };
  await Orders.expectTaken(t, base, what, afterAnother, () => like(fresh()));
}
