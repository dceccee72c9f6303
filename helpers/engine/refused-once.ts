/** Readings that were refused once and accepted when they were repeated: refused again in quiet, they accuse (readings 7, 33 and 47). */
import { isDeepStrictEqual } from 'node:util';
import { numbers } from '../../contracts/numbers.ts';
import { onlyReads } from '../../contracts/operation.ts';
import { type Answer, describe, isBusy, succeeded } from '../answer.ts';
import { Context } from '../context.ts';
import type { Run } from '../run.ts';
import { Verdict } from '../verdict.ts';

/** A reading that was refused, and the requirement that it breaks where it is refused again. */
interface Suspicion {
  requirement: string;
  refused: Answer;
}

/** The requirement that sessions are judged by which did not work and others cured. */
const BEGINS = 'portal.login.begins-session';
/** Number of suspected readings that a run tries again: a target that changes all the time must not cost hundreds of requests. */
const MOST_SUSPECTED = 6;

/**
 * Repeats readings that were refused once and accepted when repeated, in quiet. One that is refused again accuses; before its first
 * acceptance a lock may just be ending. Call it when everything else is done.
 */
export async function retryReadings(run: Run): Promise<void> {
  for (const refused of refusedAndAccepted(run)) {
    const requirement = `${refused.operation.id}.required-only`;
    if (!run.suspicions.has(requirement)) run.suspicions.set(requirement, { requirement, refused });
  }
  for (const suspicion of [...run.suspicions.values()].slice(0, MOST_SUSPECTED)) {
    if (run.ended) return;
    const { requirement, refused } = suspicion;
    const quiet = run.quietOf(refused.operation.interface);
    const context = new Context(run, `${requirement}: tried again`, { quiet, isAwaited: false });
    try {
      await context.untilQuiet();
      conclude(run, context, suspicion, await repeatEnough(run, context, suspicion));
    } catch (error) {
      if (!(error instanceof Verdict)) throw error;
    } finally {
      await context.end();
    }
  }
}

/** How often a reading is repeated. */
const timesOf = ({ requirement, refused }: Suspicion): number =>
  requirement === BEGINS || refused.operation.authorisation === 'none' ? numbers.refusedLogin : numbers.refusedReading;

/** Repeats a reading, and with pauses where a limit of how soon the same is accepted again may explain the refusals. */
async function repeatEnough(run: Run, context: Context, suspicion: Suspicion): Promise<Answer[]> {
  const { requirement, refused } = suspicion;
  const repeat = () => (requirement === BEGINS ? inNewSession : repeated)(run, context, refused);
  const answers: Answer[] = [];
  for (let n = 0; n < timesOf(suspicion); n++) answers.push(await repeat());
  // Those before the first that was accepted show nothing, and of several sessions each third may be dead.
  const refusedFirst = requirement === BEGINS ? Math.max(answers.findIndex(succeeded), 0) : 0;
  for (let n = 0; n < refusedFirst; n++) answers.push(await repeat());
  if (!mayBeTooSoon(answers)) return answers;

  const spaced: Answer[] = [];
  for (let n = 0; n < numbers.spacedReading; n++) {
    await context.settle();
    spaced.push(await repeat());
  }
  return spaced;
}

/** Accuses where the reading was refused again, else notes that it was refused once. */
function conclude(run: Run, context: Context, suspicion: Suspicion, answers: readonly Answer[]): void {
  const { requirement, refused } = suspicion;
  const accepted = answers.findIndex(succeeded);
  const isDead = requirement === BEGINS && answers.every((answer) => isRefusedAsBad(run, answer));
  const since = isDead ? answers : answers.slice(accepted);
  const again = since.filter((answer) => !succeeded(answer) && !isBusy(answer));
  const isShown = (isDead || accepted >= 0) && again.length > 0;
  run.rotations.suspect([refused.exchange], isShown ? requirement : undefined);
  if (!isShown) {
    const { id } = refused.operation;
    if (accepted >= 0) run.suspect(context.name, [refused.exchange]);
    run.note(`${id} refused a valid request once (${refused.exchange}) and accepted it when it was repeated.`);
    return;
  }
  const exchanges = answers.map(({ exchange }) => exchange);
  const isOrAre = again.length === 1 ? 'is' : 'are';
  const where = requirement === BEGINS ? ', each in a new session' : '';
  run.ledger.add(
    {
      requirement,
      message: `a valid request is refused (${describe(refused)}), and so ${isOrAre} ${again.length} of ${timesOf(suspicion)} that repeat it in quiet${where}`,
      difference: { expected: 'success', actual: String(again[0]!.status) },
      retrial: {
        tries: answers.length,
        shown: again.length,
        controls: since.filter(succeeded).length,
        exchanges,
        once: exchanges,
      },
    },
    again[0]!.exchange,
  );
}

/** Whether a limit of how soon the same is accepted again explains the refusals: none came as late after an acceptance as what was accepted next. */
export function mayBeTooSoon(answers: readonly Pick<Answer, 'status' | 'sentAt'>[]): boolean {
  const waited = { accepted: [] as number[], refused: [] as number[] };
  let acceptedAt: number | undefined;
  for (const answer of answers) {
    const kind = succeeded(answer) ? 'accepted' : 'refused';
    if (acceptedAt !== undefined) waited[kind].push(answer.sentAt - acceptedAt);
    if (kind === 'accepted') acceptedAt = answer.sentAt;
  }
  return waited.refused.length > 0 && Math.max(...waited.refused) < Math.min(...waited.accepted);
}

/** Listings of v3 that may be refused, and were, of which the same was accepted at another time. What is asked of one card depends on its state, what is asked of the portal on the session. */
function refusedAndAccepted(run: Run): Answer[] {
  const readings = run.answers.filter(
    ({ operation, intent }) =>
      (intent === 'valid' || intent === 'refusable') &&
      onlyReads(operation) &&
      operation.interface === 'v3' &&
      operation.pathParameters.length === 0,
  );
  const accepted = readings.filter(succeeded);
  const wasAccepted = ({ operation, input }: Answer) =>
    accepted.some((other) => other.operation.id === operation.id && isDeepStrictEqual(other.input, input));
  return readings.filter((answer) => !succeeded(answer) && !isBusy(answer) && wasAccepted(answer));
}

/** Statuses that the documents name for a bad session. */
const NAMED = [400, 401];

/** Whether a request is refused as it was in a bad session: with a documented status, or with the same answer. */
const isRefusedAsBad = (run: Run, { operation, status, bytes }: Answer): boolean =>
  run.answers.some(
    (bad) =>
      bad.operation.id === operation.id &&
      bad.intent === 'unauthorised' &&
      bad.status === status &&
      !succeeded(bad) &&
      (NAMED.includes(status) || bad.bytes.equals(bytes)),
  );

async function repeated(run: Run, context: Context, { operation, input }: Answer): Promise<Answer> {
  const answer = await context.call(operation.id, input, { intent: 'refusable' });
  // So that it is logged out in the end.
  if (operation.id === 'portal.login' && succeeded(answer)) run.client.sessions.use(answer);
  return answer;
}

/** Repeats a reading in a new session, and logs out: a login may give an ended session again. */
async function inNewSession(run: Run, context: Context, refused: Answer): Promise<Answer> {
  const { sessions } = run.client;
  const { id } = await sessions.fresh();
  const answer = await used(run, context, refused, id);
  await sessions.end(id);
  return answer;
}

/**
 * Uses a new session for a reading; where that is refused, for each other one that was accepted in a session.
 * @returns the answer, or that to another one that is accepted or not refused as in a bad session
 */
async function used(run: Run, context: Context, refused: Answer, sessionId: string): Promise<Answer> {
  const read = ({ operation: { id }, input }: Answer) =>
    context.eventually(() => context.call(id, input, { intent: 'refusable', authorisation: { sessionId } }), succeeded);
  const answer = await read(refused);
  if (!isRefusedAsBad(run, answer)) return answer;
  const readings = run.answers.filter((one) => one.sessionId && one.operation.risk === 'safe' && succeeded(one));
  const others = new Map(readings.map((one) => [one.operation.id, one]));
  others.delete(refused.operation.id);
  for (const other of others.values()) {
    const of = await read(other);
    if (!isRefusedAsBad(run, of)) return of;
  }
  return answer;
}
