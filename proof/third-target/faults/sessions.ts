import type { Fault } from '../core/changes.ts';
import { around, before, faultsOf } from '../core/changes.ts';
import type { Call, Session, World } from '../core/model.ts';
import { isBelow, Refusal } from '../core/model.ts';

const fault = faultsOf('sessions');

/** An ended session is served by an operation all the same. */
function outlives(world: World, operation: string, which: (session: Session) => boolean): void {
  before(world, operation, async (call, next) => {
    const session = world.sessions.find(({ id }) => id === call.query.get('sessionId'));
    if (!session?.ended || !which(session)) return next();
    session.ended = false;
    const answer = await next();
    session.ended = true;
    return answer;
  });
}

/** Something is refused to sessions of a kind, though their user may do it. */
function refuses(world: World, operation: string, to: (call: Call) => boolean, status = 401): void {
  around(world, operation, (call, next) => {
    if (to(call)) throw new Refusal(status, 'sessionId', 'You are not entitled to this');
    return next();
  });
}

const rights: Fault[] = [
  fault(
    'rights-of-the-first-session-only',
    'portal.getCustomerHierarchy',
    33,
    'A restriction is read at the first login, and later sessions have none',
    (world) => {
      const { entitled } = world.rules;
      world.rules.entitled = (call, operation) => call.session!.number > 1 || entitled(call, operation);
    },
  ),
  fault(
    'rights-of-whoever-logged-in-last',
    'portal.getCustomerHierarchy',
    35,
    'A session that begins while a session of another user is open has the rights of that other',
    (world) => {
      const { openSession, entitled } = world.rules;
      const borrowed = new Set<Session>();
      world.rules.openSession = (user) => {
        const latest = world.sessions.filter(({ ended }) => !ended).at(-1);
        const session = openSession(user);
        if (latest && latest.user !== user) borrowed.add(session);
        return session;
      };
      world.rules.entitled = (call, operation) => borrowed.has(call.session!) || entitled(call, operation);
    },
  ),
  fault(
    'rights-of-the-fourth-session',
    'portal.getCustomerHierarchy',
    33,
    'Restrictions are kept for three sessions of a user; a fourth one has none',
    (world) => {
      const { entitled } = world.rules;
      world.rules.entitled = (call, operation) => call.session!.number >= 4 || entitled(call, operation);
    },
  ),
  fault(
    'foreign-customer-in-a-later-session',
    'portal.getCustomerHierarchy',
    33,
    'Later sessions see each customer that there is',
    (world) => {
      const { sees } = world.rules;
      world.rules.sees = (call, customer) => call.session!.number > 1 || sees(call, customer);
    },
  ),
  fault(
    'foreign-programs-in-a-later-session',
    'portal.getCustomerProgramList',
    33,
    'From the third session on the programs of each customer are shown',
    (world) => {
      const { sees } = world.rules;
      world.rules.sees = (call, customer) =>
        (call.operation === 'portal.getCustomerProgramList' && call.session!.number > 2) || sees(call, customer);
    },
  ),
  fault(
    'orders-in-the-first-session-only',
    'portal.orderCards',
    33,
    'The right to order goes to the first session of a user',
    (world) => refuses(world, 'portal.orderCards', ({ session }) => session!.number > 1),
  ),
  fault(
    'checks-not-while-another-is-in',
    'portal.getCIPCheck',
    33,
    'Persons are not checked while another user has a session',
    (world) =>
      refuses(
        world,
        'portal.getCIPCheck',
        (call) => world.sessions.some(({ ended, user }) => !ended && user !== call.user),
        400,
      ),
  ),
  fault(
    'orders-not-after-another-came-in',
    'portal.orderCards',
    33,
    'Whoever logged in before another user did may no longer order',
    (world) =>
      refuses(world, 'portal.orderCards', (call) =>
        world.sessions.slice(world.sessions.indexOf(call.session!) + 1).some(({ user }) => user !== call.user),
      ),
  ),
  fault(
    'checks-without-result-in-a-later-session',
    'portal.getCIPCheck',
    33,
    'In a later session each person is not found',
    (world) => {
      const { cipPerson } = world.rules;
      around(world, 'portal.getCIPCheck', (call, next) => {
        world.rules.cipPerson = call.session!.number > 1 ? () => undefined : cipPerson;
        return next();
      });
    },
  ),
];

const lives: Fault[] = [
  fault(
    'logout-of-the-first-session-only',
    'portal.logout',
    33,
    'The logout of a later session is answered, and the session stays',
    (world) => {
      const { endSession } = world.rules;
      world.rules.endSession = (session) => {
        if (session.number === 1) endSession(session);
      };
    },
  ),
  fault('logout-of-everybody', 'portal.logout', 33, 'A logout ends the sessions of all users', (world) => {
    world.rules.endSession = () => {
      for (const session of world.sessions) session.ended = true;
    };
  }),
  fault(
    'login-of-another-ends-sessions',
    'portal.login',
    33,
    'A login of one user ends the sessions of the others',
    (world) => {
      const { openSession } = world.rules;
      world.rules.openSession = (user) => {
        for (const session of world.sessions) if (session.user !== user) session.ended = true;
        return openSession(user);
      };
    },
  ),
  fault(
    'logout-ends-the-newest',
    'portal.logout',
    33,
    'A logout ends the newest session of its user, whichever asks',
    (world) => {
      const { endSession } = world.rules;
      world.rules.endSession = (session) =>
        endSession(world.sessions.filter(({ user, ended }) => user === session.user && !ended).at(-1) ?? session);
    },
  ),
  fault(
    'session-of-each-third-login-is-dead',
    'portal.login',
    33,
    'Each third login of a user gives a session that was never kept',
    (world) => {
      const { openSession } = world.rules;
      world.rules.openSession = (user) => {
        const session = openSession(user);
        session.ended = session.number % 3 === 0;
        return session;
      };
    },
  ),
  fault(
    'machines-after-logout',
    'portal.getATMLocation',
    33,
    'Cash machines are shown to a session after its logout',
    (world) => outlives(world, 'portal.getATMLocation', () => true),
  ),
  fault(
    'fees-after-logout-of-a-later-session',
    'portal.getShippingFeeTypes',
    33,
    'Shipping fees are shown to a later session after its logout',
    (world) => outlives(world, 'portal.getShippingFeeTypes', ({ number }) => number > 1),
  ),
  fault(
    'list-after-logout-while-another-is-open',
    'portal.getCustomerList',
    33,
    'An ended session is served while its user has another one',
    (world) =>
      outlives(world, 'portal.getCustomerList', ({ user }) =>
        world.sessions.some((other) => other.user === user && !other.ended),
      ),
  ),
  fault(
    'next-login-wakes-the-last-session',
    'portal.login',
    33,
    'A login wakes the session that its user logged out last',
    (world) => {
      const { openSession } = world.rules;
      world.rules.openSession = (user) => {
        const last = world.sessions.filter((session) => session.user === user).at(-1);
        if (last) last.ended = false;
        return openSession(user);
      };
    },
  ),
  fault(
    'no-session-while-one-is-open',
    'portal.getShippingMethods',
    34,
    'An empty sessionId stands for the session that was opened last',
    (world) => {
      const { sessionOf } = world.rules;
      world.rules.sessionOf = (id) => (id === '' ? world.sessions.filter(({ ended }) => !ended).at(-1) : sessionOf(id));
    },
  ),
  fault(
    'any-session-after-a-good-one',
    'portal.getCustomerProgramList',
    34,
    'A connection that brought a good session is not asked for it again',
    (world) => {
      let good: string | undefined;
      before(world, 'portal.getCustomerProgramList', async (call, next) => {
        if (good && call.query.has('sessionId') && world.rules.sessionOf(good)) call.query.set('sessionId', good);
        const answer = await next();
        if (answer.status === 200) good = call.query.get('sessionId') ?? undefined;
        return answer;
      });
    },
  ),
  fault(
    'password-once-right',
    'portal.login',
    32,
    'While a session of a user is open the password is not asked again',
    (world) => {
      const { userOf } = world.rules;
      world.rules.userOf = (loginID, password) =>
        userOf(loginID, password) ??
        world.sessions.find(({ user, ended }) => user.loginID === loginID && !ended && user.role === 'owner')?.user;
    },
  ),
];

const registers: Fault[] = [
  fault(
    'orders-compared-within-a-session',
    'portal.orderCards',
    44,
    'An identifier counts within one session only',
    (world) => {
      const { duplicateOrder } = world.rules;
      world.rules.duplicateOrder = (earlier, order) =>
        earlier.session === order.session && duplicateOrder(earlier, order);
    },
  ),
  fault(
    'other-info-compared-within-a-session',
    'portal.orderCards',
    44,
    'otherInfo counts within one session only',
    (world) => {
      const { duplicateOther } = world.rules;
      world.rules.duplicateOther = (earlier, was, order, item) =>
        earlier.session === order.session && duplicateOther(earlier, was, order, item);
    },
  ),
  fault(
    'orders-of-ended-sessions-forgotten',
    'portal.orderCards',
    44,
    'An identifier is forgotten when the session that used it ends',
    (world) => {
      const { duplicateOrder } = world.rules;
      world.rules.duplicateOrder = (earlier, order) => !earlier.session.ended && duplicateOrder(earlier, order);
    },
  ),
  fault(
    'hierarchy-of-the-house-in-a-later-session',
    'portal.getCustomerHierarchy',
    37,
    'A later session gets the hierarchy of the whole house, whichever customer it asks for',
    (world) => {
      const { hierarchy } = world.rules;
      world.rules.hierarchy = (call, customer) => {
        const root = world.customers[0]!;
        const up = call.session!.number > 1 && isBelow(customer, root) ? root : customer;
        return hierarchy(call, up);
      };
    },
  ),
  fault('tokens-one-at-a-time', 'token.issue', 15, 'A new token ends the earlier ones of its client', (world) => {
    const latest = new Map<string, string>();
    const { writeToken, alive } = world.rules;
    world.rules.writeToken = (claims) => {
      latest.set(claims.client, claims.serial);
      return writeToken(claims);
    };
    world.rules.alive = (claims) => alive(claims) && latest.get(claims.client) === claims.serial;
  }),
  fault(
    'tokens-from-the-third-on-reach-further',
    'cards.get',
    13,
    'From the third token on a client reaches the cards of everybody',
    (world) => {
      let issued = 0;
      const far = new Set<string>();
      const { writeToken, alive, reaches } = world.rules;
      world.rules.writeToken = (claims) => {
        issued += 1;
        if (issued > 2) far.add(claims.serial);
        return writeToken(claims);
      };
      let wide = false;
      world.rules.alive = (claims) => {
        wide = far.has(claims.serial);
        return alive(claims);
      };
      world.rules.reaches = (client, customer) => wide || reaches(client, customer);
    },
  ),
];

export const sessions: Fault[] = [...rights, ...lives, ...registers];
