/** Sound portals that use other freedoms of the documents than the sandbox does. */
import type { Configuration } from '../../helpers/configuration/types.ts';
import { type AnswerFilter, RawText } from '../../sandbox/exchange.ts';
import type { OperationId, SandboxOptions } from '../../sandbox/index.ts';
import { type Body, bodyIn, is, letThrough } from '../faults/broken.ts';
import { otherBody } from './portal-rule.ts';
import type { Variant } from './variant.ts';

const CIP = 'portal.getCIPCheck';
const LISTS = ['portal.getCustomerList', 'portal.getCustomerHierarchy'] as const;

const portal = (name: string, sandbox: SandboxOptions, configure?: Variant['configure']): Variant => ({
  name: `portal: ${name}`,
  sandbox,
  ...(configure ? { configure } : {}),
});

const told = (
  name: string,
  configure: (portal: NonNullable<Configuration['fixtures']['portal']>, configuration: Configuration) => void,
) =>
  portal(name, {}, (configuration) => {
    configuration.fixtures.portal = structuredClone(configuration.fixtures.portal ?? {});
    configure(configuration.fixtures.portal, configuration);
  });

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

export const portalVariants: readonly Variant[] = [
  portal('identifiers beyond 2^53', longIdentifiers, ({ fixtures }) => {
    const portal = structuredClone(fixtures.portal!);
    portal.customerId = long(portal.customerId);
    portal.programs = Object.fromEntries(Object.entries(portal.programs!).map(([key, id]) => [key, long(id)]));
    fixtures.portal = portal;
  }),
  portal('the same session identifier for a user, always', { rules: { sessionId: 'always-same' } }),
  portal(
    'a session from elsewhere, and no login',
    {
      rules: { enforces: ({ kind, request }) => !(kind === 'session' && request.query.sessionId === 'given-session') },
    },
    ({ target }) => {
      target.portalLoginId = undefined;
      target.portalPassword = undefined;
      target.portalSessionId = 'given-session';
    },
  ),
  portal('customers are listed without customerId', { middleware: LISTS.flatMap((id) => without(id, 'customerId')) }),
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
    ({ fixtures }) => {
      fixtures.portal = { ...fixtures.portal, cip: undefined };
    },
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
  told('one program for everything', (portal, { fixtures }) => {
    portal.programs = { personalized: 7001, other: 7001, digitalOff: 7001, loadOff: 7001 };
    fixtures.portal = portal;
  }),
  told('orders only of a program that wants otherInfo', (portal) => {
    portal.programs = { uniqueOtherInfo: 7008, personalized: 7008 };
  }),
  told('orders only of a program for instant issue', (portal) => {
    portal.programs = { instantIssue: 7002 };
  }),
  {
    ...told('the case of the first letter of a password, which has no other, is forgiven', (_, { run, target }) => {
      run.seed = 0;
      target.portalPassword = PASSWORD;
    }),
    sandbox: {
      rules: {
        meanwhile: ({ data }, { query }) => {
          data.users[0]!.password = PASSWORD;
          if (query.password === PASSWORD.toLowerCase()) query.password = PASSWORD;
        },
      },
    },
  },
  told('no persons, places and programs are known', (portal) => {
    delete portal.cip;
    delete portal.atm;
    delete portal.programs;
    delete portal.restrictedLogin;
    delete portal.customerId;
  }),
];
