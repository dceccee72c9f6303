/**
 * Sequences of logins, uses and logouts of one user, drawn and held against a model of the documented session: it lives
 * until its logout, and no longer. They run when all else is done, since a login may end the user's earlier sessions
 * (reading 33): of those nothing is asserted until they are logged out.
 */
import fc from 'fast-check';
import { type Answer, describe, type Input, type Intent, member, succeeded } from '../../helpers/answer.ts';
import { defineSuite, scenario } from '../../helpers/check.ts';
import { operationInScope } from '../../helpers/configuration/scope.ts';
import type { Context } from '../../helpers/context.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { inconclusive, skip } from '../../helpers/verdict.ts';
import { attempt, values } from '../shared/step.ts';
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

/** `which` counts the sessions of the sequence, and begins anew after the last. */
export type Step = { do: 'login' } | { do: 'use' | 'logout'; which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('login' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('use' as const), which: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('logout' as const), which: fc.nat({ max: 3 }) }) },
);
const drawn = fc.noBias(fc.array(step, { minLength: 1, maxLength: MOST_STEPS, size: 'max' }));

/** What every run looks at: a session that is logged out three times, after another login and before the next, and the one before it. */
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

/** `perhaps`: after another login or logout of the user, which may have ended it, until it is seen to live. */
type State = 'lives' | 'perhaps' | 'ended';

/** A request that a session is used for. */
interface Use {
  id: string;
  input: Input;
}

/** What all sequences have in common. */
interface AllSequences {
  /** A request that only reads, and is accepted in a good session: another one each time. */
  nextUse(): Use;
  /** What the operations answered in bad sessions, before all these logins: later they may refuse anybody who asks so often. */
  refusals: readonly Answer[];
  /** What the sessions were answered when they were begun. */
  answers: Answer[];
  /** Sessions that are not known to have ended. */
  open: Set<string>;
}

class SessionPlayer implements Player<Step> {
  readonly #t: Context;
  readonly #seen: Set<string>;
  readonly #all: AllSequences;
  /** By session identifier, which a target may give again. */
  readonly #sessions = new Map<string, State>();
  /** What each session was used for when it was begun, and is tried with later. */
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
    // A login of somebody else, as the same user, may have ended it.
    const used = first && !succeeded(first) ? await this.#begin() : first;
    if (used) this.#judge(succeeded(used), BEGINS, 'a session just begun', 'success', used);
  }

  /** The use of a session just begun; undefined where the login is refused, and may be. */
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
    // Where effects take a while to show, a session may, too: a refusal that a repetition cures says nothing then.
    const intent = this.#t.run.configuration.run.settleMs > 0 ? 'unusual' : 'valid';
    const use = this.#all.nextUse();
    this.#begunWith.set(sessionId, use);
    const used = await this.#t.eventually(() => this.#call(use, sessionId, intent), succeeded);
    if (!succeeded(used)) await this.#requireDead(sessionId, used);
    this.#all.answers.push(used);
    return used;
  }

  /** A session just begun is refused by every operation, as one that is none. @throws Inconclusive when one takes it, or refuses it for a rule of its own */
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

  /** The target still lets the user log in, and serves a request. @throws Inconclusive when it does not: it may have been asked too often */
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
        `${what}: ${answer.operation.id} answers otherwise`,
        expected,
        describe(answer),
      );
    this.#seen.add(requirement);
  }
}

/** Statuses that the documents name for a bad session. */
const NAMED = [400, 401];

/** Whether an operation refuses two sessions alike: by a status that is named for it, or by the same answer. */
const isAlike = (one: Answer, other: Answer): boolean =>
  one.operation.id === other.operation.id &&
  one.status === other.status &&
  (NAMED.includes(one.status) || one.bytes.equals(other.bytes));

/**
 * Sequences of logins, uses and logouts of the user of the run, whose session ends by it.
 * @throws Skipped without a login, or with none of the operations that may be used in scope
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
      // Of a session just begun two logins and all operations are evidence.
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
 * What an operation answered in the sessions of the sequences, each of which was asked for something else; in that of the run where in none of them.
 * @throws Inconclusive where it was refused
 */
export async function answeredLater(t: Context, id: string): Promise<Answer[]> {
  const [found] = values([await attempt(() => t.known(sequences))]);
  const later = (found?.answers ?? []).filter((answer) => answer.operation.id === id && succeeded(answer));
  const answers = later.length > 0 ? later : [requireAccepted((await t.known(validRequests[id]!)).answer)];
  t.exchanges.push(...answers.map(({ exchange }) => exchange));
  return answers;
}

/** Logs out what a sequence left open: a target may allow a user few sessions. */
async function logOutAll(t: Context, open: Set<string>): Promise<void> {
  const logOut = (sessionId: string) => t.call(LOGOUT, {}, { intent: 'unauthorised', authorisation: { sessionId } });
  const left = [...open];
  open.clear();
  await Promise.all(left.map((sessionId) => attempt(() => logOut(sessionId))));
}

/** Requests that only read and were accepted in the session of the run; another one first in each run. @throws Inconclusive, Skipped when there is none */
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
