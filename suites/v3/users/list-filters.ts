/** Filters of the customers listing: they narrow it (readings 11 and 20). Checks that only concern name or v1Identifier have files of their own. */
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import { type Answer, entries, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, type Scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import { invented } from '../../../helpers/engine/forms/invented.ts';
import { asPattern } from '../../../helpers/engine/forms/look-alikes.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { certainlySame, identifiersOf, isWhole, sameText } from '../../shared/identifiers.ts';
import { count } from '../../shared/listings.ts';
import { firstCustomers } from '../../shared/target-data.ts';
import { allMisnamed, exists } from '../../shared/unknown-names.ts';
import { besideV1Identifier, byParentAndName, byV1Identifier, requireWalk } from './filtered-customers.ts';
import { type CustomerKey, requireGiven, requireKnownCustomer } from './known-customers.ts';
import {
  contains,
  continuation,
  customerWalks,
  isSameSet,
  type Walk,
  walk,
  walkByName,
  walkByParent,
  walkOfAll,
} from './walks.ts';

const { check, suite } = defineSuite();
export const usersListFiltersSuite = suite;

/** Small page sizes, which reveal a filter that is ignored on small pages. */
const SMALL = [5, 1];

/** Declares the checks common to filters: what each has to find, and what it has to leave out. */
function checkNarrowing(
  id: string,
  filtered: Scenario<Walk | undefined>,
  match: CustomerKey,
  mismatch: CustomerKey,
): void {
  check(id, `finds users.${match}`, async (t) => {
    const wanted = requireGiven(t, match);
    const walked = await requireWalk(t, filtered);
    if (contains(walked, wanted)) return;
    if (!walked.ended || walked.withoutIdentifier > 0) inconclusive('the listing could not be read completely');
    if ('parentIdentifier' in walked.filter) await requireKnownCustomer(t, 'parentIdentifier');
    const name = await requireKnownCustomer(t, match);
    const { name: fragment } = walked.filter;
    if (fragment !== undefined && name !== undefined && !name.toLowerCase().includes(fragment.toLowerCase()))
      inconclusive(`users.${match} of the fixtures file has a name that does not contain users.nameFragment`);
    fail('a customer that matches is not found', { expected: wanted, actual: `${walked.seen.size} others` });
  });

  check(id, `leaves out users.${mismatch}`, async (t) => {
    const unwanted = requireGiven(t, mismatch);
    const walked = await requireWalk(t, filtered);
    if ([...walked.seen].some((seen) => certainlySame(seen, unwanted)))
      fail('a customer that does not match is found', { expected: 'absent', actual: unwanted });
    if (contains(walked, unwanted))
      inconclusive('a customer is found whose identifier differs from that one by case alone');
    if (!walked.ended || walked.withoutIdentifier > 0) inconclusive('the listing could not be read completely');
  });

  check(id, 'finds the same in smaller pages', { phase: 'last' }, async (t) => {
    const whole = await requireWalk(t, filtered);
    if (!whole.ended || whole.withoutIdentifier > 0 || whole.seen.size < 2) return;
    const { walks } = await t.shared(customerWalks);
    const smaller = walks.filter(({ filter, size }) => filter === whole.filter && size !== undefined);
    const surplus = smaller.flatMap(({ seen }) => [...seen]).find((customer) => !whole.seen.has(customer));
    if (surplus === undefined) return;
    const { size } = smaller.find(({ seen }) => seen.has(surplus))!;
    const stays = contains(await walk(t, whole.filter, size), surplus);
    const again = await walk(t, whole.filter, whole.size);
    if (!stays || !isSameSet(again.seen, whole.seen)) inconclusive('the customers changed in the meantime');
    fail('a later page holds a customer that the filter leaves out', { expected: 'absent', actual: surplus });
  });

  check(id, 'finds the same with a small max', async (t) => {
    const whole = await requireWalk(t, filtered);
    for (const max of rotated(t.run, `${id}: a small max`, SMALL, 1, String)) {
      const answer = await expectAccepted(t, {
        operation: 'users.list',
        what: `max=${max} with a filter`,
        input: { query: { max, ...whole.filter } },
        control: { query: { max: USERS_MAX, ...whole.filter } },
      });
      await expectAgreement(t, answer, whole, [...whole.seen], 'with a small max');
    }
  });

  check(id, 'narrows what another filter finds', async (t) => {
    const walked = await requireWalk(t, filtered);
    const [filter] = Object.keys(walked.filter);
    const answers = [...(await t.shared(byParentAndName)), ...(await t.shared(besideV1Identifier))];
    for (const answer of answers)
      if (answer.input.query?.[filter!] !== undefined)
        await expectAgreement(t, answer, walked, await foundByEach(t, answer), 'with another filter beside it');
  });

  check(id, 'finds nobody who is not in the unfiltered listing', async (t) => {
    const walked = await requireWalk(t, filtered);
    const all = await t.shared(walkOfAll);
    if (!all.ended || all.withoutIdentifier > 0) return;
    const surplus = [...walked.seen].find((customer) => !all.seen.has(customer));
    if (surplus === undefined) return;
    const again = await walk(t, {}, all.size, all.pages.length + 1);
    const stays = contains(await walk(t, walked.filter, walked.size), surplus);
    if (!again.ended || contains(again, surplus) || !stays) inconclusive('the customers changed in the meantime');
    fail('a customer is found who is not in the unfiltered listing', {
      expected: 'a customer of that listing',
      actual: surplus,
    });
  });
}

/** Customers that every filter of a listing finds alone, spelt as the target spells them: two identifiers may differ in case alone. */
async function foundByEach(t: Context, { input: { query } }: Answer): Promise<string[]> {
  const walks = [await t.shared(walkByParent), await t.shared(walkByName)];
  const found = walks.flatMap((walked) =>
    walked && Object.keys(walked.filter).some((name) => query?.[name] !== undefined) ? [[...walked.seen]] : [],
  );
  if (query?.v1Identifier !== undefined) found.push(identifiersOf(entries(await byV1Identifier(t))));
  const [first = [], ...others] = found;
  return first.filter((customer) => others.every((other) => other.includes(customer)));
}

/** Whether a listing shows all matches: a first page that is not full, has no continuation, and gives every customer's identifier. */
function isComplete(answer: Answer): boolean {
  const { length } = entries(answer);
  const { token, max = USERS_MAX } = answer.input.query ?? {};
  const isWholeSearch = token === undefined && continuation(answer) === undefined;
  return (
    count(answer) === length &&
    isWholeSearch &&
    length < Number(max) &&
    identifiersOf(entries(answer)).length === length
  );
}

/**
 * Judges another listing by a filter: it holds nobody whom the filter leaves out, and where it is complete it holds everybody it has to.
 * @param walked all that the filter finds
 * @param wanted those of them that the other listing has to hold
 * @throws Nonconformance; Inconclusive where the customers change meanwhile
 */
async function expectAgreement(t: Context, answer: Answer, walked: Walk, wanted: readonly string[], how: string) {
  if (!walked.ended || walked.withoutIdentifier > 0) return;
  const holds = (listing: Answer, customer: string) =>
    identifiersOf(entries(listing)).some((one) => sameText(one, customer));
  const surplus = identifiersOf(entries(answer)).find((customer) => !contains(walked, customer));
  const missing = isComplete(answer) ? wanted.find((customer) => !holds(answer, customer)) : undefined;
  if (surplus === undefined && missing === undefined) return;
  const walkedAgain = await walk(t, walked.filter, walked.size);
  const again = await t.call('users.list', { query: answer.input.query! }, { intent: 'refusable' });
  if (surplus !== undefined && isSameSet(walkedAgain.seen, walked.seen) && holds(again, surplus))
    fail(`${how} a customer is listed that the filter alone leaves out`, { expected: 'absent', actual: surplus });
  if (missing !== undefined && contains(walkedAgain, missing) && isComplete(again) && !holds(again, missing))
    fail(`${how} a customer is missing that the filter alone finds`, { expected: missing, actual: 'absent' });
  inconclusive('the customers changed in the meantime');
}

checkNarrowing('users.list.filter-parent', walkByParent, 'childIdentifier', 'unrelatedIdentifier');
checkNarrowing('users.list.filter-name', walkByName, 'nameMatchIdentifier', 'nameMismatchIdentifier');

check('users.list.filter-parent', 'finds the same without max', async (t) => {
  const walked = await requireWalk(t, walkByParent);
  const answer = await expectAccepted(t, {
    operation: 'users.list',
    what: 'parentIdentifier without max',
    input: { query: walked.filter },
    control: { query: { max: USERS_MAX, ...walked.filter } },
  });
  await expectAgreement(t, answer, walked, [...walked.seen], 'without max');
});

/** Number of customers below the parent of the fixtures to be tried as parents: some of them have no children. */
const LEAVES = 2;

check('users.list.filter-parent', 'customers without children among the parents', async (t) => {
  const walked = await requireWalk(t, walkByParent);
  const unrelated = t.fixtures.users?.unrelatedIdentifier;
  if (unrelated === undefined) return;
  const below = [...walked.seen].filter((customer) => !sameText(customer, walked.filter.parentIdentifier!)).reverse();
  const within = new Map([[walked.filter.parentIdentifier!, [...walked.seen]]]);
  for (const parentIdentifier of rotated(t.run, 'users.list: parents', below, LEAVES)) {
    const query = { max: USERS_MAX, parentIdentifier };
    const found = identifiersOf(entries(await t.call('users.list', { query }, { intent: 'refusable' })));
    if (found.some((customer) => certainlySame(customer, unrelated)))
      fail('a filter by a child finds a customer outside its parent', { expected: 'absent', actual: unrelated });
    const all = identifiersOf(entries(await t.shared(firstCustomers)));
    const others = all.filter((customer) => !contains(walked, customer));
    if (walked.ended && others.length > 0 && isWhole(found, all))
      fail('a filter by a child finds everybody', { expected: 'customers below it', actual: 'the whole listing' });
    within.set(parentIdentifier, found);
  }
  // Two customers cannot each be the parent of the other.
  const isWithin = (one: string, parent: string) =>
    within.get(parent)!.some((customer) => certainlySame(customer, one));
  for (const one of within.keys())
    for (const other of within.keys())
      if (one !== other && isWithin(one, other) && isWithin(other, one))
        fail('two customers are each found below the other', {
          expected: 'at most one of them',
          actual: `${one} and ${other}`,
        });
});

check('users.list.filter-parent', 'what resembles the identifier of the parent', async (t) => {
  const { filter } = await requireWalk(t, walkByParent);
  const child = requireGiven(t, 'childIdentifier');
  const parent = filter.parentIdentifier!;
  const pattern = asPattern(parent);
  const patterns = pattern === undefined ? [] : [{ name: 'a pattern', identifier: pattern }];
  for (const { name, identifier: parentIdentifier } of allMisnamed(t, 'users.list', parent, patterns)) {
    const query = { max: USERS_MAX, parentIdentifier };
    const found = identifiersOf(entries(await t.call('users.list', { query }, { intent: 'unknown' })));
    if (!found.some((customer) => certainlySame(customer, child))) continue;
    if (!(await exists(t, 'users.list', parentIdentifier)))
      fail(`${name} as parentIdentifier finds the customers below the parent`, { expected: 'absent', actual: child });
  }
});

/** A value that names nothing, with marks that a query must encode and letters beyond ASCII. */
const ODD_VALUE = `no%such&value+é漢'"`;

check('users.list.unknown-filter-value', 'parentIdentifier and v1Identifier', async (t) => {
  const all = identifiersOf(entries(await t.shared(firstCustomers)));
  if (all.length === 0) inconclusive('no customer is listed with an identifier');
  const unknown = [
    ['parentIdentifier', invented(t.fixtures.users?.parentIdentifier ?? all[0]!)],
    ['v1Identifier', invented(t.fixtures.users?.v1Identifier ?? '0')],
    ...rotated(t.run, 'users.list: filters with marks', [
      ['parentIdentifier', ODD_VALUE],
      ['v1Identifier', ODD_VALUE],
    ]),
  ] as const;
  for (const [name, value] of unknown) {
    const answer = await t.call('users.list', { query: { max: 50, [name]: value } }, { intent: 'unknown' });
    t.observe('users.list', `an unknown ${name}`, count(answer) === 0 ? 'an empty listing' : outcomeInWords(answer));
    if (succeeded(answer) && isWhole(identifiersOf(entries(answer)), all))
      fail(`an unknown ${name} gives the whole listing`, {
        expected: 'an empty listing or a refusal',
        actual: 'all customers',
      });
  }
});
