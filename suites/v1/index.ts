/** All suites of the portal. */
import type { Suite } from '../../helpers/check.ts';
import { cipSuite } from './cip.ts';
import { cipLimitsSuite } from './cip-limits.ts';
import { customersSuite } from './customers.ts';
import { orderObservationsSuite } from './order-observations.ts';
import { orderRulesSuite } from './order-rules.ts';
import { ordersSuite } from './orders.ts';
import { parametersSuite } from './parameters.ts';
import { programsSuite } from './programs.ts';
import { sessionSuite } from './session.ts';
import { sessionsRequiredSuite } from './sessions-required.ts';

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
