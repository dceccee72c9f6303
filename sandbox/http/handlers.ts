/** The handler of each operation. It returns the body of a successful answer, `undefined` for none. */
import type { Call } from '../call.ts';
import type { InterfaceName, OperationId } from '../operations.ts';
import { getCIPCheck } from '../v1/cip.ts';
import { getCustomerHierarchy, getCustomerList, getCustomerProgramList } from '../v1/customers.ts';
import { orderCards } from '../v1/orders.ts';
import { getATMLocation, getShippingFeeTypes, getShippingMethods } from '../v1/places.ts';
import { login, logout, requireSession } from '../v1/sessions.ts';
import { authenticate } from '../v3/authenticate.ts';
import {
  changeState,
  close,
  encryptForVde,
  markWalletProvisioned,
  reissue,
  replace,
  resync,
  setPin,
} from '../v3/card-operations.ts';
import { getCardholder, listCardholders, listCardsOfHolder, updateCardholder } from '../v3/cardholders.ts';
import { createToken, getBalance, getCard, getStatus, listCards, listRelated } from '../v3/cards.ts';
import { authorize, issueToken } from '../v3/token.ts';
import { transfer } from '../v3/transfer.ts';
import { getCustomer, listCustomers, setPermissions } from '../v3/users.ts';

export const handlers: Record<OperationId, (call: Call) => unknown> = {
  'token.issue': issueToken,
  'token.authorize': authorize,
  'users.list': listCustomers,
  'users.get': getCustomer,
  'users.setPermissions': setPermissions,
  'cards.list': listCards,
  'cards.get': getCard,
  'cards.getBalance': getBalance,
  'cards.getStatus': getStatus,
  'cards.listRelated': listRelated,
  'cards.createToken': createToken,
  'cards.encryptForVde': encryptForVde,
  'cards.markWalletProvisioned': markWalletProvisioned,
  'cards.reissue': reissue,
  'cards.transfer': transfer,
  'cards.activate': changeState,
  'cards.close': close,
  'cards.suspend': changeState,
  'cards.unsuspend': changeState,
  'cards.unmarkFraud': changeState,
  'cards.markLost': changeState,
  'cards.setPin': setPin,
  'cards.resync': resync,
  'cards.replace': replace,
  'cardholders.list': listCardholders,
  'cardholders.get': getCardholder,
  'cardholders.update': updateCardholder,
  'cardholders.listCards': listCardsOfHolder,
  'portal.login': login,
  'portal.logout': logout,
  'portal.getCustomerList': getCustomerList,
  'portal.getCustomerHierarchy': getCustomerHierarchy,
  'portal.getCIPCheck': getCIPCheck,
  'portal.getShippingFeeTypes': getShippingFeeTypes,
  'portal.getShippingMethods': getShippingMethods,
  'portal.getCustomerProgramList': getCustomerProgramList,
  'portal.getATMLocation': getATMLocation,
  'portal.orderCards': orderCards,
};

/** The authentication of each interface: none, the bearer token, or the session (except for login). */
export function judgeOf(target: InterfaceName, operation: OperationId): (call: Call) => void {
  if (target === 'v3') return authenticate;
  return target === 'portal' && operation !== 'portal.login' ? requireSession : () => {};
}
