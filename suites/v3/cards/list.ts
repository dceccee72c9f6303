/** The cards listing: how many cards it returns, and whose (readings 13 and 22). */
import { CARDS_DEFAULT_MAX } from '../../../contracts/v3/cards.ts';
import { type Answer, entries, type Input, member, memberOf, succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { expectAccepted, requireNotBusy } from '../../../helpers/engine/acceptance.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { attempt, values } from '../../../helpers/engine/step.ts';
import { expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { certainlySame, identifiersOf, isWhole, sameText } from '../../shared/identifiers.ts';
import { atMostAsked, BETWEEN, BETWEEN_PER_RUN, count, expectAtMost, observeOddMax } from '../../shared/listings.ts';
import { firstCards } from '../../shared/target-data.ts';
import { beyondDefault, cardsByFilter, widestFilter } from './scenarios/filtered-listings.ts';

const { check, everyExchange, suite } = defineSuite();
export const cardsListSuite = suite;

/** The listing without max and filters. */
const byDefault = scenario('cards listing without max', (t) => t.call('cards.list'));

check('cards.list.required-only', 'without parameters', async (t) => {
  const what = 'a request without parameters';
  const answer = await t.shared(byDefault);
  requireNotBusy(answer, what);
  if (succeeded(answer)) return;
  // If the target has a limit of its own, a request that was accepted before is refused now, too.
  const [accepted] = values([await attempt(() => t.shared(firstCards))]);
  if (accepted) await expectAccepted(t, { operation: 'cards.list', what, input: {}, control: accepted.input });
  expectSuccess(answer, what);
});

check('cards.list.default-at-most-50', 'compared with max=50', async (t) => {
  const answer = await t.shared(byDefault);
  const given = listed(answer);
  expectAtMost(CARDS_DEFAULT_MAX, answer, 'without max');
  if (given < listed(await t.shared(firstCards))) await expectAsManyAsAsked(t, {}, 'without max');
});

check('cards.list.default-at-most-50', 'with a filter', async (t) => {
  const widest = await t.shared(widestFilter);
  if (!widest) return;
  const answer = await t.call('cards.list', { query: widest.query });
  const given = listed(answer);
  expectAtMost(CARDS_DEFAULT_MAX, answer, 'with a filter and without max');
  if (given < widest.found) await expectAsManyAsAsked(t, widest.query, 'with a filter and without max');
});

/**
 * Lists without max, with max=50 and without max again, to rule out cards that come or go meanwhile.
 * @throws Nonconformance when both listings without max hold fewer cards than the one between them, Inconclusive otherwise
 */
async function expectAsManyAsAsked(t: Context, query: NonNullable<Input['query']>, what: string): Promise<void> {
  const list = (max?: number) => t.call('cards.list', { query: { max, ...query } });
  const answers = [await list(), await list(CARDS_DEFAULT_MAX), await list()] as const;
  const [before, with50, after] = answers.map(listed) as [number, number, number];
  if (before >= with50 || after >= with50) inconclusive('the cards changed in the meantime');
  fail(`${what} the listing holds ${after} cards, with max=50 it holds ${with50}`, {
    expected: String(with50),
    actual: String(after),
    pointer: '/results',
    in: answers[2],
  });
}

check('cards.list.default-50-where-more', 'where more cards are known', async (t) => {
  const first = await t.shared(byDefault);
  const known = new Set(await otherListings(t));
  if (known.size <= CARDS_DEFAULT_MAX) inconclusive(`no more than ${known.size} cards are known by their identifiers`);
  if (listed(first) === CARDS_DEFAULT_MAX) return;
  // The cards may be newer than the first listing.
  const again = await t.call('cards.list');
  const given = listed(again);
  if (given !== CARDS_DEFAULT_MAX)
    fail(`without max the listing holds ${given} cards, but ${known.size} are known`, {
      expected: '50',
      actual: String(given),
      pointer: '/results',
      in: again,
    });
});

/** Identifiers of the cards in all listings. */
async function otherListings(t: Context): Promise<string[]> {
  const answers = [await t.shared(byDefault), ...(await t.shared(beyondDefault)), ...(await t.shared(cardsByFilter))];
  return answers.filter(succeeded).flatMap((answer) => identifiersOf(entries(answer)));
}

/** Number of cards in a listing that has to be accepted. */
const listed = (answer: Answer): number => count(requireAccepted(answer, 'the listing of cards')) ?? 0;

check('cards.list.max-accepted', '1, 50 and one between', async (t) => {
  for (const max of [1, ...rotated(t.run, 'cards.list: max', BETWEEN, BETWEEN_PER_RUN), 50])
    await expectAccepted(t, { operation: 'cards.list', what: `max=${max}`, input: { query: { max } }, control: {} });
  await observeOddMax(t, 'cards.list', rotated(t.run, 'cards.list: odd max', [0, -1]));
  await observeToken(t);
});

check('cards.list.max-accepted', '1, with a filter', async (t) => {
  const widest = await t.shared(widestFilter);
  if (!widest) return;
  const answer = await expectAccepted(t, {
    operation: 'cards.list',
    what: 'max=1 with a filter',
    input: { query: { ...widest.query, max: 1 } },
    control: { query: widest.query },
  });
  // An undocumented continuation token may lead to a next page, which the rules for every filtered listing then judge.
  const token = member(answer, 'continuationToken');
  if (typeof token === 'string' && token !== '')
    await t.call('cards.list', { query: { ...widest.query, max: CARDS_DEFAULT_MAX, token } }, { intent: 'refusable' });
});

everyExchange('cards.list.max-respected', 'cards.list', atMostAsked(CARDS_DEFAULT_MAX));

/** Number of pages of the listing to read: the rules for every listing judge them. */
const MOST_PAGES = 4;

/** Observes what `token` accepts: the documented answer has no continuation token. */
async function observeToken(t: Context): Promise<void> {
  const first = await t.shared(firstCards);
  const all = identifiersOf(entries(first));
  const pageAt = (token: string) => t.call('cards.list', { query: { max: 50, token } }, { intent: 'refusable' });
  const observe = (subject: string, answer: Answer) => {
    const again = succeeded(answer) && isWhole(identifiersOf(entries(answer)), all);
    t.observe('cards.list', subject, again ? 'ignored' : outcomeInWords(answer));
    return again;
  };
  observe('an invented token', await pageAt(t.unique('no-such-token')));
  let last = first;
  for (let pages = 1; pages < MOST_PAGES; pages++) {
    const undocumented = member(last, 'continuationToken');
    if (typeof undocumented !== 'string' || undocumented === '') return;
    last = await pageAt(undocumented);
    if (pages === 1 && observe('a continuationToken that the listing carries', last)) return;
  }
}

check('cards.list.foreign', 'by a filter that names their customer, alone and beside another', async (t) => {
  const customerIdentifier = t.fixtures.users?.foreignCustomerIdentifier;
  await t.shared(firstCards);
  if (customerIdentifier === undefined) return;
  const { programIdentifier } = t.fixtures.cards?.filters ?? {};
  for (const query of [{ customerIdentifier }, { max: 50, customerIdentifier, programIdentifier }]) {
    const found = await t.call('cards.list', { query }, { intent: 'foreign' });
    const carried = entries(found).find((card) =>
      sameText(String(memberOf(card, 'customerIdentifier')), customerIdentifier),
    );
    if (succeeded(found) && carried)
      fail('a card of a customer outside the reach of the credentials is listed', {
        expected: 'absent',
        actual: String(carried.identifier),
        pointer: '/results',
        in: found,
      });
  }
});

everyExchange('cards.list.foreign', 'cards.list', (answer, fixtures) => {
  const cards = entries(answer);
  const found = identifiersOf(cards);
  if (!succeeded(answer) || found.length === 0) return undefined;
  const customer = fixtures.users?.foreignCustomerIdentifier;
  const isOfForeigner = (card: unknown) =>
    customer !== undefined && certainlySame(String(memberOf(card, 'customerIdentifier')), customer);
  const foreign =
    fixtures.cards?.foreign?.find((card) => found.some((identifier) => certainlySame(card, identifier))) ??
    memberOf(cards.find(isOfForeigner), 'identifier');
  if (foreign === undefined) return 'kept';
  return {
    message: 'a card outside the reach of the credentials is listed',
    difference: { expected: 'absent', actual: String(foreign), pointer: '/results' },
  };
});
