/** Observes values of orders that the documents neither allow nor forbid (reading 42), after all checks and within the remaining budget of orders. */
import { ORDER_PROD_TYPES } from '../../../contracts/v1/orders.ts';
import { having, valuesOf, without } from '../../../helpers/engine/rows.ts';
import * as Bodies from './bodies.ts';
import { orders } from './table.ts';

/** The orderProdType that the document truncates, in full. */
const UNTRUNCATED = 'Non Reloadable-Corporate Reward Order';

orders.records(
  'orders of which the documents say nothing',
  [
    ...valuesOf('orderProdType', [...ORDER_PROD_TYPES, UNTRUNCATED]),
    ...valuesOf('host', ['Prepaid', 'Unlisted']),
    ...valuesOf('shippingMethod', ['Unlisted', null]),
    having('a listed shippingMethod', {}, { on: ['shipped'] }),
    ...valuesOf('address2', ['', null]),
    ...valuesOf('cardType', ['Physical']),
    // An instant issue names nobody, so what it needs of otherInfo is open (reading 44).
    {
      what: 'an instant issue without otherInfo where that is required',
      on: ['employee'],
      of: (order) => Bodies.asInstantIssue(Bodies.withCards(order, (card) => without(card, 'otherInfo'))),
    },
  ],
  { tries: 2, mayCost: true },
);
