/** The filter v1Identifier of the customers listing: it finds the one customer of that identifier (readings 11 and 20). */
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import { type Answer, entries, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { certainlySame, identifiersOf, isWhole, sameText } from '../../shared/identifiers.ts';
import { count, expectAcceptedByFilter } from '../../shared/listings.ts';
import { firstCustomers } from '../../shared/target-data.ts';
import { likeValue } from '../../shared/unknown-names.ts';
import { besideV1Identifier, byV1Identifier, listingsByV1Identifier } from './filtered-customers.ts';
import { requireGiven, requireKnownCustomer } from './known-customers.ts';
import { continuation } from './walks.ts';

const { check, suite } = defineSuite();
export const usersListFilterV1IdentifierSuite = suite;

check('users.list.filter-v1-identifier', 'beside another filter', async (t) => {
  const both = await t.shared(besideV1Identifier);
  if (both.length === 0) return;
  const alone = await byV1Identifier(t);
  if (continuation(alone) !== undefined) return;
  const known = identifiersOf(entries(alone));
  for (const answer of both) {
    const surplus = identifiersOf(entries(answer)).find((customer) => !known.some((one) => sameText(one, customer)));
    if (surplus !== undefined && succeeded(alone) && count(alone) === known.length)
      fail('v1Identifier with another filter finds a customer that v1Identifier alone leaves out', {
        expected: 'absent',
        actual: surplus,
        in: answer,
      });
  }
});

check('users.list.filter-v1-identifier', 'finds users.v1MatchIdentifier', async (t) => {
  const wanted = requireGiven(t, 'v1MatchIdentifier');
  const { parentIdentifier, nameFragment: name } = t.fixtures.users!;
  const others = { ...(parentIdentifier && { parentIdentifier }), ...(name && { name }) };
  const all = identifiersOf(entries(await t.shared(firstCustomers)));
  for (const alone of await t.shared(listingsByV1Identifier)) {
    const answer = await expectAcceptedByFilter(t, alone, 'v1Identifier', others);
    const found = identifiersOf(entries(answer));
    if (found.length < entries(answer).length) inconclusive('customers are listed without identifier');
    if (!found.some((customer) => sameText(customer, wanted))) {
      if (continuation(answer) !== undefined) await requireAmongAll(t, answer);
      await requireKnownCustomer(t, 'v1MatchIdentifier');
      fail('the customer with that identifier is not found', {
        expected: wanted,
        actual: `${found.length} others`,
        in: answer,
      });
    }
    if (all.length > 1 && isWhole(found, all))
      fail('v1Identifier does not narrow the listing', {
        expected: wanted,
        actual: `the first ${found.length} of all customers`,
        in: answer,
      });
  }
});

/**
 * Expects everybody on the first of several pages to be found by v1Identifier with the largest page, too.
 * @throws Nonconformance when somebody is not found; else always Inconclusive: nothing shows who is on the other pages
 */
async function requireAmongAll(t: Context, answer: Answer): Promise<never> {
  const { query } = answer.input;
  const list = (max: number) => t.call('users.list', { query: { ...query, max } }, { intent: 'refusable' });
  const all = await list(USERS_MAX);
  const known = identifiersOf(entries(all));
  const found = identifiersOf(entries(answer));
  // Customers listed before and afterwards did not come or go in between.
  const again = identifiersOf(entries(await list(Number(query?.max))));
  const surplus = again.find((customer) => found.includes(customer) && !known.some((one) => sameText(one, customer)));
  if (surplus !== undefined && known.length > 0 && count(all) === known.length && continuation(all) === undefined)
    fail('v1Identifier finds a customer with smaller pages that it leaves out with the largest', {
      expected: 'absent',
      actual: surplus,
    });
  return inconclusive('more customers are found by v1Identifier than one page holds');
}

check('users.list.filter-v1-identifier', 'what resembles the identifier finds somebody else', async (t) => {
  const v1 = t.fixtures.users!.v1Identifier!;
  const other = requireGiven(t, 'v1MatchIdentifier');
  for (const { name, text } of likeValue(t, 'users.list: like a v1Identifier', v1)) {
    const answer = await t.call('users.list', { query: { max: 50, v1Identifier: text } }, { intent: 'refusable' });
    if (identifiersOf(entries(answer)).some((customer) => succeeded(answer) && certainlySame(customer, other)))
      fail(`the customer is found by its v1Identifier ${name}`, {
        expected: 'another customer, or none',
        actual: other,
        in: answer,
      });
  }
});
