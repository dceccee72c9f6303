/** All suites of the portal. */
import type { Suite } from '../../helpers/check.ts';
import { cipLimitsSuite } from './cip/limits.ts';
import { cipSuite } from './cip/outcomes.ts';
import { customersSuite } from './customer-hierarchy.ts';
import { programsSuite } from './customer-programs.ts';
import { parametersSuite } from './every-operation/parameters.ts';
import { requiresSessionSuite } from './every-operation/requires-session.ts';
import { loginSuite } from './login.ts';
import { logoutSuite } from './logout.ts';
import { ordersSuite } from './orders/body.ts';
import { duplicatesSuite } from './orders/duplicates.ts';
import { loadsSuite } from './orders/loads.ts';
import { orderObservationsSuite } from './orders/observations.ts';
import { orderRulesSuite } from './orders/rules.ts';

export const portalSuites: readonly Suite[] = [
  loginSuite,
  logoutSuite,
  requiresSessionSuite,
  parametersSuite,
  customersSuite,
  programsSuite,
  cipSuite,
  cipLimitsSuite,
  ordersSuite,
  orderRulesSuite,
  duplicatesSuite,
  loadsSuite,
  orderObservationsSuite,
];
