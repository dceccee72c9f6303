/** Sound implementations that were thought up once all checks were written, each committed before it was run. */
import { RawText } from '../../sandbox/exchange.ts';
import type { Variant } from './variant.ts';

export const unforeseenVariants: readonly Variant[] = [
  {
    name: 'cards in another order at every listing',
    sandbox: {
      rules: {
        listingOrder: (operation, items, request) =>
          operation === 'cards.list'
            ? items.toSorted((a, b) => rank(a, request.callNumber) - rank(b, request.callNumber))
            : items,
      },
    },
  },
  {
    name: 'refusals of the portal without a body',
    sandbox: {
      rules: { refusalBody: ({ operation }, byDefault) => (operation.startsWith('portal.') ? undefined : byDefault) },
    },
  },
  {
    name: 'a gateway that sets cookies and lives below other paths',
    sandbox: {
      paths: { auth: '/gw/sign-in/v2', base: '/gw/v3/issuer', portal: '/gw/legacy' },
      middleware: [
        (answer) => ({
          ...answer,
          headers: { ...answer.headers, 'set-cookie': ['lb=1; Path=/', 'waf=2; HttpOnly'], via: '1.1 gateway' },
        }),
      ],
    },
  },
  {
    name: 'numbers written with exponents and trailing zeros',
    sandbox: {
      middleware: [
        (answer) =>
          typeof answer.body === 'object' &&
          answer.body !== null &&
          !Buffer.isBuffer(answer.body) &&
          !(answer.body instanceof RawText)
            ? {
                ...answer,
                body: new RawText(
                  JSON.stringify(answer.body).replace(
                    /"(balance|amount)":(-?\d+(?:\.\d+)?)/g,
                    (_, name, value) => `"${name}":${Number(value).toExponential(8)}`,
                  ),
                ),
              }
            : undefined,
      ],
    },
  },
  {
    name: 'a small target whose cards are all of one program',
    sandbox: {
      customers: 5,
      cards: 4,
      pools: { active: 2, disposable: 2, unused: 1, fraud: 1, foreign: 1 },
      rules: {
        meanwhile: ({ ownCards }) => {
          for (const card of ownCards) card.programIdentifier = 'PRG-1001';
        },
      },
    },
    configure: ({ fixtures }) => {
      fixtures.cards!.filters!.programIdentifier = 'PRG-1001';
      fixtures.cards!.byProxy!.programIdentifier = 'PRG-1001';
    },
  },
  {
    name: 'errors with a time, a trace and null members',
    sandbox: {
      rules: {
        refusalBody: (_refusal, byDefault) =>
          Array.isArray(byDefault)
            ? byDefault.map((error) => ({
                fieldName: null,
                ...(error as object),
                timestamp: 1_700_000_000,
                trace: { id: 'a' },
              }))
            : byDefault,
      },
    },
  },
  {
    name: 'several filters at once are refused',
    sandbox: {
      rules: {
        alsoRefuses: ({ operation, query }) =>
          /^(users|cards)\.list$/.test(operation) &&
          Object.keys(query).filter((name) => name !== 'max' && name !== 'token').length > 1
            ? { kind: 'range', name: 'filters' }
            : undefined,
      },
    },
  },
  { name: 'identifiers are counted from 1', sandbox: { identifier: counted() } },
  {
    name: 'continuation tokens differ in their last letters alone',
    sandbox: {
      rules: { continuationToken: ({ from, page }) => `${'eyJhZnRlciI6'.repeat(100)}${from}-${page}` },
    },
  },
  {
    name: 'an empty page comes last',
    sandbox: {
      rules: {
        pageWindow: ({ from, total }, byDefault) =>
          byDefault.next === null && from < total ? { ...byDefault, next: total } : byDefault,
      },
    },
  },
  {
    name: 'the flags of a program list select exclusively',
    sandbox: {
      rules: {
        showsProgram: ({ customerId, autoCreated, branded }, asked) =>
          customerId === asked.customerId && autoCreated === asked.showAutoCreated && branded === asked.showBranded,
      },
    },
  },
  {
    name: 'integers of the portal are written with a fraction of zero',
    sandbox: {
      middleware: [
        (answer, { operation }) =>
          operation.startsWith('portal.') && typeof answer.body === 'object'
            ? {
                ...answer,
                body: new RawText(JSON.stringify(answer.body).replace(/:(-?\d+)([,}])/g, ':$1.0$2')),
              }
            : undefined,
      ],
    },
  },
  {
    name: 'a lost card reads closed, a closed one lost, a freed one suspended',
    sandbox: {
      rules: {
        stateAfter: (operation, _card, byDefault) =>
          operation === 'cards.markLost'
            ? 'closed'
            : operation === 'cards.close'
              ? 'lost'
              : operation === 'cards.unmarkFraud'
                ? 'suspended'
                : byDefault,
      },
    },
  },
  {
    name: 'refusals without a body',
    sandbox: {
      middleware: [(answer) => ([401, 403, 404].includes(answer.status) ? { ...answer, body: undefined } : undefined)],
    },
  },
  {
    name: 'a gateway that hangs up on a body that is not JSON',
    sandbox: {
      middleware: [
        (answer, { request: { body, raw, form } }) => {
          const isNotJson = raw.length > 0 && body === undefined && form === undefined;
          return isNotJson ? { ...answer, transport: { cutAfterBytes: 0 } } : undefined;
        },
      ],
    },
    configure: ({ run }) => {
      run.thorough = true;
    },
  },
  {
    name: 'sessions that end after eighty requests',
    sandbox: {
      rules: {
        alsoRefuses: ({ query }) => (query.sessionId && isWornOut(query.sessionId) ? SESSION_ENDED : undefined),
      },
    },
  },
];

/** A place that differs from one listing to the next. */
function rank({ identifier }: { identifier: string }, seed: number): number {
  let hash = seed;
  for (const character of identifier) hash = Math.imul(hash ^ character.charCodeAt(0), 0x85ebca6b);
  return hash;
}

/** Identifiers from 1 on, in the order in which they are asked for. */
function counted(): (uuid: string) => string {
  const numbers = new Map<string, string>();
  return (uuid) => {
    if (!numbers.has(uuid)) numbers.set(uuid, String(numbers.size + 1));
    return numbers.get(uuid)!;
  };
}

const SESSION_ENDED = { kind: 'session', name: 'expired' } as const;
const uses = new Map<string, number>();

/** Counts the requests of a session; whether there were too many. */
function isWornOut(sessionId: string): boolean {
  uses.set(sessionId, (uses.get(sessionId) ?? 0) + 1);
  return uses.get(sessionId)! > 80;
}
