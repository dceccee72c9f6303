/** Order rule 5: otherInfo that is required and unique, so that repeated it creates no second card (reading 44). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { having, without } from '../../../helpers/engine/rows.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import * as Lifecycle from '../scenarios/lifecycle.ts';
import * as Bodies from './bodies.ts';
import * as Identifiers from './identifiers.ts';
import * as Kinds from './kinds.ts';
import { ordersWithOneOtherInfo } from './monitors.ts';
import * as Orders from './orders.ts';
import * as Repeats from './repeats.ts';
import * as Repetitions from './repetitions.ts';
import { ordersOn } from './table.ts';

/**
 * The base order of a program with unique otherInfo. An instant issue is inventory and names nobody, so what it needs of otherInfo is open
 * (reading 44).
 * @throws Skipped, Inconclusive
 */
async function requireEmployees(t: Context): Promise<Orders.Base> {
  const base = await Orders.requireBase(t, 'uniqueOtherInfo');
  if (base.make().isInstantIssue === true)
    inconclusive(
      'the order of portal.programs.uniqueOtherInfo is an instant issue, which names nobody: give a personalized one',
    );
  return base;
}

const employees = ordersOn(requireEmployees);

/** The order without otherInfo in its cards, or in that at a place alone, counted from the end where it is negative. */
const lackingInfo = (order: Bodies.Body, place?: number): Bodies.Body =>
  Bodies.withCards(order, (card) =>
    place === undefined || card === Bodies.cardsOf(order).at(place) ? without(card, 'otherInfo') : card,
  );

employees.refuses(
  'portal.orderCards.other-info-required',
  'otherInfo absent',
  [
    { what: 'an order without otherInfo', of: (order) => lackingInfo(order) },
    { what: 'a Digital order without otherInfo', of: (order) => Bodies.asDigital(lackingInfo(order)) },
    {
      what: 'an order with load without otherInfo',
      of: (order, t) => Bodies.withLoad(t, lackingInfo(order), Bodies.LOADS[0]),
    },
  ],
  { mayCost: true },
);
employees.refuses(
  'portal.orderCards.other-info-required',
  'otherInfo absent in one of several cards',
  [
    { what: 'an order whose first card has no otherInfo', of: (order) => lackingInfo(order, 0) },
    { what: 'an order whose second card has no otherInfo', of: (order) => lackingInfo(order, 1) },
    // Other identifiers don't replace otherInfo.
    {
      what: 'an order whose last card has no otherInfo',
      of: (order, t) => Bodies.withCardIdentifiers(t, Bodies.identified(t, lackingInfo(order, -1))),
    },
  ],
  { on: ['several'], mayCost: true },
);

check('portal.orderCards.distinct-identifiers', 'otherInfo that resembles another', async (t) => {
  const base = await requireEmployees(t);
  const [card] = Bodies.cardsIn(base.answer);
  const under = (otherInfo: string) => Bodies.withCards(base.make(1), { otherInfo });
  const of = { base, first: base.answer, identifier: String(card?.otherInfo), under };
  await Repetitions.expectDistinct(t, { what: 'an order with an otherInfo', ...of });
});

/** A fresh otherInfo, in the form that the program is known to take. */
const freshOtherInfo = (t: Context, { make }: Orders.Base) =>
  Bodies.freshIdentifier(t, Bodies.cardsOf(make(1))[0]?.otherInfo);

employees.advisesAgainst(
  'portal.orderCards.other-info-repeated-in-order',
  'two cards with the same otherInfo',
  [
    having('an order that repeats otherInfo among its cards', (order) =>
      Bodies.withCards(order, { otherInfo: Bodies.cardsOf(order)[0]?.otherInfo }),
    ),
  ],
  { on: ['several'], mayCost: true },
);

const noSecondCard = monitored('portal.orderCards.other-info-repeated-over-orders', ordersWithOneOtherInfo);

noSecondCard('otherInfo of each card of earlier orders, twice', {}, async (t) => {
  const base = await requireEmployees(t);
  const ofOne = () => base.make(1);
  const forms = Forms.oddFormsOf(t, 'orders with an otherInfo again', freshOtherInfo(t, base));
  const bodies = forms.map((otherInfo) => Bodies.withCards(ofOne(), { otherInfo }));
  const odd = await Orders.firstAccepted(t, bodies, 'unusual');
  const several = await t.shared(Kinds.severalOn(base.program.key));
  // So that the orders above are no longer the latest.
  const takesAll = succeeded(await Orders.send(t, Bodies.identified(t, Repetitions.withAllDifferences(t, ofOne()))));
  await t.settle();
  const infosOf = (answer: Answer) =>
    succeeded(answer) ? Bodies.cardsIn(answer).map(({ otherInfo }) => otherInfo) : [];
  const repeat = async (first: Answer, otherInfo: unknown, of: () => Bodies.Body) => {
    const again = () => Orders.send(t, Bodies.withCards(of(), { otherInfo }));
    const answer = await again();
    // The answer may show the existing card. Where the first order did not show that, the same order sent once more does.
    const isShown = infosOf(first).length === 1 && Identifiers.showsCard(first);
    if (!isShown && succeeded(answer)) await again();
  };
  for (const first of [base.answer, odd, several.answer])
    for (const otherInfo of infosOf(first)) await repeat(first, otherInfo, ofOne);
  const [otherInfo] = infosOf(base.answer);
  for (const body of Repetitions.variationsOf(t, 'orders with an otherInfo again', ofOne(), takesAll))
    await repeat(base.answer, otherInfo, () => (takesAll ? Bodies.identified(t, body) : body));
  await repeat(base.answer, otherInfo, ofOne);
  // For a new employee and an earlier one, whose existing card may be answered again.
  const [fresh, used] = Bodies.cardsOf(base.make(2));
  if (infosOf(base.answer).length === 1)
    await Orders.send(t, { ...ofOne(), orderDetails: [fresh, { ...used, otherInfo }] });
});

noSecondCard('of two kinds', {}, async (t) => {
  await requireEmployees(t);
  await Repeats.ofInfos.inSession(t);
});

for (const [when, options, repeatAll] of Lifecycle.repeatedLast(
  'portal.orderCards.other-info-repeated-over-orders',
  Repeats.ofInfos,
))
  noSecondCard(when, options, async (t) => {
    await requireEmployees(t);
    await repeatAll(t);
  });
