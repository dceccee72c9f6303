/** Following the continuation token of the customers listing (reading 19). */
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { customerWalks, isReproducible, sizeInWords, type Walk, type WalkFault, walkAlone } from './walks.ts';

const { check, suite } = defineSuite();
export const usersListPaginationSuite = suite;

check('users.list.pagination-ends', 'walks through listings', { phase: 'last' }, async (t) => {
  const { walks } = await t.shared(customerWalks);
  await expectNoWalkFault(t, walks, ['token-repeated', 'token-refused', 'no-progress']);
  if (!walks.some(isConclusive)) inconclusive(whyInconclusive(walks));
});

check('users.list.pagination-repeats-nobody', 'walks through listings', { phase: 'last' }, async (t) => {
  const { walks } = await t.shared(customerWalks);
  await expectNoWalkFault(t, walks, ['customer-repeats']);
  if (!walks.some((one) => isConclusive(one) && one.withoutIdentifier === 0)) inconclusive(whyInconclusive(walks));
  const invented = { token: t.unique('no-such-token') };
  t.observe(
    'users.list',
    'an invented token',
    outcomeInWords(await t.call('users.list', { query: invented }, { intent: 'refusable' })),
  );
});

check('users.list.pagination-same-set', 'pages of several sizes', { phase: 'last' }, async (t) => {
  const { walks, listings } = await t.shared(customerWalks);
  const judged = listings
    .map((listing) => listing.filter((one) => one.ended && one.withoutIdentifier === 0))
    .filter(({ length }) => length > 1);
  if (judged.length === 0) inconclusive(whyInconclusive(walks));
  for (const [most, ...others] of judged) await expectSameSet(t, most!, others);
});

/**
 * Expects a listing to have the same customers with every page size. Customers who come or go while pages are read shift others past them,
 * so contradicting walks are repeated: the fullest one once, the other twice.
 * @throws Nonconformance when a customer is always found with one page size and never with the other, else Inconclusive
 */
async function expectSameSet(t: Context, most: Walk, others: readonly Walk[]): Promise<void> {
  const differing = others.find((other) => missing(most, other) || missing(other, most));
  if (!differing) return;
  const again = await walkAlone(t, most);
  const otherAgain = [await walkAlone(t, differing), await walkAlone(t, differing)];
  const lost = onlyIn([most, again], [differing, ...otherAgain]) ?? onlyIn([differing, ...otherAgain], [most, again]);
  const isCut = [again, ...otherAgain].some(({ ended }) => !ended);
  if (missing(most, again) || missing(again, most) || isCut || lost === undefined)
    inconclusive('the customers changed in the meantime');
  fail(`customer ${lost} is not found with every page size`, {
    expected: `the ${most.seen.size} customers found ${sizeInWords(most)}`,
    actual: `${differing.seen.size} customers ${sizeInWords(differing)}`,
  });
}

/** A customer in all walks of the first kind and in none of the second. */
const onlyIn = ([one, ...alike]: readonly [Walk, ...Walk[]], others: readonly Walk[]): string | undefined =>
  [...one.seen].find(
    (customer) => alike.every(({ seen }) => seen.has(customer)) && others.every(({ seen }) => !seen.has(customer)),
  );

/** A customer in one walk but not in the other. */
const missing = (one: Walk, other: Walk): string | undefined =>
  [...one.seen].find((customer) => !other.seen.has(customer));

/** Whether a walk reached the end and has more than one page. */
const isConclusive = (one: Walk) => one.ended && one.pages.length > 1;

function whyInconclusive(walks: readonly Walk[]): string {
  if (walks.some(({ fault }) => fault))
    return `a walk was stopped: ${walks.find(({ fault }) => fault)!.fault!.message}`;
  if (walks.some(({ withoutIdentifier }) => withoutIdentifier > 0)) return 'customers are listed without identifier';
  return walks.some(({ ended }) => !ended)
    ? 'no listing with more than 50 customers ends within 40 pages: users.parentIdentifier or users.nameFragment name a narrower one'
    : 'all customers fit on one page';
}

/** Expects no walk to be stopped by a fault of these kinds. @throws Nonconformance when the fault is reproducible, else Inconclusive */
async function expectNoWalkFault(
  t: Context,
  walks: readonly Walk[],
  kinds: readonly WalkFault['kind'][],
): Promise<void> {
  const faulty = walks.filter(({ fault }) => fault && kinds.includes(fault.kind));
  for (const one of faulty) if (await isReproducible(t, one)) fail(one.fault!.message);
  if (faulty[0])
    inconclusive(`the customers changed in the meantime: ${faulty[0].fault!.message}, but not the next time`);
}
