/** Faults of what is answered: shapes, types, statuses, and refusals now and then. */
import type { Choices, Reply } from '../choices.ts';
import type { JsonObject } from '../json.ts';
import type { OperationId } from '../operation-ids.ts';
import { customerShape, portalCustomerShape } from '../shapes.ts';
import {
  bodyWith,
  cardsWith,
  type customerLists,
  isOneOf,
  type Operations,
  onBody,
  onReply,
  recordsOf,
  succeeded,
} from '../tools.ts';
import { asText, type Fault, fault, instead, slug } from './fault.ts';

function rivals(c: Choices, operation: (typeof customerLists)[number]): void {
  onBody(c, operation, (body, { world }) => {
    const rival = world.customers.find(({ name }) => name === 'Rival Harbour')!;
    body.items = [...recordsOf(body, 'items'), portalCustomerShape(rival)];
  });
}

function onPageTwo(change: (record: JsonObject) => void): (c: Choices) => void {
  return (c) =>
    onBody(c, ['users.list', 'cards.list'], (body, { query }) => {
      if (query.has('token')) recordsOf(body, 'results').forEach(change);
    });
}

const lists = [
  ['cards.list', 'results'],
  ['users.list', 'results'],
  ['cards.listRelated', 'results'],
  ['portal.getCustomerList', 'items'],
  ['portal.getCustomerHierarchy', 'items'],
  ['portal.getShippingMethods', 'items'],
  ['portal.getCustomerProgramList', 'items'],
] as const;

const bodies = lists.map(([operation, name]) =>
  fault(`answer-under-another-name-${slug(operation)}`, `${operation}.shape`, (c) =>
    onBody(c, operation, (body) => {
      body[`_${name}`] = body[name];
      delete body[name];
    }),
  ),
);

/** Answers one in so many requests of an operation otherwise, beginning in the middle of the row. */
function oneIn(c: Choices, n: number, meant: Operations, reply: () => Reply): void {
  c.before.push((x) => (isOneOf(x.operation, meant) && x.turn % n === Math.floor(n / 2) ? reply() : undefined));
}

const rows: [OperationId, number, number, requirement: string][] = [
  ['users.list', 7, 400, 'required-only'],
  ['users.get', 4, 404, 'required-only'],
  ['users.setPermissions', 3, 500, 'status'],
  ['cards.list', 6, 500, 'required-only'],
  ['cards.getBalance', 8, 500, 'required-only'],
  ['cards.getStatus', 8, 500, 'required-only'],
  ['cards.createToken', 3, 500, 'required-only'],
  ['cards.encryptForVde', 4, 400, 'required-only'],
  ['cards.suspend', 5, 500, 'status'],
  ['portal.getCustomerList', 4, 500, 'required-only'],
  ['portal.getCustomerProgramList', 5, 404, 'required-only'],
  ['portal.getShippingFeeTypes', 3, 400, 'required-only'],
  ['portal.getCIPCheck', 6, 500, 'status'],
];

const refusals = rows.map(([operation, n, status, requirement]) =>
  fault(`one-in-${n}-refused-of-${slug(operation)}`, `${operation}.${requirement}`, (c) =>
    oneIn(c, n, operation, () => ({ status, body: operation.startsWith('portal') ? {} : [{ errorCode: 'x' }] })),
  ),
);

function now(c: Choices, operation: OperationId, n: number, change: (reply: Reply) => void): void {
  onReply(c, operation, (reply, { turn }) => {
    if (succeeded(reply) && turn % n === n - 1) change(reply);
  });
}

export const answerFaults: Fault[] = [
  fault(
    'permissions-of-both-answer-500',
    ['users.setPermissions.any-members-accepted', 'users.setPermissions.status'],
    (c) =>
      instead(c, 'users.setPermissions', (x) =>
        Object.keys(x.json()).length > 1 ? { status: 500, body: [] } : undefined,
      ),
  ),
  fault(
    'refused-activation-freezes-an-active-card',
    ['cards.activate.requires-token', 'cards.activate.unknown-identifier'],
    (c) =>
      onReply(c, 'cards.activate', (reply, { path, world }) => {
        const card = world.cards.find(({ identifier }) => identifier === path.identifier);
        if (reply.status === 401 && card?.facts.state === 'unused')
          world.alter(card, (facts) => void Object.assign(facts, { state: 'lost' }));
      }),
  ),
  fault('error-field-name-as-array', 'cards.list.error-shape', (c) =>
    onReply(
      c,
      'cards.list',
      (reply) => void (succeeded(reply) || Object.assign(reply, { body: [{ fieldName: ['max'] }] })),
    ),
  ),
  fault('errors-as-html', 'users.list.error-shape', (c) =>
    onReply(
      c,
      'users.list',
      (reply) =>
        void (
          succeeded(reply) ||
          Object.assign(reply, { bytes: '<h1>Bad Request</h1>', headers: { 'Content-Type': 'text/html' } })
        ),
    ),
  ),
  fault(
    'bad-customer-ids-answered-500',
    ['portal.getCustomerProgramList.required-parameters', 'portal.getCustomerProgramList.requires-session'],
    (c) =>
      onReply(
        c,
        'portal.getCustomerProgramList',
        (reply) => void (reply.status === 400 && Object.assign(reply, { status: 500 })),
      ),
  ),
  fault(
    'bad-people-answered-422',
    ['portal.getCIPCheck.address-41-refused', 'portal.getCIPCheck.dobMonth-digits', 'portal.getCIPCheck.zip-digits'],
    (c) =>
      onReply(c, 'portal.getCIPCheck', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 422 }))),
  ),
  fault(
    'foreign-customer-in-the-listing',
    [
      'users.list.filter-name',
      'users.list.filter-parent',
      'users.list.filter-v1-identifier',
      'users.list.pagination-repeats-nobody',
    ],
    (c) =>
      onBody(c, 'users.list', (body, { world, query }) => {
        const outside = world.customers.filter(({ ours, parent }) => !ours && parent).map(customerShape);
        if (!query.size || query.has('max'))
          body.results = [...recordsOf(body, 'results').slice(outside.length), ...outside];
      }),
  ),
  fault('foreign-customer-in-the-customer-list', 'portal.getCustomerList.foreign-customer', (c) =>
    rivals(c, 'portal.getCustomerList'),
  ),
  fault(
    'page-two-with-balances-as-text',
    'cards.list.shape',
    onPageTwo((record) => asText(record, 'balance')),
  ),
  fault('page-two-without-correlation', 'cards.list.shape', (c) =>
    bodyWith(c, 'cards.list', ({ correlationId }, { query }) => ({
      correlationId: query.has('token') ? 0 : correlationId,
    })),
  ),
  fault(
    'page-two-with-flags-as-text',
    'cards.list.shape',
    onPageTwo((record) => asText(record, 'isProvisionedToWallet')),
  ),
  fault('last-four-is-the-whole-number', 'cards.get.shape', (c) =>
    cardsWith(c, ({ cardNumberLastFour }) => ({ cardNumberLastFour: `411111111111${cardNumberLastFour}` })),
  ),
  fault('transfer-date-in-words', 'cards.transfer.shape', (c) =>
    bodyWith(c, 'cards.transfer', { creationDate: 'Nov 3rd, 2025' }),
  ),
  ...bodies,
  fault('one-in-6-cards-with-balance-as-text', 'cards.get.shape', (c) =>
    now(c, 'cards.get', 6, (reply) => void Object.assign(reply.body as object, { balance: '1.00' })),
  ),
  fault('one-in-5-answers-cut-short', 'cards.getBalance.shape', (c) =>
    now(c, 'cards.getBalance', 5, (reply) => void Object.assign(reply, { bytes: '{"balance": 1' })),
  ),
  ...refusals,
];
