/** Generated orders: unlisted values, and optional members in combinations. Few, since each accepted order costs. */
import fc from 'fast-check';
import { CARD_TYPES, ORDER_PROD_TYPES } from '../../contracts/v1/orders.ts';
import { expectAccepted } from '../../helpers/acceptance.ts';
import { defineSuite } from '../../helpers/check.ts';
import { expectRefused } from '../../helpers/expect.ts';
import { ORDER, requirePlainBase } from '../v1/orders/base-orders.ts';
import { withCards, without } from '../v1/orders/bodies.ts';
import { plainText } from './inputs.ts';
import { affordable, forAll, type Limits } from './search.ts';

const { check, suite } = defineSuite();
export const generatedOrdersSuite = suite;

/** Limits for orders that only a broken target accepts. */
const FEW: Limits = { shrinkingRequests: 5 };

/** Unlisted values that begin like a listed one. Every run tries unlike ones anyway. */
const unlistedType = fc
  .tuple(fc.constantFrom(...ORDER_PROD_TYPES), fc.integer({ min: 2, max: 99 }))
  .map(([type, n]) => `${type} ${n}`);
const unlistedCardType = fc
  .tuple(fc.constantFrom(...CARD_TYPES), fc.constantFrom('Card', ' or Digital', '2', 'é', '-Virtual'))
  .map((parts) => parts.join(''));

for (const [id, member, values] of [
  ['portal.orderCards.unlisted-order-type', 'orderProdType', unlistedType],
  ['portal.orderCards.unlisted-card-type', 'cardType', unlistedCardType],
] as const)
  check(id, 'generated: values outside of the list', async (t) => {
    const { make } = await requirePlainBase(t);
    await forAll(
      t,
      values,
      1,
      async (value) => {
        const answer = await t.call(ORDER, { json: { ...make(1), [member]: value } }, { intent: 'malformed' });
        expectRefused(answer, `an order whose ${member} is not listed`);
      },
      FEW,
    );
  });

const optional = fc.record(
  {
    campaignName: plainText(3, 12),
    reasonCode: fc.constantFrom('NEW', 'R1'),
    cardType: fc.constantFrom('', null),
  },
  { requiredKeys: [] },
);
const optionalOfCard = fc.record(
  {
    dateOfBirth: fc.constant('1980-10-15'),
    email: fc.constant('robin@example.com'),
    comment: plainText(3, 20),
    clientDefinedField1: plainText(2, 10),
    clientDefinedField5: plainText(2, 10),
  },
  { requiredKeys: [] },
);

check('portal.orderCards.card-type-optional', 'generated: with other optional members', async (t) => {
  const { make } = await requirePlainBase(t);
  await forAll(
    t,
    fc.tuple(optional, optionalOfCard),
    2,
    async ([ofOrder, ofCard]) => {
      const order = () =>
        withCards({ ...without(make(1), 'cardType'), ...ofOrder }, (card) => ({ ...card, ...ofCard }));
      await expectAccepted(t, {
        operation: ORDER,
        what: 'an order without a cardType',
        input: () => ({ json: order() }),
        control: () => ({ json: { ...order(), cardType: 'Physical' } }),
      });
    },
    { most: affordable(t, 'RUN_MAX_ORDERS'), ...FEW },
  );
});
