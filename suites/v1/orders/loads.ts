/** Order rule 4: orders with load (readings 43 and 44). */
import { succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { without } from '../../../helpers/engine/rows.ts';
import { expectRefused, requireAccepted } from '../../../helpers/expect.ts';
import { attempt } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import { expectOrderAccepted, expectOrdersRefused, order, requireBaseOrder } from './base-orders.ts';
import {
  asDigital,
  asInstantIssue,
  asPhysical,
  type Body,
  cardsOf,
  freshIdentifier,
  LARGEST_LOAD,
  LOADS,
  withCards,
  withLoad,
  withoutLoad,
} from './bodies.ts';
import { loads, requireAcceptedLoad } from './kinds.ts';
import { loadsWithOneIdentifier } from './monitors.ts';

check('portal.orderCards.load-accepted', 'amount, totalValue and externalIdentifiers', async (t) => {
  const base = await requireBaseOrder(t, 'loadOn');
  const { answer, make } = await t.shared(loads.loadOn);
  if (!succeeded(answer))
    await expectOrderAccepted(t, base, `an order with load, whatever its amount (${LOADS.join(', ')}),`, () => make(), {
      control: () => withoutLoad(make()),
    });
});

/** An order with load whose first card gets nothing. */
const withoutFirstAmount = (loaded: Body): Body => ({
  ...withCards(loaded, (card, index) => (index === 0 ? without(card, 'amount') : card)),
  totalValue: LOADS[0],
});

/** An order with load without externalIdentifiers, at top level and in its cards. */
const unidentified = (loaded: Body): Body =>
  without(
    withCards(loaded, (card) => without(card, 'externalIdentifier')),
    'externalIdentifier',
  );

const withoutTotal = (loaded: Body): Body => without(loaded, 'totalValue');

/** The smallest load, in whole units of the currency. */
const LEAST_LOAD = 1;

/** An order with load: of one card and a plain amount, if it doesn't say otherwise. */
interface OtherLoad {
  name: string;
  cards?: number;
  amount?: number;
  of: (loaded: Body) => Body;
}

const LOADS_WHERE_OFF: readonly OtherLoad[] = [
  { name: 'amount, totalValue and externalIdentifiers', of: (loaded) => loaded },
  { name: 'a large amount, the second time', amount: LARGEST_LOAD, of: (loaded) => loaded },
  { name: 'amount and totalValue without externalIdentifiers', of: unidentified },
  { name: 'in an instant issue', of: asInstantIssue },
  { name: 'an amount of the second card alone', cards: 2, of: withoutFirstAmount },
  {
    name: 'a little for the second card alone, without totalValue',
    cards: 2,
    amount: LEAST_LOAD,
    of: (loaded) => withoutTotal(withoutFirstAmount(loaded)),
  },
];

/** Further orders with load; a run tries one of them. */
const OTHER_LOADS: readonly OtherLoad[] = [
  { name: 'amount without totalValue', of: withoutTotal },
  { name: 'of a Physical card', of: asPhysical },
  { name: 'of a Digital card', of: asDigital },
  { name: 'an amount of each of two cards, without totalValue', cards: 2, of: withoutTotal },
  {
    name: 'an amount of the last of three cards alone',
    cards: 3,
    of: (loaded) =>
      withCards(withoutFirstAmount(loaded), (card, index) => (index < 2 ? without(card, 'amount') : card)),
  },
];

check('portal.orderCards.load-off', 'orders with load', async (t) => {
  const base = await requireBaseOrder(t, 'loadOff');
  // A target must not remember loadOn's setting for this program.
  await attempt(() => t.known(loads.loadOn));
  const wrong = [...LOADS_WHERE_OFF, ...t.rotated('loads where these are off', OTHER_LOADS)];
  const orders = wrong.map(({ name, cards = 1, amount = LOADS[0], of }) => ({
    what: `an order with load (${name}) where load while ordering is off`,
    make: () => of(withLoad(t, base.make(cards), amount)),
  }));
  await expectOrdersRefused(t, base, orders);
});

/** Makers of orders with load: `load` repeats the same externalIdentifiers of cards each time, `make` uses fresh ones. */
async function loadTwice(t: Context, cards: number) {
  const make = await requireAcceptedLoad(t, 'duplicateLoadChecker');
  const identifiers = cardsOf(make(cards)).map((card) => freshIdentifier(t, card.externalIdentifier));
  const load = () => withCards(make(cards), (card, n) => ({ ...card, externalIdentifier: identifiers[n] }));
  return { load, make };
}

const noSecondLoad = monitored('portal.orderCards.duplicate-load', loadsWithOneIdentifier);

noSecondLoad('another order with the externalIdentifier of a load', {}, async (t) => {
  const { load } = await loadTwice(t, 1);
  requireAccepted(await order(t, load()), 'the load that is repeated');
  await t.settle();
  await order(t, load());
  await order(t, load());
});

noSecondLoad('two at the same moment', {}, async (t) => {
  const { load } = await loadTwice(t, 1);
  await Promise.all([order(t, load(), true), order(t, load(), true)]);
});

noSecondLoad('the second card of an earlier order', {}, async (t) => {
  const { load, make } = await loadTwice(t, 2);
  const first = requireAccepted(await order(t, load()), 'an order with load of two cards');
  const { externalIdentifier } = cardsOf(first.input.json as Body)[1]!;
  await t.settle();
  await order(
    t,
    withCards(make(1), (card) => ({ ...card, externalIdentifier })),
  );
});

check('portal.orderCards.duplicate-load', 'two cards of one order', async (t) => {
  const make = await requireAcceptedLoad(t, 'duplicateLoadChecker');
  requireAccepted(await order(t, make(2)), 'an order with load of two cards');
  const externalIdentifier = freshIdentifier(t, cardsOf(make(1))[0]?.externalIdentifier);
  const repeating = withCards(make(2), (card) => ({ ...card, externalIdentifier }));
  expectRefused(await order(t, repeating), 'an order that repeats the externalIdentifier of a load among its cards');
});
