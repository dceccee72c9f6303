import type { Choices } from '../choices.ts';
import type { OperationId } from '../operation-ids.ts';
import { bodyWith, itemsWith, onBody, onReply, statusWhen, succeeded } from '../tools.ts';
import { asText, type Draft, type Fault, overlooked, spot } from './fault.ts';

const user = 'portal, User (login response)';

const programs = 'portal, getCustomerProgramList: true selects';

const flow = 'portal, What the service does: customerId feeds the customer and program lookups';

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
  overlooked(
    'show-branded-not-required',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: showBranded is required',
    'bad-flag',
    ({ query }, field) => field === 'showBranded' && !query.has('showBranded'),
  ),
  overlooked(
    'show-auto-created-not-required',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: showAutoCreated is required',
    'bad-flag',
    ({ query }, field) => field === 'showAutoCreated' && !query.has('showAutoCreated'),
  ),
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
  overlooked(
    'atm-without-longitude-taken',
    'portal.getATMLocation',
    'portal, getATMLocation: all required',
    'bad-place',
    ({ query }, field) => field === 'longitude' && !query.has('longitude'),
  ),
  overlooked(
    'atm-without-page-offset-taken',
    'portal.getATMLocation',
    'portal, getATMLocation: all required',
    'bad-page',
    ({ query }, field) => field === 'pageOffset' && !query.has('pageOffset'),
  ),
  overlooked(
    'atm-without-page-length-taken',
    'portal.getATMLocation',
    'portal, getATMLocation: all required',
    'bad-page',
    ({ query }, field) => field === 'pageLength' && !query.has('pageLength'),
  ),
  overlooked(
    'atm-without-latitude-taken',
    'portal.getATMLocation',
    'portal, getATMLocation: all required',
    'bad-place',
    ({ query }, field) => field === 'latitude' && !query.has('latitude'),
  ),
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

/** Statements of the documents that are rarely tested: login and lookups of the portal. */
export const portalStatementFaults: Fault[] = spot(11, [...login, ...lookups]);
