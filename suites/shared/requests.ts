/** Complete requests of the users and cards interface: for what exists, and for what does not. */
import { operation as operationById } from '../../contracts/operations.ts';
import type { Input } from '../../helpers/answer.ts';
import type { Context } from '../../helpers/context.ts';
import { Inconclusive, Skipped } from '../../helpers/verdict.ts';
import { aCard, aCustomer, invented } from './target-data.ts';

/** An identifier of the form that the operation takes and that names nothing. */
export async function inventedIdentifier(t: Context, operation: string): Promise<string> {
  try {
    return invented(operation.startsWith('users.') ? await aCustomer(t) : await t.shared(aCard));
  } catch (error) {
    if (!(error instanceof Inconclusive) && !(error instanceof Skipped)) throw error;
    return crypto.randomUUID();
  }
}

/** A complete request of an operation for something that does not exist. */
export async function inventedInput(t: Context, operation: string): Promise<Input> {
  if (operationById(operation).pathParameters.length === 0) return {};
  return namedInput(operation, await inventedIdentifier(t, operation), await inventedIdentifier(t, operation));
}

/** A complete request of an operation for `identifier`; `target` is where a transfer goes. */
export function namedInput(operation: string, identifier: string, target: string): Input {
  const bodies: Record<string, unknown> = {
    'users.setPermissions': {},
    'cards.encryptForVde': {},
    'cards.reissue': {},
    'cards.transfer': { targetCardIdentifier: target, amount: 1 },
    'cards.setPin': { pin: '4827' },
    // not shown by the document: a body that is empty, where one may be expected
    'cards.replace': {},
    'cardholders.update': {},
  };
  return { path: { identifier }, json: bodies[operation] };
}

/** A valid request of an operation that changes nothing. @throws Inconclusive when nothing is known that it could name */
export async function readingInput(t: Context, operation: string): Promise<Input> {
  if (operation.endsWith('.list')) return { query: { max: 1 } };
  const identifier = operation === 'users.get' ? await aCustomer(t) : await t.shared(aCard);
  return namedInput(operation, identifier, identifier);
}
