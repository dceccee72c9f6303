/** A token lives 60 minutes, no less and no more (reading 15): seen by moving the test clock, or by waiting. */
import { operations } from '../../../contracts/operations.ts';
import { requirementById } from '../../../contracts/requirements/index.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../contracts/v3/token.ts';
import { type Answer, describe, type Input, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import { isSelected, operationInScope } from '../../../helpers/configuration/scope.ts';
import type { Context } from '../../../helpers/context.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { letPass } from '../../../helpers/runner/target-clock.ts';
import type { Token } from '../../../helpers/target/credentials.ts';
import { fail, inconclusive, skip } from '../../../helpers/verdict.ts';
import { perOperation } from '../../scenarios.ts';
import { expectRefusedWithoutToken, goodOnInvented } from '../../shared/bad-tokens.ts';
import { readingInput } from '../../shared/requests.ts';
import { goodCall } from '../every-operation/requires-token-listed.ts';

const { check, suite } = defineSuite();
export const tokenLifetimeSuite = suite;

const MINUTE = 60;
const YOUNG = TOKEN_LIFETIME_SECONDS - MINUTE;
const OLD = TOKEN_LIFETIME_SECONDS + MINUTE;

/** What a token is tried on when it is nearly and when it is just too old: a user call and a card call. */
const TRIED = ['users.list', 'cards.get'];

/** A use of the old token; what it was used for, with a fresh one. */
interface Use {
  answer: Answer;
  input: Input;
  /** Seconds since the token was issued, when the answer was there. */
  age: number;
}

/** A token used at 59 minutes; undefined where the only token was obtained elsewhere. */
const youngToken = scenario('a token of 59 minutes', async (t) => {
  const { tokens } = t.run.client;
  if (!tokens.renewable) return undefined;
  const inputs = await Promise.all(
    triedIn(t).map(async (operation) => ({ operation, input: await readingInput(t, operation) })),
  );
  const hasClock = t.run.configuration.target.testClockUrl !== undefined;
  if (hasClock) await letPass(t.run, OLD, 'earlier tokens end');
  const [earlier, token] = await Promise.all([tokens.current(), tokens.fresh()]);
  await letPass(t.run, YOUNG - tokens.ageOf(token), 'a token gets 59 minutes old');
  const uses = await Promise.all(
    inputs.map(async ({ operation, input }): Promise<Use> => {
      const answer = await t.call(operation, input, { authorisation: { authorization: `Bearer ${token.value}` } });
      return { answer, input, age: tokens.ageOf(token) };
    }),
  );
  // a token that is handed out again may be older than this run, unless the clock ended all earlier ones
  return { token, uses, ageIsKnown: hasClock || token !== earlier };
});

const triedIn = (t: Context) => TRIED.filter((operation) => operationInScope(t.run.configuration, operation));

/** A token that was issued 61 minutes ago. Nothing moves the clock after it. */
export const expiredToken = scenario('a token of 61 minutes', async (t): Promise<Token> => {
  const { tokens } = t.run.client;
  const token = (await t.shared(youngToken))?.token ?? (await tokens.current());
  if (!tokens.renewable) await askWhileItLives(t);
  await letPass(t.run, OLD - tokens.ageOf(token), 'a token gets 61 minutes old');
  if (t.run.clockAdvanced > 0) t.run.note(`The test clock was moved forward by ${t.run.clockAdvanced} seconds.`);
  return token;
});

/** What a good token gets, where the only one there is will end. */
async function askWhileItLives(t: Context): Promise<void> {
  const { configuration } = t.run;
  for (const { id, risk, listedOnly } of operations.filter((o) => o.interface === 'v3')) {
    const isAsked = isSelected(configuration, requirementById(`${id}.requires-live-token`));
    if (!isAsked || !operationInScope(configuration, id)) continue;
    if (listedOnly) await t.shared(goodCall(id));
    else if (risk !== 'safe') await t.shared(goodOnInvented(id));
  }
}

/** A request that only reads, with an expired token. */
export const expiredReading = perOperation(
  (operation) => `${operation} with an expired token`,
  async (t, operation) => {
    const token = await t.shared(expiredToken);
    const input = await readingInput(t, operation);
    return { input, answer: await callWith(t, token, operation, input) };
  },
);

/** Calls an operation with an expired token. */
export const callWith = (t: Context, token: Token, operation: string, input: Input): Promise<Answer> =>
  t.call(operation, input, {
    intent: 'unauthorised',
    authorisation: { authorization: `Bearer ${token.value}` },
  });

/** Judges a request that only reads: it is refused because of its expired token. */
export async function refusedReading(t: Context, operation: string): Promise<void> {
  const { input, answer } = await t.shared(expiredReading(operation));
  await expectRefusedWithoutToken({ name: 'an expired token', answer }, async () =>
    succeeded(await t.call(operation, input)),
  );
}

check(
  'token.issue.lives-60-minutes',
  'a user call and a card call at 59 minutes',
  async (t) => {
    const young = await t.shared(youngToken);
    if (!young) skip('needs TARGET_CLIENT_ID and TARGET_CLIENT_SECRET: the age of TARGET_ACCESS_TOKEN is not known');
    if (young.uses.length === 0) skip(`needs one of ${TRIED.join(', ')} in TARGET_OPERATIONS`);
    for (const { answer, input, age } of young.uses) {
      if (succeeded(answer)) continue;
      const operation = answer.operation.id;
      requireAccepted(await t.call(operation, input), `${operation} with a fresh token`);
      if (age >= TOKEN_LIFETIME_SECONDS) inconclusive('the answer came too late');
      if (!young.ageIsKnown) inconclusive('the same token is handed out again: it may be older than this run');
      fail(`a token of ${Math.floor(age / MINUTE)} minutes is refused by ${operation}`, {
        expected: 'accepted for 60 minutes',
        actual: describe(answer),
      });
    }
  },
  'clock',
);

for (const operation of TRIED)
  check(
    'token.issue.ends-after-60-minutes',
    `${operation} at 61 minutes`,
    async (t) => {
      if (!operationInScope(t.run.configuration, operation)) skip(`needs ${operation} in TARGET_OPERATIONS`);
      await refusedReading(t, operation);
    },
    'clock',
  );
