/** The tokens that are issued: what their answers say, and from when and for how long they work. */
import { numbers } from '../../../contracts/numbers.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../contracts/v3/token.ts';
import { type Answer, header, member, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Credentials from '../../../helpers/client/credentials.ts';
import { succeedsAlone } from '../../../helpers/engine/acceptance.ts';
import { contradicts, type Judgement } from '../../../helpers/evidence/ledger.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { offQuarter } from '../../../helpers/runner/target-clock.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { check, everyExchange } from '../../declare.ts';

/** Judges every issued token. */
const everyToken = (requirement: string, judge: (answer: Answer) => Judgement, reads?: 'headers'): void =>
  everyExchange(requirement, 'token.issue', (answer) => (succeeded(answer) ? judge(answer) : undefined), { reads });

everyToken('token.issue.token-type', (answer) => {
  const type = member(answer, 'token_type');
  if (typeof type !== 'string') return undefined;
  return /^bearer$/i.test(type) ? 'kept' : contradicts(`token_type is ${type}`, 'Bearer', type);
});

everyToken(
  'token.issue.no-store',
  (answer) => {
    const control = header(answer, 'cache-control') ?? 'absent';
    return /\bno-store\b/i.test(control) ? 'kept' : contradicts(`Cache-Control is ${control}`, 'no-store', control);
  },
  'headers',
);

everyToken('token.issue.epoch-times', (answer) => {
  const given = ['not_before', 'expires_on'].filter((name) => typeof member(answer, name) === 'number');
  const wrong = given.find((name) => Credentials.epochSeconds(member(answer, name)) === undefined);
  if (wrong === undefined) return given.length > 0 ? 'kept' : undefined;
  const expected = 'seconds or milliseconds since the epoch';
  return contradicts(`${wrong} is not a time since the epoch`, expected, String(member(answer, wrong)));
});

/** When a token is valid, in seconds since the epoch. */
const validityOf = (answer: Answer) =>
  ['not_before', 'expires_on'].map((name) => Credentials.epochSeconds(member(answer, name)));

everyToken('token.issue.expires-after-not-before', (answer) => {
  const [begin, end] = validityOf(answer);
  if (begin === undefined || end === undefined) return undefined;
  if (end > begin) return 'kept';
  return contradicts('expires_on is not later than not_before', `later than ${begin}`, String(end));
});

/** The answer to a token request beside that of the run. */
const anotherToken = scenario('another token', issue);

/** Requests a token and remembers it for the checks of lifetimes. @throws Inconclusive when it is refused */
async function issue(t: Context): Promise<Answer> {
  const answer = requireAccepted(await t.call('token.issue', { form: t.run.tokenForm() }), 'the token request');
  if (member(answer, 'access_token') !== undefined) t.run.client.tokens.remember(answer);
  return answer;
}

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
    const shortest = mayBeOlder ? 0 : TOKEN_LIFETIME_SECONDS - numbers.expiresIn;
    const longest = TOKEN_LIFETIME_SECONDS + numbers.expiresIn;
    const seconds = token.expiresIn!;
    const allowed = `${shortest} to ${longest}`;
    if (seconds < shortest || seconds > longest)
      fail(`expires_in is ${seconds} seconds`, allowed, String(seconds), { pointer: '/expires_in' });
  }
});

check('token.issue.expires-on', 'of another token', async (t) => {
  const answer = await t.shared(anotherToken);
  const offset =
    Credentials.announcedOffset(answer) ??
    inconclusive('expires_on is not given as seconds or milliseconds since the epoch');
  const reused = await isTokenOfTheRun(t, answer);
  const isWithin = (seconds: number) =>
    seconds <= numbers.expiresOn && seconds >= -numbers.expiresOn - (reused ? TOKEN_LIFETIME_SECONDS : 0);
  if (isWithin(offset)) return;
  // Nobody moves a clock by a multiple of a quarter of an hour: that is another time zone.
  if (reused || (offQuarter(offset) > numbers.sameOffset && (await isOffsetOfOthers(t, answer, offset)))) {
    const [begin, end] = validityOf(answer);
    if (begin === undefined)
      inconclusive(
        "expires_on is of a clock that stands elsewhere than the answer's Date, and not_before is not given",
      );
    if (isWithin(end! - begin - TOKEN_LIFETIME_SECONDS)) return;
  }
  const seconds = String(Math.round(TOKEN_LIFETIME_SECONDS + offset));
  const expected = `${TOKEN_LIFETIME_SECONDS} seconds, give or take ${numbers.expiresOn}`;
  const message = `expires_on is ${seconds} seconds after the token was issued`;
  fail(message, expected, seconds, { pointer: '/expires_on', in: answer });
});

/** Whether another token of the run, or else a further one, is off by as much. */
async function isOffsetOfOthers(t: Context, answer: Answer, offset: number): Promise<boolean> {
  const isSame = (other: number | undefined) => other !== undefined && Math.abs(other - offset) <= numbers.sameOffset;
  const others = t.run.client.tokens.known().filter(({ value }) => value !== member(answer, 'access_token'));
  return others.some((other) => isSame(other.offset)) || isSame(Credentials.announcedOffset(await issue(t)));
}

check('token.issue.valid-from-not-before', 'of another token', async (t) => {
  const answer = await t.shared(anotherToken);
  const [begin, end] = validityOf(answer);
  if (begin === undefined || end === undefined)
    inconclusive('not_before or expires_on is not given as a time since the epoch');
  if (await isTokenOfTheRun(t, answer)) inconclusive('the same token is handed out again');
  // By the clock of expires_on, which may stand elsewhere than that of the answer's Date. A shorter life is another failure.
  const announced = member(answer, 'expires_in');
  const lifetime = Math.min(TOKEN_LIFETIME_SECONDS, typeof announced === 'number' ? announced : TOKEN_LIFETIME_SECONDS);
  const early = begin - (end - lifetime);
  if (early <= numbers.expiresOn) return;
  const use = await listWith(t, String(member(answer, 'access_token')));
  const accepted = `accepted ${Math.round(early)} seconds before`;
  if (succeeded(use)) fail('a token is accepted before its not_before', 'a refusal until then', accepted, { in: use });
});

/** Calls an operation in scope that shows whether a token is accepted; by default with that of the run. */
function listWith(t: Context, token?: string): Promise<Answer> {
  const authorisation = token === undefined ? 'run' : { authorization: `Bearer ${token}` };
  const listing = ['users.list', 'cards.list'].find((id) => t.isInScope(id)) ?? 'users.list';
  return t.call(listing, { query: { max: 1 } }, { intent: 'refusable', authorisation });
}

check('token.issue.earlier-token-lives', 'two of the same moment, used after three more', async (t) => {
  t.prioritise();
  const fresh = () => t.run.client.tokens.fresh();
  const earlier = await Promise.all([fresh(), fresh()]);
  const isTaken = ({ status }: Answer) => status !== 401;
  // A new token may take as long as any effect to be known everywhere.
  const use = (value: string) => t.eventually(() => listWith(t, value), isTaken);
  for (let later = 0; later < 3; later++) await issue(t);
  for (const { value } of earlier) {
    const again = await use(value);
    if (!isTaken(again)) {
      // In the wake of the run's bad tokens, a good one may be refused (reading 51).
      if (await succeedsAlone(t, async () => isTaken(await use(value)))) continue;
      if (await t.run.client.tokens.clockIsMovedByOthers()) inconclusive('somebody else moves the test clock');
      if (t.run.client.tokens.areHandedOutAgain)
        inconclusive('the target hands out a token again: the earlier one may be older than this run');
      if (!isTaken(await listWith(t))) inconclusive('the token of the run is refused, too');
      fail('an earlier token is refused after later ones were issued', 'success', '401', { in: again });
    }
    requireAccepted(again, 'a request with the earlier token');
  }
  if (earlier[0].value === earlier[1].value) t.observe('token.issue', 'token while another is valid', 'the same');
});

/** Whether the access_token of the run was handed out again: only upper bounds are judged then (reading 14). */
const isTokenOfTheRun = async ({ run }: Context, answer: Answer): Promise<boolean> =>
  (await run.client.tokens.current()).value === member(answer, 'access_token');
