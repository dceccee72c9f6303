import type { Freedom } from './core/changes.ts';
import { cardFreedoms } from './freedoms/cards.ts';
import { clockFreedoms } from './freedoms/clocks.ts';
import { errorFreedoms } from './freedoms/errors.ts';
import { locks } from './freedoms/locks.ts';
import { moneyFreedoms } from './freedoms/money.ts';
import { neighbours } from './freedoms/neighbours.ts';
import { orderLimits } from './freedoms/order-limits.ts';
import { orderFreedoms } from './freedoms/orders.ts';
import { portalFreedoms } from './freedoms/portal.ts';
import { tokenFreedoms } from './freedoms/tokens.ts';
import { unfamiliarFreedoms } from './freedoms/unfamiliar.ts';
import { userFreedoms } from './freedoms/users.ts';
import { weather } from './freedoms/weather.ts';

/** Behaviours that documents and readings permit: nothing of this may be accused. */
export const freedoms: Freedom[] = [
  ...orderLimits,
  ...moneyFreedoms,
  ...locks,
  ...weather,
  ...errorFreedoms,
  ...clockFreedoms,
  ...neighbours,
  ...tokenFreedoms,
  ...userFreedoms,
  ...cardFreedoms,
  ...portalFreedoms,
  ...orderFreedoms,
  ...unfamiliarFreedoms,
];
