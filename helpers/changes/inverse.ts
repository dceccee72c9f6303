/** Defines, in one table, the requests that undo changes of the target. */
import { type Input, memberOf } from '../answer.ts';

/** The customer whose permissions may be changed, and the permissions to put back. */
export interface WritableCustomer {
  identifier: string | undefined;
  permissions: Record<string, boolean> | undefined;
}

interface Inverse {
  operation: string;
  input: Input;
}

/** The money that a transfer asks to move, in units. */
export interface AskedTransfer {
  from: string;
  to: string;
  units: number;
}

export const REVERSIBLE: readonly string[] = ['cards.suspend', 'cards.transfer', 'users.setPermissions'];
/** Operations that change a card for good. */
export const CONSUMING: readonly string[] = ['cards.activate', 'cards.close', 'cards.markLost', 'cards.unmarkFraud'];

/** The request that undoes another one; undefined if none does. */
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

/**
 * Reads the cards and amount from a transfer's input as a target may take it: an amount in a text as a number, and one
 * below 0 as money that goes the other way. Undefined if it names no cards or no amount.
 */
export function askedTransfer({ path, json }: Input): AskedTransfer | undefined {
  const [from, to, given] = [path?.identifier, memberOf(json, 'targetCardIdentifier'), memberOf(json, 'amount')];
  const units = ['number', 'string', 'bigint'].includes(typeof given) ? Number(given) : Number.NaN;
  if (from === undefined || typeof to !== 'string' || !Number.isFinite(units) || units === 0) return undefined;
  return units > 0 ? { from, to, units } : { from: to, to: from, units: -units };
}

const transfer = (from: string, to: string, amount: number): Input => ({
  path: { identifier: from },
  json: { targetCardIdentifier: to, amount },
});
