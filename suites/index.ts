/** All suites of both documents. */
import type { Suite } from '../helpers/check.ts';
import { generatedSuites } from './generated/index.ts';
import { portalSuites } from './v1/index.ts';
import { authorisationSuite } from './v3/authorisation.ts';
import { cardDisposalSuite } from './v3/card-disposal.ts';
import { cardLookupSuite } from './v3/card-lookup.ts';
import { cardMoneySuite } from './v3/card-money.ts';
import { cardProtectionSuite } from './v3/card-protection.ts';
import { cardStatesSuite } from './v3/card-states.ts';
import { cardWalletPinSuite } from './v3/card-wallet-pin.ts';
import { cardsFiltersSuite } from './v3/cards-filters.ts';
import { cardsListingSuite } from './v3/cards-listing.ts';
import { cardsReadingSuite } from './v3/cards-reading.ts';
import { foreignCardsSuite } from './v3/foreign-cards.ts';
import { listedOnlySuite } from './v3/listed-only.ts';
import { liveTokensSuite } from './v3/live-tokens.ts';
import { permissionsSuite } from './v3/permissions.ts';
import { stateMatrixSuite } from './v3/state-matrix.ts';
import { tokenSuite } from './v3/token.ts';
import { tokenLifetimeSuite } from './v3/token-lifetime.ts';
import { unknownIdentifiersSuite } from './v3/unknown-identifiers.ts';
import { usersSuite } from './v3/users.ts';
import { usersFiltersSuite } from './v3/users-filters.ts';
import { usersPaginationSuite } from './v3/users-pagination.ts';

/** Those with the longest chains of requests first: what remains fills the places beside them. */
const suites: readonly Suite[] = [
  cardMoneySuite,
  cardStatesSuite,
  cardDisposalSuite,
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
];

export const suite: Suite = {
  checks: suites.flatMap(({ checks }) => checks),
  rules: suites.flatMap(({ rules }) => rules),
  observers: suites.flatMap(({ observers }) => observers ?? []),
};
