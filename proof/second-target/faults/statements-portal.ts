import type { Choices } from '../choices.ts';
import type { OperationId } from '../operation-ids.ts';
import { bodyWith, itemsWith, statusWhen } from '../tools.ts';
import { type Draft, type Fault, spot } from './fault.ts';

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
    'user-id-differs-from-login-to-login',
    'portal.login',
    `${user}, userId identifies the user`,
    (c) => bodyWith(c, 'portal.login', (_body, { turn }) => ({ userId: turn })),
    'that the id stays the same is not said in so many words',
  ],
  [
    'login-customer-id-unknown-to-lookups',
    'portal.login',
    flow,
    (c) => bodyWith(c, 'portal.login', { customerId: 12345 }),
  ],
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
];

/** Statements of the documents that are rarely tested: login and lookups of the portal. */
export const portalStatementFaults: Fault[] = spot(11, [...login, ...lookups]);
