/** The cards resource. */
import { z } from 'zod';
import { v3 } from '../documents.ts';
import type { Operation, Parameter, RequestBody, SuccessBody } from '../operation.ts';
import type { Risk } from '../record.ts';
import { boolean, date, dateOrDateTime, dateTime, fourDigits, number, optional, string } from '../types.ts';

/** Records that the cards listing gives when max is not given (Limits). */
export const CARDS_DEFAULT_MAX = 50;
/** The only card status that the document names. */
export const ACTIVE = 'Active';

export const customFields = z
  .object(optional(string, 'customField1', 'customField2', 'customField3', 'customField4', 'customField5'))
  .meta({ id: 'customFields' });

export const address = z
  .object(optional(string, 'line1', 'line2', 'locality', 'region', 'country', 'postalCode'))
  .meta({ id: 'address' });

export const cardholder = z
  .object({
    ...optional(string, 'firstName', 'lastName', 'email', 'phone', 'ssnLastFour', 'relation', 'other'),
    dateOfBirth: date.optional(),
    billingAddress: address.optional(),
    mailingAddress: address.optional(),
    customFields: customFields.optional(),
  })
  .meta({ id: 'cardholder', description: 'Holder of a card.' });

/** A card among others: no single member is indispensable. */
export const listedCard = z
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

export const card = listedCard
  .required({ identifier: true })
  .meta({ id: 'card', description: 'A card. Answered alone it names itself.' });

export const cards = z
  .object({ results: z.array(listedCard).optional(), correlationId: string.optional() })
  .meta({ id: 'cards' });
export const encryptedPayload = z.object({ encryptedPayload: string }).meta({ id: 'encryptedPayload' });
export const temporaryToken = z
  .object({ token: string, correlationId: string.optional() })
  .meta({ id: 'temporaryToken' });
export const balance = z.object({ balance: number }).meta({ id: 'balance' });
export const status = z
  .object({ status: number })
  .meta({ id: 'status', description: 'Shown as a number here; the status of a card is a string.' });
export const cardReissue = z.object(optional(string, 'externalIdentifier')).meta({ id: 'cardReissue' });
export const cardTransferFunds = z
  .object({
    targetCardIdentifier: string.optional(),
    amount: number.optional(),
    comment: string.optional(),
    customFields: customFields.optional(),
  })
  .meta({ id: 'cardTransferFunds' });
export const transfer = z
  .object({
    ...optional(string, 'identifier', 'customerIdentifier'),
    ...optional(dateOrDateTime, 'creationDate', 'lastUpdateDate'),
    ...optional(string, 'status', 'errorCode', 'errorMessage', 'senderIdentifier', 'receiverIdentifier'),
    amount: number.optional(),
    ...optional(string, 'comment', 'transferType'),
    customFields: customFields.optional(),
  })
  .meta({ id: 'transfer' });
export const updatePin = z.object(optional(string, 'pin')).meta({ id: 'updatePin' });
export const encryptionRequest = z
  .object(optional(string, 'nonce'))
  .meta({ id: 'encryptionRequest', description: 'nonce is a value usable once in a cryptographic exchange.' });

const identifier: Parameter = { name: 'identifier', type: 'string', required: true, note: 'card identifier' };
const json = (schema: z.ZodType, required: boolean): RequestBody => ({
  mediaType: 'application/json',
  schema,
  required,
  requiredMembers: [],
});
const text = (name: string, note?: string): Parameter => ({ name, type: 'string', required: false, note });

/** One operation on /cards/cards/{identifier}; `path` is what follows the identifier. */
function onCard(
  id: string,
  title: string,
  method: 'GET' | 'POST',
  path: string,
  success: { status: 200 | 201; body: SuccessBody },
  risk: Risk,
  body?: RequestBody,
): Operation {
  return {
    id: `cards.${id}`,
    title,
    interface: 'v3',
    method,
    path: `/cards/cards/{identifier}${path}`,
    authorisation: 'bearer',
    pathParameters: [identifier],
    query: [],
    body,
    success,
    errors: [],
    risk,
    listedOnly: false,
    source: v3('Cards'),
  };
}

const ok = (body: SuccessBody) => ({ status: 200, body }) as const;
const created = (body: SuccessBody) => ({ status: 201, body }) as const;

const list: Operation = {
  id: 'cards.list',
  title: 'List cards',
  interface: 'v3',
  method: 'GET',
  path: '/cards/cards',
  authorisation: 'bearer',
  pathParameters: [],
  query: [
    { name: 'max', type: 'integer', required: false, default: CARDS_DEFAULT_MAX },
    text('token', 'continuation'),
    text('customerIdentifier'),
    text('programIdentifier'),
    text('orderIdentifier'),
    text('externalIdentifier'),
  ],
  success: ok(cards),
  errors: [400],
  risk: 'safe',
  listedOnly: false,
  source: v3('Cards'),
};

const get: Operation = {
  ...onCard('get', 'Retrieve one card', 'GET', '', ok(card), 'safe'),
  query: [
    { name: 'byToken', type: 'boolean', required: false, note: 'look up by authorization token' },
    { name: 'byProxy', type: 'boolean', required: false, note: 'look up by proxy' },
    text('programIdentifier', 'required when byProxy is true'),
    { name: 'isDigital', type: 'boolean', required: false, note: 'required when byProxy is true' },
  ],
};

/** Named for this resource, with nothing else shown. */
function listed(id: string, title: string, method: 'GET' | 'POST', path: string, risk: Risk): Operation {
  const { success: _, ...rest } = onCard(id, title, method, path, ok('not shown'), risk);
  return { ...rest, listedOnly: true };
}

export const cardOperations: readonly Operation[] = [
  list,
  get,
  onCard('getBalance', 'Read the balance of a card', 'GET', '/balance', ok(balance), 'safe'),
  onCard('getStatus', 'Read the status of a card', 'GET', '/status', ok(status), 'safe'),
  onCard('listRelated', 'List the cards related to a card', 'GET', '/related', ok(cards), 'safe'),
  onCard('createToken', 'Create a temporary token', 'GET', '/token', created(temporaryToken), 'safe'),
  onCard(
    'encryptForVde',
    'Encrypt card data for digital enablement',
    'POST',
    '/encrypt-for-vde',
    created(encryptedPayload),
    'safe',
    json(encryptionRequest, false),
  ),
  onCard(
    'markWalletProvisioned',
    'Flag a card as provisioned to a mobile wallet',
    'POST',
    '/wallet-provisioned',
    created('none'),
    'irreversible',
  ),
  onCard('reissue', 'Reprint and ship a card', 'POST', '/reissue', ok('none'), 'irreversible', json(cardReissue, true)),
  onCard(
    'transfer',
    'Move funds to another card',
    'POST',
    '/transfer',
    ok(transfer),
    'reversible',
    json(cardTransferFunds, true),
  ),
  onCard('activate', 'Activate a card', 'POST', '/activate', ok('none'), 'irreversible'),
  onCard('close', 'Close the account of a card', 'POST', '/close', ok('none'), 'irreversible'),
  onCard('suspend', 'Suspend a card', 'POST', '/suspend', ok('none'), 'reversible'),
  onCard('unsuspend', 'Unsuspend a card', 'POST', '/unsuspend', ok('none'), 'reversible'),
  onCard('unmarkFraud', 'Unmark reported fraud', 'POST', '/unmarkfraud', ok('none'), 'irreversible'),
  onCard('markLost', 'Mark the account of a card lost', 'POST', '/marklost', ok('none'), 'irreversible'),
  onCard('setPin', 'Set the PIN of a card', 'POST', '/pin', ok('none'), 'irreversible', json(updatePin, true)),
  listed('resync', 'Resync a card', 'GET', '/resync', 'irreversible'),
  listed('replace', 'Replace a card', 'POST', '/replace', 'irreversible'),
];
