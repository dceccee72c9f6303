/** Order rule 4: orders with load (readings 43 and 44). */
import { succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { type Row, without } from '../../../helpers/engine/rows.ts';
import { expectRefused, requireAccepted } from '../../../helpers/expect.ts';
import { optional } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import * as Bodies from './bodies.ts';
import * as Kinds from './kinds.ts';
import { loadsWithOneIdentifier } from './monitors.ts';
import * as Orders from './orders.ts';
import { ordersOn } from './table.ts';

check('portal.orderCards.load-accepted', 'amount, totalValue and externalIdentifiers', async (t) => {
  const base = await Orders.requireBase(t, 'loadOn');
  const { answer, make } = await t.shared(Kinds.loads('loadOn'));
  if (!succeeded(answer))
    await Orders.expectTaken(t, base, `an order with load, from 1 to ${Bodies.LARGEST_LOAD},`, make, () =>
      Bodies.withoutAnywhere(make(), 'amount', 'totalValue'),
    );
});

/** An order with load whose first cards get nothing. */
const forTheLast = (loaded: Bodies.Body): Bodies.Body => ({
  ...Bodies.withCards(loaded, (card, index) =>
    index < Bodies.cardsOf(loaded).length - 1 ? without(card, 'amount') : card,
  ),
  totalValue: Bodies.LOADS[0],
});

const withoutTotal = (loaded: Bodies.Body): Bodies.Body => without(loaded, 'totalValue');

/** An order with load: of one card and a plain amount, if it doesn't say otherwise. */
const loaded = (
  what: string,
  change: (loaded: Bodies.Body) => Bodies.Body = (same) => same,
  { on = 'one', amount = Bodies.LOADS[0] }: { on?: 'one' | 'two' | 'three'; amount?: number } = {},
): Row => ({
  what: `an order with load (${what}) where load while ordering is off`,
  on: [on],
  of: (order, t) => change(Bodies.withLoad(t, order, amount)),
});

const whereOff = ordersOn(async (t) => {
  // A target must not remember loadOn's setting for this program.
  await optional(t.known(Kinds.loads('loadOn')));
  return Orders.requireBase(t, 'loadOff');
});

whereOff.refuses(
  'portal.orderCards.load-off',
  'orders with load',
  [
    loaded('amount, totalValue and externalIdentifiers'),
    loaded('a large amount, the second time', undefined, { amount: Bodies.LARGEST_LOAD }),
    loaded('amount and totalValue without externalIdentifiers', (order) =>
      Bodies.withoutAnywhere(order, 'externalIdentifier'),
    ),
    loaded('in an instant issue', Bodies.asInstantIssue),
    loaded('an amount of the second card alone', forTheLast, { on: 'two' }),
    loaded('a little for the second card alone, without totalValue', (order) => withoutTotal(forTheLast(order)), {
      on: 'two',
      // The least of whole units.
      amount: 1,
    }),
    [
      loaded('amount without totalValue', withoutTotal),
      loaded('of a Physical card', Bodies.asPhysical),
      loaded('of a Digital card', Bodies.asDigital),
      loaded('an amount of each of two cards, without totalValue', withoutTotal, { on: 'two' }),
      loaded('an amount of the last of three cards alone', forTheLast, { on: 'three' }),
    ],
  ],
  { mayCost: true },
);

/** Makers of orders with load: `load` repeats the same externalIdentifiers of cards each time, `make` uses fresh ones. */
async function loadTwice(t: Context, cards: number) {
  const make = await Kinds.requireLoad(t, 'duplicateLoadChecker');
  const identifiers = Bodies.cardsOf(make(cards)).map((card) => Bodies.freshIdentifier(t, card.externalIdentifier));
  const load = () => Bodies.withCards(make(cards), (card, n) => ({ ...card, externalIdentifier: identifiers[n] }));
  return { load, make };
}

const noSecondLoad = monitored('portal.orderCards.duplicate-load', loadsWithOneIdentifier);

noSecondLoad('another order with the externalIdentifier of a load', {}, async (t) => {
  const { load } = await loadTwice(t, 1);
  requireAccepted(await Orders.send(t, load()), 'the load that is repeated');
  await t.settle();
  await Orders.send(t, load());
  await Orders.send(t, load());
});

noSecondLoad('two at the same moment', {}, async (t) => Orders.twoAtOnce(t, (await loadTwice(t, 1)).load));

const loadOfTwo = scenario('an order with load of two cards', async (t) => {
  const { load, make } = await loadTwice(t, 2);
  return { first: requireAccepted(await Orders.send(t, load()), 'an order with load of two cards'), make };
});

noSecondLoad('the second card of an earlier order', {}, async (t) => {
  const { first, make } = await t.shared(loadOfTwo);
  const { externalIdentifier } = Bodies.cardsIn(first)[1]!;
  await t.settle();
  await Orders.send(t, Bodies.withCards(make(1), { externalIdentifier }));
});

check('portal.orderCards.duplicate-load', 'two cards of one order', async (t) => {
  const { make } = await t.shared(loadOfTwo);
  const externalIdentifier = Bodies.freshIdentifier(t, Bodies.cardsOf(make(1))[0]?.externalIdentifier);
  const repeating = await Orders.send(t, Bodies.withCards(make(2), { externalIdentifier }));
  expectRefused(repeating, 'an order that repeats the externalIdentifier of a load among its cards');
});
