import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';

/** POST login: a session of its own for every valid login. */
export function login(x: Exchange): () => Reply {
  const { world, choices, query } = x;
  const user = world.users.find((known) => choices.isSame(known.loginId, query.get('loginID') ?? '', x));
  if (!user) return x.refuse('bad-login');
  x.refuseIf(!choices.isSecret(query.get('password') ?? '', user.password, x), 'bad-login');
  return () => {
    const { userId, loginId, firstName, lastName, customer } = user;
    const rights = { isHost: false, isHostAdmin: false, deleted: false, canLoadCard: true, canViewLoadHistory: false };
    const id = choices.sessionId(world.next('session'));
    const named = { userId, loginId, sessionId: id, firstName, lastName };
    x.session = { id, user, since: world.now(), used: world.now(), ended: false };
    world.sessions.push(x.session);
    return ok({
      ...named,
      email: '',
      customerId: customer.v1Id,
      customerType: 'B',
      customerName: customer.name,
      role: 'clerk & auditor',
      ...rights,
      kind: 'second#user',
      etag: '"\u00e9/1"',
      motd: ['nothing new'],
    });
  };
}

/** POST logout: ends the session. */
export function logout(x: Exchange): () => Reply {
  return () => {
    x.session!.ended = true;
    return { status: 200 };
  };
}
