/**
 * The 38 operations of the two documents as routes of the sandbox, with their success statuses. Source: "Endpoints" of
 * the token, users and cards document, and of the portal document.
 */

/** Operations whose parameters and answers the documents show. */
export type ShownOperationId =
  | 'token.issue'
  | 'users.list'
  | 'users.get'
  | 'users.setPermissions'
  | 'cards.list'
  | 'cards.get'
  | 'cards.getBalance'
  | 'cards.getStatus'
  | 'cards.listRelated'
  | 'cards.createToken'
  | 'cards.encryptForVde'
  | 'cards.markWalletProvisioned'
  | 'cards.reissue'
  | 'cards.transfer'
  | 'cards.activate'
  | 'cards.close'
  | 'cards.suspend'
  | 'cards.unsuspend'
  | 'cards.unmarkFraud'
  | 'cards.markLost'
  | 'cards.setPin'
  | 'portal.login'
  | 'portal.logout'
  | 'portal.getCustomerList'
  | 'portal.getCustomerHierarchy'
  | 'portal.getCIPCheck'
  | 'portal.getShippingFeeTypes'
  | 'portal.getShippingMethods'
  | 'portal.getCustomerProgramList'
  | 'portal.getATMLocation'
  | 'portal.orderCards';

/** Operations that are listed only: parameters, bodies and answers are not shown. */
export type ListedOperationId =
  | 'token.authorize'
  | 'cards.resync'
  | 'cards.replace'
  | 'cardholders.list'
  | 'cardholders.get'
  | 'cardholders.update'
  | 'cardholders.listCards';

export type OperationId = ShownOperationId | ListedOperationId;

/** `auth`: {auth_url}; `v3`: {base_url}, requires a bearer token; `portal`: {portal_url}, requires a session. */
export type InterfaceName = 'auth' | 'v3' | 'portal';

/** The route of an operation. */
export interface Operation {
  id: OperationId;
  interface: InterfaceName;
  method: 'GET' | 'POST' | 'PUT';
  /** Below the interface's address; `:identifier` is the path parameter. */
  path: string;
  /** Status of success, as documented. */
  status: number;
}

const card = '/cards/cards/:identifier';
const holder = '/cards/cardholders';

function v3(id: OperationId, method: Operation['method'], path: string, status = 200): Operation {
  return { id, interface: 'v3', method, path, status };
}

function portal(name: string, method: Operation['method']): Operation {
  return { id: `portal.${name}` as OperationId, interface: 'portal', method, path: name, status: 200 };
}

/** All operations, in the documents' order. The server's path templates complete the paths of `auth` and `portal`. */
export const operations: readonly Operation[] = [
  { id: 'token.issue', interface: 'auth', method: 'POST', path: 'token', status: 200 },
  { id: 'token.authorize', interface: 'auth', method: 'GET', path: 'authorize', status: 200 },
  v3('users.list', 'GET', '/users/customers'),
  v3('users.get', 'GET', '/users/customers/:identifier'),
  v3('users.setPermissions', 'PUT', '/users/customers/:identifier/permissions'),
  v3('cards.list', 'GET', '/cards/cards'),
  v3('cards.get', 'GET', card),
  v3('cards.getBalance', 'GET', `${card}/balance`),
  v3('cards.getStatus', 'GET', `${card}/status`),
  v3('cards.listRelated', 'GET', `${card}/related`),
  v3('cards.createToken', 'GET', `${card}/token`, 201),
  v3('cards.encryptForVde', 'POST', `${card}/encrypt-for-vde`, 201),
  v3('cards.markWalletProvisioned', 'POST', `${card}/wallet-provisioned`, 201),
  v3('cards.reissue', 'POST', `${card}/reissue`),
  v3('cards.transfer', 'POST', `${card}/transfer`),
  v3('cards.activate', 'POST', `${card}/activate`),
  v3('cards.close', 'POST', `${card}/close`),
  v3('cards.suspend', 'POST', `${card}/suspend`),
  v3('cards.unsuspend', 'POST', `${card}/unsuspend`),
  v3('cards.unmarkFraud', 'POST', `${card}/unmarkfraud`),
  v3('cards.markLost', 'POST', `${card}/marklost`),
  v3('cards.setPin', 'POST', `${card}/pin`),
  v3('cards.resync', 'GET', `${card}/resync`),
  v3('cards.replace', 'POST', `${card}/replace`),
  v3('cardholders.list', 'GET', holder),
  v3('cardholders.get', 'GET', `${holder}/:identifier`),
  v3('cardholders.update', 'PUT', `${holder}/:identifier`),
  v3('cardholders.listCards', 'GET', `${holder}/:identifier/cards`),
  portal('login', 'POST'),
  portal('logout', 'POST'),
  portal('getCustomerList', 'GET'),
  portal('getCustomerHierarchy', 'GET'),
  portal('getCIPCheck', 'POST'),
  portal('getShippingFeeTypes', 'GET'),
  portal('getShippingMethods', 'GET'),
  portal('getCustomerProgramList', 'GET'),
  portal('getATMLocation', 'GET'),
  portal('orderCards', 'POST'),
];
