import type { Choices } from '../choices.ts';
import type { Reason } from '../reasons.ts';
import { statusWhen } from '../tools.ts';
import { also, doubtful, type Freedom, family, ways } from './freedom.ts';

function statusOf(reasons: readonly Reason[], status: number): (c: Choices) => void {
  return (c) => {
    for (const reason of reasons) c.statuses[reason] = status;
  };
}

const card = ['unknown-card', 'card-out-of-reach'] as const;
const customer = ['unknown-customer', 'customer-out-of-reach'] as const;
const state = ['transition', 'wrong-state', 'cannot-spend', 'cannot-receive'] as const;
const order = ['order-duplicate', 'other-info-duplicate', 'load-duplicate'] as const;
const refused = ['digital-off', 'load-off', 'unknown-program', 'foreign-program'] as const;

const statuses = [
  ...ways('cardStatusCode', 'v3, Cards: the status for a card that is unknown or out of reach is not shown', {
    'unknown-cards-404': statusOf(card, 404),
    'unknown-cards-400': statusOf(card, 400),
    'unknown-cards-403': statusOf(card, 403),
    'unknown-cards-422': statusOf(card, 422),
  }),
  ...ways('customerStatusCode', 'v3, Users: the status for a customer that is unknown or out of reach is not shown', {
    'unknown-customers-404': statusOf(customer, 404),
    'unknown-customers-403': statusOf(customer, 403),
    'unknown-customers-410': statusOf(customer, 410),
  }),
  ...ways('stateStatusCode', 'v3, Cards: the status for a card in the wrong state is not shown', {
    'wrong-state-400': statusOf(state, 400),
    'wrong-state-403': statusOf(state, 403),
    'wrong-state-422': statusOf(state, 422),
    'wrong-state-423': statusOf(state, 423),
    'wrong-state-412': statusOf(state, 412),
  }),
  ...ways('fundsStatusCode', 'v3, POST transfer: the status for too little money is not shown', {
    'insufficient-funds-400': statusOf(['insufficient-funds'], 400),
    'insufficient-funds-409': statusOf(['insufficient-funds'], 409),
    'insufficient-funds-403': statusOf(['insufficient-funds'], 403),
  }),
  ...ways('clientStatusCode', 'v3, Token: the status for a client that is not known is not shown', {
    'bad-client-400': statusOf(['bad-client', 'bad-grant', 'bad-scope'], 400),
    'bad-client-403': statusOf(['bad-client', 'bad-grant', 'bad-scope'], 403),
  }),
  ...ways('orderStatusCode', 'portal, orderCards: other responses: not shown', {
    'duplicate-orders-400': statusOf(order, 400),
    'duplicate-orders-422': statusOf(order, 422),
    'duplicate-orders-403': statusOf(order, 403),
  }),
  ...ways('optionStatusCode', 'portal, orderCards: other responses: not shown', {
    'options-off-400': statusOf(refused, 400),
    'options-off-409': statusOf(refused, 409),
    'options-off-422': statusOf(refused, 422),
  }),
  ...ways(
    'foreignIdStatusCode',
    'portal, getCustomerHierarchy and getCustomerProgramList: 400 and 401 are both named',
    {
      'foreign-customer-ids-400': statusOf(['foreign-customer-id'], 400),
    },
  ),
  ...also('v3 and portal, Errors: statuses that are not shown', {
    'bad-bodies-415': (c) =>
      statusWhen(c, ({ reason }, { operation }) =>
        reason === 'bad-body' && operation !== 'portal.getCIPCheck' ? 415 : undefined,
      ),
    'bad-orders-422': statusOf(['bad-order', 'load-incomplete', 'other-info-missing'], 422),
    'bad-pins-400': statusOf(['bad-pin'], 400),
    'foreign-targets-404': statusOf(['target-out-of-reach', 'unknown-target'], 404),
    'program-list-of-foreign-customers-404': (c) =>
      statusWhen(c, ({ reason }, { operation }) =>
        reason === 'foreign-customer-id' && operation === 'portal.getCustomerProgramList' ? 404 : undefined,
      ),
    'sessions-401-where-named': (c) => {
      const named = [
        'portal.getCustomerList',
        'portal.getCustomerHierarchy',
        'portal.getCIPCheck',
        'portal.orderCards',
      ];
      c.statusFor = ({ reason }, { operation }) =>
        reason === 'bad-session' && named.includes(operation) ? 401 : undefined;
    },
    'sessions-403-for-orders': (c) =>
      statusWhen(c, ({ reason }, { operation }) =>
        reason === 'bad-session' && operation === 'portal.orderCards' ? 403 : undefined,
      ),
  }),
  ...doubtful('RFC 6750 names 401 for a token that is not valid; the document names no status', [
    {
      id: 'bad-tokens-403',
      basis: 'v3, Authentication: the status for a missing or bad token is not shown',
      slot: 'tokenStatusCode',
      change: statusOf(['no-token', 'bad-token', 'expired-token'], 403),
    },
    {
      id: 'bad-tokens-400',
      basis: 'v3, Authentication: the status for a missing or bad token is not shown',
      slot: 'tokenStatusCode',
      change: statusOf(['no-token', 'bad-token', 'expired-token'], 400),
    },
  ]),
];

/** Which status says that a precondition is not met. */
export const statusFreedoms: Freedom[] = family('precondition', statuses);
