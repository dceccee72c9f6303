/** Lists the suites of the portal. */
import type { Suite } from '../../helpers/check.ts';
import { cipLimitsSuite } from './cip/limits.ts';
import { cipOutcomesSuite } from './cip/outcomes.ts';
import { customerHierarchySuite } from './customer-hierarchy.ts';
import { customerProgramsSuite } from './customer-programs.ts';
import { parametersSuite } from './every-operation/parameters.ts';
import { requiresSessionSuite } from './every-operation/requires-session.ts';
import { loginSuite } from './login.ts';
import { logoutSuite } from './logout.ts';
import { orderBodySuite } from './orders/body.ts';
import { orderDuplicatesSuite } from './orders/duplicates.ts';
import { orderLoadsSuite } from './orders/loads.ts';
import { orderObservationsSuite } from './orders/observations.ts';
import { orderRulesSuite } from './orders/rules.ts';
import { orderValuesSuite } from './orders/values.ts';

/** The portal's suites. Orders come first: they run one by one and form the longest chain. */
export const portalSuites: readonly Suite[] = [
  orderBodySuite,
  orderValuesSuite,
  orderRulesSuite,
  orderDuplicatesSuite,
  orderLoadsSuite,
  orderObservationsSuite,
  loginSuite,
  logoutSuite,
  requiresSessionSuite,
  parametersSuite,
  customerHierarchySuite,
  customerProgramsSuite,
  cipOutcomesSuite,
  cipLimitsSuite,
];
