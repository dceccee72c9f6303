/** Sound implementations: when a token begins and how old it is, and which texts names and identifiers hold. */
import type { SandboxRequest, World } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import { answering, type Body, bearerOf, bodyIn, refusing } from '../changed-sandbox.ts';
import { REFUSED_CARD, rule } from './v3-rule.ts';
import { setting, thoroughly, type Variant, variant } from './variant.ts';

/** The part of a name that some customers have is another one, by which the fixtures search. */
const named = (name: string, part: string, nameFragment: string): Variant =>
  thoroughly(
    variant(
      `customers: ${name}`,
      'name: customers whose name contains the value; what names hold is not shown',
      {
        rules: {
          meanwhile: ({ ownCustomers }) => {
            for (const customer of ownCustomers) customer.name = customer.name.replace('Harbour', part);
          },
        },
      },
      { configure: setting({ users: { nameFragment } }) },
    ),
  );

const INVENTED = { kind: 'token', name: 'invented' } as const;

/** A token is valid from its not_before on, which is the next whole second. */
function validFromNextSecond(): Variant {
  const begins = new Map<string, number>();
  return variant('a token is valid from the next whole second on', 'not_before: time after which the token is valid', {
    ...answering('token.issue', (body, { nowMs }) => {
      const begin = Math.ceil(nowMs / 1000);
      // By the machine's clock: when the token begins is seen before the test clock is moved.
      begins.set(String(body.access_token), Date.now() + begin * 1000 - nowMs);
      Object.assign(body, { not_before: begin, expires_on: begin + 3600 });
    }),
    rules: refusing(INVENTED, (request) => {
      const begin = begins.get(bearerOf(request));
      return begin !== undefined && Date.now() < begin;
    }),
  });
}

/** A clock that an earlier run moved, behind a server that sends its own Date. */
const movedEarlier = (name: string, rules: Partial<Rules>, isMovable: boolean): Variant =>
  variant(
    `an earlier run moved the clock, and Date is that of the server in front: ${name}`,
    'expires_on, not_before: by which clock is not said',
    {
      clock: () => Date.now() + 27_071_000,
      middleware: [(answer) => ({ ...answer, headers: { ...answer.headers, date: new Date().toUTCString() } })],
      rules,
    },
    { configure: setting(isMovable ? {} : { target: { testClockUrl: undefined } }) },
  );

/** How long after its issue a token is known to the second of two nodes, which serve the requests in turn. */
const KNOWN_AFTER_MS = 60;

/** One node knows a token at once, the other one later: until then it refuses it as what is none. */
function knownLate(): Variant {
  const issued = new Map<string, number>();
  let served = 0;
  return variant(
    'a token is known to all operations a moment after its issue, to the first of two nodes at once',
    'Authentication: how soon a token is known everywhere is not said',
    {
      ...answering('token.issue', ({ access_token: token }) => {
        issued.set(String(token), performance.now());
      }),
      rules: refusing(INVENTED, (request) => {
        const at = issued.get(bearerOf(request));
        return at !== undefined && performance.now() < at + KNOWN_AFTER_MS && ++served % 2 === 0;
      }),
    },
    { configure: setting({ run: { settleMs: 200 } }) },
  );
}

/**
 * The token that is handed out is an earlier one, which ends while the run goes on.
 * @param hasEnded by how often it was asked for, and for how long
 */
function olderThanTheRun(
  when: string,
  hasEnded: (times: number, milliseconds: number) => boolean,
  run?: Variant['run'],
): Variant {
  let [current, times, begin]: [World | undefined, number, number] = [undefined, 0, 0];
  return variant(
    `a token from before the run is handed out, which says the whole of its life, and ends ${when}`,
    'expires_in: lifetime of the token; whether each request generates one is open',
    {
      clock: () => Date.now() + (hasEnded(times, performance.now() - begin) ? 3_600_000 : 0),
      rules: {
        meanwhile(world, { operation }) {
          if (world !== current) [current, times, begin] = [world, 0, performance.now()];
          if (operation === 'token.issue') times++;
        },
        expiresOn: () => undefined,
        notBefore: () => undefined,
        tokenReuse: { sameWhileSecondsRemain: 0 },
        expiresIn: () => 3600,
      },
    },
    { run, configure: setting({ target: { testClockUrl: undefined } }) },
  );
}

const LIVES = ['token.issue.lives-60-minutes'];

/** Whoever uses a token of 59 minutes is asked to wait until it has ended. */
function busyAtTheEnd(): Variant {
  const issuedAt = new Map<string, number>();
  return variant(
    'who asks with a token that is about to end is asked to wait for a minute',
    'Limits: how often one may ask is not said',
    {
      middleware: [
        ({ body }, { operation, request, nowMs }) => {
          if (operation === 'token.issue') issuedAt.set(String((body as Body).access_token), nowMs);
          const secondsOld = (nowMs - (issuedAt.get(bearerOf(request)) ?? nowMs)) / 1000;
          return secondsOld > 3530 && secondsOld < 3600
            ? { status: 429, headers: { 'retry-after': '60' }, body: undefined }
            : undefined;
        },
      ],
    },
    { run: { only: LIVES } },
  );
}

/** From when on the clock of the operations is behind, in milliseconds that the test clock was moved; and how often it refuses a new token then. */
const BEHIND = { from: 3_720_000, times: 2 };

/** New tokens are refused until the clock of the operations gets there, which follows the test clock late. */
function behindTheTestClock(): Variant {
  const left = new Map<string, number>();
  return variant(
    'the clock of the operations is behind for a while once the test clock was moved',
    'not_before: by which clock is not said',
    {
      ...answering('token.issue', ({ access_token: token }, { nowMs }) => {
        if (nowMs - Date.now() > BEHIND.from) left.set(String(token), BEHIND.times);
      }),
      rules: refusing(INVENTED, (request) => {
        const times = left.get(bearerOf(request)) ?? 0;
        left.set(bearerOf(request), times - 1);
        return times > 0;
      }),
    },
  );
}

/** Random letters of an alphabet. */
const lettersOf = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[Math.floor(Math.random() * alphabet.length)]).join('');

/** Where tokens are handed out, and how a request that holds one is understood. */
interface Tokens {
  operation: 'token.issue' | 'cards.createToken';
  member: string;
  understand: (request: SandboxRequest, meant: (token: string) => string) => void;
}

const access: Tokens = {
  operation: 'token.issue',
  member: 'access_token',
  understand: ({ headers }, meant) => {
    const [scheme, token] = String(headers.authorization ?? '').split(' ');
    if (token) headers.authorization = `${scheme} ${meant(token)}`;
  },
};

const temporary: Tokens = {
  operation: 'cards.createToken',
  member: 'token',
  understand: ({ operation, params, query }, meant) => {
    if (operation === 'cards.get' && query.byToken === 'true') params.identifier = meant(params.identifier!);
  },
};

/** Tokens are written in another form, of which only `read` counts. */
function tokensAs(
  name: string,
  { operation, member, understand }: Tokens,
  write: () => string,
  read: (text: string) => string,
): Variant {
  const known = new Map<string, unknown>();
  const meant = (text: string) => String(known.get(read(text)) ?? text);
  return thoroughly(
    variant(name, `${member}: a string; its form is not shown`, {
      rules: { meanwhile: (_world, request) => understand(request, meant) },
      ...answering(operation, (body) => {
        const written = write();
        known.set(read(written), body[member]);
        body[member] = written;
      }),
    }),
  );
}

const inBase64 = () => Buffer.from(lettersOf('0123456789abcdef', 31)).toString('base64');
const leniently = (text: string) => Buffer.from(text, 'base64').toString('hex');

/** Temporary tokens are numbered, and given for one card alone: what resembles that one is somebody else's. */
function numberedAndGivenForOne(): Variant {
  const [own, anyones] = ['TKN-2026-00100017', /^TKN-2026-\d{4,8}$/];
  let made: unknown;
  return thoroughly(
    variant(
      'temporary tokens are numbered, and given for one card',
      'token: a string; its form is not shown',
      {
        rules: {
          meanwhile: (_world, request) =>
            temporary.understand(request, (text) => String(anyones.test(text) ? made : text)),
          alsoRefuses: ({ operation, params }, { ownCards: [, ...others] }) =>
            operation === temporary.operation && others.some(({ identifier }) => identifier === params.identifier)
              ? REFUSED_CARD
              : undefined,
        },
        ...answering(temporary.operation, (body) => {
          made = body[temporary.member];
          body[temporary.member] = own;
        }),
      },
      { standsAlone: true },
    ),
  );
}

/** The secret of the client is read as the bytes that it spells. */
const secretReadAs = (name: string, clientSecret: string, read: (text: string) => string): Variant =>
  thoroughly(
    variant(`the client_secret is ${name}`, 'client_secret: a string; its form is not shown', {
      credentials: { clientSecret },
      rules: {
        meanwhile: (_world, { form }) => {
          if (form?.client_secret && read(form.client_secret) === read(clientSecret)) form.client_secret = clientSecret;
        },
      },
    }),
  );

/** A text that was sent is read as another one. */
function reread(sent: Record<string, unknown>, name: string, read: (text: string) => string): void {
  if (typeof sent[name] === 'string') sent[name] = read(sent[name]);
}

/** Identifiers of customers and cards that may be spelled in more ways than one. */
const identifiersReadAs = (name: string, write: (uuid: string) => string, read: (text: string) => string): Variant =>
  thoroughly(
    variant(`identifiers are ${name}`, 'identifier: a string; its form is not shown', {
      identifier: write,
      rules: {
        meanwhile: (_world, request) => {
          const { operation, params, query } = request;
          if (!/^(users|cards)\./.test(operation) || query.byToken === 'true' || query.byProxy === 'true') return;
          reread(params, 'identifier', read);
          reread(query, 'parentIdentifier', read);
          reread(query, 'customerIdentifier', read);
          reread(bodyIn(request), 'targetCardIdentifier', read);
        },
      },
    }),
  );

const UUID_BYTES = 16;
const inPaddedBase64 = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64');

/** A UUID as it is read by who shifts its parts together: further digits fall out in front. */
function uuidOf(text: string): string {
  const parts = text.split('-');
  if (parts.length !== 5 || !parts.every((part) => /^[0-9a-f]{1,15}$/i.test(part))) return text;
  const [a, b, c, d, e] = parts.map((part) => BigInt(`0x${part}`)) as [bigint, bigint, bigint, bigint, bigint];
  const [most, least] = [(((a << 16n) | b) << 16n) | c, (d << 48n) | e].map((half) =>
    BigInt.asUintN(64, half).toString(16).padStart(16, '0'),
  );
  return `${most}${least}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const tokenAndNameVariants: readonly Variant[] = [
  // By a guard that takes the word Bearer away where it is: another scheme is none to it, no scheme is no matter.
  thoroughly(
    rule(
      'a token is taken without a scheme, too',
      'Authorization: sent as Bearer <ACCESS_TOKEN>; of a token alone nothing is said',
      {
        meanwhile: (_world, { headers }) => {
          const { authorization } = headers;
          if (authorization && !authorization.includes(' ')) headers.authorization = `Bearer ${authorization}`;
        },
      },
    ),
  ),
  named('names hold a dot', 'Acme.com', 'Acme.com'),
  named('names hold an underscore', 'load_test', 'load_test'),
  named('names are searched by two letters', "O'Neill ON", 'ON'),
  named('names are searched by two letters, which stand before a dot, too', 'C. B&B Co', 'Co'),
  tokensAs(
    'access tokens are ULIDs, in any case of letters',
    access,
    () => `01${lettersOf('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
    (text) => text.toUpperCase(),
  ),
  tokensAs('access tokens are base64 with padding, read leniently', access, inBase64, leniently),
  tokensAs('temporary tokens are base64 with padding, read leniently', temporary, inBase64, leniently),
  numberedAndGivenForOne(),
  validFromNextSecond(),
  movedEarlier('it may be moved on', {}, true),
  movedEarlier('it stands still', {}, false),
  movedEarlier('not_before is not given', { notBefore: () => undefined }, false),
  movedEarlier(
    'no token says when it begins or ends',
    { notBefore: () => undefined, expiresOn: () => undefined },
    true,
  ),
  knownLate(),
  olderThanTheRun('after 120 ms', (_, milliseconds) => milliseconds > 120),
  olderThanTheRun('when it was asked for six times', (times) => times >= 6),
  olderThanTheRun(
    'half an hour after the run began, which waits for it',
    (_, milliseconds) => milliseconds > 1_800_000,
    {
      waitForExpiry: true,
      only: LIVES,
    },
  ),
  busyAtTheEnd(),
  behindTheTestClock(),
  secretReadAs('a UUID', '3f2b8c1e-9a4d-4e6f-8b7a-5c1d2e3f4a5b', (text) => text.toLowerCase()),
  secretReadAs('base64 with padding', inPaddedBase64('0123456789abcdef0123456789abcdef'), leniently),
  secretReadAs('base64 with spare bits', Buffer.alloc(32, 'secret').toString('base64url'), leniently),
  identifiersReadAs('base64 with padding, read leniently', inPaddedBase64, (text) => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.length === UUID_BYTES ? bytes.toString('base64') : text;
  }),
  identifiersReadAs('UUIDs, of which each part is read as a number', (uuid) => uuid, uuidOf),
  thoroughly(
    rule('a percent sign in a path is refused by the framework', 'servers in front: not shown', {
      ...refusing({ kind: 'route', name: 'percent sign' }, ({ url }) => url.split('?')[0]!.includes('%25')),
      refusalStatus: ({ name }, byDefault) => (name === 'percent sign' ? 400 : byDefault),
      refusalBody: ({ name }, byDefault) => (name === 'percent sign' ? { error: 'Bad Request' } : byDefault),
    }),
  ),
  variant(
    'no Date, and a clock ten minutes ahead',
    'HTTP: an origin server without a clock sends no Date',
    {
      rules: { clockSkewSeconds: 600 },
      middleware: [(answer) => ({ ...answer, headers: { ...answer.headers, date: 'unknown' } })],
    },
    { configure: setting({ target: { testClockUrl: undefined } }) },
  ),
  thoroughly(
    variant('identifiers are numbers, read without the zeros before them', 'identifier: form not shown', {
      identifier: (uuid) => (10n ** 16n + BigInt(`0x${uuid.replaceAll('-', '').slice(0, 12)}`)).toString(),
      rules: {
        meanwhile: (_world, { operation, params, query }) => {
          if (!/^(users|cards)\./.test(operation)) return;
          const read = (text: string) => (/^0\d+$/.test(text) ? BigInt(text).toString() : text);
          reread(params, 'identifier', read);
          reread(query, 'parentIdentifier', read);
        },
      },
    }),
  ),
];
