/** Faults that break what is only advised of every operation alike: one representative operation each. */

import { RawText } from '../../sandbox/exchange.ts';
import type { OperationId } from '../../sandbox/index.ts';
import { answering, broken, misanswered, refusedWith } from './broken.ts';
import type { Fault } from './fault.ts';

/** Headers of the successes of one operation, changed. */
const declared = (name: string, condemns: string, operation: string, contentType: string): Fault => ({
  name,
  condemns: [condemns],
  sandbox: {
    middleware: [
      (answer, context) =>
        context.operation === operation && answer.status < 300
          ? { ...answer, headers: { ...answer.headers, 'content-type': contentType } }
          : undefined,
    ],
  },
});

/** Bodies of all refusals of one operation. */
const refusedBy = (name: string, condemns: string, operation: string, body: unknown): Fault =>
  broken(name, condemns, {
    refusalBody: (refusal, byDefault) => (refusal.operation === operation ? body : byDefault),
  });

/** Texts of a request are read without the blanks around them. */
const trimmed = (name: string, condemns: string, operation: OperationId): Fault =>
  broken(name, condemns, {
    meanwhile: (_, request) => {
      if (request.operation !== operation) return;
      for (const texts of [request.params, request.query] as Record<string, string | undefined>[])
        for (const [key, text] of Object.entries(texts)) if (text !== undefined) texts[key] = text.trim();
    },
  });

export const adviceFaults: readonly Fault[] = [
  trimmed('blanks around the identifier of a customer are trimmed', 'users.get.padded-identifier', 'users.get'),
  trimmed('blanks around the identifier of a card are trimmed', 'cards.get.padded-identifier', 'cards.get'),
  trimmed('blanks around filters of customers are trimmed', 'users.list.padded-filter-value', 'users.list'),
  trimmed('blanks around filters of cards are trimmed', 'cards.list.padded-filter-value', 'cards.list'),
  ...['token.issue', 'users.list', 'cards.getBalance', 'portal.getShippingMethods'].map((operation) =>
    declared(`${operation}: JSON is declared as text`, `${operation}.media-type`, operation, 'text/plain'),
  ),
  {
    name: 'cards.getBalance: the body begins with a byte order mark',
    condemns: ['cards.getBalance.byte-order-mark'],
    sandbox: {
      middleware: [
        (answer, { operation }) =>
          operation === 'cards.getBalance' && answer.status === 200
            ? { ...answer, body: new RawText(`\uFEFF${JSON.stringify(answer.body)}`) }
            : undefined,
      ],
    },
  },
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
  ).map(
    ([operation, member]): Fault => ({
      name: `${operation}: ${member} is left out`,
      condemns: [`${operation}.entries-present`],
      sandbox: answering(operation, (body) => {
        delete body[member];
      }),
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
  refusedBy(
    'portal.getCustomerList: errors are an array',
    'portal.getCustomerList.error-object',
    'portal.getCustomerList',
    [{ message: 'no' }],
  ),
  broken(
    'portal.getCustomerProgramList: a customer that does not exist is answered with 500',
    'portal.getCustomerProgramList.server-error',
    refusedWith(
      500,
      ({ operation, kind }) => operation === 'portal.getCustomerProgramList' && kind === 'unknown-reference',
    ),
  ),
  broken(
    'portal.getShippingMethods: a bad session is answered with 403',
    'portal.getShippingMethods.session-status',
    refusedWith(403, ({ operation, kind }) => operation === 'portal.getShippingMethods' && kind === 'session'),
  ),
  ...['users.get', 'users.setPermissions', 'cards.getStatus'].map((operation) =>
    broken(
      `${operation}: an unknown identifier is answered with 422`,
      `${operation}.unknown-identifier-404`,
      refusedWith(422, (refusal) => refusal.operation === operation && refusal.kind === 'unknown'),
    ),
  ),
  broken(
    'users.setPermissions: a missing body is answered with 422',
    'users.setPermissions.missing-body-400',
    refusedWith(422, ({ operation, kind }) => operation === 'users.setPermissions' && kind === 'missing-body'),
  ),
  ...['users.setPermissions', 'cards.encryptForVde'].map((operation) =>
    broken(`${operation}: members of any type`, `${operation}.body-types`, {
      enforces: (refusal) => !(refusal.operation === operation && refusal.kind === 'member-type'),
    }),
  ),
  broken('cards.get: flags of any value', 'cards.get.boolean-parameters', {
    enforces: ({ operation, kind }) => !(operation === 'cards.get' && kind === 'parameter-type'),
  }),
];
