/** Requests without a good token, and judgements of their answers (readings 17 and 31). */
import { operation as operationById } from '../../contracts/operations.ts';
import { type Answer, describe, header, type Input, isObject, member, succeeded } from '../../helpers/answer.ts';
import type { Authorisation } from '../../helpers/call.ts';
import { scenario } from '../../helpers/check.ts';
import type { Context } from '../../helpers/context.ts';
import { another } from '../../helpers/engine/forms/invented.ts';
import { lookAlikes } from '../../helpers/engine/forms/look-alikes.ts';
import { attempt, values } from '../../helpers/engine/step.ts';
import { expectRefused } from '../../helpers/expect.ts';
import { rotated } from '../../helpers/rotation.ts';
import type { Run } from '../../helpers/run.ts';
import { fail, inconclusive } from '../../helpers/verdict.ts';
import { expectNothingGiven } from './disclosure.ts';
import { isText } from './identifiers.ts';
import { perOperation } from './per-operation.ts';
import { inventedInput, mostOtherForms } from './requests.ts';
import { aCard } from './target-data.ts';

/** An Authorization header that must not grant access. */
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
 * Bad authorisations (reading 17), made from the token of the run: none at all, which every run sends, and one of each other kind, chosen
 * by the seed.
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

/** A card's temporary token; empty where the target gives none that fits into a header. */
const temporaryTokens = async (t: Context): Promise<string[]> =>
  values([await attempt(() => t.shared(temporaryToken))])
    .filter(isText)
    .filter((token) => /^[!-~]+$/.test(token));

const temporaryToken = scenario('a temporary token', async (t) => {
  const path = { identifier: await t.shared(aCard) };
  return member(await t.call('cards.createToken', { path }, { intent: 'refusable' }), 'token');
});

const NO_TOKEN: BadToken = { name: 'no token', authorisation: { authorization: undefined } };

/** Calls an operation once with each bad authorisation, going round the equivalent forms of its request. */
export async function callWithBadTokens(t: Context, operation: string, input: Input): Promise<Probe[]> {
  const probes: Probe[] = [];
  const requests = equivalentRequests(operation, input);
  for (const [index, { name, authorisation }] of (await badTokens(t, operation)).entries()) {
    const made = requests[index % requests.length]!;
    probes.push({ name, answer: await t.call(operation, made, { intent: 'unauthorised', authorisation }) });
  }
  return probes;
}

/** More text than a guard may be willing to read before it checks the token. */
const LARGE = 'x'.repeat(2000);

/**
 * Equivalent forms of a request, the plain one first: a listing without parameters or with another size, a look-up with byToken and byProxy
 * false, a large body, and an empty body declared as JSON.
 */
export function equivalentRequests(operation: string, input: Input): Input[] {
  if (operation.endsWith('.list')) return [input, {}, { query: { max: 50 } }];
  if (operation === 'cards.get') return [input, { ...input, query: { byToken: false, byProxy: false } }];
  if (isObject(input.json)) return [input, { ...input, json: { ...input.json, comment: LARGE } }];
  return operationById(operation).method === 'GET' ? [input] : [input, { ...input, emptyJson: true }];
}

/** Calls an operation without a token, once in each other documented form of its request. */
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

/** A well-formed JSON Web Token with an invented signature: a target that does not verify it would trust its claims. */
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
 * Expects a request without a good token to be refused. 401 and 403 count as they are; another status only if the token alone explains it.
 * @param acceptedWithGoodToken whether the same request with a good token is accepted; called only if the status does not decide
 * @throws Nonconformance when it is accepted, Inconclusive when the refusal may have another reason
 */
export async function expectRefusedWithoutToken(
  { name, answer }: Probe,
  acceptedWithGoodToken: () => Promise<boolean>,
): Promise<void> {
  expectNothingGiven(answer, `a request with ${name}`);
  if (answer.status === 401 || answer.status === 403 || (await acceptedWithGoodToken())) return;
  inconclusive(`a request with ${name} is answered with ${describe(answer)}, but a good token is refused, too`);
}

/** A request sent with the token of the run, to compare with bad tokens. */
export interface GoodCall {
  input: Input;
  good: Answer;
}

/** Sends a complete request for something that does not exist, with a good token. */
export const goodOnInvented = perOperation(
  (operation) => `${operation} on an invented identifier`,
  async (t, operation): Promise<GoodCall> => {
    const input = await inventedInput(t, operation);
    return { input, good: await t.call(operation, input, { intent: 'unknown' }) };
  },
);

/** Sends the same request with bad tokens. */
export const probesOnInvented = perOperation(
  (operation) => `${operation} on an invented identifier with bad tokens`,
  async (t, operation) => {
    const { input, good } = await t.shared(goodOnInvented(operation));
    return { bad: await callWithBadTokens(t, operation, input), good };
  },
);

/**
 * Judges `requires-token` by requests with an invented identifier, where nothing that exists may be named.
 * @throws Nonconformance, Inconclusive
 */
export async function expectInventedGuarded(t: Context, operation: string): Promise<void> {
  const { bad, good } = await t.shared(probesOnInvented(operation));
  for (const probe of bad) expectUnlikeGoodToken(probe, good);
}

/**
 * Expects a bad token to be refused differently from a good one, which shows the guard of an operation even on an invented identifier.
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

/** The altered tokens of each run, sent again unchanged: a target may know by then a token that it refused at first. */
const alteredTokens = new WeakMap<Run, { value: string; tokens: { name: string; token: string }[] }>();

/** Every altered form of a token; the same ones until the token changes. */
function alteredOnce({ run }: Context, value: string): { name: string; token: string }[] {
  const made = alteredTokens.get(run);
  if (made?.value === value) return made.tokens;
  const resembling = lookAlikes('token', value).map(({ name, text }) => ({ name: `a token ${name}`, token: text }));
  const tokens = [...resembling, { name: 'an empty token', token: '' }];
  alteredTokens.set(run, { value, tokens });
  return tokens;
}
