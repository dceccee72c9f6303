/** Sound portals that use other freedoms of the documents than the sandbox does. */
import { type AnswerFilter, RawText, type SandboxRequest } from '../../sandbox/exchange.ts';
import type { OperationId, SandboxOptions } from '../../sandbox/index.ts';
import { altering, type Body, bodyIn, is, letThrough } from '../changed-sandbox.ts';
import { CIP, otherBody } from './portal-rule.ts';
import { implemented, setting, type Variant } from './variant.ts';

const portal = (name: string, sandbox: SandboxOptions, configure?: Variant['configure']): Variant =>
  implemented(`portal: ${name}`, sandbox, { configure });

const withPrograms = (name: string, programs: Record<string, number>): Variant =>
  portal(name, {}, setting({ portal: { programs } }));

/** A listing whose entries lack some members. */
const without = (operation: OperationId, ...names: string[]): readonly AnswerFilter[] =>
  otherBody(operation, ({ items }) => ({
    items: (items as Body[]).map((item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name))),
    ),
  })).middleware!;

/** Customers are known by identifiers beyond 2^53: what the sandbox calls 5001 is 9007199254745001. */
const LONG = '900719925474';
const longIdentifiers: SandboxOptions = {
  rules: {
    meanwhile: (_, request) => {
      const shortened = (text: string) => text.replaceAll(new RegExp(`\\b${LONG}(\\d{4})\\b`, 'g'), '$1');
      if (request.query.customerId) request.query.customerId = shortened(request.query.customerId);
      if (request.operation === 'portal.orderCards' && request.body)
        request.body = JSON.parse(shortened(request.raw.toString()));
    },
  },
  middleware: [
    (answer, { operation }) => {
      if (!operation.startsWith('portal.') || typeof answer.body !== 'object') return undefined;
      const text = JSON.stringify(answer.body);
      const body = text.replaceAll(/"(customerId|parentId|rowId)":(\d{4})\b/g, `"$1":${LONG}$2`);
      return { ...answer, body: new RawText(body) };
    },
  ],
};

const long = (value: unknown) => BigInt(`${LONG}${String(value)}`);

/** Of one letter, which is the first. */
const PASSWORD = 'P4711-0815';

/** Refusals of the portal have another body. */
const refusedAs = (name: string, body: (request: SandboxRequest, status: number) => unknown): Variant =>
  portal(`refusals ${name}`, {
    ...altering(
      ({ status }, { operation, request }) =>
        operation.startsWith('portal.') && status >= 400 && { body: body(request, status) },
    ),
  });

/** What every answer of the portal carries, and what a user is told of himself. */
const SERVICE = { apiVersion: 'portal-1.42', service: 'partner-portal' };
const toldToUsers: SandboxOptions = altering(({ status, body }, { operation, world }) => {
  if (!operation.startsWith('portal.') || typeof body !== 'object') return undefined;
  const { customerName } = world.data.users[0]!.details as Body;
  const told = { message: `Not for users of ${customerName}.`, customerName, timestamp: new Date().toISOString() };
  return { body: { ...body, ...SERVICE, ...(status >= 400 && told) } };
});

export const portalVariants: readonly Variant[] = [
  refusedAs('are listed as items', () => ({ items: [{ message: 'It is refused.', code: 4001 }] })),
  refusedAs('are listed as items with members of what is listed', ({ query }) => ({
    items: [
      { name: 'Help desk', contactName: 'Pat Help', contactEmail: 'help@example.com', contactPhone: '217-555-0100' },
      { customerId: query.customerId, status: 'Refused', isDeleted: false },
    ],
  })),
  refusedAs('repeat what was sent', ({ query, body }, status) => ({ status, query, items: [query, body] })),
  portal('every answer says which service gives it, and refusals name the customer of the user', toldToUsers),
  portal('identifiers beyond 2^53', longIdentifiers, ({ fixtures }) => {
    const { customerId, programs } = fixtures.portal!;
    const longPrograms = Object.fromEntries(Object.entries(programs!).map(([key, id]) => [key, long(id)]));
    fixtures.portal = { ...fixtures.portal, customerId: long(customerId), programs: longPrograms };
  }),
  portal('the same session identifier for a user, always', { rules: { sessionId: 'always-same' } }),
  portal(
    'a session from elsewhere, and no login',
    { rules: letThrough(({ kind, request }) => kind === 'session' && request.query.sessionId === 'given-session') },
    setting({ target: { portalLoginId: undefined, portalPassword: undefined, portalSessionId: 'given-session' } }),
  ),
  portal('customers are listed without customerId', {
    middleware: [
      ...without('portal.getCustomerList', 'customerId'),
      ...without('portal.getCustomerHierarchy', 'customerId'),
    ],
  }),
  portal('the hierarchy of a customer that does not exist is empty', {
    rules: letThrough(is('portal.getCustomerHierarchy', { kind: 'unknown-reference' })),
  }),
  portal('programs are listed without rowId', {
    middleware: without('portal.getCustomerProgramList', 'rowId', 'customerId', 'autoCreated'),
  }),
  portal(
    'the outcome of who is not known is an empty text',
    otherBody(CIP, (body, request) =>
      (body.data as Body).summaryResult === 'Fail' && bodyIn(request).firstName !== 'Felix'
        ? { returnCode: -1, data: { Error: 'No record', summaryResult: '' } }
        : body,
    ),
  ),
  portal(
    'CIP checks that are answered with an empty object',
    otherBody(CIP, () => ({})),
    setting({ portal: { cip: undefined } }),
  ),
  portal(
    'the server of CIP checks is down',
    otherBody(CIP, () => ({ returnCode: 0, data: { Error: 'try again later' } })),
  ),
  portal('duplicates are refused by 200 without identifiers', {
    middleware: [
      (answer, { operation, refusal }) =>
        operation === 'portal.orderCards' &&
        refusal?.kind === 'duplicate' &&
        refusal.name.endsWith('externalIdentifier')
          ? { ...answer, status: 200, body: { status: 'Duplicate' } }
          : undefined,
    ],
  }),
  withPrograms('one program for everything', { personalized: 7001, other: 7001, digitalOff: 7001, loadOff: 7001 }),
  withPrograms('orders only of a program that wants otherInfo', { uniqueOtherInfo: 7008, personalized: 7008 }),
  withPrograms('orders only of a program for instant issue', { instantIssue: 7002 }),
  portal(
    'the case of the first letter of a password, which has no other, is forgiven',
    {
      rules: {
        meanwhile: ({ data }, { query }) => {
          data.users[0]!.password = PASSWORD;
          if (query.password === PASSWORD.toLowerCase()) query.password = PASSWORD;
        },
      },
    },
    setting({ run: { seed: 0 }, target: { portalPassword: PASSWORD } }),
  ),
  portal('no persons, places and programs are known', {}, ({ fixtures }) => {
    fixtures.portal = { ...fixtures.portal };
    for (const name of ['cip', 'atm', 'programs', 'restrictedLogin', 'customerId'] as const)
      delete fixtures.portal[name];
  }),
];
