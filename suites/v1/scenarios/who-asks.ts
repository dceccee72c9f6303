/**
 * Who asks in which session: what a session may do and is shown depends on its user alone, not on which of the user's sessions asks, nor on who logged in
 * meanwhile (reading 33).
 */
import { type Answer, type Input, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import { askedAsElsewhere, type Tried } from '../../../helpers/engine/acceptance.ts';
import { attempt, type Fact, Inconclusive, inconclusive, notApplicable, skip } from '../../../helpers/verdict.ts';
import * as Persons from '../cip/persons.ts';
import * as Bodies from '../orders/bodies.ts';
import * as Orders from '../orders/orders.ts';
import * as Customers from './customers.ts';
import * as RestrictedUser from './restricted-user.ts';
import * as Sessions from './sessions.ts';
import * as ValidRequests from './valid-requests.ts';

/** What depends on the user alone. */
const ASKED = [
  'an order',
  'a known person',
  'the hierarchy of the foreign customer',
  'programs of the foreign customer',
  'a Digital order where these are off',
] as const;
export type Asked = (typeof ASKED)[number];

type Ask = (sessionId: string) => Promise<Answer>;

/** What is asked for, and what is right of what each session is given. */
interface Question {
  /** @throws Skipped, Inconclusive where nothing is known to ask for */
  asking: (t: Context) => Promise<Ask>;
  isRight?: (t: Context, answer: Answer) => boolean;
}

const foreign = (id: string, flagsOf: (t: Context) => Input['query']): Question => ({
  async asking(t) {
    if (t.fixtures.portal?.foreignCustomerId === undefined) skip('needs portal.foreignCustomerId in the fixtures file');
    const query = { ...flagsOf(t), customerId: Customers.foreignId(t) };
    return (sessionId) => t.call(id, { query }, { intent: 'foreign', ...Sessions.within(sessionId) });
  },
});

const questions: Readonly<Record<Asked, Question>> = {
  'an order': {
    async asking(t) {
      const base = await Orders.requireBase(t);
      return (sessionId) => Orders.send(t, base.make(), Sessions.within(sessionId));
    },
    isRight: (_, answer) => succeeded(answer),
  },
  'a known person': {
    async asking(t) {
      const json = t.fixtures.portal?.cip?.pass ?? (await Persons.requireAccepted(t));
      return (sessionId) => t.call(Persons.CIP, { json }, { intent: 'refusable', ...Sessions.within(sessionId) });
    },
    // With returnCode 0 nobody was looked for.
    isRight: ({ fixtures }, answer) =>
      succeeded(answer) &&
      (!fixtures.portal?.cip?.pass || Persons.outcomeOf(answer) === 'Pass' || Persons.isDown(answer)),
  },
  'the hierarchy of the foreign customer': foreign(Customers.HIERARCHY, () => ({})),
  'programs of the foreign customer': foreign(Customers.PROGRAM_LIST, (t) =>
    t.oneOf('flags for programs of the foreign customer', ValidRequests.FLAGS, { name: ValidRequests.inWords }),
  ),
  'a Digital order where these are off': {
    async asking(t) {
      const base = await Orders.requireBase(t, 'digitalOff');
      return (sessionId) =>
        Orders.send(t, Bodies.asDigital(base.make()), { intent: 'malformed', ...Sessions.within(sessionId) });
    },
  },
};

/** Whether a session is served: a login may have ended it. */
async function isServed(t: Context, sessionId: string): Promise<boolean> {
  const id = Sessions.plainRead(t);
  return id !== undefined && succeeded(await t.call(id, {}, { intent: 'refusable', ...Sessions.within(sessionId) }));
}

/** A session in which something is asked for, and another one of its user. */
interface Where {
  sessionId: string;
  other: string;
}

/**
 * Asks for something in a session. Where that is not answered as it should be, it is asked again between the same in another session of the user.
 * @throws Inconclusive where the session has ended, or the other one is refused as well
 */
async function ask(t: Context, { asking, isRight }: Question, { sessionId, other }: Where): Promise<Tried> {
  const askIn = await asking(t);
  const requireServed = async ({ operation }: Answer) => {
    if (!(await isServed(t, sessionId))) inconclusive('the session has ended');
    const given = (id: string) =>
      t.run.answers.filter((one) => one.operation === operation && one.sessionId === id && succeeded(one)).length;
    if (isRight && given(sessionId) > given(other))
      inconclusive('the session was given more than the other: the target may have a limit for each');
  };
  return askedAsElsewhere(t, {
    here: () => askIn(sessionId),
    elsewhere: () => askIn(other),
    isRight: isRight && ((answer) => isRight(t, answer)),
    requireServed,
  });
}

interface InSessions {
  t: Context;
  /** The session of the run before another login of its user, beside which another user logged in; and that after it. */
  earlier: Fact<{ id: string }>;
  later: Fact<{ id: string }>;
  /** Whether the earlier session is still served: a login may end it. */
  isEarlierServed: Fact<boolean>;
}

/** What no session is given. What is given may have been given to the earlier one as often as its target allows. */
const REFUSED = ASKED.filter((asked) => !questions[asked].isRight);

/** Asks for the foreign customer, and for its programs with each of the flags, in a session that a further login gives. */
export async function askForForeign(t: Context, sessionId: string): Promise<void> {
  const listings = ValidRequests.FLAGS.map((flags) => foreign(Customers.PROGRAM_LIST, () => flags));
  for (const { asking } of [questions['the hierarchy of the foreign customer'], ...listings])
    await attempt(async () => (await asking(t))(sessionId));
}

/** What an earlier session is asked for: some of what none is given, or, where everything is tried, whatever a later one is asked for. */
function isDueEarlier(t: Context, asked: Asked): boolean {
  const isRefused = t.rotated('who asks in an earlier session', REFUSED).includes(asked);
  return isRefused || t.run.configuration.run.thorough;
}

/**
 * Asks for something that a session is refused, and another session of its user, too: once another user is logged out, and between that once this user
 * is logged in.
 * @throws Inconclusive where it is not given then, or where no other user is known
 */
async function askBesideAnother(t: Context, { asking, isRight }: Question, { sessionId }: Where): Promise<Tried> {
  const askIn = await asking(t);
  let other: string | undefined = (await RestrictedUser.requireRestrictedSession(t)).sessionId;
  const beside = async () => {
    other ??= Sessions.idIn(await RestrictedUser.logInRestricted(t));
    await t.settle();
    return askIn(sessionId);
  };
  const alone = async () => {
    if (other !== undefined) await Sessions.logOut(t, other);
    other = undefined;
    await t.settle();
    return askIn(sessionId);
  };
  return askedAsElsewhere(t, {
    here: beside,
    elsewhere: alone,
    isRight: isRight && ((answer) => isRight(t, answer)),
    requireServed: async () => {},
  });
}

/** The steps that ask for something in the later session, and some of them in the earlier one, for a life of sessions. */
export const steps = ASKED.map((asked) => ({
  name: asked,
  async play({ t, earlier: before, later: after, isEarlierServed }: InSessions): Promise<Tried[]> {
    const [first, second] = [before.get().id, after.get().id];
    if (first === second) notApplicable('the user has no second session');
    const inLater = scenario(`${asked} in a later session`, async (own) => {
      const where = { sessionId: second, other: first };
      const tried = await attempt(() => ask(own, questions[asked], where));
      if (!(tried.ended instanceof Inconclusive)) return tried.get();
      const beside = await attempt(() => askBesideAnother(own, questions[asked], where));
      return (beside.value ? beside : tried).get();
    });
    const inEarlier = scenario(`${asked} in an earlier session`, async (own) =>
      isDueEarlier(own, asked) ? ask(own, questions[asked], { sessionId: first, other: second }) : undefined,
    );
    const later = await t.shared(inLater);
    // What could not be asked there, as where a limit is reached, hides nothing of what the later session was given.
    const { value: earlier } = await attempt(async () => isEarlierServed.value && t.shared(inEarlier));
    return earlier ? [later, earlier] : [later];
  },
}));
