/** Requests in sessions that must not grant access: none, an empty one, other forms, and whatever has ended (reading 34). */
import type { Input, Wrong } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { attempt } from '../../../helpers/verdict.ts';
import * as Persons from '../cip/persons.ts';
import * as Kinds from '../orders/kinds.ts';
import * as Orders from '../orders/orders.ts';
import * as Repetitions from '../orders/repetitions.ts';
import * as Customers from './customers.ts';
import * as Sessions from './sessions.ts';
import * as ValidRequests from './valid-requests.ts';

/** A session identifier that must not grant access, and what is wrong with it; undefined sends none. */
interface BadSession extends Wrong {
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

const showsGuard = (t: Context, id: string) => t.needsOperation(id, 'requires-session', 'session-status');

/** Whether an operation is tried in bad sessions: it is in scope, and what that shows is needed. */
export const isProbed = (t: Context, id: string): boolean =>
  t.isInScope(id) && (showsGuard(t, id) || (t.needs('portal.logout.ends-session') && Sessions.READS.includes(id)));

/** Tries every operation except logout with no, an empty and other bad sessionIds. */
export const all = scenario('portal requests in bad sessions', async (t) => {
  const { id } = await t.run.client.sessions.current();
  const sessionsFor = rotated(t, id);
  const isTried = (operation: string) => operation !== Sessions.LOGOUT && showsGuard(t, operation);
  await probe(t, (operation) => ({ plainly: isTried(operation) ? sessionsFor(operation) : [] }));
});

/** Tries every operation that needs a session in bad sessions; logout comes last, since it might end a session after all. */
export async function probe(t: Context, sessionsFor: (operation: string) => Probes): Promise<void> {
  const inScope = Sessions.OPERATIONS.filter((id) => isProbed(t, id));
  const probeAll = (ids: readonly string[]) => Promise.all(ids.map((id) => probeWith(t, id, sessionsFor(id))));
  await probeAll(inScope.filter((id) => id !== Sessions.LOGOUT));
  await probeAll(inScope.filter((id) => id === Sessions.LOGOUT));
}

/** Calls an operation in bad sessions at once: with the plain request, and with other forms of it; logout takes nothing but a session. */
export async function probeWith(t: Context, id: string, { plainly, otherwise = [] }: Probes): Promise<void> {
  const { value: forms = [] } = await attempt(() => (otherwise.length > 0 && otherForms[id]?.(t)) || []);
  const pairs = otherwise.flatMap((session) =>
    forms.map(({ name, input }) => ({ name: `${session.what}, for ${name}`, input, session })),
  );
  const made = async ({ input }: (typeof pairs)[number]) =>
    typeof input === 'function' ? (await attempt(input)).value : input;
  const call = (input: Input, { sessionId, ...wrong }: BadSession) =>
    t.call(id, input, { ...Sessions.unauthorised(sessionId), wrong });
  const tryPlain = async (session: BadSession) =>
    call(id === Sessions.LOGOUT ? {} : (await t.known(ValidRequests.of(id))).again(), session);
  // Orders have most of the other forms.
  const count = id === Orders.ORDER ? 2 : 1;
  const others = await t.rotatedMade(`${id}: other forms`, pairs, made, { count });
  await Promise.all([
    ...plainly.map((session) => attempt(() => tryPlain(session))),
    ...others.map(([{ session, name: what }, input]) => attempt(() => call(input, { ...session, what }))),
  ]);
}

const queryOf = async (t: Context, id: string) => (await t.known(ValidRequests.of(id))).answer.input.query ?? {};

/** For an input that takes requests to make. */
type Making = () => Promise<Input | undefined>;
/** Valid requests of other forms than the plain one by operation: each needs a session, too. Empty where none is known or may be sent. */
const otherForms: Readonly<Record<string, (t: Context) => Promise<{ name: string; input: Input | Making }[]>>> = {
  async [Customers.HIERARCHY](t) {
    const [customerId] = await t.known(ValidRequests.customersBelow);
    return customerId === undefined ? [] : [{ name: 'a customer below', input: { query: { customerId } } }];
  },
  async [Customers.PROGRAM_LIST](t) {
    const [query, [below]] = [await queryOf(t, Customers.PROGRAM_LIST), await t.known(ValidRequests.customersBelow)];
    const flagged = ValidRequests.FLAGS.slice(1).map((flags) => ({
      name: `programs with ${ValidRequests.inWords(flags)}`,
      input: { query: { ...query, ...flags } },
    }));
    const ofBelow = { name: 'programs of a customer below', input: { query: { ...query, customerId: below } } };
    return below === undefined ? flagged : [...flagged, ofBelow];
  },
  async [ValidRequests.ATM](t) {
    const query = await queryOf(t, ValidRequests.ATM);
    const pageOffset = Number(query.pageOffset) + 1;
    return [{ name: `cash machines from pageOffset ${pageOffset} on`, input: { query: { ...query, pageOffset } } }];
  },
  async [Persons.CIP](t) {
    if (!ValidRequests.mayChange(t, Persons.CIP)) return [];
    const forms = { required: 'without ssn', ...Persons.RULED };
    return Object.entries(forms).map(([form, what]) => ({
      name: `a person ${what}`,
      input: async () => ({ json: await Persons.FORMS[form as keyof typeof forms](t) }),
    }));
  },
  async [Orders.ORDER](t) {
    if (!ValidRequests.mayChange(t, Orders.ORDER)) return [];
    const kinds = Object.values(Kinds.others).map(({ name, of }) => ({
      name,
      input: () => of(t).then((make) => make && { json: make() }),
    }));
    // A target may recognise the order and repeat its answer before it checks the session.
    const made = async () => (await t.known(Repetitions.identified)).first.input;
    return [...kinds, { name: 'an order that was made before', input: made }];
  },
};
