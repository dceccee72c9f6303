/** Requests without a good token, for its guard to refuse (readings 17 and 31). */
import { randomUUID } from 'node:crypto';
import { operation as operationById } from '../../contracts/operations.ts';
import { type Answer, type Input, isObject } from '../../helpers/answer.ts';
import type { Authorisation } from '../../helpers/call.ts';
import { type Context, scenario } from '../../helpers/check.ts';
import * as Forms from '../../helpers/engine/forms/index.ts';
import * as Guard from '../../helpers/engine/guard.ts';
import { optional } from '../../helpers/verdict.ts';
import { givenToken } from './identifiers.ts';
import * as Requests from './requests.ts';

/** An Authorization header that must not grant access. */
export interface BadToken {
  /** What is wrong with it, e.g. `another scheme`. */
  name: string;
  authorisation: Authorisation;
  hasExpired?: boolean;
}

/**
 * Bad authorisations (reading 17), made from the token of the run: none at all, which every run sends, and one of other kinds, chosen by the
 * seed. A run that may change everything tries all kinds on each operation, others all kinds over the operations.
 * @param most number of other kinds at the most
 */
export async function tokensFor(t: Context, operation: string, most = 3): Promise<BadToken[]> {
  const { value } = await t.run.client.tokens.current();
  const bad = (name: string, authorization: string): BadToken => ({ name, authorisation: { authorization } });
  const bearer = ({ name, text, isWord }: Forms.BadCredential) => {
    if (!isWord) t.run.redactor.learn(text, 'BAD_TOKEN');
    return bad(`a token ${name}`, `Bearer ${text}`);
  };
  // Whether the temporary token of a card is good for reading it is not shown.
  const isSafe = operationById(operation).risk === 'safe';
  const others = isSafe ? [] : ((await optional(t.shared(temporaryTokens))) ?? []);
  const { invented, resembling } = credentialsLike(t, value);
  const kinds = {
    scheme: ['Basic', 'Token'].map((scheme) => bad(`the scheme ${scheme}`, `${scheme} ${value}`)),
    invented: [...invented, ...others.map((text) => ({ name: 'that is temporary', text }))].map(bearer),
    altered: resembling.map(bearer),
  };
  const all = Object.keys(kinds) as (keyof typeof kinds)[];
  const tried = t.rotated(`${operation}: kinds of bad tokens`, all, { amply: most });
  return [NONE, ...tried.flatMap((kind) => t.rotated(`${operation}: ${kind}`, kinds[kind]))];
}

/** A card's temporary token; none where the target gives none that fits into a header. */
const temporaryTokens = scenario('a temporary token', async (t) => {
  const path = { identifier: await t.shared(Requests.aCard) };
  const token = givenToken(await t.call('cards.createToken', { path }, { intent: 'refusable' }));
  return token && /^[!-~]+$/.test(token) ? [token] : [];
});

/** Bad credentials made from a token; the same ones until it changes, sent again unchanged: a target may know by then one that it refused at first. */
function credentialsLike(t: Context, value: string): Record<'invented' | 'resembling', Forms.BadCredential[]> {
  const byToken = t.run.once(credentialsLike, () => new Map<string, ReturnType<typeof credentialsLike>>());
  const made = byToken.get(value) ?? {
    // A firewall that refuses it says nothing of the guard.
    invented: Forms.inventedCredentials(value).filter(({ isFiltered }) => !isFiltered),
    resembling: [...Forms.lookAlikes(t, 'token', value), { name: 'that is empty', text: '' }],
  };
  byToken.set(value, made);
  return made;
}

export const NONE: BadToken = { name: 'no token', authorisation: { authorization: undefined } };

/** @returns the answer, so that what it did can be looked for */
export const call = (
  t: Context,
  operation: string,
  input: Input,
  { name: what, authorisation, hasExpired }: BadToken,
): Promise<Answer> => t.call(operation, input, { intent: 'unauthorised', authorisation, wrong: { what, hasExpired } });

/** Calls an operation with a bad token, and with a good one where the refusal does not say that the token is why. */
export async function tryOne(
  t: Context,
  operation: string,
  input: Input,
  bad: BadToken,
  good = (): Promise<unknown> => t.call(operation, input, { intent: 'refusable' }),
): Promise<Answer> {
  const answer = await call(t, operation, input, bad);
  await Guard.compare([answer], good);
  return answer;
}

/**
 * Calls an operation once with each bad authorisation, going round the equivalent forms of its request.
 * @param good makes the same request with a good token, where the refusals do not say that the token is why
 * @param most number of other kinds of bad tokens than none, at the most
 */
export async function tryAll(
  t: Context,
  operation: string,
  input: Input,
  { good, most }: { good?: () => Promise<unknown>; most?: number | undefined } = {},
): Promise<void> {
  const answers: Answer[] = [];
  const requests = equivalentRequests(operation, input);
  for (const [index, bad] of (await tokensFor(t, operation, most)).entries())
    answers.push(await call(t, operation, requests[index % requests.length]!, bad));
  if (good) await Guard.compare(answers, good);
}

/** Bodies of which every member is optional. */
const OPTIONAL: Readonly<Record<string, readonly unknown[]>> = {
  'users.setPermissions': [{}],
  'cards.encryptForVde': [{ nonce: randomUUID() }],
};

/**
 * Equivalent forms of a request, the plain one first: a listing without parameters or with another size, a look-up with byToken and byProxy
 * false, without and with what is optional, a large body, and an empty body declared as JSON.
 */
export function equivalentRequests(operation: string, input: Input): Input[] {
  if (operation.endsWith('.list')) return [input, {}, { query: { max: 50 } }];
  if (operation === 'cards.get') return [input, { ...input, query: { byToken: false, byProxy: false } }];
  if (isObject(input.json)) {
    // A guard may not be willing to read as much before it checks the token.
    const large = { ...input.json, comment: 'x'.repeat(2000) };
    const bodies = [...(OPTIONAL[operation] ?? []), large];
    return [input, ...bodies.map((json) => ({ ...input, json }))];
  }
  return operationById(operation).method === 'GET' ? [input] : [input, { ...input, emptyJson: true }];
}
