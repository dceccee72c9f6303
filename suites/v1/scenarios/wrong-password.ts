/**
 * The wrong logins of a run, with loginIDs of nobody and one wrong password (reading 32). A target may lock the user or the address for a
 * while, or end the user's sessions, so they come after everything else in the portal except observations.
 */
import { type Answer, member, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { INJECTED } from '../../../helpers/engine/forms/credentials.ts';
import { lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';
import type { RightTwin } from '../../../helpers/engine/refusal.ts';
import { attempt, type Step, skip, values } from '../../../helpers/verdict.ts';
import { bothLogins } from './restricted-user.ts';
import { isAccepted, logIn, logOut, ownsSession } from './session-lifecycle.ts';
import { sequences } from './session-sequences.ts';

/** Logins without a known loginID. */
export interface LoginsOfNobody {
  withoutLoginId: Step<Answer>;
  /** Logins with loginIDs that nobody has; those that this run tries. */
  unknown: {
    answer: Step<Answer>;
    /** The loginID is derived from the run's, so it might be another user's. */
    isAltered?: boolean;
    /** A firewall may refuse it, with 403, before the operation sees it. */
    isFiltered?: boolean;
  }[];
}

/** Tries logins without loginID, and with loginIDs that nobody has, after everything else that logs in or out. */
export const loginsOfNobody = scenario('portal logins of nobody', async (t): Promise<LoginsOfNobody> => {
  await attempt(() => t.known(sequences));
  const { loginID, password } = t.run.loginQuery();
  const nobody = t.unique('nobody');
  const anyPassword = password ?? t.unique('password');
  t.run.redactor.learn(nobody, 'INVENTED_LOGIN_ID');
  const resembling = loginID === undefined ? [] : lookAlikes('loginId', loginID);
  for (const { text } of resembling) t.run.redactor.learn(text, 'INVENTED_LOGIN_ID');
  const tried = t.rotated('portal.login: logins of nobody', [
    { name: 'plain', login: { loginID: nobody, password: anyPassword } },
    { name: `the password ${INJECTED}`, login: { loginID: nobody, password: INJECTED }, isFiltered: true },
    {
      name: 'a quote in loginID',
      login: { loginID: `${nobody}${INJECTED}`, password: anyPassword },
      isFiltered: true,
    },
    { name: 'the password *', login: { loginID: nobody, password: '*' } },
    ...resembling.map(({ name, text }) => ({
      name: `a loginID ${name}`,
      login: { loginID: text, password: anyPassword },
      isAltered: true,
      isFiltered: text.includes('%'),
    })),
  ]);
  const withoutLoginId = await logIn(t, { password: anyPassword }, 'malformed');
  const unknown: LoginsOfNobody['unknown'] = [];
  for (const { login, ...form } of tried) unknown.push({ ...form, answer: await logIn(t, login, 'unauthorised') });
  return { withoutLoginId, unknown };
});

/** Logins without a password and with a wrong one. */
export interface WrongPassword {
  withoutPassword: Step<Answer>;
  /** The kind of wrong password, in words. */
  form: string;
  /** A firewall may refuse it, with 403, before the operation sees it. */
  isFiltered: boolean;
  wrong: Step<Answer>;
  /** The login that followed. */
  good: Step<Answer>;
}

/** Wrong passwords, most of them nearly right. */
const formsLike = (
  password: string,
  ofAnother: string | undefined,
): { form: string; wrong: string; isWord?: boolean }[] => [
  ...lookAlikes('password', password).map(({ name, text }) => ({ form: `the password ${name}`, wrong: text })),
  { form: 'a password with a quote', wrong: INJECTED, isWord: true },
  { form: 'a star as the password', wrong: '*', isWord: true },
  ...(ofAnother === undefined || ofAnother === password
    ? []
    : [{ form: 'the password of another user', wrong: ofAnother }]),
  { form: 'an empty password', wrong: '', isWord: true },
];

/**
 * Tries the run's user without a password and with a wrong one, after closing the session: a target may lock the user.
 * @throws Skipped without credentials of the run's user
 */
export const wrongPassword = scenario('a wrong password', async (t): Promise<WrongPassword> => {
  await attempt(() => t.known(loginsOfNobody));
  const { sessions } = t.run.client;
  const { loginID, password } = t.run.loginQuery();
  if (!ownsSession(t) || loginID === undefined || password === undefined)
    return skip('needs TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD, with TARGET_PORTAL_SESSION_ID unset');
  // From here on nothing needs a session, even if the user is locked.
  await sessions.close();
  const forms = formsLike(password, t.fixtures.portal?.restrictedLogin?.password);
  const { form, wrong: nearly, isWord } = forms[t.run.configuration.run.seed % forms.length]!;
  t.run.recordRotation('portal.login: wrong passwords', [form], forms.length);
  if (!isWord) t.run.redactor.learn(nearly, 'WRONG_PASSWORD');
  // Beside a session, if a second login was accepted: a target must not accept a user's session in place of the password.
  const { own } = await t.known(bothLogins);
  const beside = isAccepted(own) ? [await logIn(t, { loginID, password }, 'refusable')] : [];
  const [withoutPassword, wrong] = await Promise.all([
    logIn(t, { loginID }, 'malformed'),
    logIn(t, { loginID, password: nearly }, 'unauthorised'),
  ]);
  for (const answer of values([...beside, wrong])) await logOutOf(t, answer);
  const good = await attempt(() => rightLogin.send(t));
  return { withoutPassword, form, isFiltered: nearly === INJECTED, wrong, good };
});

/** A login of the run's user, which is logged out again. */
export const rightLogin: RightTwin = {
  key: 'portal.login',
  async send(t) {
    const login = (await logIn(t, t.run.loginQuery(), 'refusable'))();
    await logOutOf(t, login);
    return login;
  },
};

async function logOutOf(t: Context, login: Answer): Promise<void> {
  const sessionId = member(login, 'sessionId');
  if (succeeded(login) && typeof sessionId === 'string') await logOut(t, sessionId);
}
