import type { Choices } from '../choices.ts';
import { cardShape, customerShape } from '../shapes.ts';
import { onBody, overlook, recordsOf } from '../tools.ts';
import {
  cardOperations,
  type Draft,
  type Fault,
  overlooked,
  sentences,
  sessionOperations,
  slug,
  spot,
  tokenOperations,
} from './fault.ts';

const everyToken = ['no-token', 'bad-token'] as const;

const perOperation: Draft[] = [
  ...tokenOperations.map(
    (operation): Draft => overlooked(`no-token-needed-for-${slug(operation)}`, operation, sentences.token, 'no-token'),
  ),
  ...tokenOperations.map(
    (operation): Draft => overlooked(`any-token-taken-by-${slug(operation)}`, operation, sentences.token, everyToken),
  ),
  ...sessionOperations
    .filter((operation) => operation !== 'portal.logout')
    .map(
      (operation): Draft =>
        overlooked(`any-session-taken-by-${slug(operation)}`, operation, sentences.session, 'bad-session'),
    ),
  ...cardOperations.map(
    (operation): Draft =>
      overlooked(`foreign-cards-reached-by-${slug(operation)}`, operation, sentences.reach, 'card-out-of-reach'),
  ),
];

function withQuery(name: string, value?: string): Parameters<typeof overlook>[3] {
  return ({ query }) => (value === undefined ? query.has(name) : query.get(name) === value);
}

const routes: Draft[] = [
  overlooked('no-token-needed-by-token', 'cards.get', sentences.token, everyToken, withQuery('byToken', 'true')),
  overlooked('no-token-needed-for-page-two-of-cards', 'cards.list', sentences.token, everyToken, withQuery('token')),
  overlooked('expired-tokens-taken-for-page-two', 'users.list', sentences.hour, 'expired-token', withQuery('token')),
  overlooked(
    'expired-tokens-taken-by-proxy',
    'cards.get',
    sentences.hour,
    'expired-token',
    withQuery('byProxy', 'true'),
  ),
  overlooked(
    'foreign-cards-shown-with-a-program',
    'cards.get',
    sentences.reach,
    'card-out-of-reach',
    withQuery('programIdentifier'),
  ),
  overlooked('foreign-cards-receive-transfers', 'cards.transfer', sentences.reach, 'target-out-of-reach'),
  overlooked(
    'foreign-customers-shown',
    'users.get',
    'v3, Users, read with the fixture of a customer that must not be reached',
    'customer-out-of-reach',
    undefined,
    'the scope gives full access to user calls',
  ),
  overlooked(
    'foreign-customers-changed',
    'users.setPermissions',
    'v3, Users, read with the fixture of a customer that must not be reached',
    'customer-out-of-reach',
    undefined,
    'the scope gives full access to user calls',
  ),
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
  overlooked(
    'foreign-hierarchy-shown',
    'portal.getCustomerHierarchy',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    'foreign-customer-id',
  ),
  overlooked(
    'foreign-programs-shown',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: 400 invalid sessionId or customerId',
    'foreign-customer-id',
  ),
  overlooked(
    'foreign-programs-shown-with-branded',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: 400 invalid sessionId or customerId',
    'foreign-customer-id',
    withQuery('showBranded', 'true'),
  ),
  overlooked(
    'forbidden-operation-allowed',
    'portal.getCustomerList',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    'not-entitled',
  ),
  [
    'forbidden-operation-answers-403',
    'portal.getCustomerList',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) => void Object.assign(c.statuses, { 'not-entitled': 403 }),
  ],
  overlooked(
    'forbidden-operation-allowed-the-second-time',
    'portal.getCustomerList',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    'not-entitled',
    secondTime(),
  ),
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
