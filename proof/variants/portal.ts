/** Sound portals that use other freedoms of the documents than the sandbox does. */
import type { Configuration } from '../../helpers/configuration/types.ts';
import { type AnswerFilter, RawText, type SandboxRequest } from '../../sandbox/exchange.ts';
import type { Rules, SandboxOptions } from '../../sandbox/index.ts';
import type { Variant } from './variant.ts';

type Body = Record<string, unknown>;

const variant = (name: string, sandbox: SandboxOptions, configure?: Variant['configure']): Variant => ({
  name: `portal: ${name}`,
  sandbox,
  ...(configure ? { configure } : {}),
});

const ruled = (name: string, rules: Partial<Rules>) => variant(name, { rules });

const told = (
  name: string,
  configure: (portal: NonNullable<Configuration['fixtures']['portal']>, configuration: Configuration) => void,
) =>
  variant(name, {}, (configuration) => {
    configuration.fixtures.portal = structuredClone(configuration.fixtures.portal ?? {});
    configure(configuration.fixtures.portal, configuration);
  });

/** Changes the bodies of one operation's successes. */
function answering(operation: string, change: (body: Body, request: SandboxRequest) => unknown): AnswerFilter {
  return (answer, context) =>
    context.operation === operation && answer.status === 200
      ? { ...answer, body: change(answer.body as Body, context.request) }
      : undefined;
}

const eachItem = (operation: string, change: (item: Body) => Body): AnswerFilter =>
  answering(operation, ({ items }) => ({ items: (items as Body[]).map(change) }));

const without =
  (...names: string[]) =>
  (body: Body): Body =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const LISTS = ['portal.getCustomerList', 'portal.getCustomerHierarchy'];

const orderIn = ({ operation, body }: SandboxRequest): Body | undefined =>
  operation === 'portal.orderCards' && typeof body === 'object' && body !== null ? (body as Body) : undefined;

/** Customers are known by identifiers beyond 2^53: what the sandbox calls 5001 is 9007199254745001. */
const LONG = '900719925474';
const longIdentifiers: SandboxOptions = {
  rules: {
    meanwhile: (_, request) => {
      const shortened = (text: string) => text.replaceAll(new RegExp(`\\b${LONG}(\\d{4})\\b`, 'g'), '$1');
      if (request.query.customerId) request.query.customerId = shortened(request.query.customerId);
      if (orderIn(request)) request.body = JSON.parse(shortened(request.raw.toString()));
    },
  },
  middleware: [
    (answer, { operation }) =>
      operation.startsWith('portal.') && typeof answer.body === 'object'
        ? {
            ...answer,
            body: new RawText(
              JSON.stringify(answer.body).replaceAll(/"(customerId|parentId|rowId)":(\d{4})\b/g, `"$1":${LONG}$2`),
            ),
          }
        : undefined,
  ],
};

const long = (value: unknown) => BigInt(`${LONG}${String(value)}`);

/** Of one letter, which is the first. */
const PASSWORD = 'P4711-0815';

export const portalVariants: readonly Variant[] = [
  variant('identifiers beyond 2^53', longIdentifiers, ({ fixtures }) => {
    const portal = structuredClone(fixtures.portal!);
    portal.customerId = long(portal.customerId);
    portal.programs = Object.fromEntries(Object.entries(portal.programs!).map(([key, id]) => [key, long(id)]));
    fixtures.portal = portal;
  }),
  ruled('the same session identifier for a user, always', { sessionId: 'always-same' }),
  variant(
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
  ...['customerId'].map((name) =>
    variant(`customers are listed without ${name}`, { middleware: LISTS.map((id) => eachItem(id, without(name))) }),
  ),
  ruled('the hierarchy of a customer that does not exist is empty', {
    enforces: ({ operation, kind }) => !(operation === LISTS[1] && kind === 'unknown-reference'),
  }),
  variant('programs are listed without rowId', {
    middleware: [eachItem('portal.getCustomerProgramList', without('rowId', 'customerId', 'autoCreated'))],
  }),
  variant('the outcome of who is not known is an empty text', {
    middleware: [
      answering('portal.getCIPCheck', (body, { body: person }) =>
        (body.data as Body).summaryResult === 'Fail' && (person as Body).firstName !== 'Felix'
          ? { returnCode: -1, data: { Error: 'No record', summaryResult: '' } }
          : body,
      ),
    ],
  }),
  variant(
    'CIP checks that are answered with an empty object',
    { middleware: [answering('portal.getCIPCheck', () => ({}))] },
    ({ fixtures }) => {
      fixtures.portal = { ...fixtures.portal, cip: undefined };
    },
  ),
  variant('the server of CIP checks is down', {
    middleware: [answering('portal.getCIPCheck', () => ({ returnCode: 0, data: { Error: 'try again later' } }))],
  }),
  variant('duplicates are refused by 200 without identifiers', {
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
