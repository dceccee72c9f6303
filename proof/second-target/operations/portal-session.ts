import type { Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';

/** POST login: a session of its own for every valid login. */
export function login(x: Exchange): () => Reply {
  const { world, choices, query } = x;
  const user = world.users.find((known) => choices.isSame(known.loginId, query.get('loginID') ?? '', x));
  if (!user) return x.refuse('bad-login');
  x.refuseIf(!choices.isSecret(query.get('password') ?? '', user.password, x), 'bad-login');
  return () => {
    const id = choices.sessionId(world.next('session'));
    x.session = { id, user, since: world.now(), used: world.now(), ended: false };
    world.sessions.push(x.session);
    return {
      status: 200,
      body: {
        userId: user.userId,
        loginId: user.loginId,
        sessionId: id,
        firstName: user.firstName,
        lastName: user.lastName,
        email: '',
        customerId: user.customer.v1Id,
        customerType: 'B',
        customerName: user.customer.name,
        role: 'clerk & auditor',
        isHost: false,
        isHostAdmin: false,
        deleted: false,
        canLoadCard: true,
        canViewLoadHistory: false,
        kind: 'second#user',
        etag: '"\u00e9/1"',
        motd: ['nothing new'],
      },
    };
  };
}

/** POST logout: ends the session. */
export function logout(x: Exchange): () => Reply {
  return () => {
    x.session!.ended = true;
    return { status: 200 };
  };
}
