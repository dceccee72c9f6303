/** Requests in sessions that must not grant access: none, an empty one, other forms, and whatever has ended (reading 34). */
import type { Wrong } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { type BadCredential, inventedCredentials } from '../../../helpers/engine/forms/credentials.ts';
import { lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';
import { attempt, values } from '../../../helpers/verdict.ts';
import { ORDER } from '../orders/base-orders.ts';
import { otherForms } from './other-forms.ts';
import { SESSION_OPERATIONS, validRequests } from './valid-requests.ts';

const LOGOUT = 'portal.logout';

/** A session identifier that must not grant access, and what is wrong with it; undefined sends none. */
interface BadSession extends Wrong {
  sessionId: string | undefined;
}

export const NO_SESSION: BadSession = { what: 'no sessionId', sessionId: undefined };

/** Bad sessions to try plain requests in, and other forms of them. */
interface Probes {
  plainly: readonly BadSession[];
  otherwise?: readonly BadSession[];
}

export const unauthorised = (sessionId: string | undefined) =>
  ({ intent: 'unauthorised', authorisation: { sessionId } }) as const;

/** Bad sessions to try by operation: none, an empty one, and other forms, which each run deals out among the operations by the seed. */
export function rotatedBadSessions(t: Context, living: string): (operation: string) => BadSession[] {
  const credentials = [...inventedCredentials(living), ...lookAlikes('sessionId', living)] as BadCredential[];
  for (const { text, isWord } of credentials) if (!isWord) t.run.redactor.learn(text, 'INVENTED_SESSION_ID');
  const forms = credentials.map(({ name, text, isFiltered }) => ({
    what: `a sessionId ${name}`,
    sessionId: text,
    isFiltered,
  }));
  const { seed, thorough } = t.run.configuration.run;
  return (id) => {
    const isDealt = (place: number) => place % SESSION_OPERATIONS.length === SESSION_OPERATIONS.indexOf(id);
    const tried = forms.filter((_, index) => thorough || isDealt((index + seed) % forms.length));
    t.run.recordRotation(
      `${id}: bad sessions`,
      tried.map(({ what }) => what),
      forms.length,
    );
    return [NO_SESSION, { what: 'an empty sessionId', sessionId: '' }, ...tried];
  };
}

/** Whether an operation is tried in bad sessions: it is in scope, and what that shows is needed. */
export const isProbed = (t: Context, id: string): boolean =>
  t.isInScope(id) && (t.needsOperation(id) || t.needs('portal.logout.ends-session', 'portal.login.begins-session'));

/** Tries every operation except logout with no, an empty and other bad sessionIds. */
export const badSessions = scenario('portal requests in bad sessions', async (t) => {
  const { id } = await t.run.client.sessions.current();
  const sessionsFor = rotatedBadSessions(t, id);
  await probe(t, (operation) => ({ plainly: operation === LOGOUT ? [] : sessionsFor(operation) }));
});

/** A request in a bad session. */
const inBadSession = ({ sessionId, ...wrong }: BadSession) => ({ ...unauthorised(sessionId), wrong });

/** Tries every operation that needs a session in bad sessions; logout comes last, since it might end a session after all. */
export async function probe(t: Context, sessionsFor: (operation: string) => Probes): Promise<void> {
  const inScope = SESSION_OPERATIONS.filter((id) => isProbed(t, id));
  const probeAll = (ids: readonly string[]) => Promise.all(ids.map((id) => probeWith(t, id, sessionsFor(id))));
  await probeAll(inScope.filter((id) => id !== LOGOUT));
  await probeAll(inScope.filter((id) => id === LOGOUT));
}

/** Number of other forms that a run tries; orders have most of them. */
const formsOf = (id: string) => (id === ORDER ? 2 : 1);

/** Calls an operation in bad sessions at once: with the plain request, and with other forms of it; logout takes nothing but a session. */
export async function probeWith(t: Context, id: string, { plainly, otherwise = [] }: Probes): Promise<void> {
  const forms = otherwise.length === 0 ? [] : values([await attempt(async () => otherForms[id]?.(t) ?? [])]).flat();
  const pairs = otherwise.flatMap((session) =>
    forms.map(({ name, input }) => ({ input, session: { ...session, what: `${session.what}, for ${name}` } })),
  );
  const tryPlain = async (session: BadSession) => {
    const input = id === LOGOUT ? {} : (await t.known(validRequests[id]!)).again();
    return t.call(id, input, inBadSession(session));
  };
  const others = t.rotated(`${id}: other forms`, pairs, { count: formsOf(id), name: ({ session }) => session.what });
  await Promise.all([
    ...plainly.map((session) => attempt(() => tryPlain(session))),
    ...others.map(({ input, session }) => attempt(() => t.call(id, input, inBadSession(session)))),
  ]);
}
