/** What takes a change of the target back: the one table of it. */
import { type Input, memberOf } from '../answer.ts';

/** The customer whose permissions may be changed, and the permissions to put back. */
export interface WritableCustomer {
  identifier: string | undefined;
  permissions: Record<string, boolean> | undefined;
}

/** A request that takes another one back. */
export interface Inverse {
  operation: string;
  input: Input;
}

/** Money that a transfer asks for, in units. */
export interface AskedTransfer {
  from: string;
  to: string;
  units: number;
}

/** Operations of which an effect can be taken back. */
export const REVERSIBLE: readonly string[] = ['cards.suspend', 'cards.transfer', 'users.setPermissions'];
/** After one of these a card is not what it was. */
export const CONSUMING: readonly string[] = ['cards.activate', 'cards.close', 'cards.markLost', 'cards.unmarkFraud'];

/** The request that takes one back; undefined where none does. */
export function inverseOf(operation: string, input: Input, customer: WritableCustomer): Inverse | undefined {
  const identifier = input.path?.identifier;
  if (identifier === undefined) return undefined;
  if (operation === 'cards.suspend') return { operation: 'cards.unsuspend', input: { path: { identifier } } };
  if (operation === 'cards.transfer') {
    const asked = askedTransfer(input);
    return asked && { operation, input: transfer(asked.to, asked.from, asked.units) };
  }
  if (operation === 'users.setPermissions' && customer.permissions && identifier === customer.identifier)
    return { operation, input: { path: { identifier }, json: customer.permissions } };
  return undefined;
}

/** What a request of a transfer asks for; undefined where it names no cards, or no amount above 0. */
export function askedTransfer({ path, json }: Input): AskedTransfer | undefined {
  const [from, to, units] = [path?.identifier, memberOf(json, 'targetCardIdentifier'), memberOf(json, 'amount')];
  if (from === undefined || typeof to !== 'string' || typeof units !== 'number' || units <= 0) return undefined;
  return { from, to, units };
}

const transfer = (from: string, to: string, amount: number): Input => ({
  path: { identifier: from },
  json: { targetCardIdentifier: to, amount },
});
