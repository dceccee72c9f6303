/** Faults of what is answered: shapes, types, statuses, and refusals now and then. */
import type { Choices, Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { JsonObject } from '../json.ts';
import type { OperationId } from '../operation-ids.ts';
import { cardShape, customerShape, portalCustomerShape } from '../shapes.ts';
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
import { asText, type Fault, fault, instead, overlooked, slug } from './fault.ts';

const cardOf = ({ path }: Exchange) => path.identifier;

/** From the second success for a card on. */
function later(c: Choices, operation: OperationId, changed: Partial<Reply>): void {
  const done = new Map<unknown, number>();
  onReply(c, operation, (reply, x) => {
    if (!succeeded(reply)) return;
    const count = done.get(cardOf(x)) ?? 0;
    done.set(cardOf(x), count + 1);
    if (count > 0) Object.assign(reply, changed);
  });
}

function add(c: Choices, operation: 'cards.list' | 'cards.listRelated'): void {
  onBody(c, operation, (body, x) => {
    const outside = x.world.cards.find(({ owner }) => !owner.ours)!;
    if (!x.query.has('customerIdentifier'))
      body.results = [...recordsOf(body, 'results').slice(0, 49), cardShape(outside, x)];
  });
}

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
  fault('second-unsuspension-answers-a-body', 'cards.unsuspend.shape', (c) =>
    later(c, 'cards.unsuspend', { status: 200, body: {} }),
  ),
  fault('second-payload-is-not-given', 'cards.encryptForVde.shape', (c) =>
    later(c, 'cards.encryptForVde', { status: 201, body: {} }),
  ),
  fault('errors-of-a-transfer-without-body-are-text', 'cards.transfer.error-shape', (c) =>
    onReply(c, 'cards.transfer', (reply, { text }) => {
      if (reply.status === 400 && text === '') reply.body = ['no body'];
    }),
  ),
  fault(
    'permissions-of-both-answer-500',
    ['users.setPermissions.any-members-accepted', 'users.setPermissions.status'],
    (c) =>
      instead(c, 'users.setPermissions', (x) =>
        Object.keys(x.json()).length > 1 ? { status: 500, body: [] } : undefined,
      ),
  ),
  fault('permission-of-false-answers-400', 'users.setPermissions.any-members-accepted', (c) =>
    c.rules.push({
      operations: ['users.setPermissions'],
      broken: (x) => x.json().canSearchSpends === false,
      status: 400,
    }),
  ),
  fault('pin-that-begins-with-zero-answers-500', 'cards.setPin.status', (c) =>
    instead(c, 'cards.setPin', (x) => (String(x.json().pin).startsWith('0') ? { status: 500, body: [] } : undefined)),
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
  fault('bad-requests-answered-500', 'cards.list.status', (c) =>
    onReply(c, 'cards.list', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 500 }))),
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
  fault('foreign-card-in-the-listing', 'cards.list.foreign', (c) => add(c, 'cards.list')),
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
  fault(
    'page-two-with-identifiers-as-numbers',
    'users.list.shape',
    onPageTwo((record) => void (record.balance === undefined && Object.assign(record, { identifier: 7 }))),
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
  fault('page-two-with-a-number-for-its-token', 'users.list.shape', (c) =>
    bodyWith(c, 'users.list', ({ continuationToken }, { query }) => ({
      continuationToken: query.has('token') && continuationToken ? 12 : continuationToken,
    })),
  ),
  fault('last-four-is-the-whole-number', 'cards.get.shape', (c) =>
    cardsWith(c, ({ cardNumberLastFour }) => ({ cardNumberLastFour: `411111111111${cardNumberLastFour}` })),
  ),
  fault('transfer-date-in-words', 'cards.transfer.shape', (c) =>
    bodyWith(c, 'cards.transfer', { creationDate: 'Nov 3rd, 2025' }),
  ),
  overlooked(
    'person-without-dob-day-taken',
    'portal.getCIPCheck.required-members',
    'bad-person',
    ({ content }, field) => content.dobDay === undefined && field === 'dobDay',
  ),
  overlooked(
    'order-without-order-details-taken',
    'portal.orderCards.required-members',
    'bad-order',
    ({ content }, field) => field === 'orderDetails' && content.orderDetails === undefined,
  ),
  ...bodies,
  fault('one-in-6-cards-with-balance-as-text', 'cards.get.shape', (c) =>
    now(c, 'cards.get', 6, (reply) => void Object.assign(reply.body as object, { balance: '1.00' })),
  ),
  fault('one-in-5-answers-cut-short', 'cards.getBalance.shape', (c) =>
    now(c, 'cards.getBalance', 5, (reply) => void Object.assign(reply, { bytes: '{"balance": 1' })),
  ),
  fault('one-in-4-foreign-cards-shown', 'cards.get.foreign', (c) => {
    let asked = 0;
    c.verdicts.push(({ reason }, { operation }) => {
      if (reason !== 'card-out-of-reach' || operation !== 'cards.get') return undefined;
      asked += 1;
      return asked % 4 === 0 ? 'overlook' : undefined;
    });
  }),
  fault('one-in-6-pages-has-fifty-one', 'users.list.max-respected', (c) => {
    c.pageLength = (asked, { operation, turn }) =>
      operation === 'users.list' && turn % 6 === 3 ? Math.max(asked, 51) : asked;
  }),
  ...refusals,
];
