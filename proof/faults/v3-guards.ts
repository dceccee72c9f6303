/** Faults of the guard of the users and cards interfaces: tokens that resemble good ones, requests that need none, and refusals that give away what they refuse. */
import type { OperationId, Refusal, SandboxRequest } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';
import { altering, answering, type Body, bearerOf, letThrough } from '../changed-sandbox.ts';
import { fault, tolerated } from './broken.ts';
import type { Fault } from './fault.ts';

/** Operations of every kind: a listing, a thing, a payload, a change of state, one that is only listed. */
const SOME = ['users.list', 'cards.get', 'cards.encryptForVde', 'cards.suspend', 'cardholders.list'];

/** A guard that takes some bad tokens. */
const taken = (
  name: string,
  operations: readonly string[],
  isTaken: (token: string, refusal: Refusal) => boolean,
  { rules, ...others }: UnservedOptions = {},
): Fault => {
  const condemns = operations.map((operation) => `${operation}.requires-token`);
  const taking = letThrough((refusal) => refusal.kind === 'token' && isTaken(bearerOf(refusal.request), refusal));
  return fault(name, condemns, { ...others, rules: { ...rules, ...taking } });
};

const inHead = (token: string) => Buffer.from(token.split('.')[0]!, 'base64url').toString();

/** A guard that takes what resembles a token that was issued. */
function compared(name: string, resembles: (sent: string, issued: string) => boolean, rules?: Partial<Rules>): Fault {
  const issued = new Set<string>();
  return taken(
    `tokens: ${name}`,
    SOME,
    (sent, { name: what }) =>
      what !== 'scheme' && what !== 'expired' && [...issued].some((token) => resembles(sent, token)),
    {
      rules,
      ...answering('token.issue', ({ access_token }) => {
        if (access_token) issued.add(String(access_token));
      }),
    },
  );
}

/** A guard that knows the temporary tokens of cards for access tokens. */
function temporaryTokenTaken(): Fault {
  const made = new Set<unknown>();
  return taken(
    'tokens: the temporary token of a card is taken',
    ['cards.suspend', 'cards.transfer', 'cards.setPin'],
    (sent) => made.has(sent),
    answering('cards.createToken', ({ token }) => void made.add(token)),
  );
}

/** A guard that takes signed tokens of one form for good ones. */
const signedTaken = (name: string, isTaken: (header: string, signature: string) => boolean): Fault =>
  taken(
    `signed tokens: ${name}`,
    ['users.list', 'cards.get'],
    (token, { name: what }) => {
      const [, , signature] = token.split('.');
      return what !== 'scheme' && signature !== undefined && isTaken(inHead(token), signature);
    },
    { rules: { tokenFormat: 'jwt' } },
  );

/** A client_secret that is cut off: the whole is known by its length alone. */
function cutSecretTaken(): Fault {
  let longest = 0;
  return tolerated(
    'a client_secret that is cut off is taken',
    'token.issue.wrong-secret-refused',
    { kind: 'credentials', name: 'client_secret' },
    ({ form }) => {
      const { length } = form?.client_secret ?? '';
      longest = Math.max(longest, length);
      return length > 4 && length < longest;
    },
  );
}

/** An operation takes an expired token in a form of request that only a thorough run tries. */
const takesExpired = (name: string, operation: OperationId, isMeant: (request: SandboxRequest) => boolean) =>
  tolerated(
    `${name} takes an expired token`,
    `${operation}.requires-live-token`,
    { kind: 'token', name: 'expired' },
    isMeant,
  );

// ---- refusals that give away what they refuse --------------------------------------------------------------------

type Page = Body & { results: Body[] };

/** A guard that sets the status of a refusal, and lets the operation answer. */
function givesAway(requirement: string, status: number, within: (body: unknown) => unknown = (body) => body): Fault {
  const [, operation = '', rule] = /^(\w+\.\w+)\.(.*)$/.exec(requirement)!;
  const isMeant = ({ kind, name }: Refusal) =>
    rule === 'foreign'
      ? kind === 'foreign'
      : kind === 'token' && (name === 'expired') === (rule === 'requires-live-token');
  const given = new WeakSet<SandboxRequest>();
  return fault(`${operation}: ${status} is answered, with what was asked for (${requirement})`, requirement, {
    rules: letThrough((refusal) => {
      if (refusal.operation !== operation || !isMeant(refusal)) return false;
      given.add(refusal.request);
      return true;
    }),
    ...altering(({ body }, { request }) => given.has(request) && { status, body: within(body) }),
  });
}

export const guardFaults: readonly Fault[] = [
  temporaryTokenTaken(),
  compared('one that is continued is taken', (sent, token) => sent.startsWith(token)),
  compared(
    'one that something stands before is taken',
    (sent, token) => sent.length > token.length && sent.endsWith(token),
  ),
  compared('compared without case', (sent, token) => sent.toLowerCase() === token.toLowerCase()),
  compared(
    'compared but for their last character',
    (sent, token) => sent.length === token.length && sent.slice(0, -1) === token.slice(0, -1),
  ),
  compared(
    'what follows the third part of a JSON Web Token is passed over',
    (sent, token) => sent.split('.').slice(0, 3).join('.') === token,
    { tokenFormat: 'jwt' },
  ),
  taken('tokens: the algorithm none is taken', SOME, (token) => /"alg"\s*:\s*"none"/i.test(inHead(token)), {
    rules: { tokenFormat: 'jwt' },
  }),
  signedTaken('the algorithm None is taken', (header) => header.includes('"None"')),
  signedTaken('one without its signature is taken', (header, signature) => signature === '' && !/none/i.test(header)),
  taken(
    'an empty Bearer is taken',
    ['cards.listRelated', 'cards.activate'],
    (token, { request }) => request.headers.authorization !== undefined && token === '',
  ),
  taken(
    'a token that every object knows is taken',
    ['users.list', 'cards.get'],
    (token, { name }) => name !== 'scheme' && token === 'constructor',
  ),
  cutSecretTaken(),
  takesExpired('a look-up by proxy', 'cards.get', ({ query }) => query.byProxy === 'true'),
  takesExpired('a later page of customers', 'users.list', ({ query }) => query.token !== undefined),
  takesExpired('a listing of cards by customer', 'cards.list', ({ query }) => query.customerIdentifier !== undefined),
  givesAway('users.list.requires-token', 401),
  givesAway('cards.listRelated.requires-token', 403),
  givesAway('cards.encryptForVde.requires-token', 401),
  givesAway('cards.get.requires-token', 403, (card) => ({ errors: [], data: card })),
  givesAway('cards.list.requires-token', 401, (page) => ({ errors: [], page })),
  givesAway('cards.list.requires-live-token', 401),
  givesAway('cards.getBalance.foreign', 404),
  givesAway('cards.get.foreign', 404, (card) => [{ errorCode: 'foreign', card }]),
  // Under names of its own, or within a text.
  givesAway('users.list.requires-token', 403, (page) => ({ customers: (page as Page).results.map(Object.values) })),
  givesAway('cards.get.requires-token', 401, (card) => `no token for ${JSON.stringify(card)}`),
  givesAway('cards.get.foreign', 403, (card) => [{ errorMessage: `a card of ${(card as Page).customerIdentifier}` }]),
];
