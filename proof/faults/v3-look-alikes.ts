/**
 * Faults of the users and cards interfaces in what resembles something: tokens, identifiers and values of filters that are nobody's, refusals
 * that look like one and give what was asked for, and forms of a listing that differ from the plain one.
 */
import type { AnswerFilter, OperationId, Refusal, SandboxRequest, World } from '../../sandbox/index.ts';
import { bearerOf, broken, letThrough, listedWithThatBefore, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

// ---- tokens ------------------------------------------------------------------------------------------------------

/** A guard that takes signed tokens of one form for good ones. */
const signedTaken = (name: string, isTaken: (header: string, signature: string) => boolean): Fault =>
  thoroughly({
    name: `signed tokens: ${name}`,
    condemns: ['users.list.requires-token', 'cards.get.requires-token'],
    sandbox: {
      rules: {
        tokenFormat: 'jwt',
        ...letThrough(({ kind, name: what, request }) => {
          const [header = '', , signature] = bearerOf(request).split('.');
          const isSigned = kind === 'token' && what !== 'scheme' && signature !== undefined;
          return isSigned && isTaken(Buffer.from(header, 'base64url').toString(), signature);
        }),
      },
    },
  });

// ---- refusals that give away what they refuse ----------------------------------------------------------------------

/** A guard that sets the status of a refusal, and lets the operation answer. */
function givesAway(
  requirement: string,
  operation: OperationId,
  status: number,
  isMeant: (refusal: Refusal) => boolean,
  within: (body: unknown) => unknown = (body) => body,
) {
  const refused = new WeakSet<SandboxRequest>();
  const answered: AnswerFilter = (answer, { request }) =>
    refused.has(request) ? { ...answer, status, body: within(answer.body) } : undefined;
  const fault: Fault = {
    name: `${operation}: ${status} is answered, with what was asked for (${requirement})`,
    condemns: [requirement],
    sandbox: {
      rules: letThrough((refusal) => {
        if (refusal.operation !== operation || !isMeant(refusal)) return false;
        refused.add(refusal.request);
        return true;
      }),
      middleware: [answered],
    },
  };
  return fault;
}

const isBadToken = ({ kind, name }: Refusal) => kind === 'token' && name !== 'expired';
const isExpired = ({ kind, name }: Refusal) => kind === 'token' && name === 'expired';
const isForeign = ({ kind }: Refusal) => kind === 'foreign';

// ---- identifiers -------------------------------------------------------------------------------------------------

/** A request whose path names nothing, and that is taken for the nearest thing. */
const finds = (
  name: string,
  operation: OperationId,
  named: (world: World, request: SandboxRequest) => readonly string[],
  resembles: (sent: string, known: string) => boolean,
): Fault =>
  thoroughly(
    broken(name, `${operation}.unknown-identifier`, {
      meanwhile: (world, request) => {
        const { identifier } = request.params;
        if (request.operation !== operation || identifier === undefined) return;
        const known = named(world, request);
        if (!known.includes(identifier))
          request.params.identifier = known.find((one) => resembles(identifier, one)) ?? identifier;
      },
    }),
  );

const customers = ({ ownCustomers }: World) => ownCustomers.map(({ identifier }) => identifier);
const proxies = ({ ownCards }: World, { query }: SandboxRequest) =>
  query.byProxy === 'true' ? ownCards.map(({ proxyNumber }) => proxyNumber) : [];
const LEAST = 6;
const isCutOff = (sent: string, known: string) => sent.length >= LEAST && known.startsWith(sent);
const isContinued = (sent: string, known: string) => sent.startsWith(known);
const isAltered = (sent: string, known: string) =>
  sent.length === known.length && [...sent].filter((character, at) => character !== known[at]).length === 1;

/** A temporary token that resembles one that was made. */
function temporaryTokens(name: string, resembles: (sent: string, known: string) => boolean): Fault {
  const made = new Set<string>();
  const fault = finds(
    `a temporary token that is ${name} finds its card`,
    'cards.get',
    (_world, { query }) => (query.byToken === 'true' ? [...made] : []),
    resembles,
  );
  const remember: AnswerFilter = (answer, { operation }) => {
    if (operation === 'cards.createToken' && answer.status === 201) made.add((answer.body as { token: string }).token);
    return undefined;
  };
  return { ...fault, sandbox: { ...fault.sandbox, middleware: [remember] } };
}

// ---- filters -----------------------------------------------------------------------------------------------------

/** A listing of customers for which the query is another than was sent. */
const searches = (
  name: string,
  requirement: string,
  change: (query: Record<string, string>, world: World) => void,
): Fault =>
  thoroughly(
    broken(`customers: ${name}`, requirement, {
      meanwhile: (world, { operation, query }) => {
        if (operation === 'users.list') change(query, world);
      },
    }),
  );

/** The first of some texts that is meant by a text or a pattern, else the text itself. */
const meantBy = (sent: string, known: readonly string[]): string =>
  sent.length < LEAST ? sent : (known.find((one) => one.startsWith(sent.replace(/%$/, ''))) ?? sent);

const refuses = (name: string, requirement: string, isMeant: (request: SandboxRequest) => boolean): Fault =>
  thoroughly(
    broken(name, requirement, {
      alsoRefuses: (request) => (isMeant(request) ? { kind: 'range', name: 'value' } : undefined),
    }),
  );

/** The nearest thing to what a path names is one of another kind. */
const findsOfCustomer = (operation: OperationId): Fault =>
  thoroughly(
    broken(`${operation}: the identifier of a customer finds its first card`, `${operation}.unknown-identifier`, {
      meanwhile: ({ ownCards }, { operation: asked, params }) => {
        const first = ownCards.find(({ customerIdentifier }) => customerIdentifier === params.identifier);
        if (asked === operation && first) params.identifier = first.identifier;
      },
    }),
  );

/** Answers where something is looked up in a plain object, which knows some words. */
const knowsAWord = (operation: OperationId, condemns: string, answered: { status: number; body: unknown }): Fault =>
  thoroughly({
    name: `${operation}: ${answered.status} is answered for a word that every object knows`,
    condemns: [condemns],
    sandbox: {
      middleware: [
        (answer, { request: { params, query }, refusal, operation: asked }) =>
          asked === operation && refusal?.kind !== 'token' && [params, query].some(isNamed('constructor'))
            ? { ...answer, ...answered }
            : undefined,
      ],
    },
  });

const isNamed = (word: string) => (given: Record<string, string>) => Object.values(given).includes(word);

const REQUIREMENTS_OF_FILTERS = {
  customerIdentifier: 'cards.list.filter-customer',
  programIdentifier: 'cards.list.filter-program',
  orderIdentifier: 'cards.list.filter-order',
  externalIdentifier: 'cards.list.filter-external',
};

const permissionsOf = ({ operation, body }: SandboxRequest) =>
  operation === 'users.setPermissions' ? ((body ?? {}) as Record<string, unknown>) : {};

export const lookAlikeFaults: readonly Fault[] = [
  signedTaken('one without its signature is taken', (header, signature) => signature === '' && !/none/i.test(header)),
  signedTaken('the algorithm None is taken', (header) => header.includes('"None"')),
  givesAway('users.list.requires-token', 'users.list', 401, isBadToken),
  givesAway('cards.listRelated.requires-token', 'cards.listRelated', 403, isBadToken),
  givesAway('cards.encryptForVde.requires-token', 'cards.encryptForVde', 401, isBadToken),
  givesAway('cards.list.requires-live-token', 'cards.list', 401, isExpired),
  givesAway('cards.getBalance.foreign', 'cards.getBalance', 404, isForeign),
  finds('a proxy that is continued finds its card', 'cards.get', proxies, isContinued),
  finds('a proxy that is cut off finds its card', 'cards.get', proxies, isCutOff),
  ...(['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'] as const).map((filter) =>
    thoroughly(
      broken(`cards: a value that continues a ${filter} finds its cards`, REQUIREMENTS_OF_FILTERS[filter], {
        meanwhile: ({ ownCards }, { operation, query }) => {
          const sent = operation === 'cards.list' ? query[filter] : undefined;
          const meant = ownCards.map((card) => card[filter]).find((known) => known && sent?.startsWith(known));
          if (meant) query[filter] = meant;
        },
      }),
    ),
  ),
  temporaryTokens('altered', isAltered),
  temporaryTokens('cut off', isCutOff),
  temporaryTokens('continued', isContinued),
  searches('the leading digits of v1Identifier count', 'users.list.filter-v1-identifier', (query) => {
    if (query.v1Identifier !== undefined) query.v1Identifier = String(Number.parseInt(query.v1Identifier, 10));
  }),
  thoroughly(
    broken('customers: v1Identifier is a pattern', 'users.list.filter-v1-identifier', {
      matchesFilter: ({ operation, name, value, item }, byDefault) =>
        operation === 'users.list' && name === 'v1Identifier' && 'v1Identifier' in item && value.endsWith('%')
          ? item.v1Identifier.startsWith(value.slice(0, -1))
          : byDefault,
    }),
  ),
  thoroughly(
    broken('customers: v1Identifier is looked for among as many as max', 'users.list.filter-v1-identifier', {
      matchesFilter: ({ operation, name, item, request }, byDefault) =>
        operation === 'users.list' && name === 'v1Identifier' && 'v1Identifier' in item && request.query.max
          ? byDefault && Number(item.v1Identifier) - 5000 < Number(request.query.max)
          : byDefault,
    }),
  ),
  searches('parentIdentifier is a pattern, and may be cut off', 'users.list.filter-parent', (query, world) => {
    const { parentIdentifier } = query;
    if (parentIdentifier !== undefined) query.parentIdentifier = meantBy(parentIdentifier, customers(world));
  }),
  refuses(
    'customers: parentIdentifier without max is refused',
    'users.list.filter-parent',
    ({ operation, query }) =>
      operation === 'users.list' && query.parentIdentifier !== undefined && query.max === undefined,
  ),
  refuses(
    'customers: v1Identifier without max is refused',
    'users.list.filter-v1-identifier',
    ({ operation, query }) => operation === 'users.list' && query.v1Identifier !== undefined && query.max === undefined,
  ),
  thoroughly(
    broken('users.get: a v1Identifier finds its customer', 'users.get.unknown-identifier', {
      meanwhile: ({ ownCustomers }, { operation, params }) => {
        const meant = ownCustomers.find(({ v1Identifier }) => v1Identifier === params.identifier);
        if (operation === 'users.get' && meant) params.identifier = meant.identifier;
      },
    }),
  ),
  findsOfCustomer('cards.get'),
  knowsAWord('cards.get', 'cards.get.unknown-identifier', { status: 200, body: {} }),
  thoroughly(
    broken(
      'a token that every object knows is taken',
      ['users.list.requires-token', 'cards.get.requires-token'],
      letThrough(
        ({ kind, name, request }) => kind === 'token' && name !== 'scheme' && bearerOf(request) === 'constructor',
      ),
    ),
  ),
  ...(
    [
      ['orderIdentifier', 'cards.list.filter-order'],
      ['programIdentifier', 'cards.list.filter-program'],
    ] as const
  ).map(([filter, requirement]) =>
    thoroughly(
      broken(`cards: ${filter} finds what begins with it`, requirement, {
        matchesFilter: ({ name, value, item }, byDefault) =>
          name === filter && filter in item ? String(item[filter as keyof typeof item]).startsWith(value) : byDefault,
      }),
    ),
  ),
  ...(['name', 'parentIdentifier'] as const).map((filter) =>
    refuses(
      `customers: ${filter} with a max below ten is refused`,
      `users.list.filter-${filter === 'name' ? 'name' : 'parent'}`,
      ({ operation, query }) =>
        operation === 'users.list' &&
        query[filter] !== undefined &&
        query.token === undefined &&
        Number(query.max) < 10,
    ),
  ),
  searches('max that is not an integer is left out beside a parent', 'users.list.integer-parameters', (query) => {
    if (query.parentIdentifier !== undefined && !/^\d+$/.test(query.max ?? '0')) delete query.max;
  }),
  listedWithThatBefore('cards are listed with the proxy of the one before', 'proxyNumber'),
  givesAway('cards.get.requires-token', 'cards.get', 403, isBadToken, (card) => ({ errors: [], data: card })),
  givesAway('cards.get.foreign', 'cards.get', 404, isForeign, (card) => [{ errorCode: 'foreign', card }]),
  givesAway('cards.list.requires-token', 'cards.list', 401, isBadToken, (page) => ({ errors: [], page })),
  refuses('canSearchSpends alone is not given', 'users.setPermissions.any-members-accepted', (request) => {
    const { canSearchLoads, canSearchSpends } = permissionsOf(request);
    return canSearchLoads === undefined && canSearchSpends === true;
  }),
];
