import type { Reply } from './choices.ts';
import type { Exchange } from './exchange.ts';
import type { OperationId } from './operation-ids.ts';
import * as changes from './operations/card-changes.ts';
import * as cardholders from './operations/cardholders.ts';
import * as cards from './operations/cards.ts';
import { getCIPCheck } from './operations/cip.ts';
import { orderCards } from './operations/orders.ts';
import * as lookups from './operations/portal-lookups.ts';
import * as session from './operations/portal-session.ts';
import * as token from './operations/token.ts';
import { transfer } from './operations/transfer.ts';
import * as users from './operations/users.ts';

/** Validates a request and returns the answer, or a function that has the effect and returns the answer. */
export type Handler = (x: Exchange) => Reply | (() => Reply);

/** Names of the operations of one resource. */
type NameOf<Resource extends string> = OperationId extends infer Id
  ? Id extends `${Resource}.${infer Name}`
    ? Name
    : never
  : never;

const handlers: {
  [Resource in 'token' | 'users' | 'cards' | 'cardholders' | 'portal']: Record<NameOf<Resource>, Handler>;
} = {
  token,
  users,
  cards: { ...cards, ...changes, transfer },
  cardholders,
  portal: { ...lookups, ...session, getCIPCheck, orderCards },
};

/** The handler of an operation. */
export function handlerOf(operation: OperationId): Handler {
  const [resource, name] = operation.split('.') as [keyof typeof handlers, string];
  return (handlers[resource] as Record<string, Handler>)[name]!;
}
