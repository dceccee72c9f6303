/** Sound implementations: when a token begins and how old it is, and which texts names and identifiers hold. */
import type { World } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import { answering, bearerOf } from '../faults/broken.ts';
import { thoroughly, type Variant } from './variant.ts';

/** The part of a name that some customers have is another one, by which the fixtures search. */
function named(name: string, part: string, fragment: string): Variant {
  const renamed = new WeakSet<World>();
  return thoroughly({
    name: `customers: ${name}`,
    basis: 'name: customers whose name contains the value; what names hold is not shown',
    sandbox: {
      rules: {
        meanwhile: (world) => {
          if (renamed.has(world)) return;
          renamed.add(world);
          for (const customer of world.ownCustomers) customer.name = customer.name.replace('Harbour', part);
        },
      },
    },
    configure: ({ fixtures }) => {
      fixtures.users = { ...fixtures.users, nameFragment: fragment };
    },
  });
}

const SILENT: Partial<Rules> = { expiresOn: () => undefined, notBefore: () => undefined };

/** A token is valid from its not_before on, which is the next whole second. */
function validFromNextSecond(): Variant {
  const begins = new Map<string, number>();
  return {
    name: 'a token is valid from the next whole second on',
    basis: 'not_before: time after which the token is valid',
    sandbox: {
      ...answering('token.issue', (body, { nowMs }) => {
        const begin = Math.ceil(nowMs / 1000);
        // By the machine's clock: when the token begins is seen before the test clock is moved.
        begins.set(String(body.access_token), Date.now() + begin * 1000 - nowMs);
        Object.assign(body, { not_before: begin, expires_on: begin + 3600 });
      }),
      rules: {
        alsoRefuses: (request) => {
          const begin = begins.get(bearerOf(request));
          return begin !== undefined && Date.now() < begin ? { kind: 'token', name: 'invented' } : undefined;
        },
      },
    },
  };
}

/** A clock that an earlier run moved, behind a server that sends its own Date. */
const movedEarlier = (name: string, rules: Partial<Rules>, isMovable: boolean): Variant => ({
  name: `an earlier run moved the clock, and Date is that of the server in front: ${name}`,
  basis: 'expires_on, not_before: by which clock is not said',
  sandbox: {
    clock: () => Date.now() + 27_071_000,
    middleware: [(answer) => ({ ...answer, headers: { ...answer.headers, date: new Date().toUTCString() } })],
    rules,
  },
  configure: ({ target }) => {
    if (!isMovable) target.testClockUrl = undefined;
  },
});

/** How long after its issue a token is known to the second of two nodes, which serve the requests in turn. */
const KNOWN_AFTER_MS = 60;

/** One node knows a token at once, the other one later: until then it refuses it as what is none. */
function knownLate(): Variant {
  const issued = new Map<string, number>();
  let served = 0;
  return {
    name: 'a token is known to all operations a moment after its issue, to the first of two nodes at once',
    basis: 'Authentication: how soon a token is known everywhere is not said',
    sandbox: {
      ...answering('token.issue', ({ access_token: token }) => {
        issued.set(String(token), performance.now());
      }),
      rules: {
        alsoRefuses: (request) => {
          const at = issued.get(bearerOf(request));
          const isLate = at !== undefined && performance.now() < at + KNOWN_AFTER_MS && ++served % 2 === 0;
          return isLate ? { kind: 'token', name: 'invented' } : undefined;
        },
      },
    },
    configure: ({ run }) => {
      run.settleMs = 200;
    },
  };
}

/** The token that is handed out is an earlier one, which ends while the run goes on. */
function olderThanTheRun(): Variant {
  let begin: number | undefined;
  const AGES_AFTER_MS = 120;
  return {
    name: 'a token from before the run is handed out, which says the whole of its life',
    basis: 'expires_in: lifetime of the token; whether each request generates one is open',
    sandbox: {
      clock: () => {
        begin ??= performance.now();
        return Date.now() + (performance.now() - begin > AGES_AFTER_MS ? 3_600_000 : 0);
      },
      rules: { ...SILENT, tokenReuse: { sameWhileSecondsRemain: 0 }, expiresIn: () => 3600 },
    },
    configure: ({ target }) => {
      target.testClockUrl = undefined;
    },
  };
}

/** Random letters of an alphabet. */
const lettersOf = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[Math.floor(Math.random() * alphabet.length)]).join('');

/** Texts that the target hands out, written in a form of which only `read` counts. */
function rewritten(write: () => string, read: (text: string) => string) {
  const known = new Map<string, string>();
  return {
    handOut: (text: string): string => {
      const written = write();
      known.set(read(written), text);
      return written;
    },
    meant: (text: string): string => known.get(read(text)) ?? text,
  };
}

/** Access tokens of another form. */
function tokensAs(name: string, write: () => string, read: (text: string) => string): Variant {
  const texts = rewritten(write, read);
  return thoroughly({
    name: `access tokens are ${name}`,
    basis: 'access_token: a string; its form is not shown',
    sandbox: {
      rules: {
        meanwhile: (_world, { headers }) => {
          const [scheme, token] = String(headers.authorization ?? '').split(' ');
          if (token) headers.authorization = `${scheme} ${texts.meant(token)}`;
        },
      },
      ...answering('token.issue', (body) => {
        body.access_token = texts.handOut(String(body.access_token));
      }),
    },
  });
}

const inBase64 = () => Buffer.from(lettersOf('0123456789abcdef', 31)).toString('base64');
const leniently = (text: string) => Buffer.from(text, 'base64').toString('hex');

/** Temporary tokens are base64 with its padding, after which nothing is read. */
function temporaryTokensInBase64(): Variant {
  const texts = rewritten(inBase64, leniently);
  return thoroughly({
    name: 'temporary tokens are base64 with padding, read leniently',
    basis: 'token: a string; its form is not shown',
    sandbox: {
      rules: {
        meanwhile: (_world, { operation, params, query }) => {
          if (operation === 'cards.get' && query.byToken === 'true')
            params.identifier = texts.meant(params.identifier!);
        },
      },
      ...answering('cards.createToken', (body) => {
        body.token = texts.handOut(String(body.token));
      }),
    },
  });
}

/** The secret of the client is read as the bytes that it spells. */
const secretReadAs = (name: string, clientSecret: string, read: (text: string) => string): Variant =>
  thoroughly({
    name: `the client_secret is ${name}`,
    basis: 'client_secret: a string; its form is not shown',
    sandbox: {
      credentials: { clientSecret },
      rules: {
        meanwhile: (_world, { form }) => {
          if (form?.client_secret && read(form.client_secret) === read(clientSecret)) form.client_secret = clientSecret;
        },
      },
    },
  });

/** Identifiers of customers and cards that may be spelled in more ways than one. */
const identifiersReadAs = (name: string, write: (uuid: string) => string, read: (text: string) => string): Variant =>
  thoroughly({
    name: `identifiers are ${name}`,
    basis: 'identifier: a string; its form is not shown',
    sandbox: {
      identifier: write,
      rules: {
        meanwhile: (_world, { operation, params, query, body }) => {
          if (!/^(users|cards)\./.test(operation) || query.byToken === 'true' || query.byProxy === 'true') return;
          for (const [given, member] of [
            [params, 'identifier'],
            [query, 'parentIdentifier'],
            [query, 'customerIdentifier'],
            [(body ?? {}) as Record<string, unknown>, 'targetCardIdentifier'],
          ] as const)
            if (typeof given[member] === 'string') given[member] = read(given[member]);
        },
      },
    },
  });

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

/** A guard that takes the word Bearer away where it is: another scheme is none to it, no scheme is no matter. */
const takenWithoutScheme: Variant = thoroughly({
  name: 'a token is taken without a scheme, too',
  basis: 'Authorization: sent as Bearer <ACCESS_TOKEN>; of a token alone nothing is said',
  sandbox: {
    rules: {
      meanwhile: (_world, { headers }) => {
        const { authorization } = headers;
        if (authorization && !authorization.includes(' ')) headers.authorization = `Bearer ${authorization}`;
      },
    },
  },
});

export const tokenAndNameVariants: readonly Variant[] = [
  takenWithoutScheme,
  named('names hold a dot', 'Acme.com', 'Acme.com'),
  named('names hold an underscore', 'load_test', 'load_test'),
  named('names are searched by two letters', "O'Neill ON", 'ON'),
  named('names are searched by two letters, which stand before a dot, too', 'C. B&B Co', 'Co'),
  tokensAs(
    'ULIDs, in any case of letters',
    () => `01${lettersOf('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
    (text) => text.toUpperCase(),
  ),
  tokensAs('base64 with padding, read leniently', inBase64, leniently),
  temporaryTokensInBase64(),
  validFromNextSecond(),
  movedEarlier('it may be moved on', {}, true),
  movedEarlier('it stands still', {}, false),
  movedEarlier('not_before is not given', { notBefore: () => undefined }, false),
  knownLate(),
  olderThanTheRun(),
  secretReadAs('a UUID', '3f2b8c1e-9a4d-4e6f-8b7a-5c1d2e3f4a5b', (text) => text.toLowerCase()),
  secretReadAs('base64 with padding', inPaddedBase64('0123456789abcdef0123456789abcdef'), leniently),
  secretReadAs('base64 with spare bits', Buffer.alloc(32, 'secret').toString('base64url'), leniently),
  identifiersReadAs('base64 with padding, read leniently', inPaddedBase64, (text) => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.length === UUID_BYTES ? bytes.toString('base64') : text;
  }),
  identifiersReadAs('UUIDs, of which each part is read as a number', (uuid) => uuid, uuidOf),
  thoroughly({
    name: 'a percent sign in a path is refused by the framework',
    basis: 'servers in front: not shown',
    sandbox: {
      rules: {
        alsoRefuses: ({ url }) =>
          url.split('?')[0]!.includes('%25') ? { kind: 'route', name: 'percent sign' } : undefined,
        refusalStatus: ({ name }, byDefault) => (name === 'percent sign' ? 400 : byDefault),
        refusalBody: ({ name }, byDefault) => (name === 'percent sign' ? { error: 'Bad Request' } : byDefault),
      },
    },
  }),
  {
    name: 'no Date, and a clock ten minutes ahead',
    basis: 'HTTP: an origin server without a clock sends no Date',
    sandbox: {
      rules: { clockSkewSeconds: 600 },
      middleware: [(answer) => ({ ...answer, headers: { ...answer.headers, date: 'unknown' } })],
    },
    configure: ({ target }) => {
      target.testClockUrl = undefined;
    },
  },
  thoroughly({
    name: 'identifiers are numbers, read without the zeros before them',
    basis: 'identifier: form not shown',
    sandbox: {
      identifier: (uuid) => (10n ** 16n + BigInt(`0x${uuid.replaceAll('-', '').slice(0, 12)}`)).toString(),
      rules: {
        meanwhile: (_world, { operation, params, query }) => {
          if (!/^(users|cards)\./.test(operation)) return;
          for (const [given, name] of [
            [params, 'identifier'],
            [query, 'parentIdentifier'],
          ] as const)
            if (/^0\d+$/.test(given[name] ?? '')) given[name] = BigInt(given[name]!).toString();
        },
      },
    },
  }),
];
