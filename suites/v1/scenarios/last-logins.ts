/**
 * The last logins of a run, of its user: sequences of logins, uses and logouts, one of every run and one drawn by its seed (reading 33); then logins
 * with loginIDs of nobody, and one wrong password (reading 32). They come after everything else that needs a session.
 */
import fc from 'fast-check';
import { type Answer, type Input, type Intent, succeeded, type Wrong } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import type { RightTwin } from '../../../helpers/engine/refusal.ts';
import { attempt, inconclusive, optional, skip } from '../../../helpers/verdict.ts';
import { life } from '../../declare.ts';
import * as Customers from './customers.ts';
import * as RestrictedUser from './restricted-user.ts';
import * as Sessions from './sessions.ts';
import * as ValidRequests from './valid-requests.ts';
import * as WhoAsks from './who-asks.ts';

/** A session of a sequence, and the accepted read that it is used with. */
interface Session {
  id: string;
  use: Answer;
  isOpen: boolean;
}

/** The sessions that a sequence has begun, in the order of their logins. */
class Sequence {
  readonly sessions: Session[] = [];
}

/** What sequences are played on. Each session is used with the next of the reads, and later with the same one. */
interface Portal {
  t: Context;
  uses: readonly Answer[];
  /** Number of sessions that all sequences have begun. */
  begun: number;
}

type Command = fc.AsyncCommand<Sequence, Portal>;

const read = (t: Context, { id, use }: Session, intent: Intent): Promise<Answer> =>
  t.call(use.operation.id, use.input, { intent, authorisation: { sessionId: id } });

class LogIn implements Command {
  check(): boolean {
    return true;
  }

  async run({ sessions }: Sequence, portal: Portal): Promise<void> {
    const { t, uses } = portal;
    const id = Sessions.idIn(await Sessions.logIn(t, t.run.loginQuery(), 'valid'));
    // A target may allow a user few sessions.
    if (id === undefined) return;
    const session = { id, use: uses[portal.begun++ % uses.length]!, isOpen: true };
    sessions.push(session);
    // Where effects take a while to show, so may a new session: a refusal that a repetition cures shows nothing then.
    const intent = t.run.configuration.run.settleMs > 0 ? 'refusable' : 'valid';
    await t.eventually(() => read(t, session, intent), succeeded);
    if (t.run.configuration.run.thorough) await WhoAsks.askForForeign(t, id);
  }
}

/** A command in a session that the sequence has begun. @param which its index, modulo their number */
abstract class InSession implements Command {
  readonly #which: number;

  constructor(which: number) {
    this.#which = which;
  }

  check({ sessions }: Sequence): boolean {
    return sessions.length > 0;
  }

  run({ sessions }: Sequence, portal: Portal): Promise<void> {
    return this.act(portal, sessions[this.#which % sessions.length]!);
  }

  protected abstract act(portal: Portal, session: Session): Promise<void>;
}

class Use extends InSession {
  protected async act({ t }: Portal, session: Session): Promise<void> {
    await read(t, session, session.isOpen ? 'refusable' : 'unauthorised');
  }
}

/** A logout, after which a session that was open is used once more; where everything is tried, with each of the reads. */
class LogOut extends InSession {
  protected async act({ t, uses }: Portal, session: Session): Promise<void> {
    const wasOpen = session.isOpen;
    const logout = await Sessions.logOut(t, session.id);
    if (succeeded(logout.value)) session.isOpen = false;
    await t.settle();
    if (!wasOpen) return;
    const tried = t.run.configuration.run.thorough ? uses : [session.use];
    for (const use of tried) await read(t, { ...session, use }, session.isOpen ? 'refusable' : 'unauthorised');
  }
}

const inSession = fc
  .record({ command: fc.constantFrom(Use, LogOut), which: fc.nat({ max: 3 }) })
  .map(({ command: InAny, which }) => new InAny(which));
const command: fc.Arbitrary<Command> = fc.oneof(fc.constant(new LogIn()), inSession, inSession);

/** Numbers of sequences that a run draws, and of commands of each at the most. */
const DRAWN = { usual: { sequences: 1, commands: 2 }, thorough: { sequences: 10, commands: 4 } };

/** Of two sessions, the later is logged out three times; after another login both are used, and the earlier is logged out. */
const ALWAYS: readonly Command[] = [
  new LogIn(),
  new LogIn(),
  new LogOut(1),
  new LogOut(1),
  new LogOut(1),
  new LogIn(),
  new Use(1),
  new Use(0),
  new LogOut(0),
];

/**
 * Plays sequences of logins, uses and logouts, after closing the run's session.
 * @throws Skipped without credentials, or without a reading operation in scope; Inconclusive when no read is accepted
 */
async function playSequences(t: Context): Promise<void> {
  Sessions.requireCredentials(t);
  const { sequences, commands: maxLength } = DRAWN[t.run.configuration.run.thorough ? 'thorough' : 'usual'];
  const drawn = fc.noBias(fc.array(command, { minLength: 1, maxLength, size: 'max' }));
  const seeds = t.seedsOf('sequences of logins');
  const played = [ALWAYS, ...seeds.flatMap((seed) => fc.sample(drawn, { seed, numRuns: sequences }))];
  const logins = played.flat().filter((one) => one instanceof LogIn).length;
  const portal: Portal = { t, uses: await requireAcceptedUses(t, logins), begun: 0 };
  await t.run.client.sessions.close();
  for (const commands of played) {
    const sequence = new Sequence();
    await fc.asyncModelRun(() => ({ model: sequence, real: portal }), commands);
    const open = sequence.sessions.filter(({ isOpen }) => isOpen);
    await Promise.all(open.map(({ id }) => Sessions.logOut(t, id)));
  }
}

/** So many reads that were accepted in the run's session, beginning with one chosen by the seed. @throws Inconclusive, Skipped when there is none */
async function requireAcceptedUses(t: Context, count: number): Promise<Answer[]> {
  const inScope = Sessions.READS.filter((id) => t.isInScope(id));
  const uses: Answer[] = [];
  for (const index of inScope.keys()) {
    const id = inScope[(t.run.configuration.run.seed + index) % inScope.length]!;
    if (uses.length >= count) break;
    const read = await optional(t.known(ValidRequests.requestOf(id)));
    const others = id === Customers.HIERARCHY ? [otherHierarchy(t)] : [];
    for (const use of [read?.answer, ...others]) if (use && succeeded(use)) uses.push(use);
  }
  if (uses.length > 0) return uses;
  return inScope.length > 0
    ? inconclusive('no operation that only reads is accepted in a session')
    : skip(`needs one of ${Sessions.READS.join(', ')}, which are not in scope`);
}

/** The hierarchy of another customer than that of the login that was shown last, if one was. */
function otherHierarchy(t: Context): Answer | undefined {
  const own = (answer: Answer) => answer.operation.id === Customers.HIERARCHY && Sessions.isByRight(answer);
  const hierarchies = t.run.answers.filter(own).filter(succeeded);
  return hierarchies.findLast((one) => Customers.askedIn(one) !== Customers.askedIn(hierarchies[0]!));
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

/** Tries logins without loginID, and with loginIDs that nobody has. */
async function tryNobody(t: Context): Promise<void> {
  const { loginID: own, password = t.unique('password') } = t.run.loginQuery();
  // Each its own: a target may lock whoever sends bad passwords, even nobody.
  const nobody = () => {
    const loginID = t.unique('nobody');
    t.run.redactor.learn(loginID, 'INVENTED_LOGIN_ID');
    return loginID;
  };
  const resembling = own === undefined ? [] : Forms.lookAlikes(t, 'loginId', own);
  for (const { text } of resembling) t.run.redactor.learn(text, 'INVENTED_LOGIN_ID');
  const tried = t.rotated('portal.login: logins of nobody', [
    { name: 'an invented loginID', query: { loginID: nobody(), password } },
    {
      name: `the password ${Forms.INJECTED}`,
      query: { loginID: nobody(), password: Forms.INJECTED },
      isFiltered: true,
    },
    { name: 'a quote in loginID', query: { loginID: `${nobody()}${Forms.INJECTED}`, password }, isFiltered: true },
    { name: 'the password *', query: { loginID: nobody(), password: '*' } },
    ...resembling.map(({ name, text: loginID, ...more }) => ({
      name: `a loginID ${name}`,
      query: { loginID, password },
      ...more,
    })),
  ]);
  await optional(Sessions.logIn(t, { password }, 'malformed', { what: 'no loginID' }));
  for (const { name: what, query, ...wrong } of tried)
    await optional(Sessions.logIn(t, query, 'unauthorised', { what, ...wrong }));
}

/**
 * Tries the run's user without a password and with a wrong one, after closing the session: a target may lock the user.
 * @throws Skipped without credentials of the run's user
 */
async function tryWrongPassword(t: Context): Promise<void> {
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
  const {
    name,
    text,
    isWord,
    isFiltered = false,
  } = t.oneOf('portal.login: wrong passwords', forms, {
    name: (form) => `a password ${form.name}`,
  });
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
}

/** In this order: a login may end earlier sessions, and a wrong one may lock the user or the address. For checks of phase 'end'. */
const logins = life('the last logins of the run', async () => ({}))
  .shows('sequences', ({ t }) => playSequences(t))
  .shows('logins of nobody', ({ t }) => tryNobody(t))
  .shows('a wrong password', ({ t }) => tryWrongPassword(t));

/** Declares that what judges a requirement reads a step. @returns what drives it; it throws the verdict that ended the step */
export function drive(requirement: string, step: 'sequences' | 'logins of nobody' | 'a wrong password') {
  const play = logins.reads(requirement, step);
  return async (t: Context): Promise<void> => (await play(t))[step].get();
}
