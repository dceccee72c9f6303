/** What the target knows, from the fixtures file or else discovered by reading, and complete requests for it and for what does not exist. */
import { operation as operationById } from '../../contracts/operations.ts';
import { type Answer, bodyOf, entries, type Input, isObject } from '../../helpers/answer.ts';
import { cardForReading, identifiersOf, pooledCards } from '../../helpers/cards/discovery.ts';
import { type Context, perOperation, scenario } from '../../helpers/check.ts';
import * as Forms from '../../helpers/engine/forms/index.ts';
import * as Searches from '../../helpers/engine/searches.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { inconclusive, optional } from '../../helpers/verdict.ts';
import * as Amounts from './amounts.ts';
import { isText } from './identifiers.ts';

/** The search for the first page of a listing, of the largest size. */
export const firstPageOf = (operation: string): Searches.Search => ({
  operation,
  query: { max: Searches.PAGE },
  intent: 'valid',
});

/** The first page, which runs first, since the longest chains of requests begin with its entries. */
const firstPage = (operation: string, noun: string) =>
  scenario(`first page of ${noun}`, async (t) => {
    t.prioritiseAboveAll();
    return requireAccepted((await Searches.findOnce(t, firstPageOf(operation))).pages[0]!, `the listing of ${noun}`);
  });
export const firstCustomers = firstPage('users.list', 'customers');
export const firstCards = firstPage('cards.list', 'cards');

/** The entries of the first page of a listing; none where it is refused. */
export async function listedOn(t: Context, page: ReturnType<typeof firstPage>): Promise<Record<string, unknown>[]> {
  const found = await optional(t.shared(page));
  return found ? entries(found) : [];
}

/** Identifier of an existing customer. @throws Inconclusive when none is known */
export async function aCustomer(t: Context): Promise<string> {
  const given = t.fixtures.users?.customerIdentifier;
  const found =
    given ??
    identifiersOf(entries(await t.shared(firstCustomers)))[0] ??
    inconclusive('no customer is known: users.customerIdentifier is not given, and the listing names none');
  t.run.noteUse('users.customerIdentifier', given ? 'fixtures file' : 'discovered', found);
  return found;
}

/** Identifier of a card for reading: an Active one that no check changes, if there is one. @throws Inconclusive when none is known */
export const aCard = scenario('a card for reading', async (t) => {
  const related = t.fixtures.cards?.withRelated;
  if (related) return related;
  const found =
    cardForReading(t.fixtures, entries(await t.shared(firstCards))) ??
    inconclusive('no card is known: the listing names none, and the fixtures file gives none');
  t.run.noteUse('a card for reading', pooledCards(t.fixtures).has(found) ? 'fixtures file' : 'discovered', found);
  return found;
});

/** An identifier that names nothing, in the form that the operation takes. */
export async function invented(t: Context, operation: string): Promise<string> {
  const known = await optional(operation.startsWith('users.') ? aCustomer(t) : t.shared(aCard));
  return known === undefined ? crypto.randomUUID() : Forms.invented(known);
}

/** A complete request of an operation for `identifier`; `target` is the card that a transfer pays. */
export function named(t: Context, operation: string, identifier: string, target: string): Input {
  const bodies: Record<string, unknown> = {
    'users.setPermissions': {},
    'cards.encryptForVde': {},
    'cards.reissue': {},
    'cards.transfer': { targetCardIdentifier: target, amount: Amounts.named(t), ...t.fixtures.cards?.transferBody },
    'cards.setPin': { pin: '4827' },
    // The document shows no body: an empty one, in case one is expected.
    'cards.replace': {},
    'cardholders.update': {},
  };
  return { path: { identifier }, json: bodies[operation] };
}

/** A cardholder from the listing, if that has the shape of other listings: the document shows none. */
const aCardholder = scenario('a cardholder', async (t) => {
  if (!t.isInScope('cardholders.list')) return undefined;
  const body = bodyOf(await t.shared(harmlessAnswer('cardholders.list')));
  const holders = [body, ...(isObject(body) ? Object.values(body) : [])].find(Array.isArray) ?? [];
  return identifiersOf(holders.filter(isObject)).find(isText);
});

/** Identifier of something that exists and that an operation of its kind takes; undefined where no cardholder is known. @throws Inconclusive when none is known */
export function existing(t: Context, operation: string): Promise<string | undefined> {
  if (operation.startsWith('cardholders.')) return t.shared(aCardholder);
  return operation.startsWith('users.') ? aCustomer(t) : t.shared(aCard);
}

/** A complete request of an operation that changes nothing that exists, the same in all of the run: what may change something names nothing. */
export const harmlessInput = perOperation(
  (operation) => `a request of ${operation} that changes nothing`,
  async (t, operation): Promise<Input> => {
    const { listedOnly, pathParameters, risk } = operationById(operation);
    if (pathParameters.length === 0) return listedOnly ? {} : { query: { max: 1 } };
    const known = risk === 'safe' ? await existing(t, operation) : undefined;
    const invent = () => invented(t, operation);
    return named(t, operation, known ?? (await invent()), await invent());
  },
);

/** The answer to that request with a good token. */
export const harmlessAnswer = perOperation(
  (operation) => `${operation} with a good token`,
  async (t, operation): Promise<Answer> => {
    const input = await t.shared(harmlessInput(operation));
    const { listedOnly, risk } = operationById(operation);
    if (input.query) return (await Searches.findOnce(t, { operation, query: input.query, intent: 'valid' })).pages[0]!;
    return t.call(operation, input, { intent: listedOnly ? 'refusable' : risk === 'safe' ? 'valid' : 'unknown' });
  },
);
