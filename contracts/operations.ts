/** All operations of both documents: 31 with details and 7 that are only listed. */
import type { Operation } from './operation.ts';
import { cipOperations } from './v1/cip.ts';
import { customerOperations } from './v1/customers.ts';
import { orderOperations } from './v1/orders.ts';
import { programOperations } from './v1/programs.ts';
import { sessionOperations } from './v1/session.ts';
import { shippingAndAtmOperations } from './v1/shipping-and-atm.ts';
import { cardholderOperations } from './v3/cardholders.ts';
import { cardOperations } from './v3/cards.ts';
import { tokenOperations } from './v3/token.ts';
import { userOperations } from './v3/users.ts';

/** All operations, in the order of the documents. */
export const operations: readonly Operation[] = [
  ...tokenOperations,
  ...userOperations,
  ...cardOperations,
  ...cardholderOperations,
  ...sessionOperations,
  ...customerOperations,
  ...cipOperations,
  ...shippingAndAtmOperations,
  ...programOperations,
  ...orderOperations,
];

const byId = new Map(operations.map((operation) => [operation.id, operation]));

/**
 * The operation with this id.
 * @throws Error when no document names it, which is a bug in the caller
 */
export function operation(id: string): Operation {
  const found = byId.get(id);
  if (!found) throw new Error(`no operation has the id ${id}`);
  return found;
}
