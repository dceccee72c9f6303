/** The documents' descriptions of the named shapes, gathered from the files that declare them. */
import type { ShapeNote } from '../operation.ts';
import { cipShapes } from '../v1/cip.ts';
import { customerShapes } from '../v1/customers.ts';
import { orderShapes } from '../v1/orders.ts';
import { programShapes } from '../v1/programs.ts';
import { sessionShapes } from '../v1/session.ts';
import { shippingShapes } from '../v1/shipping-and-atm.ts';
import { cardShapes } from '../v3/cards.ts';
import { errorShapes } from '../v3/errors.ts';
import { tokenShapes } from '../v3/token.ts';
import { userShapes } from '../v3/users.ts';

export const v3Shapes: Readonly<Record<string, ShapeNote>> = {
  ...tokenShapes,
  ...userShapes,
  ...errorShapes,
  ...cardShapes,
};

export const v1Shapes: Readonly<Record<string, ShapeNote>> = {
  ...sessionShapes,
  ...customerShapes,
  ...programShapes,
  ...shippingShapes,
  ...cipShapes,
  ...orderShapes,
};
