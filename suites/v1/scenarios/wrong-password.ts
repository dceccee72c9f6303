/**
 * The one wrong password of a run (reading 32). A target may lock the user for a while, or end the user's sessions, so it comes
 * after everything else in the portal except observations.
 */
import { type Answer, member, succeeded } from '../../../helpers/answer.ts';
import { scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { INJECTED } from '../../../helpers/engine/forms/credentials.ts';
import { lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';
import type { RightTwin } from '../../../helpers/engine/refusal.ts';
import { attempt, type Step, values } from '../../../helpers/engine/step.ts';
import { skip } from '../../../helpers/verdict.ts';
import { bothLogins } from './restricted-user.ts';
import { isAccepted, logIn, logOut, ownsSession } from './session-lifecycle.ts';

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
