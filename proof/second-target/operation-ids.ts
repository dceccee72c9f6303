/** Paths of the documents' three base addresses on the one server. */
export const mounts = { auth: '/sts', base: '/gate/v', portal: '/desk' } as const;

const cards = `${mounts.base}/cards/cards`;
const holders = `${mounts.base}/cards/cardholders`;
const customers = `${mounts.base}/users/customers`;
const portal = `${mounts.portal}/_ah/api`;

/** Request lines of the operations that both documents show, and of the seven that they only list. */
export const lines = {
  'token.issue': `POST ${mounts.auth}/{tenant}/B2C_1_signupandsignin/oauth2/v2.0/token`,
  'token.authorize': `GET ${mounts.auth}/{tenant}/B2C_1_signupandsignin/oauth2/v2.0/authorize`,
  'users.list': `GET ${customers}`,
  'users.get': `GET ${customers}/{identifier}`,
  'users.setPermissions': `PUT ${customers}/{identifier}/permissions`,
  'cards.list': `GET ${cards}`,
  'cards.get': `GET ${cards}/{identifier}`,
  'cards.getBalance': `GET ${cards}/{identifier}/balance`,
  'cards.getStatus': `GET ${cards}/{identifier}/status`,
  'cards.listRelated': `GET ${cards}/{identifier}/related`,
  'cards.createToken': `GET ${cards}/{identifier}/token`,
  'cards.encryptForVde': `POST ${cards}/{identifier}/encrypt-for-vde`,
  'cards.markWalletProvisioned': `POST ${cards}/{identifier}/wallet-provisioned`,
  'cards.reissue': `POST ${cards}/{identifier}/reissue`,
  'cards.transfer': `POST ${cards}/{identifier}/transfer`,
  'cards.activate': `POST ${cards}/{identifier}/activate`,
  'cards.close': `POST ${cards}/{identifier}/close`,
  'cards.suspend': `POST ${cards}/{identifier}/suspend`,
  'cards.unsuspend': `POST ${cards}/{identifier}/unsuspend`,
  'cards.unmarkFraud': `POST ${cards}/{identifier}/unmarkfraud`,
  'cards.markLost': `POST ${cards}/{identifier}/marklost`,
  'cards.setPin': `POST ${cards}/{identifier}/pin`,
  'cards.resync': `GET ${cards}/{identifier}/resync`,
  'cards.replace': `POST ${cards}/{identifier}/replace`,
  'cardholders.list': `GET ${holders}`,
  'cardholders.get': `GET ${holders}/{identifier}`,
  'cardholders.update': `PUT ${holders}/{identifier}`,
  'cardholders.listCards': `GET ${holders}/{identifier}/cards`,
  'portal.login': `POST ${portal}/login`,
  'portal.logout': `POST ${portal}/logout`,
  'portal.getCustomerList': `GET ${portal}/getCustomerList`,
  'portal.getCustomerHierarchy': `GET ${portal}/getCustomerHierarchy`,
  'portal.getCIPCheck': `POST ${portal}/getCIPCheck`,
  'portal.getShippingFeeTypes': `GET ${portal}/getShippingFeeTypes`,
  'portal.getShippingMethods': `GET ${portal}/getShippingMethods`,
  'portal.getCustomerProgramList': `GET ${portal}/getCustomerProgramList`,
  'portal.getATMLocation': `GET ${portal}/getATMLocation`,
  'portal.orderCards': `POST ${portal}/orderCards`,
};

/** One operation of either document. */
export type OperationId = keyof typeof lines;
export const operationIds = Object.keys(lines) as OperationId[];
