/** Cards listed by a filter have the value asked for; by a customer, also that of a customer below it (reading 22). */
import type { Fixtures } from '../../../contracts/fixtures.ts';
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import { type Answer, entries, memberOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { attempt, judgeEach, type Step } from '../../../helpers/engine/step.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { isText, sameText } from '../../shared/identifiers.ts';
import { walk } from '../users/walks.ts';
import { byKnownValues, type Filter, type Listing, listingOf, MEMBERS } from './scenarios/filtered-listings.ts';

const { check, everyExchange, suite } = defineSuite();
export const filteredMembersSuite = suite;

/**
 * Judges a filter by the members of the cards that it finds, as the unfiltered listing shows them.
 * @throws Nonconformance when a card is found that has another value; see {@link expectBelow} for customers
 */
export async function expectNoOtherValue(
  t: Context,
  filter: Filter,
  value: string,
  answer: Answer,
  all: Listing,
): Promise<void> {
  const found = listingOf(answer);
  const other = all.cards.find((card) => {
    const carried = memberOf(card, filter);
    return isText(carried) && !sameText(carried, value) && found.ids.includes(card.identifier as string);
  });
  if (!other) return;
  if (filter === 'customerIdentifier') return expectBelow(t, value, new Map([[String(other[filter]), answer]]));
  fail(`a card with another ${filter} is found`, { expected: value, actual: String(other[filter]), in: answer });
}

/** The answer that lists a card. */
type Listed = Pick<Answer, 'exchange'>;

/** Customers whose cards were listed for another customer, by that one's identifier, with the answers; per run, by its fixtures. */
const others = new WeakMap<Fixtures, Map<string, Map<string, Listed>>>();

function noteOther(fixtures: Fixtures, asked: string, carried: string, { exchange }: Answer): void {
  const byAsked = others.get(fixtures) ?? new Map<string, Map<string, Listed>>();
  others.set(fixtures, byAsked.set(asked, (byAsked.get(asked) ?? new Map()).set(carried, { exchange })));
}

check(
  'cards.list.filtered-members',
  'customers other than the one asked for: users.list finds them below it',
  { phase: 'last' },
  async (t) => {
    await t.shared(byKnownValues);
    const judgements: Step<void>[] = [];
    for (const [asked, carried] of others.get(t.fixtures) ?? [])
      judgements.push(await attempt(() => expectBelow(t, asked, carried)));
    judgeEach(judgements);
  },
);

/** Number of customers whose children are searched for the customers of listed cards. */
const MOST_PARENTS = 20;

/**
 * Expects the customers in `carried`, whose cards were listed for another one, to be below it, however deep users.list searches (reading 22).
 * @param carried the customers, each with the answer that lists a card of theirs
 * @throws Nonconformance; Inconclusive where users.list does not show it
 */
export async function expectBelow(t: Context, asked: string, carried: ReadonlyMap<string, Listed>): Promise<void> {
  const parents = [asked];
  const below = new Set<string>();
  /** Whether the customers below some customer were listed with those below its parent: then users.list includes every level at once. */
  let isDeep = false;
  for (const parentIdentifier of parents) {
    if (parents.indexOf(parentIdentifier) >= MOST_PARENTS) {
      if (isDeep) break;
      inconclusive('too many customers are below the one asked for');
    }
    const walked = await walk(t, { parentIdentifier }, USERS_MAX);
    const [first] = walked.pages;
    if (!walked.ended && !(parentIdentifier !== asked && first && !succeeded(first)))
      inconclusive('users.list does not show who is below the customer asked for');
    const lower = [...walked.seen].filter((customer) => customer !== parentIdentifier);
    isDeep ||= parentIdentifier !== asked && lower.length > 0 && lower.every((customer) => below.has(customer));
    for (const customer of walked.seen) if (!below.has(customer)) parents.push(customer);
    for (const customer of walked.seen) below.add(customer);
    if ([...carried.keys()].every((one) => below.has(one))) return;
  }
  const [other, answer] = [...carried].find(([one]) => !below.has(one))!;
  fail('a card with another customerIdentifier is listed', { expected: asked, actual: other, in: answer });
}

everyExchange('cards.list.filtered-members', 'cards.list', (answer, fixtures) => {
  if (!succeeded(answer)) return undefined;
  let kept = false;
  for (const filter of MEMBERS) {
    const asked = answer.input.query?.[filter];
    if (typeof asked !== 'string') continue;
    for (const card of entries(answer)) {
      const carried = memberOf(card, filter);
      if (!isText(carried)) continue;
      if (!sameText(carried, asked) && filter === 'customerIdentifier') noteOther(fixtures, asked, carried, answer);
      else if (!sameText(carried, asked))
        return { message: `a card with another ${filter} is listed`, difference: { expected: asked, actual: carried } };
      else kept = true;
    }
  }
  return kept ? 'kept' : undefined;
});
