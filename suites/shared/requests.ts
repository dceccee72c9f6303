/** What the target knows, from the fixtures file or else discovered by reading, and complete requests for it and for what does not exist. */
import { operation as operationById } from '../../contracts/operations.ts';
import { type Answer, entries, type Input } from '../../helpers/answer.ts';
import { amount } from '../../helpers/cards/card-state.ts';
import { cardForReading, identifiersOf, pooledCards } from '../../helpers/cards/discovery.ts';
import { type Context, type Scenario, scenario } from '../../helpers/check.ts';
import { invented } from '../../helpers/engine/forms/invented.ts';
import { findOnce, PAGE, type Search } from '../../helpers/engine/searches.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { attempt, Inconclusive, inconclusive, Skipped, values } from '../../helpers/verdict.ts';
import { amountRule, plainAmount } from './amounts.ts';

/** The search for the first page of a listing, of the largest size. */
export const firstPageOf = (operation: string): Search => ({ operation, query: { max: PAGE }, intent: 'valid' });

/** The first page of customers, of the largest size. Runs first, since the longest chains of requests begin with its entries. */
export const firstCustomers = scenario('first page of customers', async (t) => {
  t.prioritiseAboveAll();
  return requireAccepted((await findOnce(t, firstPageOf('users.list'))).pages[0]!, 'the listing of customers');
});

/** The first page of cards, of the default size. Runs first, since the longest chains of requests begin with its entries. */
export const firstCards = scenario('first page of cards', async (t) => {
  t.prioritiseAboveAll();
  return requireAccepted((await findOnce(t, firstPageOf('cards.list'))).pages[0]!, 'the listing of cards');
});

/** The entries of the first page of a listing; none where it is refused. */
export async function listedOn(t: Context, page: Scenario<Answer>): Promise<Record<string, unknown>[]> {
  return values([await attempt(() => t.shared(page))]).flatMap(entries);
}

/** Identifier of an existing customer. @throws Inconclusive when none is known */
export async function aCustomer(t: Context): Promise<string> {
  const given = t.fixtures.users?.customerIdentifier;
  const found = given ?? identifiersOf(entries(await t.shared(firstCustomers)))[0];
  if (found === undefined)
    return inconclusive('no customer is known: users.customerIdentifier is not given, and the listing names none');
  t.run.noteUse('users.customerIdentifier', given ? 'fixtures file' : 'discovered', found);
  return found;
}

/** Identifier of a card for reading: an Active one that no check changes, if there is one. @throws Inconclusive when none is known */
export const aCard = scenario('a card for reading', async (t) => {
  const related = t.fixtures.cards?.withRelated;
  if (related) return related;
  const found = cardForReading(t.fixtures, entries(await t.shared(firstCards)));
  if (found === undefined)
    return inconclusive('no card is known: the listing names none, and the fixtures file gives none');
  t.run.noteUse('a card for reading', pooledCards(t.fixtures).has(found) ? 'fixtures file' : 'discovered', found);
  return found;
});

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
