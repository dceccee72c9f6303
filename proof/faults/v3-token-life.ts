/** Faults of how long a token lives, and of what ends it. */
import type { Answer, AnswerContext } from '../../sandbox/exchange.ts';
import type { OperationId, SandboxRequest, World } from '../../sandbox/index.ts';
import { answering, bearerOf, broken, letThrough, refusedWith, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const IN_FLIGHT_MS = 60;
/** How a token that has ended is answered. */
const REFUSED: Answer = { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: undefined };

/** The token that an answer issues. */
const issuedIn = ({ body }: Answer, { operation }: AnswerContext): string | undefined =>
  operation === 'token.issue' ? (body as { access_token?: string } | undefined)?.access_token : undefined;

/** Of tokens that are issued at the same moment only the last one works. */
function endsTogether(): Fault {
  let last: { at: number; token: string } | undefined;
  const ended = new Set<string>();
  return {
    name: 'of tokens that are issued at the same moment only the last works',
    condemns: ['token.issue.earlier-token-lives'],
    sandbox: {
      middleware: [
        (answer, context) => {
          if (ended.has(bearerOf(context.request))) return REFUSED;
          const token = issuedIn(answer, context);
          if (!token) return undefined;
          if (last && performance.now() - last.at < IN_FLIGHT_MS - 5) ended.add(last.token);
          last = { at: performance.now(), token };
          return { ...answer, transport: { delayMs: IN_FLIGHT_MS } };
        },
      ],
    },
  };
}

/** Whether a token works depends on how many were issued before and after it. */
function endsByPlace(name: string, isEnded: (place: number, count: number) => boolean): Fault {
  const issued: string[] = [];
  return {
    name,
    condemns: ['token.issue.earlier-token-lives'],
    sandbox: {
      middleware: [
        (answer, context) => {
          const token = issuedIn(answer, context);
          if (token) issued.push(token);
          const place = issued.indexOf(bearerOf(context.request));
          return place >= 0 && isEnded(place, issued.length) ? REFUSED : undefined;
        },
      ],
    },
  };
}

const livesFor = (operation: OperationId, minutes: number): Fault =>
  thoroughly(
    broken(`${operation} takes a token for ${minutes} minutes`, 'token.issue.lives-60-minutes', {
      tokenLifetimeSeconds: (of) => (of === operation ? minutes * 60 : 3600),
    }),
  );

/** Every second token works on when it is too old. */
function everySecondLivesOn(): Fault {
  const issued = new Map<string, number>();
  return {
    name: 'every second token lives two hours',
    condemns: ['token.issue.ends-after-60-minutes'],
    sandbox: {
      rules: letThrough(
        ({ kind, name, request }) =>
          kind === 'token' && name === 'expired' && (issued.get(bearerOf(request)) ?? 0) % 2 === 1,
      ),
      middleware: [
        (answer, { operation }) => {
          const token = (answer.body as { access_token?: string } | undefined)?.access_token;
          if (operation === 'token.issue' && token) issued.set(token, issued.size);
          return undefined;
        },
      ],
    },
  };
}

/** A service that asks for a token once takes it for good as long as it is remembered. */
function rememberedBy(operation: OperationId): Fault {
  const REMEMBERED_MS = 300_000;
  const seen = new Map<string, number>();
  let now = 0;
  return {
    name: `${operation} takes a token for five minutes after it was good`,
    condemns: ['token.issue.ends-after-60-minutes'],
    sandbox: {
      rules: letThrough(
        ({ kind, name, operation: of, request }) =>
          kind === 'token' &&
          name === 'expired' &&
          of === operation &&
          now - (seen.get(bearerOf(request)) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS,
      ),
      middleware: [
        (answer, { operation: of, request, nowMs }) => {
          now = nowMs;
          if (of === operation && answer.status < 300) seen.set(bearerOf(request), nowMs);
          return undefined;
        },
      ],
    },
  };
}

/** The second token of a run works for another time than the others. */
function secondToken(name: string, condemns: string, minutes: number): Fault {
  const issuedIn = new WeakMap<World, Set<string>>();
  const second = new Set<string>();
  const isSecond = (request: SandboxRequest) => second.has(bearerOf(request) ?? '');
  return {
    name,
    condemns: [condemns],
    sandbox: {
      rules: letThrough(({ kind, request }) => kind === 'token' && minutes > 60 && isSecond(request)),
      middleware: [
        (answer, { operation, request, world, tokenAgeSeconds = 0 }) => {
          const token = (answer.body as { access_token?: string } | undefined)?.access_token;
          const issued = issuedIn.get(world) ?? new Set();
          issuedIn.set(world, issued);
          if (operation === 'token.issue' && token && issued.add(token).size === 2) second.add(token);
          return isSecond(request) && tokenAgeSeconds > minutes * 60
            ? { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: [] }
            : undefined;
        },
      ],
    },
  };
}

const firstTokens = new WeakMap<World, unknown>();

export const tokenLifeFaults: readonly Fault[] = [
  endsTogether(),
  endsByPlace('only the two latest tokens work', (place, count) => place < count - 2),
  endsByPlace('only the first token works', (place) => place > 0),
  everySecondLivesOn(),
  ...(
    [
      'cards.getBalance',
      'cards.listRelated',
      'cards.encryptForVde',
      'cards.suspend',
      'cards.transfer',
      'users.get',
    ] as const
  ).map((operation) => livesFor(operation, 45)),
  livesFor('cards.getStatus', 20),
  livesFor('users.setPermissions', 58),
  rememberedBy('cards.get'),
  {
    ...thoroughly({
      name: 'a token ends at midnight',
      condemns: ['token.issue.lives-60-minutes'],
      sandbox: {
        middleware: [
          (answer, { tokenAgeSeconds, nowMs, operation }) => {
            if (tokenAgeSeconds === undefined || operation === 'token.issue') return undefined;
            const day = (ms: number) => Math.floor(ms / 86_400_000);
            return tokenAgeSeconds < 3600 && day(nowMs) !== day(nowMs - tokenAgeSeconds * 1000)
              ? { ...answer, status: 401, body: undefined }
              : undefined;
          },
        ],
      },
    }),
  },
  {
    ...thoroughly(
      broken('a second token ends the first after half an hour', 'token.issue.lives-60-minutes', {
        tokenLifetimeSeconds: () => 3600,
      }),
    ),
    sandbox: {
      middleware: [
        (answer, { tokenAgeSeconds, operation }) =>
          operation !== 'token.issue' && (tokenAgeSeconds ?? 0) > 1800 && (tokenAgeSeconds ?? 0) < 3600
            ? { ...answer, status: 401, body: undefined }
            : undefined,
      ],
    },
  },
  secondToken('the second token lives ten minutes', 'token.issue.lives-60-minutes', 10),
  secondToken('the second token lives two hours', 'token.issue.ends-after-60-minutes', 120),
  broken('a token works 30 minutes, and is refused with 400 then', 'token.issue.lives-60-minutes', {
    ...refusedWith(400, ({ kind }) => kind === 'token'),
    tokenLifetimeSeconds: (operation) => (operation === 'token.issue' ? 3600 : 1800),
  }),
  {
    name: 'expires_in counts minutes',
    condemns: ['token.issue.expires-in'],
    sandbox: { rules: { expiresIn: (seconds) => seconds / 60 } },
  },
  ...[401, 403].map((status) => ({
    name: `a token that has ended is handed out again, and refused with ${status}`,
    condemns: ['token.issue.lives-60-minutes'],
    sandbox: {
      rules: refusedWith(status, ({ kind }) => kind === 'token'),
      ...answering('token.issue', (body, { world, nowMs }) => {
        if (!firstTokens.has(world)) firstTokens.set(world, body.access_token);
        const haveEnded = nowMs - Date.now() > 3_600_000;
        if (haveEnded) body.access_token = firstTokens.get(world);
      }),
    },
  })),
  broken('the first token is handed out for good', 'token.issue.lives-60-minutes', {
    tokenReuse: { sameWhileSecondsRemain: Number.NEGATIVE_INFINITY },
  }),
];
