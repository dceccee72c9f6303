/**
 * Generated sequences of logins, uses and logouts of one user, compared with a model of the documented session, which lives
 * until its logout. They run after everything else, since a login may end the user's earlier sessions (reading 33): nothing is
 * asserted of these until they are logged out.
 */
import fc from 'fast-check';
import { type Answer, describe, type Input, type Intent, member, succeeded } from '../../helpers/answer.ts';
import { defineSuite, scenario } from '../../helpers/check.ts';
import { operationInScope } from '../../helpers/configuration/scope.ts';
import type { Context } from '../../helpers/context.ts';
import { attempt, values } from '../../helpers/engine/step.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { inconclusive, skip } from '../../helpers/verdict.ts';
import { badSessions } from '../v1/scenarios/session-lifecycle.ts';
import { READING_OPERATIONS, validRequests } from '../v1/scenarios/valid-requests.ts';
import { Broken, judgeSequences, type Player, type Sequences, trySequences } from './sequence.ts';

const { check, suite } = defineSuite();
export const sessionSequencesSuite = suite;

const LOGIN = 'portal.login';
const LOGOUT = 'portal.logout';
const BEGINS = 'portal.login.begins-session';
const MOST_STEPS = 3;
const SHORTENING_REQUESTS = 40;

/** A step of a sequence; `which` is the index of a session of the sequence, modulo their number. */
export type Step = { do: 'login' } | { do: 'use' | 'logout'; which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('login' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('use' as const), which: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('logout' as const), which: fc.nat({ max: 3 }) }) },
);
const drawn = fc.noBias(fc.array(step, { minLength: 1, maxLength: MOST_STEPS, size: 'max' }));

/** The fixed sequence of every run: of two sessions, the later is logged out three times; after another login both are used, and the earlier is logged out. */
const always: Step[] = [
  { do: 'login' },
  { do: 'login' },
  { do: 'logout', which: 1 },
  { do: 'logout', which: 1 },
  { do: 'logout', which: 1 },
  { do: 'login' },
  { do: 'use', which: 1 },
  { do: 'use', which: 0 },
  { do: 'logout', which: 0 },
];

/** State of a session in the model; `perhaps` after another login or logout of the user, which may have ended it, until it is seen to live. */
type State = 'lives' | 'perhaps' | 'ended';

/** A request made in a session. */
interface Use {
  id: string;
  input: Input;
}

/** State shared by all sequences. */
interface AllSequences {
  /** A read that is accepted in a good session, each time of the next operation. */
  nextUse(): Use;
  /** Refusals in bad sessions from before all these logins: later ones may be for too many requests. */
  refusals: readonly Answer[];
  /** Answers to the first use of each session. */
  answers: Answer[];
  /** Sessions that are not known to have ended. */
  open: Set<string>;
}

/** Plays the steps of a sequence on sessions of the target, and compares its answers with the model. */
class SessionPlayer implements Player<Step> {
  readonly #t: Context;
  readonly #seen: Set<string>;
  readonly #all: AllSequences;
  /** States by session identifier, which a target may give again. */
  readonly #sessions = new Map<string, State>();
  /** The first use of each session, which is repeated later. */
  readonly #begunWith = new Map<string, Use>();
  readonly #trace: string[] = [];

  constructor(t: Context, seen: Set<string>, all: AllSequences) {
    this.#t = t;
    this.#seen = seen;
    this.#all = all;
  }

  async finish(): Promise<void> {
    await logOutAll(this.#t, this.#all.open);
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'login') return this.#login();
    const identifiers = [...this.#sessions.keys()];
    if (identifiers.length === 0) return;
    const place = next.which % identifiers.length;
    if (next.do === 'logout') return this.#logout(identifiers[place]!, place);
    return this.#tryOut(identifiers[place]!, place);
  }

  async #login(): Promise<void> {
    const first = await this.#begin();
    // Another client's login as the same user may have ended it.
    const used = first && !succeeded(first) ? await this.#begin() : first;
    if (used) this.#judge(succeeded(used), BEGINS, 'a session just begun', 'success', used);
  }

  /** Logs in and uses the new session. @returns the answer to the use; undefined when the target may refuse and refuses the login */
  async #begin(): Promise<Answer | undefined> {
    const answer = await this.#t.call(LOGIN, { query: this.#t.run.loginQuery() });
    // A target may allow a user few sessions.
    if (!succeeded(answer) && [...this.#sessions.values()].some((state) => state !== 'ended')) return undefined;
    const sessionId = member(requireAccepted(answer, 'a login'), 'sessionId');
    this.#trace.push('log in');
    if (typeof sessionId !== 'string') inconclusive('a login gives no session');
    this.#all.open.add(sessionId);
    this.#othersPerhaps();
    this.#sessions.set(sessionId, 'lives');
    // Where effects take a while to show, so may a new session: a refusal that a repetition cures shows nothing then.
    const intent = this.#t.run.configuration.run.settleMs > 0 ? 'unusual' : 'valid';
    const use = this.#all.nextUse();
    this.#begunWith.set(sessionId, use);
    const used = await this.#t.eventually(() => this.#call(use, sessionId, intent), succeeded);
    if (!succeeded(used)) await this.#requireDead(sessionId, used);
    this.#all.answers.push(used);
    return used;
  }

  /** Requires every operation to refuse a new session as it refuses a bad one. @throws Inconclusive when one accepts it, or refuses it in another way */
  async #requireDead(sessionId: string, used: Answer): Promise<void> {
    for (const use of await requireAcceptedUses(this.#t)) {
      const answer = await this.#call(use, sessionId, 'refusable');
      const isAsBad = this.#all.refusals.some((refusal) => isAlike(answer, refusal));
      if (!isAsBad) requireAccepted(used, 'the use of a session just begun');
    }
  }

  async #logout(sessionId: string, place: number): Promise<void> {
    const state = this.#sessions.get(sessionId)!;
    const answer = await this.#t.eventually(
      () => this.#call({ id: LOGOUT, input: {} }, sessionId, state === 'lives' ? 'valid' : 'unauthorised'),
      (logout) => state === 'perhaps' || succeeded(logout) === (state === 'lives'),
    );
    if (succeeded(answer)) this.#all.open.delete(sessionId);
    this.#trace.push(`log session ${place + 1} out`);
    if (state === 'ended')
      return this.#judge(answer.status === 400, 'portal.logout.requires-session', 'a second logout', '400', answer);
    if (state === 'lives' && !succeeded(answer)) await this.#requireServed();
    if (state === 'lives')
      this.#judge(
        succeeded(answer),
        'portal.logout.required-only',
        'the logout of a living session',
        'success',
        answer,
      );
    if (!succeeded(answer)) return;
    this.#othersPerhaps();
    this.#sessions.set(sessionId, 'ended');
    await this.#tryOut(sessionId, place);
  }

  /** Requires the target to accept another login and a read. @throws Inconclusive when it does not: there may have been too many requests */
  async #requireServed(): Promise<void> {
    const login = requireAccepted(await this.#t.call(LOGIN, { query: this.#t.run.loginQuery() }), 'another login');
    const sessionId = member(login, 'sessionId');
    if (typeof sessionId !== 'string') return;
    this.#all.open.add(sessionId);
    const used = await this.#t.eventually(() => this.#call(this.#all.nextUse(), sessionId, 'refusable'), succeeded);
    requireAccepted(used, 'the use of another session');
  }

  async #tryOut(sessionId: string, place: number): Promise<void> {
    const ended = this.#sessions.get(sessionId) === 'ended';
    const answer = await this.#t.eventually(
      () => this.#call(this.#begunWith.get(sessionId)!, sessionId, 'unauthorised'),
      (read) => !ended || !succeeded(read),
    );
    this.#trace.push(`use session ${place + 1}`);
    if (succeeded(answer) && this.#sessions.get(sessionId) === 'perhaps') this.#sessions.set(sessionId, 'lives');
    if (ended)
      this.#judge(!succeeded(answer), 'portal.logout.ends-session', 'a session logged out', 'a refusal', answer);
  }

  #othersPerhaps(): void {
    for (const [sessionId, state] of this.#sessions) if (state === 'lives') this.#sessions.set(sessionId, 'perhaps');
  }

  #call({ id, input }: Use, sessionId: string, intent: Intent): Promise<Answer> {
    return this.#t.call(id, input, { intent, authorisation: { sessionId } });
  }

  #judge(kept: boolean, requirement: string, what: string, expected: string, answer: Answer): void {
    if (!kept)
      throw new Broken(
        requirement,
        this.#trace,
        `${what}: ${answer.operation.id} contradicts the documented session`,
        expected,
        describe(answer),
      );
    this.#seen.add(requirement);
  }
}

/** Statuses that the documents name for a bad session. */
const NAMED = [400, 401];

/** Whether an operation refuses two sessions alike: with the same documented status, or with identical bodies. */
const isAlike = (one: Answer, other: Answer): boolean =>
  one.operation.id === other.operation.id &&
  one.status === other.status &&
  (NAMED.includes(one.status) || one.bytes.equals(other.bytes));

/**
 * Tries sequences with the run's user, after closing the run's session.
 * @throws Skipped without credentials, or without a reading operation in scope; Inconclusive when no read is accepted
 */
export const sequences = scenario(
  'sequences of logins and logouts',
  async (t): Promise<Sequences & { answers: Answer[] }> => {
    const { loginID, password } = t.run.loginQuery();
    const { sessions } = t.run.client;
    if (!sessions.renewable || loginID === undefined || password === undefined)
      skip('needs TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD, with TARGET_PORTAL_SESSION_ID unset');
    const uses = await requireAcceptedUses(t);
    const bad = values([await attempt(() => t.known(badSessions))]).flatMap((probes) => [...probes.values()].flat());
    const refusals = values(bad.map(({ answer }) => answer)).filter((answer) => !succeeded(answer));
    await sessions.close();
    const open = new Set<string>();
    const answers: Answer[] = [];
    try {
      const examples = [[always]] as [Step[]][];
      // A new session that is refused was tried with two logins and all operations: that is evidence enough.
      const isRepeated = (requirement: string) => requirement !== BEGINS;
      const effort = { inputs: 1, examples, shorteningRequests: SHORTENING_REQUESTS, isRepeated };
      let used = 0;
      const all: AllSequences = { nextUse: () => uses[used++ % uses.length]!, refusals, answers, open };
      const begin = async (seen: Set<string>) => new SessionPlayer(t, seen, all);
      return { ...(await trySequences(t, drawn, effort, begin)), answers };
    } finally {
      await logOutAll(t, open);
    }
  },
);

/**
 * Accepted answers of an operation in the sessions of the sequences; if there are none, its answer in the run's session. They
 * are added to the evidence of the check.
 * @throws Inconclusive when the operation was refused there
 */
export async function answeredLater(t: Context, id: string): Promise<Answer[]> {
  const [found] = values([await attempt(() => t.known(sequences))]);
  const later = (found?.answers ?? []).filter((answer) => answer.operation.id === id && succeeded(answer));
  const answers = later.length > 0 ? later : [requireAccepted((await t.known(validRequests[id]!)).answer)];
  t.exchanges.push(...answers.map(({ exchange }) => exchange));
  return answers;
}

/** Logs out of the sessions that a sequence left open, since a target may allow a user few of them. */
async function logOutAll(t: Context, open: Set<string>): Promise<void> {
  const logOut = (sessionId: string) => t.call(LOGOUT, {}, { intent: 'unauthorised', authorisation: { sessionId } });
  const left = [...open];
  open.clear();
  await Promise.all(left.map((sessionId) => attempt(() => logOut(sessionId))));
}

/** Reads that were accepted in the run's session, beginning with one chosen by the seed. @throws Inconclusive, Skipped when there is none */
async function requireAcceptedUses(t: Context): Promise<[Use, ...Use[]]> {
  const inScope = READING_OPERATIONS.filter((id) => operationInScope(t.run.configuration, id));
  const tried = await Promise.all(inScope.map((id) => attempt(() => t.known(validRequests[id]!))));
  const accepted = values(tried).flatMap(({ answer }) => (succeeded(answer) ? [answer] : []));
  const uses = accepted.map(({ operation: { id }, input }) => ({ id, input }));
  const [first, ...others] = uses.map((_, index) => uses[(t.run.configuration.run.seed + index) % uses.length]!);
  if (first) return [first, ...others];
  return inScope.length > 0
    ? inconclusive('no operation that only reads is accepted in a session')
    : skip(`needs one of ${READING_OPERATIONS.join(', ')}, which are not in scope`);
}

for (const requirement of [
  BEGINS,
  'portal.logout.ends-session',
  'portal.logout.requires-session',
  'portal.logout.required-only',
])
  check(requirement, 'generated: in sequences of logins and logouts', { phase: 'end' }, async (t) =>
    judgeSequences(t, await t.shared(sequences), requirement),
  );
