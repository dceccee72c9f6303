/** Tries the configured interfaces before anything else. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../contracts/operation.ts';
import { type Answer, type Input, isOfCredential } from '../answer.ts';
import { type Cause, causeOf } from '../client/diagnosis.ts';
import { interfacesCalled, operationInScope } from '../configuration/scope.ts';
import { prepareShapes } from '../contract-rules/index.ts';
import type { Run } from '../run.ts';
import { Blocked } from '../verdict.ts';

type Interface = Operation['interface'];

/** Operations that show whether a token or session is accepted; several, since one may be broken or not claimed. */
export const SHOWING = {
  token: ['users.list', 'cards.list'],
  session: ['portal.getShippingMethods', 'portal.getCustomerList'],
} as const;

/** Which of the configured interfaces can be used. */
export interface Reachability {
  reached: Interface[];
  /** Why the others cannot. */
  blocked: Map<Interface, BlockedInterface>;
}

/** Why everything that needs an interface is blocked. */
interface BlockedInterface {
  reason: string;
  /** Whether it was unreachable or refused the credentials; otherwise its answer is judged as nonconformant. */
  outOfReach: boolean;
}

/** Tries each interface that the run calls, and blocks one that is out of reach. Then waits until the credentials are known everywhere. */
export async function reach(run: Run): Promise<Reachability> {
  const { target, run: settings } = run.configuration;
  const reachability: Reachability = { reached: [], blocked: new Map() };
  const attempt = async (names: Interface[], tryOut: (run: Run) => Promise<string | undefined>) => {
    const why = await whyBlocked(tryOut(run));
    for (const name of names)
      if (why) {
        reachability.blocked.set(name, why);
        run.block(name, why.reason);
      } else reachability.reached.push(name);
  };
  const called = interfacesCalled(run.configuration);
  const isTokenUsed = called.has('token') || called.has('v3');
  const v3: Interface[] = [
    ...(target.authUrl && isTokenUsed ? (['token'] as const) : []),
    ...(target.baseUrl && isTokenUsed ? (['v3'] as const) : []),
  ];
  // Runs while the first answers are under way.
  void prepareShapes();
  await Promise.all([
    v3.length > 0 && attempt(v3, tryToken),
    target.portalUrl && called.has('v1') && attempt(['v1'], tryLogin),
  ]);
  const isReached = reachability.reached.length > 0;
  if (isReached) await sleep(settings.settleMs, undefined, { signal: run.signal }).catch(() => undefined);
  return reachability;
}

/**
 * @param trying resolves to a description of an unusable answer; rejects with Blocked if the interface is unreachable
 * or refuses the credentials
 */
async function whyBlocked(trying: Promise<string | undefined>): Promise<BlockedInterface | undefined> {
  try {
    const reason = await trying;
    return reason === undefined ? undefined : { reason, outOfReach: false };
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    return { reason: error.message, outOfReach: !error.answered };
  }
}

/** How long the first contact waits for a gateway whose target is not there yet, in seconds. */
const FIRST_CONTACT_SECONDS = 30;

/** Asks for the first time: waits for a target that is not there yet. */
function call(run: Run, operation: string, input: Input): Promise<Answer> {
  const { waitForTargetSeconds } = run.configuration.run;
  const patience = {
    ms: 1000 * (waitForTargetSeconds ?? FIRST_CONTACT_SECONDS),
    unanswered: waitForTargetSeconds !== undefined,
  };
  return run.client.call(operation, input, { check: 'run', patience });
}

async function tryToken(run: Run): Promise<string | undefined> {
  const { target } = run.configuration;
  const isGiven = target.accessToken !== undefined;
  if (!isGiven) {
    const answer = await call(run, 'token.issue', { form: run.tokenForm() });
    const cause = causeOf(run, answer);
    if (cause) return unusable(answer, cause);
    run.client.tokens.use(answer);
  }
  if (!target.baseUrl) return undefined;
  const answer = await firstAnswer(run, SHOWING.token, { query: { max: 1 } });
  const cause = answer && causeOf(run, answer);
  if (cause && isGiven && answer.status === 401) return unusable(answer, cause);
  noteRefusal(run, answer, cause);
  return undefined;
}

async function tryLogin(run: Run): Promise<string | undefined> {
  if (run.configuration.target.portalSessionId !== undefined) {
    const answer = await firstAnswer(run, SHOWING.session, {});
    const cause = answer && causeOf(run, answer);
    if (cause && [400, 401].includes(answer.status)) return unusable(answer, cause);
    noteRefusal(run, answer, cause);
    return undefined;
  }
  const answer = await call(run, 'portal.login', { query: run.loginQuery() });
  const cause = causeOf(run, answer);
  if (cause) return unusable(answer, cause);
  run.client.sessions.use(answer);
  return undefined;
}

/** An answer that gives or accepts no credentials, in words. @throws Blocked where it is a refusal */
function unusable({ status }: Answer, cause: Cause): string {
  if (status >= 300 && status < 500) throw new Blocked(inWords(cause));
  return inWords(cause);
}

/** Notes, ahead of all that it makes inconclusive, that good credentials are refused. */
function noteRefusal(run: Run, answer: Answer | undefined, cause: Cause | undefined): void {
  if (answer && cause && (answer.status < 400 || isOfCredential(answer))) run.note(inWords(cause));
}

const inWords = ({ text, advice }: Cause): string => `${text}: ${advice}`;

/**
 * The first usable answer from any of these operations, since one alone may be broken; else the first answer.
 * @returns undefined when none is in scope, or the answer is unreadable
 * @throws Blocked when none answers
 */
async function firstAnswer(run: Run, operations: readonly string[], input: Input): Promise<Answer | undefined> {
  let first: Answer | undefined;
  let blocked: Blocked | undefined;
  for (const id of operations.filter((id) => operationInScope(run.configuration, id)))
    try {
      const answer = await call(run, id, input);
      if (!causeOf(run, answer)) return answer;
      first ??= answer;
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      if (error.answered) return undefined;
      blocked ??= error;
    }
  if (blocked && !first) throw blocked;
  return first;
}
