/** Customers: the size of a page of the listing, and single ones by their identifier. */
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import { type Answer, type Input, member, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectAccepted, requireNotBusy } from '../../../helpers/engine/acceptance.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { expectReadingRefused } from '../../../helpers/engine/refusal.ts';
import { attempt, values } from '../../../helpers/engine/step.ts';
import { expectSuccess } from '../../../helpers/expect.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { inconclusive } from '../../../helpers/verdict.ts';
import { identifiersOf, sameIdentifier } from '../../shared/identifiers.ts';
import { atMost, atMostAsked, BETWEEN, BETWEEN_PER_RUN, expectAtMost, observeOddMax } from '../../shared/listings.ts';
import { aCustomer, firstCustomers, listedOn } from '../../shared/target-data.ts';
import { isListed } from './known-customers.ts';
import { contains, customerWalks, walkAlone, walkOfAll } from './walks.ts';

const { check, everyExchange, suite } = defineSuite();
export const usersListSuite = suite;

check('users.list.required-only', 'without parameters', async (t) => {
  const [accepted] = values([await attempt(() => t.shared(firstCustomers))]);
  const control = accepted && { control: accepted.input };
  await expectAccepted(t, { operation: 'users.list', what: 'a request without parameters', input: {}, ...control });
});

everyExchange('users.list.never-more-than-50', 'users.list', atMost(USERS_MAX));
everyExchange('users.list.max-respected', 'users.list', atMostAsked(USERS_MAX));

check('users.list.max-accepted', '1, 50 and one between', async (t) => {
  const most = values([await attempt(() => t.shared(firstCustomers))]).length > 0 ? [] : [USERS_MAX];
  for (const max of [1, ...rotated(t.run, 'users.list: max', BETWEEN, BETWEEN_PER_RUN), ...most])
    await expectAccepted(t, { operation: 'users.list', what: `max=${max}`, input: { query: { max } }, control: {} });
  await observeOddMax(t, 'users.list', rotated(t.run, 'users.list: odd max', [0, -1]));
});

check('users.list.at-most-50', '51 and 1000', async (t) => {
  let isTaken = false;
  for (const max of [USERS_MAX + 1, 1000]) {
    const answer = await t.call('users.list', { query: { max } }, { intent: 'malformed' });
    t.observe('users.list', `max=${max}`, outcomeInWords(answer));
    if (!succeeded(answer)) {
      await expectReadingRefused(t, { query: { max: USERS_MAX } }, answer, `max=${max}`);
      continue;
    }
    isTaken = true;
    expectAtMost(USERS_MAX, answer, `with max=${max}`);
  }
  const known = new Set((await t.shared(customerWalks)).walks.flatMap(({ seen }) => [...seen]));
  if (isTaken && known.size <= USERS_MAX)
    inconclusive('max above 50 is accepted, but no more than 50 customers are known');
});

/** Number of forms of a request for more than 50 that each run tries. */
const FORMS_PER_RUN = 2;

check('users.list.at-most-50', 'more than 50 with a filter, on a later page, and written otherwise', async (t) => {
  const { parentIdentifier, nameFragment: name } = t.fixtures.users ?? {};
  const token = member(await t.shared(firstCustomers), 'continuationToken');
  const forms: { name: string; query: Input['query']; isGiven: boolean }[] = [
    { name: 'with a name', query: { max: 51, name }, isGiven: name !== undefined },
    { name: 'with a parent', query: { max: 51, parentIdentifier }, isGiven: parentIdentifier !== undefined },
    {
      name: 'on a later page',
      query: { max: 51, token: String(token) },
      isGiven: typeof token === 'string' && token !== '',
    },
    { name: 'written 051', query: { max: '051' }, isGiven: true },
    { name: 'written with 32 bits', query: { max: 2 ** 31 }, isGiven: true },
    { name: 'written with 64 bits', query: { max: 2n ** 64n }, isGiven: true },
  ];
  const given = forms.filter(({ isGiven }) => isGiven);
  for (const { name: form, query } of rotated(t.run, 'users.list: max=51', given, FORMS_PER_RUN)) {
    const answer = await t.call('users.list', { query }, { intent: 'malformed' });
    // A token issued for another page size may be refused.
    if (!succeeded(answer) && (query?.token === undefined || answer.status === 500))
      await expectReadingRefused(t, { query: { ...query, max: USERS_MAX } }, answer, `more than 50 ${form}`);
    expectAtMost(USERS_MAX, answer, `with more than 50, ${form},`);
  }
});

/** Number of customers other than the fixture's that each run reads. */
const OTHERS_PER_RUN = 2;

/** The last customer of the walk through all of them, and one chosen by the seed. */
async function walkedCustomers(t: Context): Promise<string[]> {
  const seen = values([await attempt(() => t.shared(walkOfAll))]).flatMap((walked) => [...walked.seen]);
  return seen.length === 0 ? [] : [seen.at(-1)!, seen[t.run.configuration.run.seed % seen.length]!];
}

/** Answers for the fixture's customer and others at the same moment, then twice more for that one: each is the customer asked for. */
const someCustomers = scenario('some customers', async (t) => {
  const listed = identifiersOf(await listedOn(t, firstCustomers));
  const { parentIdentifier, childIdentifier } = t.fixtures.users ?? {};
  const one = await aCustomer(t);
  const known = [parentIdentifier, childIdentifier, listed[0], listed.at(-1), ...(await walkedCustomers(t))];
  const others = rotated(
    t.run,
    'users.get: customers',
    [...new Set(known)].filter((other) => other !== undefined && other !== one) as string[],
    OTHERS_PER_RUN,
  );
  const read = (identifier: string) => t.call('users.get', { path: { identifier } });
  // In parallel, to show whether answers are swapped.
  const answers = await Promise.all([one, ...others].map(read));
  return [...answers, await read(one), await read(one)];
});

check('users.get.required-only', 'customers that exist', async (t) => {
  const answers = await t.shared(someCustomers);
  for (const answer of answers) {
    requireNotBusy(answer, 'the request for a customer that exists');
    // A customer of the fixtures file or of an earlier walk may be gone: that is not judged if others are answered and no listing has it any more.
    const isStale = !succeeded(answer) && answers.some(succeeded) && !(await isStillListed(t, answer));
    if (!isStale) expectSuccess(answer, 'the request for a customer that exists');
  }
});

/** Whether the customer asked for is in the walks of the run and in one made now; a walk that is cut off counts as a yes. */
async function isStillListed(t: Context, { input }: Answer): Promise<boolean> {
  const identifier = input.path!.identifier!;
  if (!(await isListed(t, identifier))) return false;
  const now = await walkAlone(t, await t.shared(walkOfAll));
  const isCut = !now.ended && !now.fault;
  return isCut || contains(now, identifier);
}

everyExchange('users.get.same-customer', 'users.get', sameIdentifier('customer'));
