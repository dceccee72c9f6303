/** Requests in sessions that must not grant access: none, an empty one, other forms, and whatever has ended (reading 34). */
import type { Input, Wrong } from '../../../helpers/answer.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { optional } from '../../../helpers/verdict.ts';
import * as Orders from '../orders/orders.ts';
import { otherRequestsOf } from './other-requests.ts';
import * as Sessions from './sessions.ts';
import * as ValidRequests from './valid-requests.ts';

/** A session identifier that must not grant access, and what is wrong with it; undefined sends none. */
export interface BadSession extends Wrong {
  sessionId: string | undefined;
}

export const NONE: BadSession = { what: 'no sessionId', sessionId: undefined };

/** Bad sessions to try plain requests in, and other forms of them. */
interface Probes {
  plainly: readonly BadSession[];
  otherwise?: readonly BadSession[];
}

/** Bad sessions to try by operation: none, an empty one, and other forms, which rotate over the operations. */
export function rotated(t: Context, living: string): (operation: string) => BadSession[] {
  const resembling = Forms.lookAlikes(t, 'sessionId', living);
  const bad: Forms.BadCredential[] = [...Forms.inventedCredentials(living), ...resembling];
  for (const { text, isWord } of bad) if (!isWord) t.run.redactor.learn(text, 'INVENTED_SESSION_ID');
  const forms = bad.map(({ name, text: sessionId, isFiltered }) => ({
    what: `a sessionId ${name}`,
    sessionId,
    isFiltered,
  }));
  const name = ({ what }: BadSession) => what;
  return (id) => [
    NONE,
    { what: 'an empty sessionId', sessionId: '' },
    ...t.rotated(`${id}: bad sessions`, forms, { amply: 2, name }),
  ];
}

/** An operation in no, an empty and other bad sessions, but for logout, which might end a session after all. */
export const probesOf = perOperation(
  (id) => `${id} in bad sessions`,
  async (t, id) => {
    const { id: living } = await t.run.client.sessions.current();
    await probe(t, id, { plainly: rotated(t, living)(id) });
  },
);

/** Calls an operation in bad sessions at once: with the plain request, and with requests of other forms. */
export async function probe(t: Context, id: string, { plainly, otherwise = [] }: Probes): Promise<void> {
  if (!t.isInScope(id)) return;
  const others = await rotatedOthers(t, id, otherwise);
  const call = (input: Input, { sessionId, ...wrong }: BadSession) =>
    t.call(id, input, { ...Sessions.unauthorised(sessionId), wrong });
  // Logout takes nothing but a session.
  const plain = async () => (id === Sessions.LOGOUT ? {} : (await t.known(ValidRequests.requestOf(id))).again());
  await Promise.all([
    ...plainly.map((session) => optional(plain().then((input) => call(input, session)))),
    ...others.map(({ session, name, input }) => optional(call(input, { ...session, what: name }))),
  ]);
}

/** The requests of other forms that this run tries in bad sessions. */
async function rotatedOthers(t: Context, id: string, sessions: readonly BadSession[]) {
  const forms = (await optional(sessions.length > 0 ? otherRequestsOf(t, id) : [])) ?? [];
  const pairs = sessions.flatMap((session) =>
    forms.map(({ name, make }) => ({ name: `${session.what}, for ${name}`, make, session })),
  );
  // Orders have most of the other forms.
  const count = id === Orders.ORDER ? 2 : 1;
  const make = async (pair: (typeof pairs)[number]) => optional(pair.make());
  const made = await t.rotatedMade(`${id}: other forms`, pairs, make, { count });
  return made.map(([{ session, name }, input]) => ({ session, name, input }));
}
