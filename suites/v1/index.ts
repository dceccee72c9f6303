/** Lists the suites of the portal. */
import type { Suite } from '../../helpers/check.ts';
import { cipAnswersSuite } from './cip/answers.ts';
import { cipRequestsSuite } from './cip/requests.ts';
import { customerHierarchySuite } from './customer-hierarchy.ts';
import { customerProgramsSuite } from './customer-programs.ts';
import { requiredOnlySuite } from './every-operation/required-only.ts';
import { requiresSessionSuite } from './every-operation/requires-session.ts';
import { loginSuite } from './login.ts';
import { logoutSuite } from './logout.ts';
import { orderDuplicatesSuite } from './orders/duplicates.ts';
import { orderLoadsSuite } from './orders/loads.ts';
import { orderObservationsSuite } from './orders/observations.ts';
import { orderRequestsSuite } from './orders/requests.ts';
import { orderRulesSuite } from './orders/rules.ts';

/** The portal's suites. Orders come first: they run one by one and form the longest chain. */
export const portalSuites: readonly Suite[] = [
  orderRequestsSuite,
  orderRulesSuite,
  orderDuplicatesSuite,
  orderLoadsSuite,
  orderObservationsSuite,
  loginSuite,
  logoutSuite,
  requiresSessionSuite,
  requiredOnlySuite,
  customerHierarchySuite,
  customerProgramsSuite,
  cipAnswersSuite,
  cipRequestsSuite,
];
