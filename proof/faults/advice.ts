/** Faults that break what is only advised of every operation alike: one representative operation each. */
import { RawText } from '../../sandbox/exchange.ts';
import type { OperationId } from '../../sandbox/index.ts';
import { replacing } from '../changed-sandbox.ts';
import { broken, fault, misanswered, misread, misrefused, tolerated } from './broken.ts';
import type { Fault } from './fault.ts';

const LIST = 'portal.getCustomerList';

/** Bodies of all refusals of one operation. */
const refusedBy = (name: string, condemns: string, operation: OperationId, body: unknown): Fault =>
  broken(name, condemns, {
    refusalBody: (refusal, byDefault) => (refusal.operation === operation ? body : byDefault),
  });

/** Texts of a request are read without the blanks around them. */
const trimmed = (what: string, condemns: string): Fault =>
  misread(`blanks around ${what} are trimmed`, condemns, ({ params, query }) => {
    for (const texts of [params, query])
      for (const [key, text] of Object.entries(texts)) if (text !== undefined) texts[key] = text.trim();
  });

export const adviceFaults: readonly Fault[] = [
  trimmed('the identifier of a customer', 'users.get.padded-identifier'),
  trimmed('the identifier of a card', 'cards.get.padded-identifier'),
  trimmed('filters of customers', 'users.list.padded-filter-value'),
  trimmed('filters of cards', 'cards.list.padded-filter-value'),
  ...(['token.issue', 'users.list', 'cards.getBalance', 'portal.getShippingMethods'] as const).map((operation) =>
    fault(
      `${operation}: JSON is declared as text`,
      `${operation}.media-type`,
      replacing(operation, ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })),
    ),
  ),
  fault(
    'cards.getBalance: the body begins with a byte order mark',
    'cards.getBalance.byte-order-mark',
    replacing('cards.getBalance', ({ body }) => ({ body: new RawText(`\uFEFF${JSON.stringify(body)}`) })),
  ),
  ...(
    [
      ['token.issue', 'resource'],
      ['users.list', 'continuationToken'],
      ['cards.get', 'deepLink'],
      ['portal.login', 'etag'],
    ] as const
  ).map(([operation, member]) =>
    misanswered(`${operation}: ${member} is null`, `${operation}.null-members`, operation, (body) => {
      body[member] = null;
    }),
  ),
  ...(
    [
      ['token.issue', 'Access_Token'],
      ['users.get', 'Identifier'],
      ['cards.get', 'proxy_number'],
      ['portal.login', 'session-id'],
    ] as const
  ).map(([operation, member]) =>
    misanswered(`${operation}: a member ${member}`, `${operation}.member-names`, operation, (body) => {
      body[member] = 'x';
    }),
  ),
  misanswered('cards.get: creationDate has no offset', 'cards.get.time-offsets', 'cards.get', (body) => {
    body.creationDate = '2026-05-04T09:30:00';
  }),
  ...(
    [
      ['users.list', 'results'],
      ['cards.listRelated', 'results'],
      ['portal.getShippingMethods', 'items'],
    ] as const
  ).map(([operation, member]) =>
    misanswered(`${operation}: ${member} is left out`, `${operation}.entries-present`, operation, (body) => {
      delete body[member];
    }),
  ),
  broken('cards.get: refusals other than 400 are an error object', 'cards.get.error-shape-other', {
    refusalBody: (refusal, byDefault) =>
      refusal.operation === 'cards.get' && ['token', 'unknown', 'foreign'].includes(refusal.kind)
        ? { errorCode: 'no' }
        : byDefault,
  }),
  refusedBy('users.list: errors are an empty array', 'users.list.error-not-empty', 'users.list', []),
  refusedBy('portal.login: refusals in plain text', 'portal.login.error-json', 'portal.login', new RawText('no')),
  refusedBy(`${LIST}: errors are an array`, 'portal.getCustomerList.error-object', LIST, [{ message: 'no' }]),
  misrefused(
    'portal.getCustomerProgramList: a customer that does not exist is answered with 500',
    'portal.getCustomerProgramList.server-error',
    500,
    { kind: 'unknown-reference' },
  ),
  misrefused(
    'portal.getShippingMethods: a bad session is answered with 403',
    'portal.getShippingMethods.session-status',
    403,
    { kind: 'session' },
  ),
  misrefused(
    'users.setPermissions: a missing body is answered with 422',
    'users.setPermissions.missing-body-400',
    422,
    { kind: 'missing-body' },
  ),
  ...['users.get', 'users.setPermissions', 'cards.getStatus'].map((operation) =>
    misrefused(`${operation}: an unknown identifier is answered with 422`, `${operation}.unknown-identifier-404`, 422, {
      kind: 'unknown',
    }),
  ),
  ...['users.setPermissions', 'cards.encryptForVde'].map((operation) =>
    tolerated(`${operation}: members of any type`, `${operation}.body-types`, { kind: 'member-type' }),
  ),
  tolerated('cards.get: flags of any value', 'cards.get.boolean-parameters', { kind: 'parameter-type' }),
];
