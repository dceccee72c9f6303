import type { Reply } from './choices.ts';
import type { Exchange } from './exchange.ts';
import type { OperationId } from './operation-ids.ts';
import { markWalletProvisioned, reissue, replace, setPin, transition } from './operations/card-changes.ts';
import * as cardholders from './operations/cardholders.ts';
import * as cards from './operations/cards.ts';
import { getCIPCheck } from './operations/cip.ts';
import { orderCards } from './operations/orders.ts';
import * as lookups from './operations/portal-lookups.ts';
import { login, logout } from './operations/portal-session.ts';
import * as token from './operations/token.ts';
import { transfer } from './operations/transfer.ts';
import * as users from './operations/users.ts';

/** Validates a request and returns the answer, or a function that has the effect and returns the answer. */
export type Handler = (x: Exchange) => Reply | (() => Reply);

/** Handlers by operation. */
export const handlers: Record<OperationId, Handler> = {
  'token.issue': token.issue,
  'token.authorize': token.authorize,
  'users.list': users.list,
  'users.get': users.get,
  'users.setPermissions': users.setPermissions,
  'cards.list': cards.list,
  'cards.get': cards.get,
  'cards.getBalance': cards.getBalance,
  'cards.getStatus': cards.getStatus,
  'cards.listRelated': cards.listRelated,
  'cards.createToken': cards.createToken,
  'cards.encryptForVde': cards.encryptForVde,
  'cards.markWalletProvisioned': markWalletProvisioned,
  'cards.reissue': reissue,
  'cards.transfer': transfer,
  'cards.activate': transition('activate'),
  'cards.close': transition('close'),
  'cards.suspend': transition('suspend'),
  'cards.unsuspend': transition('unsuspend'),
  'cards.unmarkFraud': transition('unmarkFraud'),
  'cards.markLost': transition('markLost'),
  'cards.setPin': setPin,
  'cards.resync': cards.resync,
  'cards.replace': replace,
  'cardholders.list': cardholders.list,
  'cardholders.get': cardholders.get,
  'cardholders.update': cardholders.update,
  'cardholders.listCards': cardholders.listCards,
  'portal.login': login,
  'portal.logout': logout,
  'portal.getCustomerList': lookups.getCustomerList,
  'portal.getCustomerHierarchy': lookups.getCustomerHierarchy,
  'portal.getCIPCheck': getCIPCheck,
  'portal.getShippingFeeTypes': lookups.getShippingFeeTypes,
  'portal.getShippingMethods': lookups.getShippingMethods,
  'portal.getCustomerProgramList': lookups.getCustomerProgramList,
  'portal.getATMLocation': lookups.getATMLocation,
  'portal.orderCards': orderCards,
};
