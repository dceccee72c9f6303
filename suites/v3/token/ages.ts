/** Tokens of all ages, up to one that has expired: obtained and used while the test clock is moved, or by waiting (reading 15). */
import { operations } from '../../../contracts/operations.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../contracts/v3/token.ts';
import { type Answer, describe, isBusy, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import type * as Credentials from '../../../helpers/client/credentials.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { hasClock, letPass } from '../../../helpers/runner/target-clock.ts';
import { attempt, type Fact, leftOf, skip } from '../../../helpers/verdict.ts';
import { lifeOf } from '../../declare.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import * as Requests from '../../shared/requests.ts';

export const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const YOUNG = TOKEN_LIFETIME_SECONDS - MINUTE;
export const OLD = TOKEN_LIFETIME_SECONDS + MINUTE;
/** Days that pass where orders are judged, which are repeated then: identifiers may be forgotten in one (reading 44). */
const DAYS = 2;
/** Seconds before midnight (UTC) at which a token is issued; it is used again as long after midnight. */
const BEFORE_MIDNIGHT = 10 * MINUTE;

/** Operations that show whether a token has just expired: a user call and a card call. */
export const TRIED = ['users.list', 'cards.get'];

/** When a token is used. */
export type Moment = 'young' | 'others' | 'ended' | 'later' | 'new' | 'overMidnight';

/** A request with a token, and its answer. */
export interface Use {
  moment: Moment;
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

interface InTime {
  t: Context;
}

/** A life during which the target's time passes: it is played once in a run. */
export const lifeInTime = (name: string) =>
  lifeOf<object>(name, (made) => {
    const only = scenario(name, (t) => made.play(t, {}), { isFinal: true });
    const play = (t: Context) => t.shared(only);
    return { first: play, again: play };
  });

const isMovable = (t: Context): boolean => hasClock(t.run.configuration);

/** Operations on which tokens are tried, as far as they are in scope. Where no card is known, listings show it. */
async function operationsToTry({ t }: InTime): Promise<string[]> {
  const further = operations.filter((o) => o.interface === 'v3' && !o.listedOnly && !TRIED.includes(o.id));
  const ids = further.map(({ id }) => id);
  const tried: string[] = [];
  for (const id of [...TRIED, ...t.rotated('a token of 59 minutes', ids, { count: FURTHER })])
    if (t.isInScope(id) && !(await attempt(() => t.shared(Requests.harmlessInput(id)))).isEnded) tried.push(id);
  return tried;
}
interface Issued {
  token: Credentials.Token;
  others: readonly Credentials.Token[];
}

/** Issues tokens of the same age. @throws Skipped where that is not known: the only token was obtained elsewhere, or is handed out again */
async function issueTokens({ t }: InTime): Promise<Issued> {
  const { tokens } = t.run.client;
  if (!tokens.renewable)
    skip('needs TARGET_CLIENT_ID and TARGET_CLIENT_SECRET: the age of TARGET_ACCESS_TOKEN is not known');
  const issue = async () => {
    const all = await Promise.all(Array.from({ length: 1 + OTHER_TOKENS }, () => tokens.fresh()));
    return [...new Set(all)] as [Credentials.Token, ...Credentials.Token[]];
  };
  const earlier = await tokens.current();
  let [token, ...others] = await issue();
  if (token === earlier) {
    if (!isMovable(t))
      skip('needs TARGET_TEST_CLOCK_URL: the token is handed out again, and may be older than this run');
    await letPass(t.run, OLD, 'a token that is handed out again expires');
    [token, ...others] = await issue();
  }
  // New tokens may take as long as any effect to be known everywhere.
  if (isMovable(t)) await t.settle();
  return { token, others };
}

/** A token that is half an hour younger: a lifetime may be counted from the first token of a client. */
async function issueLater({ t }: InTime): Promise<Credentials.Token | undefined> {
  if (!isMovable(t)) return undefined;
  await letPass(t.run, YOUNG / 2, 'a token gets half as old as it may');
  return t.run.client.tokens.fresh();
}

/** Uses tokens at one moment, each on each of some operations. */
async function useAll(t: Context, moment: Moment, tokens: readonly Credentials.Token[], on: readonly string[]) {
  const uses = tokens.flatMap((token) => on.map((id) => attempt(() => usedOn(t, token, id, moment))));
  return leftOf(await Promise.all(uses));
}

async function useYoung(t: Context, { token, others }: Issued, on: readonly string[]): Promise<Use[]> {
  await letPass(t.run, YOUNG - t.run.client.tokens.ageOf(token), 'tokens get 59 minutes old');
  const uses = [useAll(t, 'others', others, on.slice(0, 1)), useAll(t, 'young', [token], on)];
  return (await Promise.all(uses)).flat();
}

async function useEnded(
  t: Context,
  { token, others }: Issued,
  later: Fact<Credentials.Token | undefined>,
  on: readonly string[],
) {
  if (!isMovable(t)) return [];
  await letPass(t.run, OLD - t.run.client.tokens.ageOf(token), 'a token gets 61 minutes old');
  // What was answered just before may be answered again within the settle time (reading 49).
  await t.settle();
  const alive = [later.value].filter((one) => one !== undefined && one !== token && !others.includes(one));
  const uses = [
    useAll(t, 'ended', others, on.slice(0, 1)),
    useAll(t, 'ended', [token], on.slice(0, TRIED.length)),
    useAll(t, 'later', alive as Credentials.Token[], on.slice(0, 1)),
  ];
  return (await Promise.all(uses)).flat();
}

/** A token that is issued ten minutes before midnight, when the others have ended. @param days that pass before */
async function issueBeforeMidnight(t: Context, days = 0): Promise<Credentials.Token | undefined> {
  if (!isMovable(t)) return undefined;
  const untilThen = DAY - ((t.run.now() / 1000) % DAY) - BEFORE_MIDNIGHT;
  const whole = (untilThen > OLD ? 0 : 1) + days;
  await letPass(t.run, untilThen + whole * DAY, 'it is ten minutes to midnight (UTC)');
  const token = await t.run.client.tokens.fresh();
  await t.settle();
  return token;
}

async function useOverMidnight(t: Context, token: Credentials.Token | undefined, on: readonly string[]) {
  if (!token) return [];
  await letPass(t.run, 2 * BEFORE_MIDNIGHT, 'it is ten minutes past midnight (UTC)');
  return useAll(t, 'overMidnight', [token], on.slice(0, TRIED.length));
}

/** Tokens used at 59 minutes, after others were issued, at 61, and over midnight; the clock is moved only as far as checks need. */
export const aging = lifeInTime('tokens of 59 and of 61 minutes')
  .shows('operations', operationsToTry, { leads: true })
  .shows('issued', issueTokens, { leads: true })
  .shows('issued later', issueLater)
  .shows('used at 59 minutes', ({ t, issued, operations: on }) => useYoung(t, issued.get(), on.get()))
  .shows(
    'used at 61 minutes',
    ({ t, issued, operations: on, ...facts }) => useEnded(t, issued.get(), facts['issued later'], on.get()),
    { after: ['issued later'] },
  )
  .shows('days', () => DAYS, { of: 'portal.orderCards' })
  .shows('issued before midnight', ({ t, issued, days }) => {
    issued.get();
    return issueBeforeMidnight(t, days.value);
  })
  .shows(
    'used when new',
    ({ t, operations: on, ...facts }) => {
      const token = facts['issued before midnight'].get();
      return useAll(t, 'new', token ? [token] : [], on.get().slice(0, 1));
    },
    { after: ['issued before midnight'] },
  )
  .shows(
    'used over midnight',
    ({ t, operations: on, ...facts }) => useOverMidnight(t, facts['issued before midnight'].get(), on.get()),
    { after: ['issued before midnight'] },
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
 * Whether a request is refused because of its token: each time, between such with a fresh token that are accepted, once no bad token of the run explains it
 * (reading 51). Of an operation that changes something, which names nothing that exists, by 401 each time where a fresh token is answered differently.
 * @param again sends it again, as long as the token is no older
 * @throws Inconclusive when a fresh token is refused before or after, too
 */
async function isRefusedForToken(t: Context, answer: Answer, again: () => Promise<Answer>): Promise<boolean> {
  const { operation, input, status } = answer;
  const fresh = () => t.call(operation.id, input, { intent: 'refusable' });
  if (succeeded(answer) || isBusy(answer) || (operation.risk !== 'safe' && status !== 401)) return false;
  if ((await fresh()).status === status) return false;
  const refused = (one: Answer) => `${operation.id} is refused with a fresh token, too: ${describe(one)}`;
  return t.inQuiet(async () => {
    if (operation.risk !== 'safe') return (await again()).status === 401 && (await fresh()).status !== 401;
    return !succeeded((await Retrial.betweenAccepted(fresh, again, refused)).answer);
  });
}
