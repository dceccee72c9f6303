import { cardLives } from './freedoms/card-lives.ts';
import { cardRules } from './freedoms/card-rules.ts';
import { cipRules } from './freedoms/cip-rules.ts';
import { customersAndPeople } from './freedoms/customers-and-people.ts';
import { formatFreedoms } from './freedoms/format.ts';
import type { Freedom } from './freedoms/freedom.ts';
import { listingFreedoms } from './freedoms/listing.ts';
import { lookupRules } from './freedoms/lookup-rules.ts';
import { moneyMoves } from './freedoms/money-moves.ts';
import { onceAccused } from './freedoms/once-accused.ts';
import { orderingFreedoms, orderRules } from './freedoms/order-rules.ts';
import { preconditionFreedoms } from './freedoms/precondition.ts';
import { presenceFreedoms } from './freedoms/presence.ts';
import { refusalFreedoms, statusFreedoms } from './freedoms/statuses.ts';
import { textFreedoms } from './freedoms/texts.ts';
import { timeFreedoms } from './freedoms/time.ts';
import { transferRules } from './freedoms/transfer-rules.ts';
import { connectionFreedoms, transportFreedoms } from './freedoms/transport.ts';
import { wireFreedoms } from './freedoms/wire.ts';

export type { Family, Freedom } from './freedoms/freedom.ts';

/** All freedoms: points that the documents leave open, each used differently from the default. */
export const freedoms: readonly Freedom[] = [
  ...formatFreedoms,
  ...textFreedoms,
  ...presenceFreedoms,
  ...listingFreedoms,
  ...preconditionFreedoms,
  ...statusFreedoms,
  ...timeFreedoms,
  ...transportFreedoms,
  ...wireFreedoms,
  ...transferRules,
  ...cardRules,
  ...lookupRules,
  ...cipRules,
  ...orderRules,
  ...cardLives,
  ...moneyMoves,
  ...refusalFreedoms,
  ...connectionFreedoms,
  ...customersAndPeople,
  ...orderingFreedoms,
  ...onceAccused,
];

/** Whether a freedom is about connections and what goes over them. */
export const isOfTransport = ({ family }: Freedom): boolean => family === 'transport';
