/** Tokens of all ages, up to one that has expired: obtained and used while the test clock is moved, or by waiting (reading 15). */
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../contracts/v3/token.ts';
import { type Answer, describe, isBusy, succeeded } from '../../../helpers/answer.ts';
import { type Context, perOperation, scenario } from '../../../helpers/check.ts';
import type * as Credentials from '../../../helpers/client/credentials.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { hasClock, letPass } from '../../../helpers/runner/target-clock.ts';
import { attempt, type Fact, leftOf } from '../../../helpers/verdict.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import * as Requests from '../../shared/requests.ts';

export const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const YOUNG = TOKEN_LIFETIME_SECONDS - MINUTE;
const OLD = TOKEN_LIFETIME_SECONDS + MINUTE;
/** Seconds before midnight (UTC) at which a token is issued; it is used again as long after midnight. */
const BEFORE_MIDNIGHT = 10 * MINUTE;

/** Operations that show whether a token has just expired: a user call and a card call. */
export const TRIED = ['users.list', 'cards.get'];

/** The target's time passes once. */
const FINAL = { isFinal: true };

/** When a token is used that must work. */
export const MOMENTS = {
  young: 'at 59 minutes, on operations of every kind',
  others: 'other tokens of the run',
  later: 'one that was issued half an hour before the others ended',
  new: 'one that is issued when the others have ended',
  overMidnight: 'over midnight (UTC)',
} as const;

/** A request with a token, and its answer. */
export interface Use {
  moment: keyof typeof MOMENTS | 'ended';
  operation: string;
  answer: Answer;
  /** Age of the token in seconds when the answer arrived. */
  age: number;
  /** Whether it was refused for its token. */
  isForToken: Fact<boolean>;
}

/** Number of further operations per run on which a token of 59 minutes is tried: shown ones, all of which a live token must work for. */
const FURTHER = 3;
/** Number of other tokens tried at 59 and at 61 minutes: lifetimes may differ between tokens. */
const OTHER_TOKENS = 2;

/**
 * Uses a token at 59 minutes, after others were issued, and others at 59 and 61 minutes; undefined where the only token was obtained elsewhere.
 * The clock is moved only as far as the selected requirements need.
 */
export const tokensOverTime = scenario(
  'tokens of 59 and of 61 minutes',
  async (t) => {
    const { tokens } = t.run.client;
    if (!tokens.renewable) return undefined;
    const further = operations.filter((o) => o.interface === 'v3' && !o.listedOnly && !TRIED.includes(o.id));
    const ids = further.map(({ id }) => id);
    const asked: string[] = [];
    // Where no card is known, listings show it.
    for (const id of [...TRIED, ...t.rotated('a token of 59 minutes', ids, { count: FURTHER })])
      if (t.isInScope(id) && !(await attempt(() => t.shared(Requests.harmlessInput(id)))).isEnded) asked.push(id);
    const uses: Use[] = [];
    const use = async (moment: Use['moment'], each: readonly Credentials.Token[], on: readonly string[]) =>
      uses.push(
        ...leftOf(await Promise.all(each.flatMap((one) => on.map((id) => attempt(() => usedOn(t, one, id, moment)))))),
      );
    const issued = async () => {
      const all = await Promise.all(Array.from({ length: 1 + OTHER_TOKENS }, () => tokens.fresh()));
      return [...new Set(all)] as [Credentials.Token, ...Credentials.Token[]];
    };
    const pass = (seconds: number, reason: string) => letPass(t.run, seconds, reason);

    const isMovable = hasClock(t.run.configuration);
    const earlier = await tokens.current();
    let [token, ...others] = await issued();
    if (isMovable && token === earlier) {
      await pass(OLD, 'a token that is handed out again expires');
      [token, ...others] = await issued();
    }
    // New tokens may take as long as any effect to be known everywhere.
    if (isMovable) await t.settle();
    await pass(YOUNG / 2, 'a token gets half as old as it may');
    const later = isMovable ? await tokens.fresh() : token;
    await pass(YOUNG - tokens.ageOf(token), 'tokens get 59 minutes old');
    await Promise.all([use('others', others, asked.slice(0, 1)), use('young', [token], asked)]);
    // A token that is handed out again may be older than this run.
    const ageIsKnown = token !== earlier;
    if (!isMovable) return { uses, last: token, ageIsKnown };

    await pass(OLD - tokens.ageOf(token), 'a token gets 61 minutes old');
    await Promise.all([
      use('ended', others, asked.slice(0, 1)),
      use('ended', [token], asked.slice(0, TRIED.length)),
      // A lifetime may be counted from the first token of a client.
      later !== token && !others.includes(later) && use('later', [later], asked.slice(0, 1)),
    ]);
    if (!t.needs('token.issue.lives-60-minutes')) return { uses, last: token, ageIsKnown };

    const untilThen = DAY - ((t.run.now() / 1000) % DAY) - BEFORE_MIDNIGHT;
    await pass(untilThen > OLD ? untilThen : untilThen + DAY, 'it is ten minutes to midnight (UTC)');
    const last = await tokens.fresh();
    await t.settle();
    await use('new', [last], asked.slice(0, 1));
    await pass(2 * BEFORE_MIDNIGHT, 'it is ten minutes past midnight (UTC)');
    await use('overMidnight', [last], asked.slice(0, TRIED.length));
    return { uses, last, ageIsKnown };
  },
  FINAL,
);

/** Calls an operation with a token, which works or has ended, changing nothing that exists. */
export async function usedOn(t: Context, token: Credentials.Token, operation: string, moment: Use['moment']) {
  const input = await t.shared(Requests.harmlessInput(operation));
  const authorisation = { authorization: `Bearer ${token.value}` };
  const again = () => t.call(operation, input, { intent: 'refusable', authorisation });
  const ended = { name: 'another token, of more than 60 minutes', authorisation, hasExpired: true };
  const answer = await (moment === 'ended' ? BadTokens.tryOne(t, operation, input, ended) : again());
  const age = t.run.client.tokens.ageOf(token);
  // A new token that is refused is tried again by the check (lifetime.ts).
  const isToWork = moment !== 'ended' && moment !== 'new';
  const isForToken = await attempt(async () => isToWork && (await isRefusedForToken(t, answer, again)));
  return { moment, operation, answer, age, isForToken };
}

/**
 * Whether a request is refused because of its token: each time, between such with a fresh token that are accepted. Of an operation that changes
 * something, which names nothing that exists, by 401 each time where a fresh token is answered differently.
 * @param again sends it again, as long as the token is no older
 * @throws Inconclusive when a fresh token is refused before or after, too
 */
async function isRefusedForToken(t: Context, answer: Answer, again: () => Promise<Answer>): Promise<boolean> {
  const { operation, input, status } = answer;
  const fresh = () => t.call(operation.id, input, { intent: 'refusable' });
  if (succeeded(answer) || isBusy(answer) || (operation.risk !== 'safe' && status !== 401)) return false;
  if ((await fresh()).status === status) return false;
  if (operation.risk !== 'safe') return (await again()).status === 401 && (await fresh()).status !== 401;
  const refused = (one: Answer) => `${operation.id} is refused with a fresh token, too: ${describe(one)}`;
  return !succeeded((await Retrial.betweenAccepted(fresh, again, refused)).answer);
}

/** A token that was issued 61 minutes ago. Nothing moves the clock afterwards. */
export const expiredToken = scenario(
  'a token of 61 minutes',
  async (t): Promise<BadTokens.BadToken> => {
    const { tokens } = t.run.client;
    const isLifeAsked = t.needs('token.issue.lives-60-minutes', 'token.issue.ends-after-60-minutes');
    const token = (isLifeAsked ? (await t.shared(tokensOverTime))?.last : undefined) ?? (await tokens.current());
    // What needs a good token for comparison, before the only token expires.
    const compared = operations.filter((o) => o.interface === 'v3' && (o.listedOnly || o.risk !== 'safe'));
    for (const { id } of tokens.renewable ? [] : compared)
      if (t.needs(`${id}.requires-live-token`) && t.isInScope(id)) await t.shared(Requests.harmlessAnswer(id));
    await letPass(t.run, OLD - tokens.ageOf(token), 'a token gets 61 minutes old');
    t.run.timeHasStopped.resolve();
    if (t.run.clockAdvanced > 0) t.run.note(`The test clock was moved forward by ${t.run.clockAdvanced} seconds.`);
    return { name: 'an expired token', authorisation: { authorization: `Bearer ${token.value}` }, hasExpired: true };
  },
  FINAL,
);

/** Calls an operation with an expired token, where nothing changes, or nothing that exists is named. */
export const harmlesslyExpired = perOperation(
  (operation) => `${operation} with an expired token`,
  async (t, operation) => {
    const { risk, listedOnly } = operationById(operation);
    const good = () => t.shared(Requests.harmlessAnswer(operation));
    const token = await t.shared(expiredToken);
    // Requests about one card are sent one after the other.
    t.prioritise();
    if (listedOnly || risk !== 'safe') await good();
    return BadTokens.tryOne(t, operation, await t.shared(Requests.harmlessInput(operation)), token, good);
  },
);
