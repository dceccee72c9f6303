/**
 * Wrong requests beside right ones. A refusal shows that the flaw was noticed only if the right request, which differs in nothing else, is
 * accepted afterwards (reading 47). One right request serves for all refusals before it.
 */
import type { Retrial } from '../../contracts/record.ts';
import { type Answer, hasBadCredential, type Input, member, succeeded } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Contradiction } from '../evidence/monitor.ts';
import { expectRefused, expectRefusedAsListed, expectStatus } from '../expect.ts';
import { attempt, type Fact, inconclusive, leftOf, valuesOf } from '../verdict.ts';
import { requireNotBusy } from './acceptance.ts';
import { knownOf, type TryAgain } from './monitor.ts';
import { afterSilences, betweenAccepted, refusedNow } from './retrial.ts';

/** The plainest accepted request, to be sent again; `key` distinguishes it from those of other programs. */
export interface RightTwin {
  key: string;
  send(t: Context): Promise<Answer>;
}

export interface Refusal {
  what: string;
  answer: Answer;
  /** The statuses allowed for it; undefined where any refusal will do. */
  statuses?: readonly number[] | undefined;
  /** The right request of its own form, where that is not the plainest one. */
  twin?: RightTwin;
  /** The same request without the flaw. Where any refusal but 500 will do, a 500 accuses only if this one is not answered with 500, too. */
  right?: Input | undefined;
  /** A right request with another value of the same member: where it is refused with the same status, a rule about the member may be why. */
  excuse?: Input | undefined;
}

/** A wrong request that is still to be sent. */
export interface WrongRequest extends Omit<Refusal, 'answer'> {
  /** @param alone without any other costly request at the same time */
  send: (alone?: boolean) => Promise<Answer>;
}

/**
 * Sends wrong requests in parallel, then those that met a conflict again, alone. If any is accepted, only the accepted ones are returned,
 * whatever kept the others from being sent. One whose answer was lost is left out, as long as others are left.
 * @throws the verdict that kept a request from being sent, where none is accepted
 */
export async function sendWrong(requests: readonly WrongRequest[]): Promise<Refusal[]> {
  const sent = await Promise.all(requests.map(async (one) => ({ ...one, step: await attempt(one.send) })));
  // It may have been in conflict with another of these requests.
  for (const one of sent) if (one.step.value?.status === 409) one.step = await attempt(() => one.send(true));
  const answered = sent.flatMap(({ step, ...one }) => valuesOf([step]).map((answer) => ({ ...one, answer })));
  const accepted = answered.filter(({ answer }) => succeeded(answer));
  if (accepted.length > 0) return accepted;
  return leftOf(sent.map(({ step, ...one }) => step.map((answer) => ({ ...one, answer }))));
}

/**
 * Sends wrong requests one after the other until one is accepted: one is enough to accuse, and each accepted one has a cost. One whose answer
 * was lost is left out, as long as others are left.
 */
export async function sendWrongInTurn(requests: readonly WrongRequest[]): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  const lost: Fact<Answer>[] = [];
  for (const { send, ...one } of requests) {
    const step = await attempt(send);
    if (step.isLost) lost.push(step);
    else refusals.push({ ...one, answer: step.get() });
    if (succeeded(step.value)) break;
  }
  if (refusals.length === 0) lost[0]?.get();
  return refusals;
}

/** Requires the right request, sent after these refusals, to be accepted. @throws Inconclusive when it is refused */
async function requireRightTwin(t: Context, twin: RightTwin, refused: readonly Answer[]): Promise<void> {
  const answers = t.run.once(requireRightTwin, () => new Map<string, Promise<Answer>>());
  const since = Math.max(...refused.map(({ sentAt }) => sentAt));
  for (;;) {
    const known = answers.get(twin.key);
    const answer = await known;
    if (answer && answer.sentAt >= since) {
      t.exchanges.push(answer.exchange);
      if (succeeded(answer)) return;
      inconclusive(refusedNow(answer));
    }
    if (answers.get(twin.key) !== known) continue;
    const sent = twin.send(t);
    answers.set(twin.key, sent);
    // One that was lost says nothing to others.
    sent.catch(() => answers.get(twin.key) === sent && answers.delete(twin.key));
  }
}

/**
 * Expects wrong requests to be refused with their allowed statuses.
 * @throws Nonconformance when one is accepted, or refused with another status even alone between right requests that are accepted
 * @throws Inconclusive when the right request is refused now, too
 */
export async function expectWrongRefused(t: Context, twin: RightTwin, refusals: readonly Refusal[]): Promise<void> {
  for (const { what, answer } of refusals) expectRefused(answer, what);
  await requireRightTwin(
    t,
    twin,
    refusals.map(({ answer }) => answer),
  );
  for (const { what, answer, statuses, right, excuse, twin: own = twin } of refusals) {
    const isRight = ({ status }: Answer) => (statuses ? statuses.includes(status) : !right || status !== 500);
    if (isRight(answer)) continue;
    const { answer: alone, retrial } = await askedAlone(t, own, answer, isRight);
    if (isRight(alone)) continue;
    const excused = excuse && (await t.call(answer.operation.id, excuse, { intent: 'refusable' }));
    if (excused?.status === alone.status) continue;
    const control = statuses || !right ? undefined : await t.call(answer.operation.id, right, { intent: 'refusable' });
    if (control?.status !== 500) expectStatus(alone, statuses ?? [400], what, retrial);
  }
}

/**
 * Sends the same request again, alone between right ones, if any are known: among others it may have been refused for a rule of the target. One
 * with a bad credential is sent again after silences.
 * @throws Inconclusive when a right one is refused, or the refusal says that the target is busy
 */
async function askedAlone(
  t: Context,
  twin: RightTwin | undefined,
  wrong: Answer,
  isRight: (answer: Answer) => boolean,
): Promise<{ answer: Answer; retrial: Retrial }> {
  t.suspect([wrong.exchange]);
  const again = () => sendAgain(t, wrong);
  const tried = hasBadCredential(wrong)
    ? await afterSilences(t, wrong, twin, again, { isRight })
    : await askedBetween(t, twin, again, { isRight, left: t.run.budgetOf(wrong.operation.id)?.left });
  // A conflict with other requests does not recur every time.
  if (tried.answer.status !== 409) requireNotBusy(tried.answer, 'the wrong request');
  return tried;
}

async function askedBetween(
  t: Context,
  twin: RightTwin | undefined,
  again: () => Promise<Answer>,
  how: Parameters<typeof betweenAccepted>[3],
) {
  await t.untilQuiet();
  return betweenAccepted(twin && (() => twin.send(t)), again, refusedNow, how);
}

/** Sends a request again as it was, in its bad session where it has one. */
const sendAgain = (t: Context, { operation, input, intent, wrong, sessionId }: Answer): Promise<Answer> =>
  t.call(operation.id, input, {
    intent,
    ...(wrong && { wrong }),
    ...(operation.authorisation === 'session' && intent === 'unauthorised' && { authorisation: { sessionId } }),
  });

/**
 * Expects a wrong request that only reads to be refused with a listed status. A refusal with another status is tried again between right
 * requests: a target may limit the rate or parallelism, and a session may end at any time.
 * @throws Nonconformance, Inconclusive when a right one is refused now, too
 */
export async function expectReadingRefused(t: Context, right: Input, answer: Answer, what: string): Promise<void> {
  const { id, errors } = answer.operation;
  const isRight = (one: Answer) => succeeded(one) || one.status === 400 || !errors.includes(400);
  const isLogin = id === 'portal.login';
  const twin =
    isLogin && !t.run.client.sessions.renewable ? undefined : { key: id, send: () => sendRight(t, id, right) };
  const { answer: last, retrial } = isRight(answer)
    ? { answer, retrial: undefined }
    : await askedAlone(t, twin, answer, isRight);
  expectRefusedAsListed(last, what, retrial);
}

/** Sends a right request, and logs out again where it is a login. */
async function sendRight(t: Context, operation: string, input: Input): Promise<Answer> {
  const answer = await t.call(operation, input, { intent: 'refusable' });
  const sessionId = operation === 'portal.login' && succeeded(answer) ? member(answer, 'sessionId') : undefined;
  if (typeof sessionId === 'string') await t.run.client.sessions.end(sessionId);
  return answer;
}

/** Whether a wrong request was accepted, which stands by itself. */
export const wasAccepted = ({ by }: Contradiction): boolean => succeeded(by.at(-1));

/**
 * Tries wrong requests again that were refused otherwise than they should be, between right ones: a target may refuse everything for a while
 * after bad credentials (reading 51). What was accepted stands.
 * @param right the right request in the place of a wrong one; undefined where the run has none
 */
export const triedBetween =
  (right: (t: Context, wrong: Answer) => RightTwin | undefined): TryAgain =>
  async (t, found, monitor) => {
    for (const stands of found) {
      const answer = stands.by.at(-1)!;
      if (wasAccepted(stands)) return { stands };
      const contradictionBy = (again: Answer) =>
        [...monitor(t.run.answers, knownOf(t))].find(
          (one): one is Contradiction => one.shows === 'contradiction' && one.by.at(-1)!.exchange === again.exchange,
        );
      const { answer: alone, retrial } = await askedAlone(
        t,
        right(t, answer),
        answer,
        (again) => !contradictionBy(again),
      );
      const standing = contradictionBy(alone);
      if (standing) return { stands: standing, retrial };
    }
    return inconclusive(`${found[0].message}, but not when it was asked again`);
  };
