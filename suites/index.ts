/** All suites of both documents. */
import type { Suite } from '../helpers/check.ts';
import { parametersSuite } from './every-operation/parameters.ts';
import { portalSuites } from './v1/index.ts';
import { cardsGetSuite } from './v3/cards/get.ts';
import { livesSuite } from './v3/cards/lives.ts';
import { nothingElseSuite } from './v3/cards/nothing-else.ts';
import { paymentsSuite } from './v3/cards/payments.ts';
import { cardsReadSuite } from './v3/cards/read.ts';
import { requiredOnlySuite } from './v3/cards/required-only.ts';
import { stateMatrixSuite } from './v3/cards/state-matrix.ts';
import { statesSuite } from './v3/cards/states.ts';
import { transferSuite } from './v3/cards/transfer.ts';
import { walletPinReissueSuite } from './v3/cards/wallet-pin-reissue.ts';
import { bodiesSuite } from './v3/every-operation/bodies.ts';
import { foreignSuite } from './v3/every-operation/foreign.ts';
import { hoursLaterSuite } from './v3/every-operation/hours-later.ts';
import { requiresLiveTokenSuite } from './v3/every-operation/requires-live-token.ts';
import { requiresTokenSuite } from './v3/every-operation/requires-token.ts';
import { unknownIdentifierSuite } from './v3/every-operation/unknown-identifier.ts';
import { filtersSuite } from './v3/listings/filters.ts';
import { membersSuite } from './v3/listings/members.ts';
import { namesSuite } from './v3/listings/names.ts';
import { pagesSuite } from './v3/listings/pages.ts';
import { recordsSuite } from './v3/listings/records.ts';
import { sizesSuite } from './v3/listings/sizes.ts';
import { tokenIssueSuite } from './v3/token/issue.ts';
import { tokenLifetimeSuite } from './v3/token/lifetime.ts';
import { tokenRequestFieldsSuite } from './v3/token/request-fields.ts';
import { usersGetSuite } from './v3/users/get.ts';
import { setPermissionsSuite } from './v3/users/set-permissions.ts';

/** All suites, those with the longest chains of requests first, so that shorter ones fill the gaps beside them. */
const suites: readonly Suite[] = [
  transferSuite,
  paymentsSuite,
  statesSuite,
  requiredOnlySuite,
  walletPinReissueSuite,
  bodiesSuite,
  pagesSuite,
  ...portalSuites,
  parametersSuite,
  livesSuite,
  cardsGetSuite,
  requiresTokenSuite,
  filtersSuite,
  sizesSuite,
  recordsSuite,
  membersSuite,
  namesSuite,
  cardsReadSuite,
  setPermissionsSuite,
  usersGetSuite,
  nothingElseSuite,
  stateMatrixSuite,
  tokenIssueSuite,
  foreignSuite,
  unknownIdentifierSuite,
  hoursLaterSuite,
  requiresLiveTokenSuite,
  tokenLifetimeSuite,
  tokenRequestFieldsSuite,
];

/** All checks, rules and observers, in the order of the documents. */
export const suite: Suite = {
  checks: suites.flatMap(({ checks }) => checks),
  rules: suites.flatMap(({ rules }) => rules),
  monitors: suites.flatMap(({ monitors }) => monitors ?? []),
  observers: suites.flatMap(({ observers }) => observers ?? []),
};
