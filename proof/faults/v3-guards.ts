/** Faults of the guard of the users and cards interfaces: tokens, schemes and secrets that resemble good ones, and requests that need none. */
import type { AnswerFilter, OperationId, Rules, SandboxRequest } from '../../sandbox/index.ts';
import { bearerOf, broken, letThrough, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

/** A guard that takes more than the tokens that were issued: what it makes of a text that resembles one. */
function tokensCompared(
  name: string,
  resembles: (sent: string, issued: string) => boolean,
  operations: readonly OperationId[],
  rules: Partial<Rules> = {},
): Fault {
  const issued = new Set<string>();
  const remember: AnswerFilter = (answer, { operation }) => {
    const token = (answer.body as { access_token?: string } | undefined)?.access_token;
    if (operation === 'token.issue' && token) issued.add(token);
    return undefined;
  };
  return thoroughly({
    name: `tokens: ${name}`,
    condemns: operations.map((operation) => `${operation}.requires-token`),
    sandbox: {
      rules: {
        ...rules,
        ...letThrough(
          ({ kind, name: what, request }) =>
            kind === 'token' &&
            what !== 'scheme' &&
            what !== 'expired' &&
            [...issued].some((token) => resembles(bearerOf(request), token)),
        ),
      },
      middleware: [remember],
    },
  });
}

/** A guard that knows the temporary tokens of cards for access tokens. */
function temporaryTokenTaken(operations: readonly OperationId[]): Fault {
  const made = new Set<string>();
  const remember: AnswerFilter = (answer, { operation }) => {
    if (operation === 'cards.createToken' && answer.status < 300) made.add((answer.body as { token: string }).token);
    return undefined;
  };
  return thoroughly({
    name: 'tokens: the temporary token of a card is taken',
    condemns: operations.map((operation) => `${operation}.requires-token`),
    sandbox: {
      rules: letThrough(({ kind, request }) => kind === 'token' && made.has(bearerOf(request))),
      middleware: [remember],
    },
  });
}

/** Operations of every kind: a listing, a thing, a payload, a change of state, one that is only listed. */
const SOME: readonly OperationId[] = [
  'users.list',
  'cards.get',
  'cards.encryptForVde',
  'cards.suspend',
  'cardholders.list',
];

/** The secret of the sandbox, cut off: known by its length alone. */
let longest = 0;

function isCut(secret: string): boolean {
  longest = Math.max(longest, secret.length);
  return secret.length > 4 && secret.length < longest;
}

/** The operation needs no good token for requests of one make. */
const unguarded = (
  name: string,
  operation: OperationId,
  isMeant: (request: SandboxRequest) => boolean,
  what?: 'expired',
): Fault =>
  broken(name, `${operation}.requires-${what ? 'live-' : ''}token`, {
    ...letThrough(
      ({ kind, name: wrong, operation: of, request }) =>
        kind === 'token' && of === operation && (wrong === 'expired') === (what === 'expired') && isMeant(request),
    ),
  });

/** The same of a form of request that only a thorough run tries. */
const formUnguarded = (...form: Parameters<typeof unguarded>): Fault => thoroughly(unguarded(...form));
export const guardFaults: readonly Fault[] = [
  temporaryTokenTaken(['cards.suspend', 'cards.transfer', 'cards.setPin']),
  tokensCompared('one that is continued is taken', (sent, token) => sent.startsWith(token), SOME),
  tokensCompared(
    'what follows the third part of a JSON Web Token is passed over',
    (sent, token) => sent.split('.').slice(0, 3).join('.') === token,
    SOME,
    { tokenFormat: 'jwt' },
  ),
  tokensCompared('compared without case', (sent, token) => sent.toLowerCase() === token.toLowerCase(), SOME),
  thoroughly(
    broken(
      'tokens: the algorithm none is taken',
      SOME.map((operation) => `${operation}.requires-token`),
      {
        tokenFormat: 'jwt',
        enforces: ({ kind, request }) => {
          const [head = ''] = bearerOf(request).split('.');
          return !(kind === 'token' && /"alg"\s*:\s*"none"/i.test(Buffer.from(head, 'base64url').toString()));
        },
      },
    ),
  ),
  tokensCompared(
    'one that something stands before is taken',
    (sent, token) => sent.length > token.length && sent.endsWith(token),
    SOME,
  ),
  tokensCompared(
    'compared but for their last character',
    (sent, token) => sent.length === token.length && sent.slice(0, -1) === token.slice(0, -1),
    SOME,
  ),
  {
    ...thoroughly(
      broken('an empty Bearer is taken', ['cards.listRelated.requires-token', 'cards.activate.requires-token'], {
        enforces: ({ kind, request }) =>
          !(kind === 'token' && request.headers.authorization !== undefined && bearerOf(request) === ''),
      }),
    ),
  },
  thoroughly(
    broken('a client_secret that is cut off is taken', 'token.issue.wrong-secret-refused', {
      enforces: ({ kind, name, request }) =>
        !(kind === 'credentials' && name === 'client_secret' && isCut(request.form?.client_secret ?? '')),
    }),
  ),

  formUnguarded(
    'a look-up by proxy takes an expired token',
    'cards.get',
    ({ query }) => query.byProxy === 'true',
    'expired',
  ),
  formUnguarded(
    'a later page of customers takes an expired token',
    'users.list',
    ({ query }) => query.token !== undefined,
    'expired',
  ),
  formUnguarded(
    'a listing of cards by customer takes an expired token',
    'cards.list',
    ({ query }) => query.customerIdentifier !== undefined,
    'expired',
  ),
];
