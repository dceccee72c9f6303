/** Every sound implementation that the suite is proved by. */
import { generalVariants } from './general.ts';
import { listingVariants } from './listings.ts';
import { portalVariants } from './portal.ts';
import { portalCustomerVariants } from './portal-customers.ts';
import { portalLimitVariants } from './portal-limits.ts';
import { orderAndCipVariants } from './portal-orders-and-cip.ts';
import { portalRuleVariants } from './portal-rules.ts';
import { staleFixtureVariants } from './stale-fixtures.ts';
import { businessRuleVariants } from './v3-business-rules.ts';
import { changingCardVariants } from './v3-changing.ts';
import { moneyVariants } from './v3-money.ts';
import { readingVariants } from './v3-reading.ts';
import { tokenAndNameVariants } from './v3-tokens-and-names.ts';
import type { Variant } from './variant.ts';
import { wireVariants } from './wire.ts';

export const variants: readonly Variant[] = [
  ...generalVariants,
  ...portalVariants,
  ...portalRuleVariants,
  ...portalLimitVariants,
  ...portalCustomerVariants,
  ...orderAndCipVariants,
  ...changingCardVariants,
  ...moneyVariants,
  ...readingVariants,
  ...businessRuleVariants,
  ...tokenAndNameVariants,
  ...staleFixtureVariants,
  ...wireVariants,
  ...listingVariants,
];
