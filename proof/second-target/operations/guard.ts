import type { Exchange } from '../exchange.ts';
import { type Card, type Customer, familyOf } from '../world.ts';

/** Refuses a request that carries no token, or one that is not (or no longer) valid. */
export function requireToken(x: Exchange): void {
  const { choices, world } = x;
  const presented = choices.bearer(x.headers.authorization, x);
  x.refuseIf(presented === undefined, 'no-token');
  if (presented === undefined) return;
  const token = world.tokens.findLast((issued) => choices.isToken(presented, issued, x));
  x.refuseIf(!token, 'bad-token');
  x.refuseIf(token !== undefined && world.now() >= token.expires, 'expired-token');
  x.admitted = token !== undefined;
}

/** Refuses a request without the identifier of an active session, or of a user not entitled to the operation. */
export function requireSession(x: Exchange): void {
  const { choices, world } = x;
  const presented = x.query.get('sessionId') ?? '';
  const known = world.sessions.find((session) => choices.isSession(presented, session.id, x));
  x.refuseIf(!known || known.ended, 'bad-session', 'sessionId');
  x.session = known ?? { id: '', user: world.users[0]!, since: 0, used: 0, ended: true };
  x.refuseIf(x.session.user.forbidden.includes(x.operation.replace('portal.', '')), 'not-entitled');
  x.session.used = world.now();
  x.admitted = known !== undefined;
}

/** The customer of the path, which must be known and within reach. */
export function customerOfPath(x: Exchange): Customer {
  const { identifier } = x.path;
  const found = x.world.customers.find((customer) => x.choices.isSame(customer.identifier, identifier!, x));
  if (!found) return x.refuse('unknown-customer', 'identifier');
  x.refuseIf(!found.ours, 'customer-out-of-reach', 'identifier');
  x.customer = found;
  return found;
}

/** The card of the path, which must be known and within reach. */
export function cardOfPath(x: Exchange): Card {
  const { identifier } = x.path;
  const found = x.world.cards.find((card) => x.choices.isSame(card.identifier, identifier!, x));
  if (!found) return x.refuse('unknown-card', 'identifier');
  x.refuseIf(!found.owner.ours, 'card-out-of-reach', 'identifier');
  x.card = found;
  return found;
}

/** The customer of the query parameter `customerId`, which must be given, known and the session's own or below. */
export function customerOfQuery(x: Exchange): Customer {
  const id = x.integer('customerId', 'bad-customer-id');
  const found = x.world.customers.find((customer) => customer.v1Id === id);
  if (!found) return x.refuse('bad-customer-id', 'customerId');
  x.refuseIf(!familyOf(x.session!.user.customer).includes(found), 'foreign-customer-id', 'customerId');
  x.customer = found;
  return found;
}
