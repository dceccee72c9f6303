/**
 * The last logins of a run, of its user: sequences of logins, uses and logouts, one of every run and one drawn by its seed (reading 33); then logins
 * with loginIDs of nobody, and one wrong password (reading 32). A login may end the user's earlier sessions, and a wrong one may lock the user or the
 * address for a while, so they come after everything else that needs a session, in this order.
 */
import fc from 'fast-check';
import { type Answer, type Input, type Intent, succeeded, type Wrong } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import type { RightTwin } from '../../../helpers/engine/refusal.ts';
import { attempt, inconclusive, skip } from '../../../helpers/verdict.ts';
import * as BadSessions from './bad-sessions.ts';
import * as RestrictedUser from './restricted-user.ts';
import * as Sessions from './sessions.ts';
import * as ValidRequests from './valid-requests.ts';

/** A step of a sequence; `which` is the index of a session of the sequence, modulo their number. */
type Step = { do: 'login' } | { do: 'use' | 'logout'; which: number };

const LOG_IN: Step = { do: 'login' };
const use = (which: number): Step => ({ do: 'use', which });
const logOut = (which: number): Step => ({ do: 'logout', which });

const inSession = fc.record({ do: fc.constantFrom('use' as const, 'logout' as const), which: fc.nat({ max: 3 }) });
const step: fc.Arbitrary<Step> = fc.oneof(fc.constant(LOG_IN), inSession, inSession);
const drawn = fc.noBias(fc.array(step, { minLength: 1, maxLength: 3, size: 'max' }));

/** Of two sessions, the later is logged out three times; after another login both are used, and the earlier is logged out. */
const ALWAYS = [LOG_IN, LOG_IN, logOut(1), logOut(1), logOut(1), LOG_IN, use(1), use(0), logOut(0)];

/**
 * Plays the sequences, after closing the run's session.
 * @returns the answers to the first use of each session
 * @throws Skipped without credentials, or without a reading operation in scope; Inconclusive when no read is accepted
 */
export const sequences = scenario('sequences of logins and logouts', async (t): Promise<Answer[]> => {
  Sessions.requireCredentials(t);
  const { seed, thorough } = t.run.configuration.run;
  const played = [ALWAYS, ...fc.sample(drawn, { seed, numRuns: thorough ? 10 : 1 })];
  const uses = await requireAcceptedUses(t, played.flat().filter((one) => one.do === 'login').length);
  // How bad sessions are refused: later refusals may be for too many requests.
  await attempt(() => t.known(BadSessions.all));
  await t.run.client.sessions.close();
  const answers: Answer[] = [];
  for (const steps of played) await play(t, steps, uses, answers);
  return answers;
});

/** Plays one sequence; each session is used with the next read, and later with the same one. */
async function play(t: Context, steps: readonly Step[], uses: readonly Answer[], answers: Answer[]): Promise<void> {
  const sessions: { id: string; use: Answer; isOpen: boolean }[] = [];
  const read = ({ id, use }: (typeof sessions)[number], intent: Intent = 'refusable') =>
    t.call(use.operation.id, use.input, { intent, authorisation: { sessionId: id } });
  const logIn = async () => {
    const id = Sessions.of(await Sessions.logIn(t, t.run.loginQuery(), 'valid'));
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
      const logout = await Sessions.logOut(t, session.id);
      if (succeeded(logout.value)) session.isOpen = false;
      await t.settle();
    }
    if (step.do === 'use' || wasOpen) await read(session, session.isOpen ? 'refusable' : 'unauthorised');
  }
  await Promise.all(sessions.filter(({ isOpen }) => isOpen).map(({ id }) => Sessions.logOut(t, id)));
}

/** So many reads that were accepted in the run's session, beginning with one chosen by the seed. @throws Inconclusive, Skipped when there is none */
async function requireAcceptedUses(t: Context, count: number): Promise<Answer[]> {
  const inScope = Sessions.READS.filter((id) => t.isInScope(id));
  const uses: Answer[] = [];
  for (const index of inScope.keys()) {
    const id = inScope[(t.run.configuration.run.seed + index) % inScope.length]!;
    if (uses.length === count) break;
    const { value: read } = await attempt(() => t.known(ValidRequests.of(id)));
    if (read && succeeded(read.answer)) uses.push(read.answer);
  }
  if (uses.length > 0) return uses;
  return inScope.length > 0
    ? inconclusive('no operation that only reads is accepted in a session')
    : skip(`needs one of ${Sessions.READS.join(', ')}, which are not in scope`);
}

/** Logs in, and out again. */
async function logInAndOut(t: Context, query: Input['query'], intent: Intent, wrong?: Wrong): Promise<Answer> {
  const login = await Sessions.logIn(t, query, intent, wrong);
  await Sessions.logOutOf(t, login);
  return login;
}

/** A login of the run's user. */
export const rightLogin: RightTwin = {
  key: Sessions.LOGIN,
  send: (t) => logInAndOut(t, t.run.loginQuery(), 'refusable'),
};

/** Tries logins without loginID, and with loginIDs that nobody has, after everything else that logs in or out. */
export const loginsOfNobody = scenario('portal logins of nobody', async (t): Promise<void> => {
  const needsSession = Sessions.OPERATIONS.some((id) => t.needsOperation(id)) || t.needs('portal.login.begins-session');
  if (needsSession) await attempt(() => t.known(sequences));
  const { loginID: own, password = t.unique('password') } = t.run.loginQuery();
  const nobody = t.unique('nobody');
  t.run.redactor.learn(nobody, 'INVENTED_LOGIN_ID');
  const resembling = own === undefined ? [] : Forms.lookAlikes(t, 'loginId', own);
  for (const { text } of resembling) t.run.redactor.learn(text, 'INVENTED_LOGIN_ID');
  const tried = t.rotated('portal.login: logins of nobody', [
    { name: 'an invented loginID', query: { loginID: nobody, password } },
    { name: `the password ${Forms.INJECTED}`, query: { loginID: nobody, password: Forms.INJECTED }, isFiltered: true },
    { name: 'a quote in loginID', query: { loginID: `${nobody}${Forms.INJECTED}`, password }, isFiltered: true },
    { name: 'the password *', query: { loginID: nobody, password: '*' } },
    ...resembling.map(({ name, text: loginID, ...more }) => ({
      name: `a loginID ${name}`,
      query: { loginID, password },
      ...more,
    })),
  ]);
  await attempt(() => Sessions.logIn(t, { password }, 'malformed', { what: 'no loginID' }));
  for (const { name: what, query, ...wrong } of tried)
    await attempt(() => Sessions.logIn(t, query, 'unauthorised', { what, ...wrong }));
});

/**
 * Tries the run's user without a password and with a wrong one, after closing the session: a target may lock the user.
 * @throws Skipped without credentials of the run's user
 */
export const wrongPassword = scenario('a wrong password', async (t): Promise<void> => {
  const isAfter = t.needsOperation(Sessions.LOGIN, 'unknown-login-id', 'required-parameters');
  if (isAfter) await attempt(() => t.known(loginsOfNobody));
  const { loginID, password } = Sessions.requireCredentials(t);
  // From here on nothing needs a session, even if the user is locked.
  await t.run.client.sessions.close();
  const { password: ofAnother = password } = t.fixtures.portal?.restrictedLogin ?? {};
  const forms: readonly Forms.BadCredential[] = [
    ...Forms.lookAlikes(t, 'password', password),
    { name: 'that is a quote', text: Forms.INJECTED, isWord: true, isFiltered: true },
    { name: 'that is a star', text: '*', isWord: true },
    ...(ofAnother === password ? [] : [{ name: 'of another user', text: ofAnother }]),
    { name: 'that is empty', text: '', isWord: true },
  ];
  const { name, text, isWord, isFiltered = false } = forms[t.run.configuration.run.seed % forms.length]!;
  t.run.recordRotation('portal.login: wrong passwords', [`a password ${name}`], forms.length);
  if (!isWord) t.run.redactor.learn(text, 'WRONG_PASSWORD');
  // Beside a session, if a second login was accepted: a target must not accept a user's session in place of the password.
  const { own } = await t.known(RestrictedUser.bothLogins);
  const beside = succeeded(own.value) ? [await Sessions.logIn(t, { loginID, password })] : [];
  const nearly = { what: `a password ${name}`, isFiltered };
  await Promise.all([
    attempt(() => Sessions.logIn(t, { loginID }, 'malformed', { what: 'no password' })),
    attempt(() => logInAndOut(t, { loginID, password: text }, 'unauthorised', nearly)),
  ]);
  for (const login of beside) await Sessions.logOutOf(t, login);
  t.observe(Sessions.LOGIN, 'a login right after a wrong password', await rightLogin.send(t));
});
