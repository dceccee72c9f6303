/** Order rules 2, 3 and 5: identifiers in answers, digital cards, and repeated otherInfo, which creates no second card (readings 43 and 44). */
import { type Answer, bodyOf, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { having, type Row, without } from '../../../helpers/engine/rows.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { attempt, fail, inconclusive, skip } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import * as Lifecycle from '../scenarios/lifecycle.ts';
import * as Bodies from './bodies.ts';
import * as Identifiers from './identifiers.ts';
import { ordersWithOneOtherInfo } from './monitors.ts';
import * as Orders from './orders.ts';
import * as Repetitions from './repetitions.ts';
import { ordersOn } from './table.ts';

const withNullMethod = (order: Bodies.Body): Bodies.Body => ({ ...Bodies.asDigital(order), shippingMethod: null });

const accepted = ordersOn((t) => Orders.requireBase(t, 'digitalOn')).accepts(
  'portal.orderCards.digital-accepted',
  'shippingMethod absent and null',
  [
    { what: 'a Digital order with shippingMethod absent', of: Bodies.asDigital },
    { what: 'a Digital order with shippingMethod null', of: withNullMethod },
  ].map((row) => ({ ...row, fuller: (order) => Bodies.withDetails(row.of(order)) })),
);

const whereOff = ordersOn(async (t) => {
  // A target must not remember digitalOn's setting for this program.
  await attempt(() => t.known(accepted));
  return Orders.requireBase(t, 'digitalOff');
});

/** A row of a Digital order where these are off. */
const digital = (what: string, change: Row['of'] = (order) => order): Row => ({
  what: `a Digital ${what} where digital cards are off`,
  of: (order, t) => change(Bodies.asDigital(order), t),
});

whereOff.refuses(
  'portal.orderCards.digital-off',
  'Digital orders of one card and of two',
  [
    digital('order'),
    digital('instant issue', Bodies.asInstantIssue),
    having(
      'a Digital order of two cards with a shippingMethod where digital cards are off',
      { cardType: 'Digital' },
      { on: ['shipped'] },
    ),
    [
      digital('order with a null shippingMethod', withNullMethod),
      digital('order with an externalIdentifier', (order, t) => Bodies.identified(t, order)),
      digital('order with an email for each card', Bodies.withDetails),
      // Refused either way: off if case is ignored, unlisted if not.
      digital('order in capital letters', (order) => ({ ...order, cardType: 'DIGITAL' })),
    ],
  ],
  { on: ['one'], mayCost: true },
);

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

check('portal.orderCards.distinct-identifiers', 'otherInfo that differs in one character', async (t) => {
  const base = await requireEmployees(t);
  const [card] = Bodies.cardsIn(base.answer);
  const under = (otherInfo: string) => Bodies.withCards(base.make(1), { otherInfo });
  await Repetitions.expectDistinct(t, base, 'an order with an otherInfo', base.answer, card?.otherInfo, under);
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
  const forms = Repetitions.oddFormsOf(t, 'orders with an otherInfo again', freshOtherInfo(t, base));
  const bodies = forms.map((otherInfo) => Bodies.withCards(ofOne(), { otherInfo }));
  const odd = await Orders.firstAccepted(t, bodies, 'unusual');
  const several = await t.shared(Orders.severalOn(base.program.key));
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
  await repeat(base.answer, otherInfo, () => Bodies.asDigital(ofOne()));
  // For a new employee and an earlier one, whose existing card may be answered again.
  const [fresh, used] = Bodies.cardsOf(base.make(2));
  if (infosOf(base.answer).length === 1)
    await Orders.send(t, { ...ofOne(), orderDetails: [fresh, { ...used, otherInfo }] });
});

for (const [when, options, repeatAll] of Lifecycle.REPEATED_LATER)
  noSecondCard(when, options, async (t) => {
    await requireEmployees(t);
    await repeatAll(t);
  });

noSecondCard('two orders at the same moment', {}, async (t) => {
  const base = await requireEmployees(t);
  const otherInfo = freshOtherInfo(t, base);
  await Orders.twoAtOnce(t, () => Bodies.withCards(base.make(1), { otherInfo }));
});

check('portal.orderCards.order-identifier', 'several cards', async (t) => {
  const { answer } = await Orders.requireSeveral(t, await requirePersonalized(t));
  expectMember(answer, 'named orderId', (name) => name === 'orderId');
});

check('portal.orderCards.proxy', 'one card', async (t) => {
  const { make, answer } = await requirePersonalized(t);
  const isOne = Bodies.cardsIn(answer).length === 1;
  const ofOne = isOne ? answer : requireAccepted(await Orders.send(t, make(1)), 'an order of one card');
  expectMember(ofOne, 'whose name contains proxy', (name) => /proxy/i.test(name));
});

/** The base order of a plain program other than instantIssue. @throws Skipped, Inconclusive */
async function requirePersonalized(t: Context): Promise<Orders.Base> {
  const found = await Orders.requireBase(t);
  return found.program.key === 'instantIssue' ? skip('needs portal.programs.personalized in the fixtures file') : found;
}

/** Expects a member with a fitting name at any depth, not null. @throws Nonconformance */
function expectMember(answer: Answer, what: string, isMeant: (name: string) => boolean): void {
  for (const { name, value } of Identifiers.members(bodyOf(answer))) if (isMeant(name) && value !== null) return;
  fail(`the answer holds no member ${what}`, `a member ${what}`, 'none', { in: answer });
}
