import { cardRules } from './freedoms/card-rules.ts';
import { cipRules } from './freedoms/cip-rules.ts';
import { formatFreedoms } from './freedoms/format.ts';
import type { Freedom } from './freedoms/freedom.ts';
import { listingFreedoms } from './freedoms/listing.ts';
import { lookupRules } from './freedoms/lookup-rules.ts';
import { orderRules } from './freedoms/order-rules.ts';
import { preconditionFreedoms } from './freedoms/precondition.ts';
import { presenceFreedoms } from './freedoms/presence.ts';
import { statusFreedoms } from './freedoms/statuses.ts';
import { textFreedoms } from './freedoms/texts.ts';
import { timeFreedoms } from './freedoms/time.ts';
import { transferRules } from './freedoms/transfer-rules.ts';
import { transportFreedoms } from './freedoms/transport.ts';
import { wireFreedoms } from './freedoms/wire.ts';

export type { Family, Freedom } from './freedoms/freedom.ts';

/** All freedoms: what the documents leave open, each with another way to have it. */
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
];
