/** The token endpoint: the tokens it issues, to whom, and for how long. */
import { TOKEN_LIFETIME_SECONDS } from '../../../contracts/v3/token.ts';
import { type Answer, bodyOf, header, isObject, member, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { announcedOffset, EXPIRES_ON_TOLERANCE, epochSeconds } from '../../../helpers/client/credentials.ts';
import { succeedsAlone } from '../../../helpers/engine/acceptance.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { offQuarter } from '../../../helpers/runner/target-clock.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { afterwards, check, everyExchange } from '../../declare.ts';

/** What an answer is held against: the message if it is not kept, what is expected, and what is there. */
type Held = [isKept: boolean, message: string, expected: string, actual: string];

/** What every issued token shows; undefined for nothing. */
const EVERY_TOKEN: Record<string, (answer: Answer) => Held | undefined> = {
  'token.issue.token-type': (answer) => {
    const type = member(answer, 'token_type');
    return typeof type === 'string' ? [/^bearer$/i.test(type), `token_type is ${type}`, 'Bearer', type] : undefined;
  },
  'token.issue.no-store': (answer) => {
    const control = header(answer, 'cache-control') ?? 'absent';
    return [/\bno-store\b/i.test(control), `Cache-Control is ${control}`, 'no-store', control];
  },
  'token.issue.epoch-times': (answer) => {
    const given = ['not_before', 'expires_on'].filter((name) => typeof member(answer, name) === 'number');
    const wrong = given.find((name) => epochSeconds(member(answer, name)) === undefined) ?? 'expires_on';
    const message = `${wrong} is not a time since the epoch`;
    const isKept = given.every((name) => epochSeconds(member(answer, name)) !== undefined);
    if (given.length === 0) return undefined;
    return [isKept, message, 'seconds or milliseconds since the epoch', String(member(answer, wrong))];
  },
  'token.issue.expires-after-not-before': (answer) => {
    const [begin, end] = ['not_before', 'expires_on'].map((name) => epochSeconds(member(answer, name)));
    if (begin === undefined || end === undefined) return undefined;
    return [end > begin, 'expires_on is not later than not_before', `later than ${begin}`, String(end)];
  },
};

/** How whoever is not known is refused (reading 12: an error object of RFC 6749 and an array of errors are both right). */
function heldToError(answer: Answer): Held {
  const { status } = answer;
  if (![400, 401].includes(status))
    return [false, `a refused token request is answered with ${status}`, '400 or 401', String(status)];
  const body = bodyOf(answer);
  const namesError = typeof member(answer, 'error') === 'string' || (Array.isArray(body) && body.every(isObject));
  const expected = 'a JSON object with the string error, or an array of errors';
  return [namesError, 'a refused token request names no error', expected, 'none'];
}

const judgementOf = (held: Held | undefined) => {
  if (!held) return undefined;
  const [isKept, message, expected, actual] = held;
  return isKept ? ('kept' as const) : contradicts(message, expected, actual);
};

for (const [requirement, hold] of Object.entries(EVERY_TOKEN))
  everyExchange(requirement, 'token.issue', (answer) => (succeeded(answer) ? judgementOf(hold(answer)) : undefined));

everyExchange('token.issue.error-response', 'token.issue', (answer) => {
  if (answer.intent !== 'unauthorised') return undefined;
  return succeeded(answer) ? { lacks: 'a token request that is refused' } : judgementOf(heldToError(answer));
});

/** The answer to a token request beside that of the run. */
const anotherToken = scenario('another token', issue);

/** Requests a token and remembers it for the checks of lifetimes. @throws Inconclusive when it is refused */
async function issue(t: Context): Promise<Answer> {
  const answer = requireAccepted(await t.call('token.issue', { form: t.run.tokenForm() }), 'the token request');
  if (member(answer, 'access_token') !== undefined) t.run.client.tokens.remember(answer);
  return answer;
}

/** Tolerance in seconds for expires_in (reading 14). */
const EXPIRES_IN_TOLERANCE = 5;

check('token.issue.expires-in', 'of every token of the run', async (t) => {
  const { tokens } = t.run.client;
  await t.shared(anotherToken);
  const [first] = tokens.known();
  const announced = tokens.known().filter(({ expiresIn }) => expiresIn !== undefined);
  if (announced.length === 0) inconclusive('expires_in is not given as a number');
  for (const token of announced) {
    if (token.exchange !== undefined) t.exchanges.push(token.exchange);
    // One that was issued before the run, as the first may have been, has lived for part of its time.
    const mayBeOlder = token === first || tokens.areHandedOutAgain;
    const shortest = mayBeOlder ? 0 : TOKEN_LIFETIME_SECONDS - EXPIRES_IN_TOLERANCE;
    const longest = TOKEN_LIFETIME_SECONDS + EXPIRES_IN_TOLERANCE;
    const seconds = token.expiresIn!;
    if (seconds < shortest || seconds > longest)
      fail(`expires_in is ${seconds} seconds`, `${shortest} to ${longest}`, String(seconds), {
        pointer: '/expires_in',
      });
  }
});

check('token.issue.expires-on', 'of another token', async (t) => {
  const answer = await t.shared(anotherToken);
  const offset =
    announcedOffset(answer) ?? inconclusive('expires_on is not given as seconds or milliseconds since the epoch');
  const reused = await isTokenOfTheRun(t, answer);
  const isWithin = (seconds: number) =>
    seconds <= EXPIRES_ON_TOLERANCE && seconds >= -EXPIRES_ON_TOLERANCE - (reused ? TOKEN_LIFETIME_SECONDS : 0);
  if (isWithin(offset)) return;
  if (reused || (!isOfTimeZone(offset) && (await isOffsetOfOthers(t, answer, offset)))) {
    const begin =
      epochSeconds(member(answer, 'not_before')) ??
      inconclusive(
        "expires_on is of a clock that stands elsewhere than the answer's Date, and not_before is not given",
      );
    if (isWithin(epochSeconds(member(answer, 'expires_on'))! - begin - TOKEN_LIFETIME_SECONDS)) return;
  }
  fail(
    `expires_on is ${Math.round(TOKEN_LIFETIME_SECONDS + offset)} seconds after the token was issued`,
    `${TOKEN_LIFETIME_SECONDS} seconds, give or take ${EXPIRES_ON_TOLERANCE}`,
    String(Math.round(TOKEN_LIFETIME_SECONDS + offset)),
    { pointer: '/expires_on', in: answer },
  );
});

/** Difference in seconds between two offsets of one clock: Date has no fractions. */
const SAME_OFFSET = 5;

/** Whether a clock is off by a multiple of a quarter of an hour, as in another time zone: nobody moves clocks so. */
const isOfTimeZone = (seconds: number): boolean => offQuarter(seconds) <= SAME_OFFSET;

/** Whether another token of the run, or else a further one, is off by as much. */
async function isOffsetOfOthers(t: Context, answer: Answer, offset: number): Promise<boolean> {
  const isSame = (other: number | undefined) => other !== undefined && Math.abs(other - offset) <= SAME_OFFSET;
  const others = t.run.client.tokens.known().filter(({ value }) => value !== member(answer, 'access_token'));
  return others.some((other) => isSame(other.offset)) || isSame(announcedOffset(await issue(t)));
}

check('token.issue.valid-from-not-before', 'of another token', async (t) => {
  const answer = await t.shared(anotherToken);
  const [begin, end] = ['not_before', 'expires_on'].map((name) => epochSeconds(member(answer, name)));
  if (begin === undefined || end === undefined)
    inconclusive('not_before or expires_on is not given as a time since the epoch');
  if (await isTokenOfTheRun(t, answer)) inconclusive('the same token is handed out again');
  // By the clock of expires_on, which may stand elsewhere than that of the answer's Date. A shorter life is another failure.
  const announced = member(answer, 'expires_in');
  const lifetime = Math.min(TOKEN_LIFETIME_SECONDS, typeof announced === 'number' ? announced : TOKEN_LIFETIME_SECONDS);
  const early = begin - (end - lifetime);
  if (early <= EXPIRES_ON_TOLERANCE) return;
  const authorisation = { authorization: `Bearer ${member(answer, 'access_token')}` };
  const use = await t.call(listingOf(t), { query: { max: 1 } }, { intent: 'refusable', authorisation });
  if (succeeded(use))
    fail(
      'a token is accepted before its not_before',
      'a refusal until then',
      `accepted ${Math.round(early)} seconds before`,
      { in: use },
    );
});

/** An operation in scope that shows whether a token is accepted. */
const listingOf = (t: Context): string => ['users.list', 'cards.list'].find((id) => t.isInScope(id)) ?? 'users.list';

/** Number of tokens issued after those that must go on working. */
const LATER = 3;

check('token.issue.earlier-token-lives', 'two of the same moment, used after three more', async (t) => {
  t.prioritise();
  const fresh = () => t.run.client.tokens.fresh();
  const earlier = await Promise.all([fresh(), fresh()]);
  const listing = listingOf(t);
  const query = { max: 1 };
  // A new token may take as long as any effect to be known everywhere.
  const use = (value: string) => {
    const authorisation = { authorization: `Bearer ${value}` };
    const call = () => t.call(listing, { query }, { intent: 'refusable', authorisation });
    return t.eventually(call, ({ status }) => status !== 401);
  };
  for (let later = 0; later < LATER; later++) await issue(t);
  for (const { value } of earlier) {
    const again = await use(value);
    if (again.status === 401) {
      // In the wake of the run's bad tokens, a good one may be refused (reading 51).
      if (await succeedsAlone(t, async () => (await use(value)).status !== 401)) continue;
      if (await t.run.client.tokens.clockIsMovedByOthers()) inconclusive('somebody else moves the test clock');
      if (t.run.client.tokens.areHandedOutAgain)
        inconclusive('the target hands out a token again: the earlier one may be older than this run');
      const own = await t.call(listing, { query }, { intent: 'refusable' });
      if (own.status === 401) inconclusive('the token of the run is refused, too');
      fail('an earlier token is refused after later ones were issued', 'success', '401', { in: again });
    }
    requireAccepted(again, 'a request with the earlier token');
  }
  if (earlier[0].value === earlier[1].value) t.observe('token.issue', 'token while another is valid', 'the same');
});

/** Whether the access_token of the run was handed out again: only upper bounds are judged then (reading 14). */
const isTokenOfTheRun = async ({ run }: Context, answer: Answer): Promise<boolean> =>
  (await run.client.tokens.current()).value === member(answer, 'access_token');

const FIELDS = ['grant_type', 'scope', 'client_id', 'client_secret'] as const;

afterwards('token.issue', async (t) => {
  if (!t.needs('token.issue.status') || !t.isInScope('token.issue')) return;
  const form = t.run.tokenForm();
  const asked = [
    ...FIELDS.filter((name) => form[name] !== undefined).map((name) => ({
      subject: `a request without ${name}`,
      form: { ...form, [name]: undefined },
    })),
    { subject: 'a request for another scope', form: { ...form, scope: t.unique('no-such-scope') } },
  ];
  for (const { subject, form: asks } of t.rotated('token.issue: fields', asked, { name: (one) => one.subject })) {
    const answer = await t.call('token.issue', { form: asks }, { intent: 'refusable' });
    t.observe('token.issue', subject, answer);
  }
});
