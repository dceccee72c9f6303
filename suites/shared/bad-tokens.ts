/** Requests without a good token, and what an answer to them says (readings 17 and 31). */
import { operation as operationById } from '../../contracts/operations.ts';
import { type Answer, describe, header, type Input, isObject, member, succeeded } from '../../helpers/answer.ts';
import type { Authorisation } from '../../helpers/call.ts';
import { scenario } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { expectRefused } from '../../helpers/expect.ts';
import { rotated } from '../../helpers/rotation.ts';
import type { Run } from '../../helpers/run.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';
import { inOtherCase, isCaseless } from './caseless.ts';
import { expectNothingGiven } from './disclosure.ts';
import { isText } from './identifiers.ts';
import { altered, another, endedOtherwise } from './invented.ts';
import { perOperation } from './per-operation.ts';
import { inventedInput, mostOtherForms } from './requests.ts';
import { attempt, values } from './step.ts';
import { aCard } from './target-data.ts';

/** An authorisation that is none. */
export interface BadToken {
  /** What is wrong with it, e.g. `another scheme`. */
  name: string;
  authorisation: Authorisation;
}

/** An answer to a request with a bad token. */
export interface Probe {
  name: string;
  answer: Answer;
}

/**
 * Authorisations that are as good as none (reading 17), made from the token of the run: those that every operation is tried with in each
 * run, and of the others those of this run.
 */
export async function badTokens(t: Context, operation: string): Promise<BadToken[]> {
  const { value } = await t.run.client.tokens.current();
  const bearer = (name: string, token: string): BadToken => {
    t.run.redactor.learn(token, 'BAD_TOKEN');
    return { name, authorisation: { authorization: `Bearer ${token}` } };
  };
  const scheme = (name: string): BadToken => ({
    name: `the scheme ${name}`,
    authorisation: { authorization: `${name} ${value}` },
  });
  const some = <T>(of: string, forms: readonly T[]) => rotated(t.run, `${operation}: ${of}`, forms);
  return [
    NO_TOKEN,
    ...some('scheme', [scheme('Basic'), scheme('Token')]),
    ...some('invented', [
      bearer('an invented token', [...value].map(another).join('')),
      bearer('an invented token of another form', crypto.randomUUID()),
      ...(value.split('.').length === 3 ? [] : [bearer('an invented JSON Web Token', inventedJwt())]),
      bearer('the word null', 'null'),
      bearer('a word that every object knows', 'constructor'),
      // Whether the temporary token of a card is good for reading it is not shown.
      ...(operationById(operation).risk === 'safe' ? [] : await temporaryTokens(t)).map((token) =>
        bearer('the temporary token of a card', token),
      ),
    ]),
    ...some('altered', alteredOnce(t, value)).map(({ name, token }) => bearer(name, token)),
  ];
}

/** A temporary token of a card, where the target gives one that a header can carry. */
const temporaryTokens = async (t: Context): Promise<string[]> =>
  values([await attempt(() => t.shared(temporaryToken))])
    .filter(isText)
    .filter((token) => /^[!-~]+$/.test(token));

const temporaryToken = scenario('a temporary token', async (t) => {
  const path = { identifier: await t.shared(aCard) };
  return member(await t.call('cards.createToken', { path }, { intent: 'refusable' }), 'token');
});

const NO_TOKEN: BadToken = { name: 'no token', authorisation: { authorization: undefined } };

/** Calls an operation once with each bad authorisation, in turn with each make of its request. */
export async function callWithBadTokens(t: Context, operation: string, input: Input): Promise<Probe[]> {
  const probes: Probe[] = [];
  const makes = makesOf(operation, input);
  for (const [index, { name, authorisation }] of (await badTokens(t, operation)).entries()) {
    const made = makes[index % makes.length]!;
    probes.push({ name, answer: await t.call(operation, made, { intent: 'unauthorised', authorisation }) });
  }
  return probes;
}

/** More than a guard may look through before it looks for a token. */
const LARGE = 'x'.repeat(2000);

/**
 * Requests that ask for the same, beginning with the plain one: a listing without parameters and of another size, a look-up that says what
 * it is not by, a large body, and an empty body that is declared.
 */
export function makesOf(operation: string, input: Input): Input[] {
  if (operation.endsWith('.list')) return [input, {}, { query: { max: 50 } }];
  if (operation === 'cards.get') return [input, { ...input, query: { byToken: false, byProxy: false } }];
  if (isObject(input.json)) return [input, { ...input, json: { ...input.json, comment: LARGE } }];
  return operationById(operation).method === 'GET' ? [input] : [input, { ...input, emptyJson: true }];
}

/** Calls an operation without a token in each other form of its request. */
export async function callOtherFormsWithoutToken(
  t: Context,
  operation: string,
): Promise<{ probe: Probe; input: Input }[]> {
  const probes: { probe: Probe; input: Input }[] = [];
  for (const form of mostOtherForms(t, operation)) {
    const input = await form.input(t);
    if (input === undefined) continue;
    const { name, authorisation } = NO_TOKEN;
    const answer = await t.call(operation, input, { intent: 'unauthorised', authorisation });
    probes.push({ probe: { name: `${name}, ${form.name}`, answer }, input });
  }
  return probes;
}

/** A signed token of an issuer that nobody knows: who does not verify it takes its claims for true. */
function inventedJwt(): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: 'anyone', iat: now, exp: now + 3600 },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...signed, crypto.randomUUID().replaceAll('-', '')].join('.');
}

/**
 * A request without a good token is refused: 401 and 403 say why; another refusal counts when nothing else is the reason.
 * @param acceptedWithGoodToken whether the same request with a good token is accepted; asked only where it decides
 * @throws Nonconformance when it is accepted, Inconclusive when its refusal may have another reason
 */
export async function expectRefusedWithoutToken(
  { name, answer }: Probe,
  acceptedWithGoodToken: () => Promise<boolean>,
): Promise<void> {
  expectNothingGiven(answer, `a request with ${name}`);
  if (answer.status === 401 || answer.status === 403 || (await acceptedWithGoodToken())) return;
  inconclusive(
    `a request with ${name} is answered with ${describe(answer)}, and one with a good token is refused, too`,
  );
}

/** A request with the token of the run, to tell bad tokens from. */
export interface GoodCall {
  input: Input;
  good: Answer;
}

/** A complete request of one operation for something that does not exist. */
export const goodOnInvented = perOperation(
  (operation) => `${operation} on an invented identifier`,
  async (t, operation): Promise<GoodCall> => {
    const input = await inventedInput(t, operation);
    return { input, good: await t.call(operation, input, { intent: 'unknown' }) };
  },
);

/** The same request with bad tokens. */
export const probesOnInvented = perOperation(
  (operation) => `${operation} on an invented identifier with bad tokens`,
  async (t, operation) => {
    const { input, good } = await t.shared(goodOnInvented(operation));
    return { bad: await callWithBadTokens(t, operation, input), good };
  },
);

/**
 * Judges `requires-token` where only something invented may be named.
 * @throws Nonconformance, Inconclusive
 */
export async function expectInventedGuarded(t: Context, operation: string): Promise<void> {
  const { bad, good } = await t.shared(probesOnInvented(operation));
  for (const probe of bad) expectUnlikeGoodToken(probe, good);
}

/**
 * A bad token is refused otherwise than a good one: that shows the guard of an operation that names nothing.
 * @throws Nonconformance, Inconclusive
 */
export function expectUnlikeGoodToken({ name, answer }: Probe, good: Answer): void {
  expectRefused(answer, `a request with ${name}`);
  if (succeeded(good) || ([401, 403].includes(answer.status) && answer.status !== good.status)) return;
  inconclusive(
    `on an invented identifier, ${name} is answered with status ${answer.status}, a good token with status ${good.status}`,
  );
}

/** Judges `challenge`: 401 with WWW-Authenticate (RFC 6750 section 3). @throws Nonconformance otherwise */
export function expectChallenged(probes: readonly Probe[]): void {
  for (const { name, answer } of probes) {
    if (answer.status !== 401)
      fail(`a request with ${name} is answered with status ${answer.status}`, {
        expected: '401',
        actual: String(answer.status),
        in: answer,
      });
    if (header(answer, 'www-authenticate') === undefined)
      fail(`the 401 to a request with ${name} has no WWW-Authenticate`, {
        expected: 'a WWW-Authenticate header',
        actual: 'none',
        in: answer,
      });
  }
}

/** The altered tokens of a run: one that comes back may be known by then. */
const alteredTokens = new WeakMap<Run, { value: string; tokens: { name: string; token: string }[] }>();

/** Each form of altered token, always the same as long as the token is. */
function alteredOnce({ run }: Context, value: string): { name: string; token: string }[] {
  const made = alteredTokens.get(run);
  if (made?.value === value) return made.tokens;
  const tokens = [...alterations(value), ...resembling(value)];
  alteredTokens.set(run, { value, tokens });
  return tokens;
}

/** What resembles a shorter token may be somebody else's. */
const LEAST_LENGTH = 16;

/** Tokens altered in their middle: the last character of a part can hold bits that do not count. */
function alterations(token: string): { name: string; token: string }[] {
  if (token.length < LEAST_LENGTH) return [];
  const parts = token.split('.');
  if (parts.length !== 3) return [{ name: 'a token altered in its middle', token: altered(token) }];
  const [head, payload, signature] = parts as [string, string, string];
  return [
    { name: 'a token altered in its payload', token: [head, altered(payload), signature].join('.') },
    { name: 'a token altered in its signature', token: [head, payload, altered(signature)].join('.') },
  ];
}

/** Tokens that a careless comparison takes for the one that they resemble. */
function resembling(token: string): { name: string; token: string }[] {
  const swapped = inOtherCase(token);
  const ended = endedOtherwise(token);
  const [head, payload, signature] = token.split('.');
  const unsigned = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
  const isShort = token.length < LEAST_LENGTH;
  return [
    ...(isShort
      ? []
      : [{ name: 'a token that is cut off', token: token.slice(0, -Math.max(1, Math.floor(token.length / 4))) }]),
    // What follows the padding of base64 is passed over by those who read it leniently.
    ...(token.endsWith('=') ? [] : [{ name: 'a token that is continued', token: `${token}AAAA` }]),
    { name: 'a token with something before it', token: `AAAA${token}` },
    ...(isShort || ended === undefined ? [] : [{ name: 'a token that ends with another character', token: ended }]),
    { name: 'an empty token', token: '' },
    ...(isShort || isCaseless(token) || swapped === token
      ? []
      : [{ name: 'a token in another case of letters', token: swapped }]),
    ...(signature === undefined
      ? []
      : [
          { name: 'a token altered in its header', token: [altered(head!), payload, signature].join('.') },
          { name: 'a token with a fourth part', token: `${token}.AAAA` },
          { name: 'a token without its signature', token: [head, payload, ''].join('.') },
          { name: 'a token of the algorithm none', token: [unsigned('none'), payload, ''].join('.') },
          { name: 'a token of the algorithm None', token: [unsigned('None'), payload, ''].join('.') },
        ]),
  ];
}
