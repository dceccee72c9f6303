/** Order rule 3: digital cards (reading 43). */
import { succeeded } from '../../../helpers/answer.ts';
import { having, type Row } from '../../../helpers/engine/rows.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { optional } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as InEachSession from '../scenarios/in-each-session.ts';
import * as Bodies from './bodies.ts';
import * as Kinds from './kinds.ts';
import * as Orders from './orders.ts';
import { ordersOn } from './table.ts';

const withNullMethod = (order: Bodies.Body): Bodies.Body => ({ ...Bodies.asDigital(order), shippingMethod: null });

check('portal.orderCards.digital-accepted', 'shippingMethod absent and null', async (t) => {
  const base = await Orders.requireBase(t, 'digitalOn');
  const { answer, make } = await t.shared(Kinds.digitals('digitalOn'));
  if (!succeeded(answer)) await Orders.expectTaken(t, base, 'a Digital order with shippingMethod absent', make);
  const withNull = () => ({ ...make(), shippingMethod: null });
  await Orders.expectTaken(t, base, 'a Digital order with shippingMethod null', withNull, make);
});

const whereOff = ordersOn(async (t) => {
  // A target must not remember digitalOn's setting for this program.
  await optional(t.known(Kinds.digitals('digitalOn')));
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
      digital('order with everything optional', (order, t) => Bodies.withAllOptional(t, order)),
      // Refused either way: off if case is ignored, unlisted if not.
      digital('order in capital letters', (order) => ({ ...order, cardType: 'DIGITAL' })),
    ],
  ],
  { on: ['one'], mayCost: true },
);

InEachSession.judgeEachSession('portal.orderCards.digital-off', 'a Digital order where these are off', ({ answer }) =>
  expectRefused(answer, 'a Digital order where digital cards are off, in another session,'),
);
