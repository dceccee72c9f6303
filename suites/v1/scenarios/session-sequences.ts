/**
 * Sequences of logins, uses and logouts of the run's user: one of every run and one drawn by its seed. They come after everything else that
 * needs a session, since a login may end the user's earlier ones (reading 33).
 */
import fc from 'fast-check';
import { type Answer, type Intent, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { attempt, inconclusive, skip, values } from '../../../helpers/verdict.ts';
import { badSessions } from './bad-sessions.ts';
import { LOGIN, logOut, requireCredentials, sessionOf } from './sessions.ts';
import { READING_OPERATIONS, validRequests } from './valid-requests.ts';

/** A step of a sequence; `which` is the index of a session of the sequence, modulo their number. */
type Step = { do: 'login' } | { do: 'use' | 'logout'; which: number };

const MOST_STEPS = 3;
const inSession = fc.record({ do: fc.constantFrom('use' as const, 'logout' as const), which: fc.nat({ max: 3 }) });
const step: fc.Arbitrary<Step> = fc.oneof(fc.constant({ do: 'login' as const }), inSession, inSession);
const drawn = fc.noBias(fc.array(step, { minLength: 1, maxLength: MOST_STEPS, size: 'max' }));
/** Number of sequences that `--thorough` draws. */
const THOROUGH = 10;

/** Of two sessions, the later is logged out three times; after another login both are used, and the earlier is logged out. */
const ALWAYS: readonly Step[] = [
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

/**
 * Plays the sequences, after closing the run's session.
 * @returns the answers to the first use of each session
 * @throws Skipped without credentials, or without a reading operation in scope; Inconclusive when no read is accepted
 */
export const sequences = scenario('sequences of logins and logouts', async (t): Promise<Answer[]> => {
  requireCredentials(t);
  const uses = await requireAcceptedUses(t);
  // How bad sessions are refused: later refusals may be for too many requests.
  await attempt(() => t.known(badSessions));
  await t.run.client.sessions.close();
  const { seed, thorough } = t.run.configuration.run;
  const answers: Answer[] = [];
  for (const steps of [ALWAYS, ...fc.sample(drawn, { seed, numRuns: thorough ? THOROUGH : 1 })])
    await play(t, steps, uses, answers);
  return answers;
});

/** Plays one sequence; each session is used with the next read, and later with the same one. */
async function play(t: Context, steps: readonly Step[], uses: readonly Answer[], answers: Answer[]): Promise<void> {
  const sessions: { id: string; use: Answer; isOpen: boolean }[] = [];
  const read = ({ id, use }: (typeof sessions)[number], intent: Intent = 'refusable') =>
    t.call(use.operation.id, use.input, { intent, authorisation: { sessionId: id } });
  const logIn = async () => {
    const id = sessionOf(await t.call(LOGIN, { query: t.run.loginQuery() }));
    // A target may allow a user few sessions.
    if (id === undefined) return;
    const session = { id, use: uses[answers.length % uses.length]!, isOpen: true };
    sessions.push(session);
    // Where effects take a while to show, so may a new session: a refusal that a repetition cures shows nothing then.
    const intent = t.run.configuration.run.settleMs > 0 ? 'unusual' : 'valid';
    answers.push(await t.eventually(() => read(session, intent), succeeded));
  };
  for (const step of steps) {
    if (step.do === 'login') await logIn();
    const session = step.do === 'login' ? undefined : sessions[step.which % sessions.length];
    if (!session) continue;
    const wasOpen = session.isOpen;
    if (step.do === 'logout') {
      const logout = await logOut(t, session.id);
      if (values([logout]).some(succeeded)) session.isOpen = false;
      await t.settle();
    }
    if (step.do === 'use' || wasOpen) await read(session, session.isOpen ? 'refusable' : 'unauthorised');
  }
  await Promise.all(sessions.filter(({ isOpen }) => isOpen).map(({ id }) => logOut(t, id)));
}

/** Reads that were accepted in the run's session, beginning with one chosen by the seed. @throws Inconclusive, Skipped when there is none */
async function requireAcceptedUses(t: Context): Promise<Answer[]> {
  const inScope = READING_OPERATIONS.filter((id) => t.isInScope(id));
  const tried = await Promise.all(inScope.map((id) => attempt(() => t.known(validRequests[id]!))));
  const uses = values(tried).flatMap(({ answer }) => (succeeded(answer) ? [answer] : []));
  if (uses.length > 0) return uses.map((_, index) => uses[(t.run.configuration.run.seed + index) % uses.length]!);
  return inScope.length > 0
    ? inconclusive('no operation that only reads is accepted in a session')
    : skip(`needs one of ${READING_OPERATIONS.join(', ')}, which are not in scope`);
}
