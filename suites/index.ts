/** All suites of both documents. */
import type { Suite } from '../helpers/check.ts';
import { generatedSuites } from './property-based/index.ts';
import { portalSuites } from './v1/index.ts';
import { cardActivationSuite } from './v3/cards/activate.ts';
import { cardDisposalSuite } from './v3/cards/close.ts';
import { cardLookupSuite } from './v3/cards/get.ts';
import { cardsListingSuite } from './v3/cards/list.ts';
import { cardsFiltersSuite } from './v3/cards/list-filters.ts';
import { cardLossSuite } from './v3/cards/mark-lost.ts';
import { cardsReadingSuite } from './v3/cards/read.ts';
import { stateMatrixSuite } from './v3/cards/state-matrix.ts';
import { cardStatesSuite } from './v3/cards/suspend.ts';
import { cardMoneySuite } from './v3/cards/transfer.ts';
import { cardFraudSuite } from './v3/cards/unmark-fraud.ts';
import { cardUnsuspensionSuite } from './v3/cards/unsuspend.ts';
import { cardWalletPinSuite } from './v3/cards/wallet-pin-reissue.ts';
import { foreignCardsSuite } from './v3/every-operation/foreign.ts';
import { liveTokensSuite } from './v3/every-operation/requires-live-token.ts';
import { cardProtectionSuite } from './v3/every-operation/requires-token-changing.ts';
import { listedOnlySuite } from './v3/every-operation/requires-token-listed.ts';
import { authorisationSuite } from './v3/every-operation/requires-token-reading.ts';
import { unknownIdentifiersSuite } from './v3/every-operation/unknown-identifier.ts';
import { tokenSuite } from './v3/token/issue.ts';
import { tokenLifetimeSuite } from './v3/token/lifetime.ts';
import { tokenFieldsSuite } from './v3/token/request-fields.ts';
import { usersSuite } from './v3/users/list.ts';
import { usersFiltersSuite } from './v3/users/list-filters.ts';
import { usersPaginationSuite } from './v3/users/list-pagination.ts';
import { permissionsSuite } from './v3/users/set-permissions.ts';

/** Those with the longest chains of requests first: what remains fills the places beside them. */
const suites: readonly Suite[] = [
  cardMoneySuite,
  cardStatesSuite,
  cardDisposalSuite,
  cardLossSuite,
  cardActivationSuite,
  cardUnsuspensionSuite,
  cardFraudSuite,
  cardWalletPinSuite,
  usersPaginationSuite,
  ...portalSuites,
  ...generatedSuites,
  cardLookupSuite,
  cardProtectionSuite,
  cardsFiltersSuite,
  cardsListingSuite,
  cardsReadingSuite,
  permissionsSuite,
  usersSuite,
  usersFiltersSuite,
  stateMatrixSuite,
  tokenSuite,
  authorisationSuite,
  foreignCardsSuite,
  unknownIdentifiersSuite,
  listedOnlySuite,
  liveTokensSuite,
  tokenLifetimeSuite,
  tokenFieldsSuite,
];

export const suite: Suite = {
  checks: suites.flatMap(({ checks }) => checks),
  rules: suites.flatMap(({ rules }) => rules),
  observers: suites.flatMap(({ observers }) => observers ?? []),
};
