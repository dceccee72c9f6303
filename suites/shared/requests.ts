/** Complete requests of the users and cards interface, for things that exist and for things that don't. */
import { operation as operationById } from '../../contracts/operations.ts';
import type { Input } from '../../helpers/answer.ts';
import { amount } from '../../helpers/cards/card-state.ts';
import type { Context } from '../../helpers/check.ts';
import { invented } from '../../helpers/engine/forms/invented.ts';
import { Inconclusive, Skipped } from '../../helpers/verdict.ts';
import { amountRule, plainAmount } from './amounts.ts';
import { aCard, aCustomer } from './target-data.ts';

/** An identifier that names nothing, in the form that the operation takes. */
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
  return namedInput(t, operation, await inventedIdentifier(t, operation), await inventedIdentifier(t, operation));
}

/** The amount, in units, of a complete transfer request: not the least where the fixtures allow more, since interest may be as small. */
export const namedAmount = (t: Context): number => amount(plainAmount(amountRule(t), 1));

/** A complete request of an operation for `identifier`; `target` is the card that a transfer pays. */
export function namedInput(t: Context, operation: string, identifier: string, target: string): Input {
  const bodies: Record<string, unknown> = {
    'users.setPermissions': {},
    'cards.encryptForVde': {},
    'cards.reissue': {},
    'cards.transfer': {
      targetCardIdentifier: target,
      amount: namedAmount(t),
      ...t.fixtures.cards?.transferBody,
    },
    'cards.setPin': { pin: '4827' },
    // The document shows no body: an empty one, in case one is expected.
    'cards.replace': {},
    'cardholders.update': {},
  };
  return { path: { identifier }, json: bodies[operation] };
}

/** A valid request of an operation that changes nothing. @throws Inconclusive when no identifier for it is known */
export async function readingInput(t: Context, operation: string): Promise<Input> {
  if (operation.endsWith('.list')) return { query: { max: 1 } };
  const identifier = operation === 'users.get' ? await aCustomer(t) : await t.shared(aCard);
  return namedInput(t, operation, identifier, identifier);
}
