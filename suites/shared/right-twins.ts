/**
 * Wrong requests beside right ones: a refusal shows something about what is wrong only if the right request, which differs in
 * that alone, is accepted afterwards (reading 47). One right request answers for all that were refused before it was sent.
 */
import { betweenAccepted, requireNotBusy } from '../../helpers/acceptance.ts';
import { type Answer, describe, type Input, succeeded } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/context.ts';
import { expectRefused, expectRefusedAsListed, expectStatus } from '../../helpers/expect.ts';
import type { Run } from '../../helpers/run.ts';
import { inconclusive } from '../../helpers/verdict.ts';
import { attempt, values } from './step.ts';

/** The plainest request that is accepted, made again; `key` distinguishes it from those of other programs. */
export interface RightTwin {
  key: string;
  /** @param atOnce beside whatever is under way: where a check is alone with the target */
  send(t: Context, atOnce?: boolean): Promise<Answer>;
}

/** What was wrong, in words that follow "a request", and the answer. */
export interface Refusal {
  what: string;
  answer: Answer;
  /** Statuses of which it is to have one; undefined where any refusal will do. */
  statuses?: readonly number[] | undefined;
  /** The same request without what is wrong, where any refusal will do: unless that is answered with 500, too, 500 is none. */
  right?: Input;
}

/** A wrong request that is still to be sent. */
export interface WrongRequest {
  what: string;
  /** @param alone beside no other of those that cost */
  send: (alone?: boolean) => Promise<Answer>;
}

/**
 * Sends wrong requests at once, and those that met a conflict again, alone. One that is accepted says enough, whatever keeps others from being sent: such as that no more may be accepted.
 * @throws what kept one from being sent, where none is accepted
 */
export async function sendWrong(requests: readonly WrongRequest[]): Promise<Refusal[]> {
  const sent = await Promise.all(requests.map(async ({ what, send }) => ({ what, send, step: await attempt(send) })));
  // What met a conflict may have met another of them.
  for (const one of sent)
    if (values([one.step]).some(({ status }) => status === 409)) one.step = await attempt(() => one.send(true));
  const answered = sent.flatMap(({ what, step }) => values([step]).map((answer) => ({ what, answer })));
  const accepted = answered.filter(({ answer }) => succeeded(answer));
  return accepted.length > 0 ? accepted : sent.map(({ what, step }) => ({ what, answer: step() }));
}

/** Sends wrong requests one after the other until one is accepted: that is enough to accuse, and each one that is accepted costs something. */
export async function sendWrongInTurn(requests: readonly WrongRequest[]): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const { what, send } of requests) {
    const answer = await send();
    refusals.push({ what, answer });
    if (succeeded(answer)) break;
  }
  return refusals;
}

const latest = new WeakMap<Run, Map<string, Promise<Answer>>>();

/**
 * The answer to the right request, sent after these refusals.
 * @throws Inconclusive when it is refused now: the target has a limit of its own
 */
async function requireRightTwin(t: Context, twin: RightTwin, refused: readonly Answer[]): Promise<void> {
  if (!latest.has(t.run)) latest.set(t.run, new Map());
  const answers = latest.get(t.run)!;
  const since = Math.max(...refused.map(({ sentAt }) => sentAt));
  for (;;) {
    const known = answers.get(twin.key);
    const answer = await known;
    if (answer && answer.sentAt >= since) {
      t.exchanges.push(answer.exchange);
      if (succeeded(answer)) return;
      inconclusive(refusedNow(answer));
    }
    if (answers.get(twin.key) === known) answers.set(twin.key, twin.send(t));
  }
}

/**
 * Wrong requests are refused, with the statuses that they are to have.
 * @throws Nonconformance when one is accepted; when it is refused with another status, alone too, and right requests before and after are accepted
 * @throws Inconclusive when the right request is refused now, too
 */
export async function expectWrongRefused(t: Context, twin: RightTwin, refusals: readonly Refusal[]): Promise<void> {
  for (const { what, answer } of refusals) expectRefused(answer, what);
  await requireRightTwin(
    t,
    twin,
    refusals.map(({ answer }) => answer),
  );
  for (const { what, answer, statuses, right } of refusals) {
    const isRight = ({ status }: Answer) => (statuses ? statuses.includes(status) : !right || status !== 500);
    if (isRight(answer)) continue;
    const alone = await askedAlone(t, twin, answer, isRight);
    if (isRight(alone)) continue;
    const control = right && (await t.call(answer.operation.id, right, { intent: 'refusable' }));
    if (control?.status !== 500) expectStatus(alone, statuses ?? [400], what);
  }
}

/**
 * The answer to the same request alone, between right ones: among others it may be refused for a rule of the target.
 * @throws Inconclusive when a right one is refused, or the refusal says that too much was asked of the target
 */
async function askedAlone(
  t: Context,
  twin: RightTwin,
  { operation: { id }, input, intent }: Answer,
  isRight: (answer: Answer) => boolean,
): Promise<Answer> {
  const answer = await t.alone(id, () =>
    betweenAccepted(
      () => twin.send(t, true),
      () => t.call(id, input, { intent, atOnce: true }),
      refusedNow,
      isRight,
    ),
  );
  // What is in conflict with other requests is not so each time.
  if (answer.status !== 409) requireNotBusy(answer, 'the wrong request');
  return answer;
}

/**
 * A wrong request that only reads is refused as listed. One that is refused otherwise is asked again between right ones: a target may allow few
 * requests, or one at a time, and a session may end at any time. A login is not asked again: it begins a session.
 * @throws Nonconformance, Inconclusive when a right one is refused now, too
 */
export async function expectReadingRefused(t: Context, right: Input, answer: Answer, what: string): Promise<void> {
  const { id, authorisation, errors } = answer.operation;
  const isRight = (one: Answer) => succeeded(one) || one.status === 400 || !errors.includes(400);
  const twin: RightTwin = { key: id, send: (_, atOnce) => t.call(id, right, { intent: 'refusable', atOnce }) };
  const isFinal = authorisation === 'none' || isRight(answer);
  expectRefusedAsListed(isFinal ? answer : await askedAlone(t, twin, answer, isRight), what);
}

const refusedNow = (answer: Answer): string =>
  `the right request is refused now, too: ${answer.operation.id} answers ${describe(answer)}`;
