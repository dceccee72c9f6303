/** Order rules 2, 3 and 5: identifiers in answers, digital cards, and repeated otherInfo, which creates no second card (readings 43 and 44). */
import { type Answer, bodyOf, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { expectRefused, requireAccepted } from '../../../helpers/expect.ts';
import { hasClock } from '../../../helpers/runner/target-clock.ts';
import { attempt, fail, inconclusive, skip } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import { restrictedUser } from '../scenarios/restricted-user.ts';
import { lifecycle, ordersLater } from '../scenarios/session-lifecycle.ts';
import {
  type BaseOrder,
  expectOrderAccepted,
  expectOrdersRefused,
  firstAccepted,
  order,
  orderOfSeveral,
  requireBaseOrder,
  requirePlainBase,
  shippingMethods,
} from './base-orders.ts';
import {
  asDigital,
  asInstantIssue,
  type Body,
  cardsOf,
  freshIdentifier,
  identified,
  withCards,
  withDetails,
  withIdentifiers,
} from './bodies.ts';
import { members, showsCard } from './identifiers.ts';
import { ordersWithOneOtherInfo } from './monitors.ts';
import { expectDistinct, oddFormsOf, variationsOf, withAllDifferences } from './repetitions.ts';

/** Digital orders where these are on, with shippingMethod absent and null. */
const digitalOrders = scenario('Digital orders', async (t) => {
  const base = await requireBaseOrder(t, 'digitalOn');
  const accepted = (what: string, change: (made: Body) => Body) =>
    attempt(() => {
      const made = () => change(asDigital(base.make()));
      const fuller = () => withDetails(made());
      return expectOrderAccepted(t, base, `a Digital order with shippingMethod ${what}`, made, { fuller });
    });
  return {
    absent: await accepted('absent', (made) => made),
    null: await accepted('null', (made) => ({ ...made, shippingMethod: null })),
  };
});

for (const what of ['absent', 'null'] as const)
  check('portal.orderCards.digital-accepted', `shippingMethod ${what}`, async (t) => {
    const orders = await t.shared(digitalOrders);
    orders[what]();
  });

/** Further Digital orders; a run tries one of them. */
const OTHER_DIGITAL: readonly { name: string; of: (t: Context, digital: Body) => Body }[] = [
  { name: 'with a null shippingMethod', of: (_, digital) => ({ ...digital, shippingMethod: null }) },
  { name: 'with an externalIdentifier', of: identified },
  { name: 'with an email for each card', of: (_, digital) => withDetails(digital) },
  // Refused either way: off if case is ignored, unlisted if not.
  { name: 'in capital letters', of: (_, digital) => ({ ...digital, cardType: 'DIGITAL' }) },
];

check('portal.orderCards.digital-off', 'Digital orders of one card and of two', async (t) => {
  const base = await requireBaseOrder(t, 'digitalOff');
  // A target must not remember digitalOn's setting for this program.
  await attempt(() => t.known(digitalOrders));
  const [shippingMethod] = await t.shared(shippingMethods);
  const digital = (cards?: number) => asDigital(base.make(cards));
  const others = t.rotated('Digital orders where these are off', OTHER_DIGITAL);
  const withMethod = () => ({ ...digital(2), ...(shippingMethod ? { shippingMethod } : {}) });
  await expectOrdersRefused(t, base, [
    { what: 'a Digital order where digital cards are off', make: () => digital(1) },
    { what: 'a Digital instant issue where digital cards are off', make: () => asInstantIssue(digital(1)) },
    { what: 'a Digital order of two cards with a shippingMethod where digital cards are off', make: withMethod },
    ...others.map(({ name, of }) => ({
      what: `a Digital order ${name} where digital cards are off`,
      make: () => of(t, digital(1)),
    })),
  ]);
});

/**
 * The base order of a program with unique otherInfo. An instant issue is inventory and names nobody, so what it needs of otherInfo is open
 * (reading 44).
 * @throws Skipped, Inconclusive
 */
async function requireEmployees(t: Context): Promise<BaseOrder> {
  const base = await requireBaseOrder(t, 'uniqueOtherInfo');
  if (base.make().isInstantIssue === true)
    inconclusive(
      'the order of portal.programs.uniqueOtherInfo is an instant issue, which names nobody: give a personalized one',
    );
  return base;
}

check('portal.orderCards.other-info-required', 'otherInfo absent', async (t) => {
  const base = await requireEmployees(t);
  const lacking = () => withCards(base.make(), (card) => without(card, 'otherInfo'));
  await expectOrdersRefused(t, base, [
    { what: 'an order without otherInfo', make: lacking },
    { what: 'a Digital order without otherInfo', make: () => asDigital(lacking()) },
  ]);
});

/** An order of three cards, each with its own otherInfo; of two where three are refused. */
const severalEmployees = scenario('an order of several cards with an otherInfo of their own', async (t) => {
  const { make } = await requireEmployees(t);
  return firstAccepted(t, [make(3), make(2)]);
});

/** The number of cards in the accepted {@link severalEmployees}. @throws Skipped, Inconclusive */
async function requireSeveralEmployees(t: Context): Promise<number> {
  const several = requireAccepted(
    await t.shared(severalEmployees),
    'an order of several cards with an otherInfo of their own',
  );
  return cardsOf(several.input.json as Body).length;
}

check('portal.orderCards.distinct-identifiers', 'otherInfo that differs in its last character', async (t) => {
  const base = await requireEmployees(t);
  const [card] = cardsOf(base.answer.input.json as Body);
  const under = (otherInfo: string) => withCards(base.make(1), (one) => ({ ...one, otherInfo }));
  const given = { first: base.answer, identifier: card?.otherInfo, under };
  await expectDistinct(t, base, 'an order with an otherInfo', given);
});

check('portal.orderCards.other-info-required', 'otherInfo absent in one of several cards', async (t) => {
  const base = await requireEmployees(t);
  const count = await requireSeveralEmployees(t);
  const lacking = (place: number) =>
    withCards(base.make(count), (card, index) => (index === place ? without(card, 'otherInfo') : card));
  const what = (which: string) => `an order whose ${which} card of ${count} has no otherInfo`;
  await expectOrdersRefused(t, base, [
    { what: what('first'), make: () => lacking(0) },
    // Between the two, where there is one.
    ...(count > 2 ? [{ what: what('second'), make: () => lacking(1) }] : []),
    // Other identifiers don't replace otherInfo.
    { what: what('last'), make: () => withIdentifiers(t, lacking(count - 1)) },
  ]);
});

/** A fresh otherInfo, in the form that the program is known to take. */
const freshOtherInfo = (t: Context, { make }: BaseOrder) => freshIdentifier(t, cardsOf(make(1))[0]?.otherInfo);

check('portal.orderCards.other-info-repeated-in-order', 'two cards with the same otherInfo', async (t) => {
  const base = await requireEmployees(t);
  await requireSeveralEmployees(t);
  const otherInfo = freshOtherInfo(t, base);
  const repeating = withCards(base.make(2), (card) => ({ ...card, otherInfo }));
  expectRefused(await order(t, repeating), 'an order that repeats otherInfo among its cards');
});

const noSecondCard = monitored('portal.orderCards.other-info-repeated-over-orders', ordersWithOneOtherInfo);

noSecondCard('otherInfo of each card of earlier orders, twice', {}, async (t) => {
  const base = await requireEmployees(t);
  const having = (otherInfo: unknown, of: Body) => withCards(of, (card) => ({ ...card, otherInfo }));
  const forms = oddFormsOf(t, 'orders with an otherInfo again', freshOtherInfo(t, base));
  const odd = await firstAccepted(
    t,
    forms.map((otherInfo) => having(otherInfo, base.make(1))),
    'unusual',
  );
  const several = await t.shared(severalEmployees);
  // So that the orders above are no longer the latest.
  const otherwise = await order(t, identified(t, withAllDifferences(t, base.make(1))));
  const takesAll = succeeded(otherwise);
  await t.settle();
  const infosOf = (answer: Answer) =>
    succeeded(answer) ? cardsOf(answer.input.json as Body).map(({ otherInfo }) => otherInfo) : [];
  const repeat = async (first: Answer, otherInfo: unknown, of: () => Body) => {
    const answer = await order(t, having(otherInfo, of()));
    // The answer may show the existing card. Where the first order did not show that, the same order sent once more does.
    const isShown = infosOf(first).length === 1 && showsCard(first);
    if (!isShown && succeeded(answer)) await order(t, having(otherInfo, of()));
  };
  const ofOne = () => base.make(1);
  for (const first of [base.answer, odd, several])
    for (const otherInfo of infosOf(first)) await repeat(first, otherInfo, ofOne);
  const [otherInfo] = infosOf(base.answer);
  for (const body of variationsOf(t, 'orders with an otherInfo again', base.make(1), takesAll))
    await repeat(base.answer, otherInfo, () => (takesAll ? identified(t, body) : body));
  await repeat(base.answer, otherInfo, ofOne);
  await repeat(base.answer, otherInfo, () => asDigital(base.make(1)));
  // For a new employee and an earlier one, whose existing card may be answered again.
  const [fresh, used] = cardsOf(base.make(2));
  if (infosOf(base.answer).length === 1)
    await order(t, { ...base.make(1), orderDetails: [fresh, { ...used, otherInfo }] });
});

noSecondCard('by another user', { phase: 'last' }, async (t) => {
  await requireEmployees(t);
  await attempt(() => t.known(lifecycle));
  await t.shared(restrictedUser);
});

noSecondCard('hours later', { phase: 'later', applies: hasClock }, async (t) => {
  await requireEmployees(t);
  await t.shared(ordersLater);
});

noSecondCard('two orders at the same moment', {}, async (t) => {
  const base = await requireEmployees(t);
  const otherInfo = freshOtherInfo(t, base);
  const one = () => withCards(base.make(1), (card) => ({ ...card, otherInfo }));
  await Promise.all([order(t, one(), true), order(t, one(), true)]);
});

check('portal.orderCards.order-identifier', 'several cards', async (t) => {
  await requirePersonalized(t);
  const answer = requireAccepted(await t.shared(orderOfSeveral), 'an order of several cards');
  expectMember(answer, 'named orderId', (name) => name === 'orderId');
});

check('portal.orderCards.proxy', 'one card', async (t) => {
  const { make, answer } = await requirePersonalized(t);
  const isOne = cardsOf(answer.input.json as Body).length === 1;
  const ofOne = isOne ? answer : requireAccepted(await order(t, make(1)), 'an order of one card');
  expectMember(ofOne, 'whose name contains proxy', (name) => /proxy/i.test(name));
});

/** The base order of a plain program other than instantIssue. @throws Skipped, Inconclusive */
async function requirePersonalized(t: Context): Promise<BaseOrder> {
  const found = await requirePlainBase(t);
  return found.program.key === 'instantIssue' ? skip('needs portal.programs.personalized in the fixtures file') : found;
}

/** Expects a member with a fitting name at any depth, not null. @throws Nonconformance */
function expectMember(answer: Answer, what: string, isMeant: (name: string) => boolean): void {
  for (const { name, value } of members(bodyOf(answer))) if (isMeant(name) && value !== null) return;
  fail(`the answer holds no member ${what}`, `a member ${what}`, 'none', { in: answer });
}
