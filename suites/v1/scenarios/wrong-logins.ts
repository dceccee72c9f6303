/**
 * The wrong logins of a run, with loginIDs of nobody and one wrong password (reading 32). A target may lock the user or the address for a
 * while, or end the user's sessions, so they come after everything else in the portal except observations.
 */
import { type Answer, type Input, type Intent, succeeded, type Wrong } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { INJECTED } from '../../../helpers/engine/forms/credentials.ts';
import { lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';
import type { RightTwin } from '../../../helpers/engine/refusal.ts';
import { attempt, values } from '../../../helpers/verdict.ts';
import { bothLogins } from './restricted-user.ts';
import { sequences } from './session-sequences.ts';
import { LOGIN, logOutOf, requireCredentials } from './sessions.ts';

/** Logs in, and out again. */
async function logInAndOut(t: Context, query: Input['query'], intent: Intent, wrong?: Wrong): Promise<Answer> {
  const login = await t.call(LOGIN, { query }, { intent, ...(wrong && { wrong }) });
  await logOutOf(t, login);
  return login;
}

/** A login of the run's user. */
export const rightLogin: RightTwin = { key: LOGIN, send: (t) => logInAndOut(t, t.run.loginQuery(), 'refusable') };

/** Tries logins without loginID, and with loginIDs that nobody has, after everything else that logs in or out. */
export const loginsOfNobody = scenario('portal logins of nobody', async (t): Promise<void> => {
  await attempt(() => t.known(sequences));
  const { loginID: own, password = t.unique('password') } = t.run.loginQuery();
  const nobody = t.unique('nobody');
  t.run.redactor.learn(nobody, 'INVENTED_LOGIN_ID');
  const resembling = own === undefined ? [] : lookAlikes('loginId', own);
  for (const { text } of resembling) t.run.redactor.learn(text, 'INVENTED_LOGIN_ID');
  const tried = t.rotated('portal.login: logins of nobody', [
    { name: 'an invented loginID', query: { loginID: nobody, password } },
    { name: `the password ${INJECTED}`, query: { loginID: nobody, password: INJECTED }, isFiltered: true },
    { name: 'a quote in loginID', query: { loginID: `${nobody}${INJECTED}`, password }, isFiltered: true },
    { name: 'the password *', query: { loginID: nobody, password: '*' } },
    ...resembling.map(({ name, text }) => ({
      name: `a loginID ${name}`,
      query: { loginID: text, password },
      isFiltered: text.includes('%'),
    })),
  ]);
  await attempt(() => t.call(LOGIN, { query: { password } }, { intent: 'malformed', wrong: { what: 'no loginID' } }));
  for (const { name: what, query, ...wrong } of tried)
    await attempt(() => t.call(LOGIN, { query }, { intent: 'unauthorised', wrong: { what, ...wrong } }));
});

/**
 * Tries the run's user without a password and with a wrong one, after closing the session: a target may lock the user.
 * @throws Skipped without credentials of the run's user
 */
export const wrongPassword = scenario('a wrong password', async (t): Promise<void> => {
  await attempt(() => t.known(loginsOfNobody));
  const { loginID, password } = requireCredentials(t);
  // From here on nothing needs a session, even if the user is locked.
  await t.run.client.sessions.close();
  const { password: ofAnother = password } = t.fixtures.portal?.restrictedLogin ?? {};
  const forms: readonly { name: string; text: string; isWord?: boolean }[] = [
    ...lookAlikes('password', password),
    { name: 'that is a quote', text: INJECTED, isWord: true },
    { name: 'that is a star', text: '*', isWord: true },
    ...(ofAnother === password ? [] : [{ name: 'of another user', text: ofAnother }]),
    { name: 'that is empty', text: '', isWord: true },
  ];
  const { name, text, isWord } = forms[t.run.configuration.run.seed % forms.length]!;
  t.run.recordRotation('portal.login: wrong passwords', [`a password ${name}`], forms.length);
  if (!isWord) t.run.redactor.learn(text, 'WRONG_PASSWORD');
  // Beside a session, if a second login was accepted: a target must not accept a user's session in place of the password.
  const { own } = await t.known(bothLogins);
  const beside = values([own]).some(succeeded)
    ? [await t.call(LOGIN, { query: { loginID, password } }, { intent: 'refusable' })]
    : [];
  const nearly = { what: `a password ${name}`, isFiltered: text === INJECTED };
  await Promise.all([
    attempt(() => t.call(LOGIN, { query: { loginID } }, { intent: 'malformed', wrong: { what: 'no password' } })),
    attempt(() => logInAndOut(t, { loginID, password: text }, 'unauthorised', nearly)),
  ]);
  for (const login of beside) await logOutOf(t, login);
  t.observe(LOGIN, 'a login right after a wrong password', await rightLogin.send(t));
});
