/** All suites of the portal. */
import type { Suite } from '../../helpers/check.ts';
import { cipLimitsSuite } from './cip/limits.ts';
import { cipSuite } from './cip/outcomes.ts';
import { customersSuite } from './customer-hierarchy.ts';
import { programsSuite } from './customer-programs.ts';
import { parametersSuite } from './every-operation/parameters.ts';
import { sessionsRequiredSuite } from './every-operation/requires-session.ts';
import { sessionSuite } from './login.ts';
import { ordersSuite } from './orders/body.ts';
import { orderObservationsSuite } from './orders/observations.ts';
import { orderRulesSuite } from './orders/rules.ts';

export const portalSuites: readonly Suite[] = [
  sessionSuite,
  sessionsRequiredSuite,
  parametersSuite,
  customersSuite,
  programsSuite,
  cipSuite,
  cipLimitsSuite,
  ordersSuite,
  orderRulesSuite,
  orderObservationsSuite,
];
