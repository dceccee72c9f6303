import type { Choices } from '../choices.ts';
import { isObject } from '../json.ts';
import type { OperationId } from '../operation-ids.ts';
import {
  bodyWith,
  cardsWith,
  drop,
  itemsWith,
  onBody,
  onReply,
  orderedCards,
  overlook,
  recordsOf,
  rule,
  statusWhen,
  succeeded,
} from '../tools.ts';
import { asText, type Draft, type Fault, slug, spot } from './fault.ts';

const user = 'portal, User (login response)';
const programs = 'portal, getCustomerProgramList: true selects';
const flow = 'portal, What the service does: customerId feeds the customer and program lookups';
const record = 'also refreshes the stored card record';

const login: Draft[] = [
  [
    'login-id-given-back-in-lower-case',
    'portal.login',
    `${user}, loginId`,
    (c) => bodyWith(c, 'portal.login', ({ loginId }) => ({ loginId: String(loginId).toUpperCase() })),
  ],
  [
    'login-id-of-another-user-given-back',
    'portal.login',
    `${user}, loginId`,
    (c) => bodyWith(c, 'portal.login', { loginId: 'somebody.else' }),
  ],
  [
    'user-id-as-text',
    'portal.login',
    `${user}, userId: integer`,
    (c) => onBody(c, 'portal.login', (body) => asText(body, 'userId')),
  ],
  [
    'user-id-differs-from-login-to-login',
    'portal.login',
    `${user}, userId identifies the user`,
    (c) => bodyWith(c, 'portal.login', (_body, { turn }) => ({ userId: turn })),
    'that the id stays the same is not said in so many words',
  ],
  [
    'user-flags-as-text',
    'portal.login',
    `${user}, isHost and others: boolean`,
    (c) => bodyWith(c, 'portal.login', { isHost: 'false', deleted: 'false' }),
  ],
  [
    'user-flag-can-load-card-as-number',
    'portal.login',
    `${user}, canLoadCard: boolean`,
    (c) => bodyWith(c, 'portal.login', { canLoadCard: 1 }),
  ],
  [
    'login-customer-id-unknown-to-lookups',
    'portal.login',
    flow,
    (c) => bodyWith(c, 'portal.login', { customerId: 12345 }),
  ],
  [
    'login-customer-id-as-text',
    'portal.login',
    `${user}, customerId: integer`,
    (c) => onBody(c, 'portal.login', (body) => asText(body, 'customerId')),
  ],
  ['login-answers-201', 'portal.login', 'portal, login: 200 User', (c) => status(c, 'portal.login', 201)],
  [
    'login-by-wrong-password-answers-401',
    'portal.login',
    'portal, login: 400 invalid login id or password',
    (c) => refusedWith(c, 'portal.login', 'bad-login', 401),
  ],
  [
    'login-by-wrong-id-answers-404',
    'portal.login',
    'portal, login: 400 invalid login id or password',
    (c) => refusedWith(c, 'portal.login', 'bad-login', 404),
  ],
  [
    'same-session-for-every-login',
    'portal.login',
    'portal, Transitions: a sessionId is created',
    (c) => void Object.assign(c, { sessionId: () => 'one-for-all' }),
  ],
];

function status(c: Choices, operation: OperationId, code: number): void {
  onReply(c, operation, (reply) => {
    if (succeeded(reply)) reply.status = code;
  });
}

function refusedWith(c: Choices, operation: OperationId, reason: string, code: number): void {
  statusWhen(c, (refusal, x) => (refusal.reason === reason && x.operation === operation ? code : undefined));
}

function shown(change: Choices['programShown']): (c: Choices) => void {
  return (c) => void Object.assign(c, { programShown: change });
}

const lookups: Draft[] = [
  [
    'show-branded-ignored',
    'portal.getCustomerProgramList',
    `${programs} branded programs`,
    shown(({ autoCreated }, auto) => autoCreated === auto),
    'which programs are branded shows only by fixtures and by comparing listings',
  ],
  [
    'show-auto-created-ignored',
    'portal.getCustomerProgramList',
    `${programs} auto-created programs`,
    shown(({ branded }, _auto, brand) => branded === brand),
  ],
  [
    'show-auto-created-inverted',
    'portal.getCustomerProgramList',
    `${programs} auto-created programs`,
    shown(({ autoCreated, branded }, auto, brand) => autoCreated !== auto && branded === brand),
  ],
  [
    'show-branded-and-auto-created-exchanged',
    'portal.getCustomerProgramList',
    `${programs} auto-created programs`,
    shown(({ autoCreated, branded }, auto, brand) => autoCreated === brand && branded === auto),
  ],
  [
    'auto-created-only-without-branded',
    'portal.getCustomerProgramList',
    `${programs} auto-created programs`,
    shown(({ autoCreated, branded }, auto, brand) =>
      auto && brand ? false : autoCreated === auto && branded === brand,
    ),
  ],
  [
    'programs-all-say-not-auto-created',
    'portal.getCustomerProgramList',
    `${programs} auto-created programs`,
    (c) => itemsWith(c, 'portal.getCustomerProgramList', { autoCreated: false }),
  ],
  [
    'show-branded-not-required',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: showBranded is required',
    (c) =>
      overlook(
        c,
        'portal.getCustomerProgramList',
        'bad-flag',
        ({ query }, field) => field === 'showBranded' && !query.has('showBranded'),
      ),
  ],
  [
    'show-auto-created-not-required',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: showAutoCreated is required',
    (c) =>
      overlook(
        c,
        'portal.getCustomerProgramList',
        'bad-flag',
        ({ query }, field) => field === 'showAutoCreated' && !query.has('showAutoCreated'),
      ),
  ],
  [
    'programs-of-another-customer',
    'portal.getCustomerProgramList',
    'portal, CustomerProgram, customerId: that of the request',
    (c) => itemsWith(c, 'portal.getCustomerProgramList', ({ customerId }) => ({ customerId: Number(customerId) + 1 })),
  ],
  [
    'ftp-password-in-clear',
    'portal.getCustomerList',
    'portal, Customer, ftpPassword: returned as <FTP_PASSWORD>',
    (c) => itemsWith(c, 'portal.getCustomerList', { ftpPassword: 'hunter2' }),
  ],
  [
    'ftp-password-in-clear-in-the-hierarchy',
    'portal.getCustomerHierarchy',
    'portal, Customer, ftpPassword: returned as <FTP_PASSWORD>',
    (c) => itemsWith(c, 'portal.getCustomerHierarchy', { ftpPassword: 'hunter2' }),
  ],
  [
    'ein-of-eight-digits',
    'portal.getCustomerList',
    'portal, Customer, ein: nine digits',
    (c) => itemsWith(c, 'portal.getCustomerList', { ein: '12345678' }),
  ],
  [
    'ein-as-number',
    'portal.getCustomerHierarchy',
    'portal, Customer, ein: string',
    (c) => itemsWith(c, 'portal.getCustomerHierarchy', { ein: 112345678 }),
  ],
  [
    'row-id-not-taken-by-orders',
    'portal.getCustomerProgramList',
    'portal, What the service does: rowId feeds card ordering as custProgId',
    (c) => itemsWith(c, 'portal.getCustomerProgramList', ({ rowId }) => ({ rowId: Number(rowId) + 1_000_000 })),
  ],
  [
    'atm-without-longitude-taken',
    'portal.getATMLocation',
    'portal, getATMLocation: all required',
    (c) =>
      overlook(
        c,
        'portal.getATMLocation',
        'bad-place',
        ({ query }, field) => field === 'longitude' && !query.has('longitude'),
      ),
  ],
  [
    'atm-without-page-offset-taken',
    'portal.getATMLocation',
    'portal, getATMLocation: all required',
    (c) =>
      overlook(
        c,
        'portal.getATMLocation',
        'bad-page',
        ({ query }, field) => field === 'pageOffset' && !query.has('pageOffset'),
      ),
  ],
  [
    'atm-without-page-length-taken',
    'portal.getATMLocation',
    'portal, getATMLocation: all required',
    (c) =>
      overlook(
        c,
        'portal.getATMLocation',
        'bad-page',
        ({ query }, field) => field === 'pageLength' && !query.has('pageLength'),
      ),
  ],
  [
    'atm-without-latitude-taken',
    'portal.getATMLocation',
    'portal, getATMLocation: all required',
    (c) =>
      overlook(
        c,
        'portal.getATMLocation',
        'bad-place',
        ({ query }, field) => field === 'latitude' && !query.has('latitude'),
      ),
  ],
  [
    'hierarchy-without-customer-id-taken',
    'portal.getCustomerHierarchy',
    'portal, getCustomerHierarchy: customerId is required',
    (c) =>
      c.before.push(({ operation, query, world }) => {
        if (operation === 'portal.getCustomerHierarchy' && !query.has('customerId'))
          query.set('customerId', String(world.home.v1Id));
        return undefined;
      }),
  ],
];

const cards: Draft[] = [
  [
    'proxy-number-not-as-asked',
    'cards.get',
    'v3, card, proxyNumber: proxy number of the card',
    (c) =>
      bodyWith(c, 'cards.get', ({ proxyNumber }, { query }) => ({
        proxyNumber: query.get('byProxy') === 'true' ? `${proxyNumber}0` : proxyNumber,
      })),
  ],
  [
    'by-proxy-finds-the-same-number-of-another-program',
    'cards.get',
    'v3, GET card, programIdentifier: required when byProxy is true',
    (c) => firstByProxy(c),
  ],
  [
    'by-proxy-heeds-no-is-digital',
    'cards.get',
    'v3, GET card, isDigital: says whether the proxy is a digital card',
    (c) =>
      c.before.push(({ operation, query, world, path }) => {
        const digital = query.get('isDigital');
        if (operation !== 'cards.get' || digital === null) return undefined;
        const one = world.cards.find(
          (card) => card.proxy === path.identifier && card.program.identifier === query.get('programIdentifier'),
        );
        if (one) query.set('isDigital', String(one.digital));
        return undefined;
      }),
  ],
  [
    'by-token-takes-identifiers',
    'cards.get',
    'v3, GET card, byToken: look up by authorization token',
    (c) =>
      c.before.push(({ operation, query, world, path }) => {
        const known = world.cards.some(({ identifier }) => identifier === path.identifier);
        if (operation === 'cards.get' && known) query.delete('byToken');
        return undefined;
      }),
    'that an identifier is no token is not said in so many words',
  ],
  [
    'wallet-not-flagged',
    'cards.markWalletProvisioned',
    'v3, POST wallet-provisioned: flags the card as provisioned to a mobile wallet',
    (c) => cardsWith(c, { isProvisionedToWallet: false }),
  ],
  [
    'wallet-flagged-everywhere',
    'cards.get',
    'v3, card, isProvisionedToWallet: card is provisioned to a mobile wallet',
    (c) => cardsWith(c, { isProvisionedToWallet: true }),
    'shows only by the cards that were not provisioned before',
  ],
  [
    'wallet-not-flagged-in-listings',
    'cards.list',
    'v3, card, isProvisionedToWallet',
    (c) =>
      onBody(c, ['cards.list', 'cards.listRelated'], (body) =>
        recordsOf(body, 'results').forEach((card) => void Object.assign(card, { isProvisionedToWallet: false })),
      ),
  ],
  [
    'provisioned-date-of-1970',
    'cards.get',
    'v3, card, provisionedDate: wallet provisioning time',
    (c) => cardsWith(c, ({ provisionedDate }) => ({ provisionedDate: provisionedDate && '1970-01-01T00:00:00Z' })),
  ],
  [
    'provisioned-date-without-time',
    'cards.get',
    'v3, card, provisionedDate: string, date-time',
    (c) =>
      cardsWith(c, ({ provisionedDate }) => ({
        provisionedDate: provisionedDate && String(provisionedDate).slice(0, 10),
      })),
  ],
  [
    'provisioned-date-as-number',
    'cards.get',
    'v3, card, provisionedDate: string, date-time',
    (c) => cardsWith(c, ({ provisionedDate }) => ({ provisionedDate: provisionedDate && 1_700_000_000 })),
  ],
  [
    'deactivated-cards-not-activated',
    'cards.activate',
    'v3, States: activate applies to a deactivated or unused card',
    (c) => {
      deactivated(c);
      delete c.transitions.activate.deactivated;
    },
    'shows only with a deactivated card, here among the unused',
  ],
  [
    'deactivated-cards-stay-so',
    'cards.activate',
    'v3, States: activate applies to a deactivated or unused card',
    (c) => {
      deactivated(c);
      c.transitions.activate.deactivated = 'deactivated';
    },
    'shows only with a deactivated card, here among the unused',
  ],
  [
    'balance-read-leaves-the-record',
    'cards.getBalance',
    `v3, GET balance: ${record} with the current balance`,
    (c) => stuck(c, 'recordedCents'),
  ],
  [
    'status-read-leaves-the-record',
    'cards.getStatus',
    `v3, GET status: ${record} with the current status`,
    (c) => stuck(c, 'recordedState'),
  ],
  [
    'balance-read-zeroes-the-record',
    'cards.getBalance',
    `v3, GET balance: ${record} with the current balance`,
    (c) =>
      onReply(
        c,
        'cards.getBalance',
        (reply, { card, world }) =>
          void (
            succeeded(reply) &&
            card &&
            world.alter(card, (facts) => void Object.assign(facts, { recordedCents: 0 }))
          ),
      ),
  ],
  [
    'nonce-reused-across-a-listing',
    'cards.encryptForVde',
    'v3, encrypt-for-vde: encrypts card data',
    (c) => bodyWith(c, 'cards.encryptForVde', (_body, { card }) => ({ encryptedPayload: card?.identifier })),
    'that the payload is not the identifier is not said in so many words',
  ],
  [
    'temporary-token-is-the-identifier',
    'cards.createToken',
    'v3, GET token: for sharing card information in less secure environments',
    (c) => bodyWith(c, 'cards.createToken', (_body, { card }) => ({ token: card?.identifier })),
    'that the token differs from the identifier is not said in so many words',
  ],
  [
    'temporary-token-of-another-card',
    'cards.createToken',
    'v3, GET token: a temporary token that identifies the card',
    (c) =>
      onReply(c, 'cards.createToken', (reply, { card, world }) => {
        const token = card?.temporaryTokens.pop();
        if (succeeded(reply) && token) world.cards[0]!.temporaryTokens.push(token);
      }),
  ],
  [
    'temporary-token-without-correlation',
    'cards.createToken',
    'v3, temporaryToken, correlationId: string',
    (c) => bodyWith(c, 'cards.createToken', { correlationId: 7 }),
  ],
  [
    'status-as-text',
    'cards.getStatus',
    'v3, status: shown as a number',
    (c) => onBody(c, 'cards.getStatus', (body) => asText(body, 'status')),
  ],
];

function deactivated(c: Choices): void {
  c.created.push(({ cards }) => {
    for (const { facts, n } of cards)
      if (facts.state === 'unused' && n % 2)
        Object.assign(facts, { state: 'deactivated', recordedState: 'deactivated' });
  });
}

function stuck(c: Choices, name: 'recordedCents' | 'recordedState'): void {
  const first = new Map<unknown, unknown>();
  c.before.push((x) => {
    for (const card of x.world.cards) {
      if (first.has(card)) Object.assign(card.facts, { [name]: first.get(card) });
      else first.set(card, card.facts[name]);
    }
    return undefined;
  });
}

function firstByProxy(c: Choices): void {
  c.before.push(({ operation, query, world, path }) => {
    if (operation !== 'cards.get' || query.get('byProxy') !== 'true') return undefined;
    const one = world.cards.find(({ proxy }) => proxy === path.identifier);
    if (one && query.has('programIdentifier')) query.set('programIdentifier', one.program.identifier);
    if (one && query.has('isDigital')) query.set('isDigital', String(one.digital));
    return undefined;
  });
}

const created: Draft[] = (['cards.encryptForVde', 'cards.createToken', 'cards.markWalletProvisioned'] as const).map(
  (operation) => [
    `answers-200-for-201-${slug(operation)}`,
    operation,
    'v3, Cards: 201',
    (c) => status(c, operation, 200),
  ],
);

const bodiless = [
  'cards.reissue',
  'cards.activate',
  'cards.close',
  'cards.suspend',
  'cards.unsuspend',
  'cards.unmarkFraud',
  'cards.markLost',
  'cards.setPin',
  'cards.markWalletProvisioned',
  'portal.logout',
] as const;

const bodies: Draft[] = bodiless.map((operation) => [
  `body-where-none-is-${slug(operation)}`,
  operation,
  `${operation.startsWith('portal') ? 'portal' : 'v3'}, Endpoints: no body`,
  (c) => onReply(c, operation, (reply) => void (succeeded(reply) && Object.assign(reply, { body: { ok: true } }))),
]);

const person: Draft[] = [
  [
    'cip-lists-for-a-pass',
    'portal.getCIPCheck',
    'portal, CIP outcome: both lists are non-null only for Partial',
    (c) => cip(c, (data) => ({ diffQuestionList: data.diffQuestionList ?? [] })),
  ],
  [
    'cip-lists-null-for-a-partial',
    'portal.getCIPCheck',
    'portal, CIP outcome: Partial has a list of questions',
    (c) => cip(c, () => ({ diffQuestionList: null, questionList: null })),
    'that one list is non-null for Partial is not said in so many words',
  ],
  [
    'cip-result-in-capitals',
    'portal.getCIPCheck',
    'portal, CIP response, summaryResult: Pass, Fail or Partial',
    (c) => cip(c, ({ summaryResult }) => ({ summaryResult: String(summaryResult).toUpperCase() })),
  ],
  [
    'cip-partial-called-review',
    'portal.getCIPCheck',
    'portal, CIP response, summaryResult: Pass, Fail or Partial',
    (c) => cip(c, ({ summaryResult }) => ({ summaryResult: summaryResult === 'Partial' ? 'Review' : summaryResult })),
  ],
  [
    'cip-always-passes',
    'portal.getCIPCheck',
    'portal, CIP outcome: Fail is for a subject not found',
    (c) => cip(c, () => ({ summaryResult: 'Pass', diffQuestionList: null, questionList: null })),
  ],
  [
    'cip-return-code-two',
    'portal.getCIPCheck',
    'portal, CIP response, returnCode: 0, 1 or -1',
    (c) => bodyWith(c, 'portal.getCIPCheck', { returnCode: 2 }),
  ],
  [
    'cip-return-code-zero-for-a-fail',
    'portal.getCIPCheck',
    'portal, CIP response: returnCode is 0 only if the server is down or the network is poor',
    (c) =>
      bodyWith(c, 'portal.getCIPCheck', ({ data, returnCode }) => ({
        returnCode: isObject(data) && data.summaryResult === 'Fail' ? 0 : returnCode,
      })),
  ],
  [
    'cip-id-as-text',
    'portal.getCIPCheck',
    'portal, CIP response, Idnumber: integer',
    (c) => cip(c, ({ Idnumber }) => ({ Idnumber: String(Idnumber) })),
  ],
  [
    'cip-options-as-objects',
    'portal.getCIPCheck',
    'portal, CIP response, Options: array of string',
    (c) =>
      cip(c, ({ questionList }) => ({
        questionList: Array.isArray(questionList) ? [{ question: 'q', type: 't', Options: [{ text: 'A' }] }] : null,
      })),
  ],
  [
    'cip-options-under-a-small-letter',
    'portal.getCIPCheck',
    'portal, CIP response, question: Options',
    (c) =>
      cip(c, ({ questionList }) => ({
        questionList: Array.isArray(questionList) ? [{ question: 'q', type: 't', options: ['A'] }] : null,
      })),
  ],
];

function cip(c: Choices, members: (data: { [name: string]: unknown }) => object): void {
  onBody(c, 'portal.getCIPCheck', ({ data }) => void (isObject(data) && Object.assign(data, members(data))));
}

const orders: Draft[] = [
  [
    'digital-card-without-shipping-method-refused',
    'portal.orderCards',
    'portal, Order rule 3: shippingMethod is optional and may be null',
    (c) =>
      rule(
        c,
        'portal.orderCards',
        ({ content }) => content.cardType === 'Digital' && content.shippingMethod == null,
        400,
      ),
  ],
  [
    'digital-card-with-null-shipping-method-refused',
    'portal.orderCards',
    'portal, Order rule 3: shippingMethod is optional and may be null',
    (c) =>
      rule(
        c,
        'portal.orderCards',
        ({ content }) => content.cardType === 'Digital' && content.shippingMethod === null,
        400,
      ),
  ],
  [
    'empty-card-type-refused',
    'portal.orderCards',
    'portal, orderCards body, cardType: empty or null means Physical',
    (c) => rule(c, 'portal.orderCards', ({ content }) => content.cardType === '', 400),
  ],
  [
    'null-card-type-refused',
    'portal.orderCards',
    'portal, orderCards body, cardType: empty or null means Physical',
    (c) => rule(c, 'portal.orderCards', ({ content }) => content.cardType === null, 400),
  ],
  [
    'empty-card-type-means-digital',
    'portal.orderCards',
    'portal, orderCards body, cardType: empty or null means Physical',
    (c) => rule(c, 'portal.orderCards', ({ content, program }) => content.cardType === '' && !program!.digital, 403),
  ],
  [
    'digital-off-heeded-only-for-single-orders',
    'portal.orderCards',
    'portal, Order rule 3: the option allowing digital card orders must be on',
    (c) => overlook(c, 'portal.orderCards', 'digital-off', (x) => orderedCards(x).length > 1),
  ],
  [
    'digital-off-not-heeded',
    'portal.orderCards',
    'portal, Order rule 3: the option allowing digital card orders must be on',
    (c) => overlook(c, 'portal.orderCards', 'digital-off'),
  ],
  [
    'load-off-not-heeded',
    'portal.orderCards',
    'portal, Order rule 4: the load-while-ordering setting must be on',
    (c) => overlook(c, 'portal.orderCards', 'load-off'),
  ],
  [
    'load-off-not-heeded-without-total-value',
    'portal.orderCards',
    'portal, Order rule 4: the load-while-ordering setting must be on',
    (c) => overlook(c, 'portal.orderCards', 'load-off', ({ content }) => content.totalValue == null),
  ],
  [
    'other-info-not-required',
    'portal.orderCards',
    'portal, Order rule 5: Make Other Field Required',
    (c) => overlook(c, 'portal.orderCards', 'other-info-missing'),
  ],
  [
    'single-order-answers-an-order-id',
    'portal.orderCards',
    'portal, Order rule 2: a single order answers with an instant personalized proxy',
    (c) => void Object.assign(c, { orderReply: () => ({ orderId: 5 }) }),
    'the fields of the response are not shown',
  ],
  ['order-answers-201', 'portal.orderCards', 'portal, orderCards: 200', (c) => status(c, 'portal.orderCards', 201)],
  [
    'last-listed-method-refused',
    'portal.orderCards',
    'portal, orderCards body, shippingMethod: from getShippingMethods',
    (c) => rule(c, 'portal.orderCards', ({ content }) => content.shippingMethod === 'None/Digital', 400),
    'a method may not suit each program',
  ],
];

const emptied: Draft[] = [
  [
    'error-bodies-missing',
    'users.list',
    'v3, Errors: error bodies are an array of error objects',
    (c) => onReply(c, 'users.list', (reply) => void (succeeded(reply) || drop(reply as never, 'body'))),
  ],
];

/** Statements of the documents that are rarely tested. */
export const statementFaults: Fault[] = spot(11, [
  ...login,
  ...lookups,
  ...cards,
  ...created,
  ...bodies,
  ...person,
  ...orders,
  ...emptied,
]);
