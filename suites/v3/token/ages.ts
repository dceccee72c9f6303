/** Tokens of known ages: 59 minutes, 61 minutes, and over midnight (reading 15), by moving the test clock or by waiting. */
import { operations } from '../../../contracts/operations.ts';
import { requirementById } from '../../../contracts/requirements/index.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../contracts/v3/token.ts';
import type { Answer, Input } from '../../../helpers/answer.ts';
import { type Context, perOperation, scenario } from '../../../helpers/check.ts';
import type { Token } from '../../../helpers/client/credentials.ts';
import { isSelected, requirementInScope } from '../../../helpers/configuration/scope.ts';
import { compare } from '../../../helpers/engine/guard.ts';
import { hasClock, letPass } from '../../../helpers/runner/target-clock.ts';
import { Inconclusive } from '../../../helpers/verdict.ts';
import { goodOnInvented } from '../../shared/bad-tokens.ts';
import { inventedInput, readingInput } from '../../shared/requests.ts';
import { goodCall } from '../every-operation/requires-token.ts';

export const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const YOUNG = TOKEN_LIFETIME_SECONDS - MINUTE;
const OLD = TOKEN_LIFETIME_SECONDS + MINUTE;
/** Seconds before midnight (UTC) at which a token is issued; it is used again as long after midnight. */
const BEFORE_MIDNIGHT = 10 * MINUTE;

/** Operations that show whether a token has just expired: a user call and a card call. */
export const TRIED = ['users.list', 'cards.get'];

/** A request with a token, and its answer. */
export interface Use {
  operation: string;
  input: Input;
  answer: Answer;
  /** Age of the token in seconds when the answer arrived. */
  age: number;
  /** Sends the same request with the same token again. */
  again: () => Promise<Answer>;
}

/** Shown operations, all of which a live token must work for: reading ones are tried on what exists, changing ones on invented identifiers. */
const livingOperations = operations.filter((o) => o.interface === 'v3' && !o.listedOnly).map(({ id }) => id);

/** Calls several operations with a token in parallel. @param wrong what is wrong with the token; undefined where it lives */
export async function useOn(
  t: Context,
  token: Token,
  asked: readonly { operation: string; input: Input }[],
  wrong?: string,
): Promise<Use[]> {
  const { tokens } = t.run.client;
  return Promise.all(
    asked.map(async ({ operation, input }): Promise<Use> => {
      const authorisation = { authorization: `Bearer ${token.value}` };
      const again = () => t.call(operation, input, { intent: 'refusable', authorisation });
      const answer = await (wrong === undefined ? again() : callCompared(t, token, operation, input, wrong));
      return { operation, input, answer, age: tokens.ageOf(token), again };
    }),
  );
}

/** Requests that show whether each operation accepts a token, without changing anything that exists. */
async function requestsOf(t: Context, ids: readonly string[]): Promise<{ operation: string; input: Input }[]> {
  const inScope = ids.filter((id) => t.isInScope(id));
  const asked: { operation: string; input: Input }[] = [];
  for (const id of inScope) {
    const reads = operations.find((o) => o.id === id)!.risk === 'safe';
    asked.push({ operation: id, input: reads ? await readingInput(t, id) : await inventedInput(t, id) });
  }
  return asked;
}

/** Number of further operations per run on which a token of 59 minutes is tried. */
const OTHERS = 3;

const readingAnything = (t: Context) =>
  requestsOf(t, [
    ...TRIED,
    ...t.rotated(
      'a token of 59 minutes',
      livingOperations.filter((id) => !TRIED.includes(id)),
      { count: OTHERS },
    ),
  ]).catch((error: unknown) => {
    if (error instanceof Inconclusive) return requestsOf(t, ['users.list']);
    throw error;
  });

/**
 * Uses a token at 59 minutes, after others were issued, and other tokens of the run at 59 and 61 minutes; undefined where the only token was
 * obtained elsewhere.
 */
export const youngToken = scenario('a token of 59 minutes', async (t) => {
  const { tokens } = t.run.client;
  if (!tokens.renewable) return undefined;
  const asked = await readingAnything(t);
  const isMovable = hasClock(t.run.configuration);
  let [earlier, token] = await Promise.all([tokens.current(), tokens.fresh()]);
  if (isMovable && token === earlier) {
    await letPass(t.run, OLD, 'a token that is handed out again expires');
    token = await tokens.fresh();
  }
  const others = othersThan(t, token, earlier);
  // New tokens may take as long as any effect to be known everywhere.
  if (isMovable) await t.settle();
  await letPass(t.run, YOUNG / 2, 'a token gets half as old as it may');
  if (isMovable) await tokens.fresh();
  const oldest = Math.max(...[...others, token].map((one) => tokens.ageOf(one)));
  const isOneAge = oldest - tokens.ageOf(token) <= ONE_AGE_SECONDS;
  await letPass(t.run, YOUNG - (isOneAge ? tokens.ageOf(token) : oldest), 'tokens get 59 minutes old');
  const useEach = async (each: readonly Token[], wrong?: string) =>
    (await Promise.all(each.map((one) => useOn(t, one, asked.slice(0, 1), wrong)))).flat();
  const usingOthers = useEach(others);
  if (!isOneAge) {
    await usingOthers;
    await letPass(t.run, YOUNG - tokens.ageOf(token), 'a token gets 59 minutes old');
  }
  const [othersYoung, uses] = await Promise.all([usingOthers, useOn(t, token, asked)]);
  // A token that is handed out again may be older than this run.
  const ageIsKnown = token !== earlier;
  if (!isMovable) return { uses, othersYoung, old: [], justIssued: [], overMidnight: [], last: token, ageIsKnown };
  await letPass(t.run, OLD - tokens.ageOf(token), 'a token gets 61 minutes old');
  const ended = 'another token, of more than 60 minutes';
  const old = (
    await Promise.all([useEach(others, ended), useOn(t, token, asked.slice(0, TRIED.length), ended)])
  ).flat();
  const isLifeAsked = isAsked(t, 'token.issue.lives-60-minutes');
  const later = isLifeAsked ? await usedOverMidnight(t) : { justIssued: [], overMidnight: [], last: token };
  return { uses, othersYoung, old, ...later, ageIsKnown };
});

/** Seconds by which the announced lifetime of a new token may fall short. */
const ABOUT_SECONDS = 5;
/** Greatest difference in seconds between ages of tokens that are tried together: at 59 minutes the oldest has half a minute left. */
const ONE_AGE_SECONDS = 30;
/** Number of other tokens tried at 59 and at 61 minutes: lifetimes may differ between tokens. */
const OTHER_TOKENS = 2;

/** Other tokens of the run of known age that can still be tried at 59 minutes; none where the target hands out a token again. */
function othersThan(t: Context, token: Token, earlier: Token): Token[] {
  const { tokens } = t.run.client;
  if (token === earlier) return [];
  const others = tokens.known().filter((other) => other !== token && tokens.ageOf(other) < YOUNG);
  return others.filter(({ lifetime }) => lifetime >= TOKEN_LIFETIME_SECONDS - ABOUT_SECONDS).slice(0, OTHER_TOKENS);
}

/** Uses a token just after its issue before midnight, when all earlier ones have expired, and again after midnight. */
async function usedOverMidnight(t: Context): Promise<{ justIssued: Use[]; overMidnight: Use[]; last: Token }> {
  const { tokens } = t.run.client;
  const now = t.run.now() / 1000;
  const sinceMidnight = now % DAY;
  const untilThen = DAY - sinceMidnight - BEFORE_MIDNIGHT;
  await letPass(t.run, untilThen > OLD ? untilThen : untilThen + DAY, 'it is ten minutes to midnight (UTC)');
  const last = await tokens.fresh();
  await t.settle();
  const asked = await requestsOf(t, TRIED);
  const justIssued = await useOn(t, last, asked.slice(0, 1));
  await letPass(t.run, 2 * BEFORE_MIDNIGHT, 'it is ten minutes past midnight (UTC)');
  return { justIssued, overMidnight: await useOn(t, last, asked), last };
}

/** Whether the run judges a requirement: the clock is moved only as far as these need. */
const isAsked = ({ run: { configuration } }: Context, id: string): boolean =>
  isSelected(configuration, requirementById(id)) && requirementInScope(configuration, requirementById(id));

/** A token that was issued 61 minutes ago. Nothing moves the clock afterwards. */
export const expiredToken = scenario('a token of 61 minutes', async (t): Promise<Token> => {
  const { tokens } = t.run.client;
  const isLifeAsked = isAsked(t, 'token.issue.lives-60-minutes') || isAsked(t, 'token.issue.ends-after-60-minutes');
  const token = (isLifeAsked ? (await t.shared(youngToken))?.last : undefined) ?? (await tokens.current());
  if (!tokens.renewable) await askWhileItLives(t);
  await letPass(t.run, OLD - tokens.ageOf(token), 'a token gets 61 minutes old');
  t.run.timeHasStopped.resolve();
  if (t.run.clockAdvanced > 0) t.run.note(`The test clock was moved forward by ${t.run.clockAdvanced} seconds.`);
  return token;
});

/** Sends the requests that need a good token for comparison, before the only token expires. */
async function askWhileItLives(t: Context): Promise<void> {
  for (const { id, risk, listedOnly } of operations.filter((o) => o.interface === 'v3')) {
    if (!t.needs(`${id}.requires-live-token`) || !t.isInScope(id)) continue;
    if (listedOnly) await t.shared(goodCall(id));
    else if (risk !== 'safe') await t.shared(goodOnInvented(id));
  }
}

/** Sends a request that only reads with an expired token. */
export const expiredReading = perOperation(
  (operation) => `${operation} with an expired token`,
  async (t, operation) => {
    const token = await t.shared(expiredToken);
    // Requests about one card are sent one after the other.
    t.prioritise();
    await callCompared(t, token, operation, operation.endsWith('.list') ? {} : await readingInput(t, operation));
  },
);

/** Calls an operation with an expired token. */
export const callWith = (
  t: Context,
  { value }: Token,
  operation: string,
  input: Input,
  what = 'an expired token',
): Promise<Answer> =>
  t.call(operation, input, {
    intent: 'unauthorised',
    authorisation: { authorization: `Bearer ${value}` },
    wrong: { what, hasExpired: true },
  });

/** {@link callWith}, and with a good token where the refusal does not say that the expired one is why. */
export async function callCompared(
  ...[t, token, operation, input, what]: Parameters<typeof callWith>
): Promise<Answer> {
  const answer = await callWith(t, token, operation, input, what);
  await compare([answer], () => t.call(operation, input, { intent: 'refusable' }));
  return answer;
}
