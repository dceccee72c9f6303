/** Listings of customers by a filter, alone and beside another one, shared by several checks. */
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import type { Answer, Input } from '../../../helpers/answer.ts';
import { type Scenario, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { expectAcceptedByFilter } from '../../shared/listings.ts';
import { firstCustomers } from '../../shared/target-data.ts';
import { continuation, type Walk } from './walks.ts';

/**
 * The walk through the customers that a filter finds; the filter has to be accepted.
 * @throws Nonconformance when the filter is refused; Inconclusive when the fixtures file gives no value for it
 */
export async function requireWalk(t: Context, filtered: Scenario<Walk | undefined>): Promise<Walk> {
  const walked = await t.shared(filtered);
  if (!walked) inconclusive('there is no value to filter by');
  const { parentIdentifier, nameFragment: name, v1Identifier } = t.fixtures.users ?? {};
  const values = Object.entries({ parentIdentifier, name, v1Identifier });
  const others = values.filter(([other, value]) => value !== undefined && !(other in walked.filter));
  await expectAcceptedByFilter(t, walked.pages[0]!, Object.keys(walked.filter).join(', '), Object.fromEntries(others));
  return walked;
}

/** A page size small enough for the customers that match two filters to need another page. */
const FEW = 3;

/** Listings by two filters at once, or a later page of such a listing; each filter narrows what the other finds. */
export const byParentAndName = scenario('customers by parent and name', async (t) => {
  const { parentIdentifier, nameFragment: name } = t.fixtures.users ?? {};
  if (!parentIdentifier || !name) return [];
  const list = (query: NonNullable<Input['query']>) =>
    t.call('users.list', { query: { parentIdentifier, name, ...query } }, { intent: 'refusable' });
  const answers: Answer[] = [];
  for (const max of rotated(t.run, 'users.list: parent and name with max', [USERS_MAX, FEW])) {
    const first = await list({ max });
    const token = max === FEW ? continuation(first) : undefined;
    answers.push(first, ...(token === undefined ? [] : [await list({ max, token })]));
  }
  return answers;
});

/** Page sizes for v1Identifier: the customer is to be found among all customers, not only on their first page. */
const V1_SIZES = [USERS_MAX, 1, undefined];

/** Listings by v1Identifier, one for each page size that this run tries. */
export const listingsByV1Identifier = scenario('customers by v1Identifier', async (t) => {
  const v1Identifier = t.fixtures.users?.v1Identifier;
  const answers: Answer[] = [];
  for (const max of rotated(t.run, 'users.list: v1Identifier with max', V1_SIZES))
    answers.push(await t.call('users.list', { query: { max, v1Identifier } }));
  return answers;
});

/** The first of the listings by v1Identifier. */
export const byV1Identifier = async (t: Context): Promise<Answer> => (await t.shared(listingsByV1Identifier))[0]!;

/** Listings by v1Identifier and a second filter, which rotates. */
export const besideV1Identifier = scenario('customers by v1Identifier and another filter', async (t) => {
  const { v1Identifier, v1MatchIdentifier, nameFragment: name, parentIdentifier } = t.fixtures.users ?? {};
  const filters = Object.entries({ name, parentIdentifier }).filter(([, value]) => value !== undefined);
  if (v1Identifier === undefined || v1MatchIdentifier === undefined || filters.length === 0) return [];
  await t.shared(firstCustomers);
  const answers: Answer[] = [];
  for (const [filter, value] of rotated(t.run, 'users.list: v1Identifier beside', filters, 1, ([filter]) => filter))
    answers.push(
      await t.call('users.list', { query: { max: USERS_MAX, v1Identifier, [filter]: value } }, { intent: 'refusable' }),
    );
  return answers;
});
