/** The lifetime of a token: 60 minutes, no less and no more, over midnight, too (reading 15). */
import { numbers } from '../../../contracts/numbers.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../../contracts/v3/token.ts';
import { type Answer, describe, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { succeedsInSilence } from '../../../helpers/engine/acceptance.ts';
import * as Guard from '../../../helpers/engine/guard.ts';
import { fail, inconclusive, skip } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import * as Ages from './ages.ts';
import * as Expired from './expired.ts';

const LIVES = 'token.issue.lives-60-minutes';
const AT_59 = 'used at 59 minutes';
const AT_61 = 'used at 61 minutes';
const NEW = 'used when new';
const OVER_MIDNIGHT = 'used over midnight';
type Step = typeof AT_59 | typeof AT_61 | typeof NEW | typeof OVER_MIDNIGHT;

/** Declares that tokens work at a moment. @param step in which they are used then */
function worksAt(moment: Ages.Moment, step: Step, name: string): void {
  const age = Ages.aging.reads(LIVES, step);
  check(LIVES, name, { phase: 'clock' }, async (t) => {
    const facts = await age(t);
    facts.issued.get();
    requireTried(facts.operations.get());
    for (const use of facts[step].get()) if (use.moment === moment) await expectTaken(t, use);
  });
}

worksAt('young', AT_59, 'at 59 minutes, on operations of every kind');
worksAt('others', AT_59, 'other tokens of the run');
worksAt('later', AT_61, 'one that was issued half an hour before the others ended');
worksAt('overMidnight', OVER_MIDNIGHT, 'over midnight (UTC)');

const ageOnce = Ages.aging.reads(LIVES, AT_61, NEW, OVER_MIDNIGHT);
check(LIVES, 'one that is issued when the others have ended', { phase: 'clock' }, async (t) => {
  const facts = await ageOnce(t);
  facts.issued.get();
  requireTried(facts.operations.get());
  const uses = facts[NEW].get();
  const ended = facts[AT_61].get().filter(({ moment }) => moment === 'ended');
  const isAsEnded = [...uses, ...facts[OVER_MIDNIGHT].get()].every((one) => isAsOneOf(one, ended));
  for (const use of uses) if (use.answer.status === 401 || isAsEnded) await expectNewTaken(t, use);
});

function requireTried(operations: readonly string[]): void {
  if (operations.length === 0) skip(`needs one of ${Ages.TRIED.join(', ')} in TARGET_OPERATIONS`);
}

/** Whether a token is refused as it is once it has ended. */
const isAsOneOf = ({ operation, answer }: Ages.Use, ended: readonly Ages.Use[]): boolean =>
  !succeeded(answer) && ended.some((one) => one.operation === operation && one.answer.status === answer.status);

/** Expects new tokens to be accepted, if only later. @throws Nonconformance otherwise */
async function expectNewTaken(t: Context, { operation, moment, answer }: Ages.Use): Promise<void> {
  if (t.run.ledger.tally(`${operation}.status`).kept === 0) return;
  const another = await t.run.client.tokens.fresh();
  const useAnother = async () => (await Ages.usedOn(t, another, operation, moment)).answer;
  const again = await t.eventually(useAnother, succeeded);
  // In the wake of the run's bad tokens, a good one may be refused (reading 51).
  const isTaken = () => succeedsInSilence(t, useAnother);
  if (again.status === answer.status && !(await isTaken())) await expectTakenLater(t, again, isTaken);
}

async function expectTakenLater(t: Context, refused: Answer, isTaken: () => Promise<boolean>): Promise<void> {
  const { id, interface: of } = refused.operation;
  await t.run.quietOf(of).pass(numbers.newToken, t.run.signal);
  if (await isTaken())
    inconclusive(`${id} refuses a new token at first: its clock may be behind that of the token endpoint`);
  await accuse(t, `a new token, issued after the others had expired, is refused by ${id}`, refused);
}

async function accuse(t: Context, message: string, answer: Answer): Promise<void> {
  if (await t.run.client.tokens.clockIsMovedByOthers()) inconclusive('somebody else moves the test clock');
  fail(message, 'accepted for 60 minutes', describe(answer), { in: answer });
}

/** Expects a token to be accepted, save where a fresh one is refused, too. @throws Nonconformance otherwise */
async function expectTaken(t: Context, { operation, answer, age, isForToken }: Ages.Use): Promise<void> {
  if (succeeded(answer) || !isForToken.get()) return;
  if (age >= TOKEN_LIFETIME_SECONDS) inconclusive('the answer came too late');
  await accuse(t, `a token of ${Math.floor(age / Ages.MINUTE)} minutes is refused by ${operation}`, answer);
}

const ENDS = 'token.issue.ends-after-60-minutes';
const ends = monitored(ENDS, Guard.refusesExpired(...Ages.TRIED));
Ages.aging.reads(ENDS, AT_61);

for (const operation of Ages.TRIED) {
  Expired.expiring(ENDS, operation);
  ends(`${operation} at 61 minutes, and with other tokens`, { phase: 'clock' }, async (t) => {
    if (!t.isInScope(operation)) skip(`needs ${operation} in TARGET_OPERATIONS`);
    await t.shared(Expired.harmlesslyExpired(operation));
  });
}
