/** The listed orderProdTypes as they belong together: by product, and of inventory or of persons (Order rules, 1 and 2; reading 42). */
import { ORDER_PROD_TYPES } from '../../../contracts/v1/orders.ts';
import { without } from '../../../helpers/engine/rows.ts';
import * as Bodies from './bodies.ts';

/** What names a product in an orderProdType. */
const PRODUCTS = [/Payroll/, /Reward|CORP/, /Purchas/];

const isOfInventory = (type: unknown): boolean => String(type).includes('Instant');

/** The other listed types: first those of the same product, and of these first what is of inventory or of persons as well. */
function othersThan(type: unknown): string[] {
  const product = PRODUCTS.find((name) => name.test(String(type)));
  const likeness = (other: string) =>
    2 * Number(product?.test(other) ?? false) + Number(isOfInventory(other) === isOfInventory(type));
  return ORDER_PROD_TYPES.filter((other) => other !== type).toSorted((one, other) => likeness(other) - likeness(one));
}

/** The order with another listed type, preferably of the same product. */
export const ofSiblingType = (order: Bodies.Body): Bodies.Body => ({
  ...order,
  orderProdType: othersThan(order.orderProdType)[0],
});

/** The order of one card of inventory: an instant issue, of the type that its product has for that. */
export const asInventory = (order: Bodies.Body): Bodies.Body => ({
  ...Bodies.asInstantIssue(order),
  orderProdType: typeOf(order, true),
});

/** The order as one of cards for persons. */
export const asPersonalized = (order: Bodies.Body): Bodies.Body => ({
  ...without(order, 'isInstantIssue', 'qty'),
  orderProdType: typeOf(order, false),
});

/** The type of an order, if it is of inventory or not as wanted, else one that is, preferably of the same product. */
const typeOf = ({ orderProdType: own }: Bodies.Body, wanted: boolean): unknown =>
  isOfInventory(own) === wanted ? own : othersThan(own).find((type) => isOfInventory(type) === wanted);
