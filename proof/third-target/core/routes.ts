import * as cards from '../operations/cards.ts';
import { orderCards } from '../operations/order.ts';
import * as portal from '../operations/portal.ts';
import * as token from '../operations/token.ts';
import { transfer } from '../operations/transfer.ts';
import * as users from '../operations/users.ts';
import type { Call, Handler } from './model.ts';

export const PLACES = {
  auth: '/identity',
  base: '/prepaid',
  portal: '/desk',
  clock: '/clock/forward',
  tenant: 'tenant-19',
};

interface Route {
  side: Call['side'];
  method: string;
  path: RegExp;
  operation: string;
  handler: Handler;
}

const routes: Route[] = [];

function add(side: Call['side'], method: string, path: string, operation: string, handler: Handler): void {
  const pattern = path.replaceAll('.', '\\.').replace('{identifier}', '([^/]*)');
  routes.push({ side, method, path: new RegExp(`^${pattern}$`), operation, handler });
}

const issuer = `${PLACES.auth}/${PLACES.tenant}/B2C_1_signupandsignin/oauth2/v2.0`;
add('token', 'POST', `${issuer}/token`, 'token.issue', token.issue);
add('token', 'GET', `${issuer}/authorize`, 'token.authorize', token.authorize);

const customers = `${PLACES.base}/users/customers`;
add('v3', 'GET', customers, 'users.list', users.list);
add('v3', 'GET', `${customers}/{identifier}`, 'users.get', users.get);
add('v3', 'PUT', `${customers}/{identifier}/permissions`, 'users.setPermissions', users.setPermissions);

const all = `${PLACES.base}/cards/cards`;
const one = `${all}/{identifier}`;
add('v3', 'GET', all, 'cards.list', cards.list);
add('v3', 'GET', one, 'cards.get', cards.get);
add('v3', 'GET', `${one}/balance`, 'cards.getBalance', cards.getBalance);
add('v3', 'GET', `${one}/status`, 'cards.getStatus', cards.getStatus);
add('v3', 'GET', `${one}/related`, 'cards.listRelated', cards.listRelated);
add('v3', 'GET', `${one}/token`, 'cards.createToken', cards.createToken);
add('v3', 'POST', `${one}/encrypt-for-vde`, 'cards.encryptForVde', cards.encryptForVde);
add('v3', 'POST', `${one}/wallet-provisioned`, 'cards.markWalletProvisioned', cards.action('wallet-provisioned', 201));
add('v3', 'POST', `${one}/reissue`, 'cards.reissue', cards.action('reissue', 200, cards.checkReissue));
add('v3', 'POST', `${one}/transfer`, 'cards.transfer', transfer);
add('v3', 'POST', `${one}/activate`, 'cards.activate', cards.action('activate', 200));
add('v3', 'POST', `${one}/close`, 'cards.close', cards.action('close', 200));
add('v3', 'POST', `${one}/suspend`, 'cards.suspend', cards.action('suspend', 200));
add('v3', 'POST', `${one}/unsuspend`, 'cards.unsuspend', cards.action('unsuspend', 200));
add('v3', 'POST', `${one}/unmarkfraud`, 'cards.unmarkFraud', cards.action('unmarkfraud', 200));
add('v3', 'POST', `${one}/marklost`, 'cards.markLost', cards.action('marklost', 200));
add('v3', 'POST', `${one}/pin`, 'cards.setPin', cards.action('pin', 200, cards.checkPin));
add('v3', 'GET', `${one}/resync`, 'cards.resync', cards.notOffered);
add('v3', 'POST', `${one}/replace`, 'cards.replace', cards.notOffered);

const holders = `${PLACES.base}/cards/cardholders`;
add('v3', 'GET', holders, 'cardholders.list', cards.cardholders);
add('v3', 'GET', `${holders}/{identifier}`, 'cardholders.get', cards.unknownHolder);
add('v3', 'PUT', `${holders}/{identifier}`, 'cardholders.update', cards.unknownHolder);
add('v3', 'GET', `${holders}/{identifier}/cards`, 'cardholders.listCards', cards.unknownHolder);

const desk: [method: string, name: string, handler: Handler][] = [
  ['POST', 'login', portal.login],
  ['POST', 'logout', portal.logout],
  ['GET', 'getCustomerList', portal.getCustomerList],
  ['GET', 'getCustomerHierarchy', portal.getCustomerHierarchy],
  ['POST', 'getCIPCheck', portal.getCIPCheck],
  ['GET', 'getShippingFeeTypes', portal.getShippingFeeTypes],
  ['GET', 'getShippingMethods', portal.getShippingMethods],
  ['GET', 'getCustomerProgramList', portal.getCustomerProgramList],
  ['GET', 'getATMLocation', portal.getATMLocation],
  ['POST', 'orderCards', orderCards],
];
for (const [method, name, handler] of desk)
  add('portal', method, `${PLACES.portal}/_ah/api/${name}`, `portal.${name}`, handler);

/** The route of a request, and the path parameter as it was sent; 405 where only the method is another. */
export function routeOf(method: string, path: string): { route?: Route; identifier: string; known: boolean } {
  const fitting = routes.filter((route) => route.path.test(path));
  const route = fitting.find((candidate) => candidate.method === method);
  return { route, identifier: route?.path.exec(path)?.[1] ?? '', known: fitting.length > 0 };
}
