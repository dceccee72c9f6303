/** Faults of what is answered: shapes, types, statuses, and refusals now and then. */
import type { Choices, Reply } from '../choices.ts';
import type { OperationId } from '../operation-ids.ts';
import { customerShape, portalCustomerShape } from '../shapes.ts';
import { bodyWith, cardsWith, onReply, recordsOf, succeeded } from '../tools.ts';
import { answered, type Fault, fault, instead, misanswered, slug } from './fault.ts';

/** Cards of every page but the first have a member as text. */
const asTextOnPageTwo = (id: string, member: string): Fault =>
  misanswered(id, 'cards.list.shape', (body, { query }) => {
    if (!query.has('token')) return;
    for (const card of recordsOf(body, 'results')) if (card[member] !== undefined) card[member] = String(card[member]);
  });

/** Refusals of an operation are answered in another form. */
const refusals = (id: string, condemns: string, operation: OperationId, form: Partial<Reply>): Fault =>
  fault(id, condemns, (c) =>
    onReply(c, operation, (reply) => {
      if (!succeeded(reply)) Object.assign(reply, form);
    }),
  );

/** What an operation refuses with 400 has another status. */
const insteadOf400 = (id: string, condemns: readonly string[], operation: OperationId, status: number): Fault =>
  fault(id, condemns, (c) =>
    onReply(c, operation, (reply) => {
      if (reply.status === 400) reply.status = status;
    }),
  );

const lists = [
  ['cards.list', 'results'],
  ['users.list', 'results'],
  ['cards.listRelated', 'results'],
  ['portal.getCustomerList', 'items'],
  ['portal.getCustomerHierarchy', 'items'],
  ['portal.getShippingMethods', 'items'],
  ['portal.getCustomerProgramList', 'items'],
] as const;

const renamed = lists.map(([operation, name]) =>
  misanswered(`answer-under-another-name-${slug(operation)}`, `${operation}.shape`, (body) => {
    body[`_${name}`] = body[name];
    delete body[name];
  }),
);

/** One in so many requests of an operation is refused. */
const rows: [OperationId, number, number, requirement: string][] = [
  ['users.list', 7, 400, 'required-only'],
  ['users.get', 4, 404, 'required-only'],
  ['users.setPermissions', 3, 500, 'status'],
  ['cards.list', 6, 500, 'status'],
  ['cards.getBalance', 8, 500, 'required-only'],
  ['cards.getStatus', 8, 500, 'required-only'],
  ['cards.createToken', 3, 500, 'required-only'],
  ['cards.encryptForVde', 4, 400, 'required-only'],
  ['cards.suspend', 5, 500, 'status'],
  ['portal.getCustomerList', 4, 500, 'server-error'],
  ['portal.getCustomerProgramList', 5, 404, 'required-only'],
  ['portal.getShippingFeeTypes', 3, 400, 'required-only'],
  ['portal.getCIPCheck', 6, 500, 'status'],
];

const nowAndThen = rows.map(([operation, n, status, requirement]) =>
  fault(`one-in-${n}-refused-of-${slug(operation)}`, `${operation}.${requirement}`, (c) =>
    instead(c, operation, ({ turn }) =>
      turn % n === Math.floor(n / 2)
        ? { status, body: operation.startsWith('portal') ? {} : [{ errorCode: 'x' }] }
        : undefined,
    ),
  ),
);

function now(c: Choices, operation: OperationId, n: number, change: (reply: Reply) => void): void {
  onReply(c, operation, (reply, { turn }) => {
    if (succeeded(reply) && turn % n === n - 1) change(reply);
  });
}

export const answerFaults: Fault[] = [
  answered(
    'permissions-of-both-answer-500',
    ['users.setPermissions.any-members-accepted', 'users.setPermissions.status'],
    { status: 500, body: [] },
    (x) => Object.keys(x.json()).length > 1,
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
  refusals('error-field-name-as-array', 'cards.list.error-shape', 'cards.list', { body: [{ fieldName: ['max'] }] }),
  refusals('errors-as-html', 'users.list.error-shape', 'users.list', {
    bytes: '<h1>Bad Request</h1>',
    headers: { 'Content-Type': 'text/html' },
  }),
  insteadOf400(
    'bad-customer-ids-answered-500',
    ['portal.getCustomerProgramList.required-parameters', 'portal.getCustomerProgramList.requires-session'],
    'portal.getCustomerProgramList',
    500,
  ),
  insteadOf400(
    'bad-people-answered-422',
    ['portal.getCIPCheck.address-41-refused', 'portal.getCIPCheck.dobMonth-digits', 'portal.getCIPCheck.zip-digits'],
    'portal.getCIPCheck',
    422,
  ),
  misanswered(
    'foreign-customer-in-the-listing',
    [
      'users.list.filter-name',
      'users.list.filter-parent',
      'users.list.filter-v1-identifier',
      'users.list.pagination-repeats-nobody',
    ],
    (body, { world, query }) => {
      const outside = world.customers.filter(({ ours, parent }) => !ours && parent).map(customerShape);
      if (!query.size || query.has('max'))
        body.results = [...recordsOf(body, 'results').slice(outside.length), ...outside];
    },
  ),
  misanswered('foreign-customer-in-the-customer-list', 'portal.getCustomerList.foreign-customer', (body, { world }) => {
    const rival = world.customers.find(({ name }) => name === 'Rival Harbour')!;
    body.items = [...recordsOf(body, 'items'), portalCustomerShape(rival)];
  }),
  asTextOnPageTwo('page-two-with-balances-as-text', 'balance'),
  asTextOnPageTwo('page-two-with-flags-as-text', 'isProvisionedToWallet'),
  fault('page-two-without-correlation', 'cards.list.shape', (c) =>
    bodyWith(c, 'cards.list', ({ correlationId }, { query }) => ({
      correlationId: query.has('token') ? 0 : correlationId,
    })),
  ),
  fault('last-four-is-the-whole-number', 'cards.get.shape', (c) =>
    cardsWith(c, ({ cardNumberLastFour }) => ({ cardNumberLastFour: `411111111111${cardNumberLastFour}` })),
  ),
  fault('transfer-date-in-words', 'cards.transfer.shape', (c) =>
    bodyWith(c, 'cards.transfer', { creationDate: 'Nov 3rd, 2025' }),
  ),
  ...renamed,
  fault('one-in-6-cards-with-balance-as-text', 'cards.get.shape', (c) =>
    now(c, 'cards.get', 6, (reply) => void Object.assign(reply.body as object, { balance: '1.00' })),
  ),
  fault('one-in-5-answers-cut-short', 'cards.getBalance.shape', (c) =>
    now(c, 'cards.getBalance', 5, (reply) => void Object.assign(reply, { bytes: '{"balance": 1' })),
  ),
  ...nowAndThen,
];
