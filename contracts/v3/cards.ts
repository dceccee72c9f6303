/** The cards resource. */
import { z } from 'zod';
import { v3 } from '../documents.ts';
import type { Operation, Parameter, RequestBody, ShapeNote, SuccessBody } from '../operation.ts';
import { boolean, date, dateOrDateTime, dateTime, fourDigits, number, optional, product, string } from '../types.ts';

/** Number of records in a cards listing without max (Limits). */
export const CARDS_DEFAULT_MAX = 50;
/** The only card status that the document names. */
export const ACTIVE = 'Active';
/** Operations that change the state of a card, from the least to the most destructive. */
export const STATE_CHANGING: readonly string[] = [
  'cards.unmarkFraud',
  'cards.activate',
  'cards.suspend',
  'cards.unsuspend',
  'cards.markLost',
  'cards.close',
];

/** Operations on a card that are about neither its status nor its balance. */
export const LEAVING_ALONE: readonly string[] = [
  'cards.getBalance',
  'cards.createToken',
  'cards.encryptForVde',
  'cards.setPin',
  'cards.markWalletProvisioned',
];

const customFields = z
  .object(optional(string, 'customField1', 'customField2', 'customField3', 'customField4', 'customField5'))
  .meta({ id: 'customFields' });

const address = z
  .object(optional(string, 'line1', 'line2', 'locality', 'region', 'country', 'postalCode'))
  .meta({ id: 'address' });

const cardholder = z
  .object({
    ...optional(string, 'firstName', 'lastName', 'email', 'phone', 'ssnLastFour', 'relation', 'other'),
    dateOfBirth: date.optional(),
    billingAddress: address.optional(),
    mailingAddress: address.optional(),
    customFields: customFields.optional(),
  })
  .meta({ id: 'cardholder', description: 'Holder of a card.' });

/** A card in a listing: no single member is indispensable. */
const listedCard = z
  .object({
    ...optional(string, 'identifier', 'customerIdentifier', 'externalIdentifier', 'proxyNumber', 'status'),
    ...optional(boolean, 'isRefreshing', 'isProvisionedToWallet'),
    balance: number.optional(),
    ...optional(dateTime, 'provisionedDate', 'expiration', 'creationDate', 'lastUpdateDate'),
    cardNumberLastFour: fourDigits.optional(),
    ...optional(string, 'deepLink', 'tinyUrl'),
    customFields: customFields.optional(),
    cardholder: cardholder.optional(),
  })
  .meta({ id: 'listedCard', description: 'A card in a listing.' });

export const card = z.object(listedCard.shape).meta({
  id: 'card',
  description: 'A card. Answered alone it is advised to name itself.',
});

export const cards = z
  .object({ results: z.array(listedCard).optional(), correlationId: string.optional() })
  .meta({ id: 'cards' });
const encryptedPayload = z.object({ encryptedPayload: product }).meta({ id: 'encryptedPayload' });
const temporaryToken = z.object({ token: product, correlationId: string.optional() }).meta({ id: 'temporaryToken' });
const balance = z.object({ balance: number }).meta({ id: 'balance' });
const status = z
  .object({ status: number })
  .meta({ id: 'status', description: 'Shown as a number here; the status of a card is a string.' });
const cardReissue = z.object(optional(string, 'externalIdentifier')).meta({ id: 'cardReissue' });
const cardTransferFunds = z
  .object({
    targetCardIdentifier: string.optional(),
    amount: number.optional(),
    comment: string.optional(),
    customFields: customFields.optional(),
  })
  .meta({ id: 'cardTransferFunds' });
const transfer = z
  .object({
    ...optional(string, 'identifier', 'customerIdentifier'),
    ...optional(dateOrDateTime, 'creationDate', 'lastUpdateDate'),
    ...optional(string, 'status', 'errorCode', 'errorMessage', 'senderIdentifier', 'receiverIdentifier'),
    amount: number.optional(),
    ...optional(string, 'comment', 'transferType'),
    customFields: customFields.optional(),
  })
  .meta({ id: 'transfer' });
const updatePin = z.object(optional(string, 'pin')).meta({ id: 'updatePin' });
const encryptionRequest = z
  .object(optional(string, 'nonce'))
  .meta({ id: 'encryptionRequest', description: 'nonce is a value usable once in a cryptographic exchange.' });

const identifier: Parameter = {
  name: 'identifier',
  type: 'string',
  required: true,
  note: 'card identifier',
};
const json = (schema: z.ZodType, required: boolean): RequestBody => ({
  mediaType: 'application/json',
  schema,
  required,
  requiredMembers: [],
});
const filter = (name: string, note?: string): Parameter => ({ name, type: 'string', required: false, note });

const ok = (body: SuccessBody) => ({ status: 200, body }) as const;
const created = (body: SuccessBody) => ({ status: 201, body }) as const;

const ofCards = {
  interface: 'v3',
  authorisation: 'bearer',
  query: [],
  errors: [],
  listedOnly: false,
  source: v3('Cards'),
} as const;

type OnCard = Pick<Operation, 'title' | 'method' | 'success' | 'risk'> &
  Partial<Pick<Operation, 'more' | 'query' | 'body'>> & {
    /** The path after the identifier. */
    path: string;
  };

/** One operation on /cards/cards/{identifier}. */
const onCard = (name: string, { path, ...rest }: OnCard): Operation => ({
  ...ofCards,
  ...rest,
  id: `cards.${name}`,
  path: `/cards/cards/{identifier}${path}`,
  pathParameters: [identifier],
});

/** Named for this resource, with nothing else shown. */
function listed(name: string, title: string, method: 'GET' | 'POST', path: string): Operation {
  const { success: _, ...rest } = onCard(name, { title, method, path, success: ok('not shown'), risk: 'irreversible' });
  return { ...rest, listedOnly: true };
}

export const cardOperations: readonly Operation[] = [
  {
    ...ofCards,
    id: 'cards.list',
    title: 'List cards',
    method: 'GET',
    path: '/cards/cards',
    pathParameters: [],
    query: [
      { name: 'max', type: 'integer', required: false, default: CARDS_DEFAULT_MAX, example: 25 },
      filter('token', 'continuation'),
      filter('customerIdentifier'),
      filter('programIdentifier'),
      filter('orderIdentifier'),
      filter('externalIdentifier'),
    ],
    success: ok(cards),
    errors: [400],
    statuses: { 400: 'A bad request.' },
    risk: 'safe',
  },
  onCard('get', {
    title: 'Retrieve one card',
    more: 'The path names an identifier, a proxy (byProxy, with programIdentifier and isDigital) or a token (byToken).',
    method: 'GET',
    path: '',
    query: [
      { name: 'byToken', type: 'boolean', required: false, note: 'look up by authorization token' },
      { name: 'byProxy', type: 'boolean', required: false, note: 'look up by proxy' },
      filter('programIdentifier', 'required when byProxy is true'),
      { name: 'isDigital', type: 'boolean', required: false, note: 'required when byProxy is true' },
    ],
    success: ok(card),
    risk: 'safe',
  }),
  onCard('getBalance', {
    title: 'Read the balance of a card',
    more: 'Also refreshes the stored card record with the current balance.',
    method: 'GET',
    path: '/balance',
    success: ok(balance),
    risk: 'safe',
  }),
  onCard('getStatus', {
    title: 'Read the status of a card',
    more: 'Also refreshes the stored card record with the current status.',
    method: 'GET',
    path: '/status',
    success: ok(status),
    risk: 'safe',
  }),
  onCard('listRelated', {
    title: 'List the cards related to a card',
    method: 'GET',
    path: '/related',
    success: ok(cards),
    risk: 'safe',
  }),
  onCard('createToken', {
    title: 'Create a temporary token',
    more: 'The token identifies the card, for sharing card information in less secure environments.',
    method: 'GET',
    path: '/token',
    success: created(temporaryToken),
    risk: 'safe',
  }),
  onCard('encryptForVde', {
    title: 'Encrypt card data for digital enablement',
    more: "Encrypts the card's data for the SDK of a card network.",
    method: 'POST',
    path: '/encrypt-for-vde',
    success: created(encryptedPayload),
    risk: 'safe',
    body: json(encryptionRequest, false),
  }),
  onCard('markWalletProvisioned', {
    title: 'Flag a card as provisioned to a mobile wallet',
    method: 'POST',
    path: '/wallet-provisioned',
    success: created('none'),
    risk: 'irreversible',
  }),
  onCard('reissue', {
    title: 'Reprint and ship a card',
    more: 'For instance after loss.',
    method: 'POST',
    path: '/reissue',
    success: ok('none'),
    risk: 'irreversible',
    body: json(cardReissue, true),
  }),
  onCard('transfer', {
    title: 'Move funds to another card',
    method: 'POST',
    path: '/transfer',
    success: ok(transfer),
    risk: 'reversible',
    body: json(cardTransferFunds, true),
  }),
  onCard('activate', {
    title: 'Activate a card',
    more: 'Applies to a deactivated or unused card.',
    method: 'POST',
    path: '/activate',
    success: ok('none'),
    risk: 'irreversible',
  }),
  onCard('close', {
    title: 'Close the account of a card',
    method: 'POST',
    path: '/close',
    success: ok('none'),
    risk: 'irreversible',
  }),
  onCard('suspend', {
    title: 'Suspend a card',
    more: 'A suspended card cannot make transactions.',
    method: 'POST',
    path: '/suspend',
    success: ok('none'),
    risk: 'reversible',
  }),
  onCard('unsuspend', {
    title: 'Unsuspend a card',
    more: 'Applies to a suspended card.',
    method: 'POST',
    path: '/unsuspend',
    success: ok('none'),
    risk: 'reversible',
  }),
  onCard('unmarkFraud', {
    title: 'Unmark reported fraud',
    method: 'POST',
    path: '/unmarkfraud',
    success: ok('none'),
    risk: 'irreversible',
  }),
  onCard('markLost', {
    title: 'Mark the account of a card lost',
    method: 'POST',
    path: '/marklost',
    success: ok('none'),
    risk: 'irreversible',
  }),
  onCard('setPin', {
    title: 'Set the PIN of a card',
    method: 'POST',
    path: '/pin',
    success: ok('none'),
    risk: 'irreversible',
    body: json(updatePin, true),
  }),
  listed('resync', 'Resync a card', 'GET', '/resync'),
  listed('replace', 'Replace a card', 'POST', '/replace'),
];

/** Operations that read one card by its identifier alone. */
export const CARD_READINGS: readonly string[] = cardOperations
  .filter(
    ({ method, risk, listedOnly, pathParameters }) =>
      method === 'GET' && risk === 'safe' && !listedOnly && pathParameters.length > 0,
  )
  .map(({ id }) => id);

const customFieldsExample = { customField1: 'blue envelope', customField2: 'branch 7' };
const addressExample = {
  line1: '1 Example Street',
  line2: 'Floor 2',
  locality: 'Springfield',
  region: 'IL',
  country: 'US',
  postalCode: '62701',
};
const cardholderExample = {
  firstName: 'Ada',
  lastName: 'Example',
  email: 'ada@example.org',
  phone: '555-0100',
  dateOfBirth: '1990-02-03',
  ssnLastFour: '0000',
  relation: 'employee',
  billingAddress: addressExample,
  mailingAddress: addressExample,
  customFields: customFieldsExample,
};
const cardExample = {
  identifier: 'card-0001',
  customerIdentifier: 'customer-0001',
  externalIdentifier: 'order-line-17',
  isRefreshing: false,
  proxyNumber: '9000000000001',
  status: 'Active',
  balance: 25.5,
  isProvisionedToWallet: false,
  cardNumberLastFour: '4242',
  expiration: '2031-05-31T23:59:59Z',
  creationDate: '2026-05-04T09:30:00Z',
  lastUpdateDate: '2026-06-01T12:00:00Z',
  customFields: customFieldsExample,
  cardholder: cardholderExample,
};
const cardMembers = {
  identifier: 'Card identifier.',
  customerIdentifier: 'The customer that owns the card.',
  externalIdentifier: 'Identifier that the client supplied when the card was created.',
  isRefreshing: 'Refresh flag.',
  proxyNumber: 'Proxy number of the card.',
  status: 'Card status; Active is the only value that the document names.',
  balance: 'Card balance.',
  isProvisionedToWallet: 'Whether the card is provisioned to a mobile wallet.',
  provisionedDate: 'When the card was provisioned to the wallet.',
  cardNumberLastFour: 'Last four digits of the card number.',
  expiration: 'When the card expires.',
  creationDate: 'When the card was created.',
  lastUpdateDate: 'When the card was last updated.',
  deepLink: 'Deep link.',
  tinyUrl: 'Short URL.',
  customFields: 'Up to five strings of the client.',
  cardholder: 'Holder of the card.',
};
const otherShapes = v3('Other shapes');

/** The document's descriptions of the shapes, with an example of each. */
export const cardShapes: Record<string, ShapeNote> = {
  card: { source: v3('card'), members: cardMembers, example: cardExample },
  listedCard: { source: v3('card'), members: cardMembers, example: cardExample },
  cards: {
    source: otherShapes,
    members: { results: 'Matching cards.' },
    example: { results: [cardExample], correlationId: 'correlation-0001' },
  },
  cardholder: {
    source: v3('cardholder'),
    members: { dateOfBirth: 'YYYY-MM-DD.', customFields: 'Up to five strings of the client.' },
    example: cardholderExample,
  },
  address: { source: v3('address'), example: addressExample },
  customFields: { source: v3('card'), example: customFieldsExample },
  encryptedPayload: { source: otherShapes, example: { encryptedPayload: 'ZW5jcnlwdGVkIGNhcmQgZGF0YQ==' } },
  temporaryToken: {
    source: otherShapes,
    members: { token: 'Temporary token that identifies the card.' },
    example: { token: 'temporary-0001', correlationId: 'correlation-0001' },
  },
  balance: { source: otherShapes, example: { balance: 25.5 } },
  status: { source: otherShapes, example: { status: 1 } },
  cardReissue: { source: otherShapes, example: { externalIdentifier: '730001' } },
  cardTransferFunds: {
    source: otherShapes,
    members: { targetCardIdentifier: 'The card that gains the amount.', amount: 'The amount moved.' },
    example: { targetCardIdentifier: 'card-0002', amount: 1.25, comment: 'lunch' },
  },
  transfer: {
    source: otherShapes,
    members: { creationDate: 'A date or a date-time.', lastUpdateDate: 'A date or a date-time.' },
    example: {
      identifier: 'transfer-0001',
      customerIdentifier: 'customer-0001',
      creationDate: '2026-06-01T12:00:00Z',
      lastUpdateDate: '2026-06-01',
      status: 'Completed',
      senderIdentifier: 'card-0001',
      receiverIdentifier: 'card-0002',
      amount: 1.25,
      comment: 'lunch',
      customFields: customFieldsExample,
    },
  },
  updatePin: { source: otherShapes, example: { pin: '7294' } },
  encryptionRequest: { source: otherShapes, example: { nonce: '6f1c1f0e-3d0b-4c57-9d5c-0a3c6f4c2b71' } },
};
