/** Sound implementations with rules of their own for any request: nonces, replicas that lag, one request at a time, searches, and forms of texts. */
import type { World } from '../../sandbox/index.ts';
import { BUSINESS, remembering, variant } from './v3-rule.ts';
import type { Variant } from './variant.ts';

/** Only nonces of one form are taken. */
const nonces = (name: string, form: RegExp): Variant =>
  variant(`encryption: nonces are ${name}`, 'nonce: format not shown', {
    alsoRefuses: ({ operation, body }) => {
      const nonce = (body as { nonce?: unknown } | undefined)?.nonce;
      return operation === 'cards.encryptForVde' && typeof nonce === 'string' && !form.test(nonce)
        ? { kind: 'range', name: 'nonce' }
        : undefined;
    },
  });

/** Answers of reading operations as they were some time ago, by every second reading: replicas that lag. */
function lagging(milliseconds: number): Variant {
  interface Seen {
    at: number;
    body: unknown;
  }
  const histories = new WeakMap<World, Map<string, Seen[]>>();
  return {
    name: `every second reading is by a replica that lags by ${milliseconds} ms`,
    basis: 'consistency: not shown; RUN_SETTLE_MS says how long an effect may take to show',
    sandbox: {
      middleware: [
        (answer, { operation, request, world }) => {
          if (!['cards.getBalance', 'cards.getStatus', 'cards.get'].includes(operation) || answer.status !== 200)
            return undefined;
          if (Object.keys(request.query).length > 0) return undefined;
          const seen = histories.get(world) ?? new Map<string, Seen[]>();
          histories.set(world, seen);
          const key = `${operation} ${request.params.identifier}`;
          const history = seen.get(key) ?? [];
          seen.set(key, [...history, { at: performance.now(), body: answer.body }]);
          if (request.callNumber % 2 === 0) return undefined;
          const past = history.findLast(
            ({ at }) => performance.now() - at <= milliseconds && performance.now() - at > 0,
          );
          const old = history.find(({ at }) => performance.now() - at <= milliseconds) ?? past;
          return old ? { ...answer, body: old.body } : undefined;
        },
      ],
    },
    run: { settleMs: milliseconds + 200 },
  };
}

/** A card is asked for one thing at a time: a second request gets 409. */
function oneAtATime(operations: (operation: string) => boolean): Variant {
  const busy = new WeakMap<World, Map<string, number>>();
  return {
    name: `one request a card at a time, ${operations('cards.get') ? 'reading ones' : 'changing ones'} included`,
    basis: '409 on concurrent requests: not shown',
    sandbox: {
      rules: {
        alsoRefuses: (request, world) => {
          const card = request.params.identifier;
          if (card === undefined || !request.operation.startsWith('cards.') || !operations(request.operation))
            return undefined;
          const until = busy.get(world) ?? new Map<string, number>();
          busy.set(world, until);
          if ((until.get(card) ?? 0) > performance.now()) return { kind: 'state', name: 'busy' };
          until.set(card, performance.now() + 8);
          return undefined;
        },
        refusalStatus: ({ name }, byDefault) => (name === 'busy' ? 409 : byDefault),
      },
      middleware: [
        (answer, { operation, refusal }) =>
          operation.startsWith('cards.') && refusal?.name !== 'busy'
            ? { ...answer, transport: { delayMs: 9 } }
            : undefined,
      ],
    },
  };
}

/** A later page is asked for by its token alone, which brings the filters along. */
function tokenAlone(): Variant {
  const queries = new Map<string, Record<string, string>>();
  let tokens = 0;
  return {
    name: 'a continuation token is sent alone',
    basis: 'token: whether max and filters are sent again is not shown',
    sandbox: {
      rules: {
        meanwhile: (_world, { operation, query }) => {
          if (operation === 'users.list' && Object.keys(query).length === 1)
            Object.assign(query, queries.get(query.token ?? ''));
        },
        // Of one listing alone, since it stands for the filters of it.
        continuationToken: (_state, byDefault) => `${byDefault}.${++tokens}`,
        alsoRefuses: ({ operation, url }) =>
          operation === 'users.list' && /[?&]token=/.test(url) && url.includes('&')
            ? { kind: 'mismatch', name: 'token' }
            : undefined,
      },
      middleware: [
        (answer, { operation, request: { query } }) => {
          const next = (answer.body as { continuationToken?: string } | undefined)?.continuationToken;
          const { token: _token, ...rest } = query;
          if (operation === 'users.list' && next) queries.set(next, rest);
          return undefined;
        },
      ],
    },
  };
}

/** A gateway refuses everything for a moment after every twentieth bad token. */
function lockedAfterBadTokens(): Variant {
  const LOCKED_MS = 100;
  let badTokens = 0;
  let lockedUntil = 0;
  return {
    name: 'cards and users: everything is refused for 100 ms after each twenty bad tokens',
    basis: BUSINESS,
    sandbox: {
      middleware: [
        ({ status }, { operation }) => {
          const isBadToken = status === 401 && !operation.startsWith('portal.');
          if (isBadToken && ++badTokens % 20 === 0) lockedUntil = performance.now() + LOCKED_MS;
          return undefined;
        },
      ],
      rules: {
        alsoRefuses: ({ operation }) =>
          performance.now() < lockedUntil && !operation.startsWith('portal.')
            ? { kind: 'state', name: 'locked' }
            : undefined,
        refusalStatus: ({ name }, byDefault) => (name === 'locked' ? 403 : byDefault),
      },
    },
    standsAlone: true,
  };
}

export const requestRuleVariants: readonly Variant[] = [
  variant(
    'a newer listing of customers ends earlier continuation tokens',
    'continuationToken: how long it holds is not shown',
    {
      alsoRefuses: remembering(
        () => ({ latest: '' }),
        (memory, { operation, query, url }) => {
          if (operation !== 'users.list') return undefined;
          const listing = `${query.max} ${query.name} ${query.parentIdentifier} ${query.v1Identifier}`;
          if (query.token === undefined) memory.latest = listing;
          return query.token !== undefined && memory.latest !== listing
            ? { kind: 'continuation', name: url }
            : undefined;
        },
      ),
    },
  ),
  tokenAlone(),
  variant(
    'a continuation token is known a little later than it is given',
    'continuationToken: when it holds is not shown',
    {
      continuationToken: (_state, byDefault) => `${byDefault}.${crypto.randomUUID()}`,
      alsoRefuses: remembering(
        () => ({ known: new Set<string>() }),
        ({ known }, { operation, query: { token } }) => {
          if (operation !== 'users.list' || token === undefined || known.has(token)) return undefined;
          known.add(token);
          return { kind: 'continuation', name: token };
        },
      ),
    },
  ),
  variant('names are searched by three letters or digits at least', 'name: format not shown', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'users.list' && query.name !== undefined && !/^[\w .-]{3,40}$/.test(query.name)
        ? { kind: 'range', name: 'name' }
        : undefined,
  }),
  variant('identifiers are refused unless they are UUIDs or short codes', 'format of identifiers: not shown', {
    alsoRefuses: ({ operation, query }) =>
      operation.endsWith('.list') &&
      Object.entries(query).some(([name, value]) => name.endsWith('Identifier') && !/^[\w-]{1,40}$/.test(value))
        ? { kind: 'range', name: 'identifier' }
        : undefined,
  }),
  variant('a gateway refuses what looks like an attack with 403 and a page', 'gateways: not shown', {
    alsoRefuses: ({ operation, url, raw }) =>
      /^(users|cards)\./.test(operation) &&
      (/%27|%22|%3C|%25|'|%00/i.test(url) || /['<>%;]|--/.test(raw.toString('utf8').replaceAll('"', '')))
        ? { kind: 'route', name: 'attack' }
        : undefined,
    refusalStatus: ({ name }, byDefault) => (name === 'attack' ? 403 : byDefault),
  }),
  variant('texts are ASCII of at most 64 characters', 'format of texts: not shown', {
    alsoRefuses: ({ operation, url, raw }) =>
      /%[89a-f]/i.test(url) ||
      /[\u0080-\uffff]/.test(raw.toString('utf8')) ||
      (operation === 'cards.transfer' && /"[^"]{65,}"/.test(raw.toString('utf8')))
        ? { kind: 'range', name: 'text' }
        : undefined,
  }),
  nonces('UUIDs', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  nonces('hexadecimal', /^[0-9a-f]{16,}$/i),
  nonces('base64 of 16 bytes', /^[A-Za-z0-9+/]{22}==$/),
  lagging(150),
  oneAtATime((operation) => operation !== 'cards.get' && !/\.(get|list)/.test(operation)),
  oneAtATime(() => true),
  lockedAfterBadTokens(),
];
