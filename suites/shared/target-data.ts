/** Identifiers that the target knows: from the fixtures file, else discovered by reading. */
import { type Answer, entries } from '../../helpers/answer.ts';
import { cardForReading, identifiersOf, pooledCards } from '../../helpers/cards/discovery.ts';
import { type Context, type Scenario, scenario } from '../../helpers/check.ts';
import { findOnce, PAGE, type Search } from '../../helpers/engine/searches.ts';
import { requireAccepted } from '../../helpers/expect.ts';
import { attempt, inconclusive, values } from '../../helpers/verdict.ts';

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
