/** What the documents say of operations, parameters and statuses beside their shapes, in our words. */

export interface OperationNote {
  /** Said after the title. */
  readonly more?: string;
  /** What a listed status means for this operation. */
  readonly statuses?: Readonly<Record<number, string>>;
}

/** By operation id; the title of an operation says the rest. */
export const operationNotes: Readonly<Record<string, OperationNote>> = {
  'token.issue': { more: 'The token is sent as Bearer in every other call of this document; it lives 60 minutes.' },
  'users.list': {
    more: 'Pages follow continuationToken until none comes; max and filters are sent again with it.',
    statuses: { 400: 'A bad request.' },
  },
  'users.setPermissions': { more: 'Either permission may be left out.' },
  'cards.list': { statuses: { 400: 'A bad request.' } },
  'cards.get': {
    more: 'The path names an identifier, a proxy (byProxy, with programIdentifier and isDigital) or a token (byToken).',
  },
  'cards.getBalance': { more: 'Also refreshes the stored card record with the current balance.' },
  'cards.getStatus': { more: 'Also refreshes the stored card record with the current status.' },
  'cards.createToken': {
    more: 'The token identifies the card, for sharing card information in less secure environments.',
  },
  'cards.encryptForVde': { more: "Encrypts the card's data for the SDK of a card network." },
  'cards.reissue': { more: 'For instance after loss.' },
  'cards.activate': { more: 'Applies to a deactivated or unused card.' },
  'cards.suspend': { more: 'A suspended card cannot make transactions.' },
  'cards.unsuspend': { more: 'Applies to a suspended card.' },
  'portal.login': {
    more: 'The sessionId of the answer authenticates every other operation, until logout.',
    statuses: { 400: 'Invalid login id or password, or incorrect verification code.' },
  },
  'portal.logout': { more: 'The session ends.', statuses: { 400: 'Logout failed.' } },
  'portal.getCustomerList': { more: 'Deprecated: use getCustomerHierarchy.' },
  'portal.getCustomerHierarchy': { more: 'Gives the customers under the given id, and its parent.' },
  'portal.getCIPCheck': {
    more: 'Pass: located. Fail: not found. Partial: several individuals matched, and questions follow.',
  },
  'portal.getShippingFeeTypes': { statuses: { 400: 'Unable to retrieve.' } },
  'portal.getShippingMethods': { statuses: { 400: 'Unable to retrieve.' } },
  'portal.getCustomerProgramList': {
    more: 'The rowId of a program feeds card ordering as custProgId.',
    statuses: { 400: 'Invalid sessionId or customerId.', 404: 'Failed to get the list.' },
  },
  'portal.getATMLocation': { statuses: { 400: 'Bad request data.' } },
  'portal.orderCards': {
    more: 'One card answers with an instant personalized proxy, several with an orderId; the rest of the answer is not shown.',
  },
};

/** The portal's general meaning of a status ("Errors"). */
export const portalStatuses: Readonly<Record<number, string>> = {
  400: 'Invalid input: the caller changes the parameters and retries.',
  401: 'The user is not entitled to the operation.',
  403: 'Understood but refused.',
  404: 'Resource not found.',
  500: 'Server error while processing.',
};

/** A value of each parameter, by name; where a name stands for two things, by operation id and name. */
export const parameterExamples: Readonly<Record<string, unknown>> = {
  identifier: 'card-0001',
  'users.get/identifier': 'customer-0001',
  'users.setPermissions/identifier': 'customer-0001',
  'cardholders.get/identifier': 'cardholder-0001',
  'cardholders.update/identifier': 'cardholder-0001',
  'cardholders.listCards/identifier': 'cardholder-0001',
  max: 25,
  token: 'page-2',
  parentIdentifier: 'customer-0000',
  name: 'Example',
  v1Identifier: '4711',
  customerIdentifier: 'customer-0001',
  programIdentifier: 'program-0001',
  orderIdentifier: 'order-0001',
  externalIdentifier: 'order-line-17',
  byToken: false,
  byProxy: false,
  isDigital: false,
  loginID: 'ada',
  password: 'invented',
  customerId: 4711,
  showAutoCreated: false,
  showBranded: true,
  latitude: '39.80',
  longitude: '-89.64',
  pageOffset: 1,
  pageLength: 10,
};
