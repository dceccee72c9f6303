/** Every sound implementation that the suite is proved by. */
import { generalVariants } from './general.ts';
import { littleKnownVariants } from './little-known.ts';
import { lockVariants } from './locks.ts';
import { momentVariants } from './moments.ts';
import { cardMomentVariants } from './moments-of-cards.ts';
import { portalVariants } from './portal.ts';
import { portalCustomerVariants } from './portal-customers.ts';
import { kindRuleVariants } from './portal-kind-rules.ts';
import { portalLimitVariants } from './portal-limits.ts';
import { lookupRuleVariants } from './portal-lookup-rules.ts';
import { cipRuleVariants, orderRuleVariants } from './portal-order-rules.ts';
import { orderAndCipVariants } from './portal-orders-and-cip.ts';
import { sessionRuleVariants } from './portal-session-rules.ts';
import { staleFixtureVariants } from './stale-fixtures.ts';
import { changingCardVariants } from './v3-changing.ts';
import { moneyVariants } from './v3-money.ts';
import { readingVariants } from './v3-reading.ts';
import { requestRuleVariants } from './v3-request-rules.ts';
import { stateRuleVariants } from './v3-state-rules.ts';
import { tokenAndNameVariants } from './v3-tokens-and-names.ts';
import { transferRuleVariants } from './v3-transfer-rules.ts';
import type { Variant } from './variant.ts';
import { wireVariants } from './wire.ts';

export const variants: readonly Variant[] = [
  ...generalVariants,
  ...portalVariants,
  ...cipRuleVariants,
  ...orderRuleVariants,
  ...kindRuleVariants,
  ...sessionRuleVariants,
  ...lookupRuleVariants,
  ...portalLimitVariants,
  ...portalCustomerVariants,
  ...orderAndCipVariants,
  ...changingCardVariants,
  ...moneyVariants,
  ...readingVariants,
  ...transferRuleVariants,
  ...stateRuleVariants,
  ...requestRuleVariants,
  ...tokenAndNameVariants,
  ...staleFixtureVariants,
  ...wireVariants,
  ...lockVariants,
  ...littleKnownVariants,
  ...momentVariants,
  ...cardMomentVariants,
];
