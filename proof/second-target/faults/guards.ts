import type { Choices } from '../choices.ts';
import { cardShape, customerShape } from '../shapes.ts';
import { onBody, overlook, recordsOf } from '../tools.ts';
import {
  cardOperations,
  type Draft,
  type Fault,
  sentences,
  sessionOperations,
  slug,
  spot,
  tokenOperations,
} from './fault.ts';

const everyToken = ['no-token', 'bad-token'] as const;

const perOperation: Draft[] = [
  ...tokenOperations.map(
    (operation): Draft => [
      `no-token-needed-for-${slug(operation)}`,
      operation,
      sentences.token,
      (c) => overlook(c, operation, 'no-token'),
    ],
  ),
  ...tokenOperations.map(
    (operation): Draft => [
      `any-token-taken-by-${slug(operation)}`,
      operation,
      sentences.token,
      (c) => overlook(c, operation, everyToken),
    ],
  ),
  ...sessionOperations
    .filter((operation) => operation !== 'portal.logout')
    .map(
      (operation): Draft => [
        `any-session-taken-by-${slug(operation)}`,
        operation,
        sentences.session,
        (c) => overlook(c, operation, 'bad-session'),
      ],
    ),
  ...cardOperations.map(
    (operation): Draft => [
      `foreign-cards-reached-by-${slug(operation)}`,
      operation,
      sentences.reach,
      (c) => overlook(c, operation, 'card-out-of-reach'),
    ],
  ),
];

function withQuery(name: string, value?: string): Parameters<typeof overlook>[3] {
  return ({ query }) => (value === undefined ? query.has(name) : query.get(name) === value);
}

const routes: Draft[] = [
  [
    'no-token-needed-by-proxy',
    'cards.get',
    sentences.token,
    (c) => overlook(c, 'cards.get', everyToken, withQuery('byProxy', 'true')),
  ],
  [
    'no-token-needed-by-token',
    'cards.get',
    sentences.token,
    (c) => overlook(c, 'cards.get', everyToken, withQuery('byToken', 'true')),
  ],
  [
    'no-token-needed-with-a-name',
    'users.list',
    sentences.token,
    (c) => overlook(c, 'users.list', everyToken, withQuery('name')),
  ],
  [
    'no-token-needed-with-a-parent',
    'users.list',
    sentences.token,
    (c) => overlook(c, 'users.list', everyToken, withQuery('parentIdentifier')),
  ],
  [
    'no-token-needed-with-a-v1-identifier',
    'users.list',
    sentences.token,
    (c) => overlook(c, 'users.list', everyToken, withQuery('v1Identifier')),
  ],
  [
    'no-token-needed-with-a-customer-filter',
    'cards.list',
    sentences.token,
    (c) => overlook(c, 'cards.list', everyToken, withQuery('customerIdentifier')),
  ],
  [
    'no-token-needed-with-an-external-filter',
    'cards.list',
    sentences.token,
    (c) => overlook(c, 'cards.list', everyToken, withQuery('externalIdentifier')),
  ],
  [
    'no-token-needed-for-page-two',
    'users.list',
    sentences.token,
    (c) => overlook(c, 'users.list', everyToken, withQuery('token')),
  ],
  [
    'no-token-needed-for-page-two-of-cards',
    'cards.list',
    sentences.token,
    (c) => overlook(c, 'cards.list', everyToken, withQuery('token')),
  ],
  [
    'no-token-needed-with-a-small-max',
    'users.list',
    sentences.token,
    (c) => overlook(c, 'users.list', everyToken, withQuery('max', '1')),
  ],
  [
    'expired-tokens-taken-for-page-two',
    'users.list',
    sentences.hour,
    (c) => overlook(c, 'users.list', 'expired-token', withQuery('token')),
  ],
  [
    'expired-tokens-taken-by-proxy',
    'cards.get',
    sentences.hour,
    (c) => overlook(c, 'cards.get', 'expired-token', withQuery('byProxy', 'true')),
  ],
  [
    'foreign-cards-shown-when-by-proxy-is-false',
    'cards.get',
    sentences.reach,
    (c) => overlook(c, 'cards.get', 'card-out-of-reach', withQuery('byProxy', 'false')),
  ],
  [
    'foreign-cards-shown-when-by-token-is-false',
    'cards.get',
    sentences.reach,
    (c) => overlook(c, 'cards.get', 'card-out-of-reach', withQuery('byToken', 'false')),
  ],
  [
    'foreign-cards-shown-with-a-program',
    'cards.get',
    sentences.reach,
    (c) => overlook(c, 'cards.get', 'card-out-of-reach', withQuery('programIdentifier')),
  ],
  [
    'foreign-cards-receive-transfers',
    'cards.transfer',
    sentences.reach,
    (c) => overlook(c, 'cards.transfer', 'target-out-of-reach'),
  ],
  [
    'foreign-customers-shown',
    'users.get',
    'v3, Users, read with the fixture of a customer that must not be reached',
    (c) => overlook(c, 'users.get', 'customer-out-of-reach'),
    'the scope gives full access to user calls',
  ],
  [
    'foreign-customers-changed',
    'users.setPermissions',
    'v3, Users, read with the fixture of a customer that must not be reached',
    (c) => overlook(c, 'users.setPermissions', 'customer-out-of-reach'),
    'the scope gives full access to user calls',
  ],
  ['foreign-cards-listed-by-customer', 'cards.list', sentences.reach, (c) => foreignCards(c, 'customerIdentifier')],
  ['foreign-cards-listed-on-page-two', 'cards.list', sentences.reach, (c) => foreignCards(c, 'token')],
  [
    'foreign-customers-listed-by-parent',
    'users.list',
    'v3, Users, read with the fixture of a customer that must not be reached',
    (c) => foreignCustomers(c, 'parentIdentifier'),
    'the scope gives full access to user calls',
  ],
  [
    'foreign-customers-listed-by-v1-identifier',
    'users.list',
    'v3, GET customers, v1Identifier: identifier in the v1 portal',
    (c) => foreignCustomers(c, 'v1Identifier'),
  ],
  [
    'foreign-hierarchy-shown',
    'portal.getCustomerHierarchy',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) => overlook(c, 'portal.getCustomerHierarchy', 'foreign-customer-id'),
  ],
  [
    'foreign-programs-shown',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: 400 invalid sessionId or customerId',
    (c) => overlook(c, 'portal.getCustomerProgramList', 'foreign-customer-id'),
  ],
  [
    'foreign-programs-shown-with-branded',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: 400 invalid sessionId or customerId',
    (c) => overlook(c, 'portal.getCustomerProgramList', 'foreign-customer-id', withQuery('showBranded', 'true')),
  ],
  [
    'orders-for-a-foreign-customer-id',
    'portal.orderCards',
    'portal, orderCards: customerId is that of the program ordered from',
    (c) => overlook(c, 'portal.orderCards', 'bad-order', (_x, field) => field === 'customerId'),
    'that both have to agree is nowhere said',
  ],
  [
    'forbidden-operation-allowed',
    'portal.getCustomerList',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) => overlook(c, 'portal.getCustomerList', 'not-entitled'),
  ],
  [
    'forbidden-operation-answers-403',
    'portal.getCustomerList',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) => void Object.assign(c.statuses, { 'not-entitled': 403 }),
  ],
  [
    'forbidden-operation-allowed-the-second-time',
    'portal.getCustomerList',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) => overlook(c, 'portal.getCustomerList', 'not-entitled', secondTime()),
  ],
];

function secondTime(): () => boolean {
  let times = 0;
  return () => {
    times += 1;
    return times > 1;
  };
}

function foreignCards(c: Choices, name: string): void {
  onBody(c, 'cards.list', (body, x) => {
    if (!x.query.has(name)) return;
    const wanted = x.query.get('customerIdentifier');
    const foreign = x.world.cards.filter(
      ({ owner }) => !owner.ours && (name === 'token' || owner.identifier === wanted),
    );
    body.results = [...recordsOf(body, 'results'), ...foreign.slice(0, 3).map((card) => cardShape(card, x))];
  });
}

function foreignCustomers(c: Choices, name: string): void {
  if (name === 'parentIdentifier') overlook(c, 'users.list', 'unknown-filter');
  onBody(c, 'users.list', (body, { query, world }) => {
    const wanted = query.get(name);
    const foreign = world.customers.filter(
      (customer) => !customer.ours && [customer.parent?.identifier, String(customer.v1Id)].includes(wanted ?? '?'),
    );
    if (foreign.length) body.results = foreign.map(customerShape);
  });
}

/** A guard or an owner is forgotten on another way to the same operation. */
export const guardFaults: Fault[] = spot(2, [...perOperation, ...routes]);
