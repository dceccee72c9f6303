import type { Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Reason } from '../reasons.ts';
import { addHeaders, isOneOf, type Operations, statusWhen } from '../tools.ts';
import { type Change, set } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

const statusOf =
  (reasons: readonly Reason[], status: number): Change =>
  (c) => {
    for (const reason of reasons) c.statuses[reason] = status;
  };

/** Answers refusals for a reason with another status where some operations make them. */
const statusAt =
  (meant: Operations, reason: Reason, status: number): Change =>
  (c) =>
    statusWhen(c, (refusal, x) => (refusal.reason === reason && isOneOf(x.operation, meant) ? status : undefined));

const withSessions = /^portal\.(getCustomerList|getCustomerHierarchy|getCIPCheck|orderCards)$/;
const card = ['unknown-card', 'card-out-of-reach'] as const;
const customer = ['unknown-customer', 'customer-out-of-reach'] as const;
const state = ['transition', 'wrong-state', 'cannot-spend', 'cannot-receive'] as const;
const order = ['order-duplicate', 'other-info-duplicate', 'load-duplicate'] as const;
const client = ['bad-client', 'bad-grant', 'bad-scope'] as const;
const token = ['no-token', 'bad-token', 'expired-token'] as const;
const refused = ['digital-off', 'load-off', 'unknown-program', 'foreign-program'] as const;

/** Which status says that a precondition is not met. */
export const statusFreedoms: Freedom[] = family('precondition', [
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
    'bad-client-400': statusOf(client, 400),
    'bad-client-403': statusOf(client, 403),
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
    'program-list-of-foreign-customers-404': statusAt('portal.getCustomerProgramList', 'foreign-customer-id', 404),
    'sessions-401-where-named': set({
      statusFor: ({ reason }, { operation }) =>
        reason === 'bad-session' && withSessions.test(operation) ? 401 : undefined,
    }),
    'sessions-403-for-orders': statusAt('portal.orderCards', 'bad-session', 403),
  }),
  ...doubtful(
    'RFC 6750 names 401 for a token that is not valid; the document names no status',
    exactly(
      'v3, Authentication: the status for a missing or bad token is not shown',
      { 'bad-tokens-403': statusOf(token, 403), 'bad-tokens-400': statusOf(token, 400) },
      'tokenStatusCode',
    ),
  ),
]);

/** Answers refusals otherwise than with the usual body. */
const refusals =
  (change: (reply: Reply) => void, isMeant: (reply: Reply, x: Exchange) => boolean): Change =>
  (c) =>
    void c.after.push((reply, x) => {
      if (reply.status < 400 || reply.status >= 500 || !isMeant(reply, x)) return;
      delete reply.body;
      change(reply);
    });

const nothing = () => {};

const page = (reply: Reply) => {
  reply.bytes = `<!doctype html><title>${reply.status}</title><p>Sorry`;
  addHeaders(reply, { 'Content-Type': 'text/html; charset=utf-8' });
};

const text = (reply: Reply) => {
  reply.bytes = 'denied';
  addHeaders(reply, { 'Content-Type': 'text/plain' });
};

const isPortal = ({ operation }: Exchange) => operation.startsWith('portal.');
const isResource = ({ operation }: Exchange) => /^(users|cards|cardholders)\./.test(operation);

/** How refusals are answered of which no body is shown. */
export const refusalFreedoms: Freedom[] = family(
  'presence',
  ways('refusalBody', 'v3 and portal, Errors: only a 400 of the users and cards is shown with a body', {
    'refusals-other-than-400-without-a-body': refusals(nothing, ({ status }, x) => isResource(x) && status !== 400),
    'refusals-other-than-400-as-a-page': refusals(page, ({ status }, x) => isResource(x) && status !== 400),
    'refusals-of-a-token-as-text': refusals(text, ({ status }, x) => isResource(x) && status === 401),
    'refusals-of-the-portal-without-a-body': refusals(nothing, (_reply, x) => isPortal(x)),
    'refusals-of-the-portal-other-than-400-as-a-page': refusals(page, ({ status }, x) => isPortal(x) && status > 401),
    'refusals-of-the-token-endpoint-without-a-body': refusals(
      nothing,
      (_reply, { operation }) => operation === 'token.issue',
    ),
  }),
);
