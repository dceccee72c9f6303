/** Filters of the customers listing: they narrow it (readings 11 and 20). */
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import { expectAccepted } from '../../../helpers/acceptance.ts';
import { type Answer, entries, type Input, succeeded } from '../../../helpers/answer.ts';
import type { Scenario } from '../../../helpers/check.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { tonights } from '../../../helpers/rotation.ts';
import { fail, inconclusive, skip } from '../../../helpers/verdict.ts';
import { identifiersOf, isWhole, sameText, surelySame } from '../../shared/identifiers.ts';
import { acceptedByFilter, count } from '../../shared/listings.ts';
import { outcomeInWords } from '../../shared/observed.ts';
import { firstCustomers, invented, listedOn, UUID } from '../../shared/target-data.ts';
import { allMisnamed, exists } from '../../shared/unknown-names.ts';
import { requireKnownCustomer } from './known-customers.ts';
import {
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

type Match = 'childIdentifier' | 'nameMatchIdentifier';
type FixtureName = Match | 'unrelatedIdentifier' | 'nameMismatchIdentifier';

/** Page sizes that show a filter which is left out for small pages. */
const SMALL = [5, 1];

/** Declares what a filter is to find and what not. */
function narrows(id: string, filtered: Scenario<Walk | undefined>, match: Match, mismatch: FixtureName): void {
  check(id, `finds users.${match}`, async (t) => {
    const wanted = fixture(t, match);
    const walked = await walkedBy(t, filtered);
    if (contains(walked, wanted)) return;
    if (!walked.ended || walked.withoutIdentifier > 0) inconclusive('not all that is found could be read');
    if ('parentIdentifier' in walked.filter) await requireKnownCustomer(t, 'parentIdentifier');
    const name = await requireKnownCustomer(t, match);
    const { name: fragment } = walked.filter;
    if (fragment !== undefined && name !== undefined && !name.toLowerCase().includes(fragment.toLowerCase()))
      inconclusive(`users.${match} of the fixtures file has a name that does not contain users.nameFragment`);
    fail('a customer that matches is not found', { expected: wanted, actual: `${walked.seen.size} others` });
  });

  check(id, `leaves out users.${mismatch}`, async (t) => {
    const unwanted = fixture(t, mismatch);
    const walked = await walkedBy(t, filtered);
    if ([...walked.seen].some((seen) => surelySame(seen, unwanted)))
      fail('a customer that does not match is found', { expected: 'absent', actual: unwanted });
    if (contains(walked, unwanted)) inconclusive('a customer is found whose identifier differs from it by case alone');
    if (!walked.ended || walked.withoutIdentifier > 0) inconclusive('not all that is found could be read');
  });

  check(id, 'finds the same in smaller pages', { phase: 'last' }, async (t) => {
    const whole = await walkedBy(t, filtered);
    if (!whole.ended || whole.withoutIdentifier > 0 || whole.seen.size < 2) return;
    const { walks } = await t.shared(customerWalks);
    const smaller = walks.filter(({ filter, size }) => filter === whole.filter && size !== undefined);
    const surplus = smaller.flatMap(({ seen }) => [...seen]).find((customer) => !whole.seen.has(customer));
    if (surplus === undefined) return;
    const { size } = smaller.find(({ seen }) => seen.has(surplus))!;
    const stays = contains(await walk(t, whole.filter, size), surplus);
    const again = await walk(t, whole.filter, whole.size);
    if (!stays || !isSameSet(again.seen, whole.seen)) inconclusive('the customers change meanwhile');
    fail('a later page holds a customer that the filter leaves out', { expected: 'absent', actual: surplus });
  });

  check(id, 'finds the same with a small max', async (t) => {
    const whole = await walkedBy(t, filtered);
    for (const max of tonights(t.run, `${id}: a small max`, SMALL, 1, String)) {
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
    const walked = await walkedBy(t, filtered);
    const [filter] = Object.keys(walked.filter);
    const answers = [...(await t.shared(byParentAndName)), ...(await t.shared(besideV1Identifier))];
    for (const answer of answers)
      if (answer.input.query?.[filter!] !== undefined)
        await expectAgreement(t, answer, walked, await foundByEach(t, answer), 'with another filter beside it');
  });

  check(id, 'finds nobody who is not in the unfiltered listing', async (t) => {
    const walked = await walkedBy(t, filtered);
    const all = await t.shared(walkOfAll);
    if (!all.ended || all.withoutIdentifier > 0) return;
    const surplus = [...walked.seen].find((customer) => !all.seen.has(customer));
    if (surplus === undefined) return;
    const again = await walk(t, {}, all.size, all.pages.length + 1);
    const stays = contains(await walk(t, walked.filter, walked.size), surplus);
    if (!again.ended || contains(again, surplus) || !stays) inconclusive('the customers change meanwhile');
    fail('a customer is found that the unfiltered listing does not have', {
      expected: 'a customer of it',
      actual: surplus,
    });
  });
}

/** Customers that each filter of a listing finds alone, as it writes their identifiers: two of them may differ in case alone. */
async function foundByEach(t: Context, { input: { query } }: Answer): Promise<string[]> {
  const walks = [await t.shared(walkByParent), await t.shared(walkByName)];
  const found = walks.flatMap((walked) =>
    walked && Object.keys(walked.filter).some((name) => query?.[name] !== undefined) ? [[...walked.seen]] : [],
  );
  if (query?.v1Identifier !== undefined) found.push(identifiersOf(entries(await byV1Identifier(t))));
  const [first = [], ...others] = found;
  return first.filter((customer) => others.every((other) => other.includes(customer)));
}

/** Whether a listing holds all it finds: it is a first page, shorter than it may be, does not continue, and everybody in it is named. */
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
 * Judges another listing by a filter: it holds nobody whom the filter leaves out, and where it is complete it holds those that it has to.
 * @param walked all that the filter finds
 * @param wanted of these, whom the other listing finds, too
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
    fail(`${how} a customer is found that the filter leaves out`, { expected: 'absent', actual: surplus });
  if (missing !== undefined && contains(walkedAgain, missing) && isComplete(again) && !holds(again, missing))
    fail(`${how} a customer is not found that the filter finds`, { expected: missing, actual: 'absent' });
  inconclusive('the customers change meanwhile');
}

/** A page of those that two filters find, small enough that another follows. */
const FEW = 3;

/** Customers by two filters at once, or a later page of them: each filter narrows what the other finds. */
const byParentAndName = scenario('customers by parent and name', async (t) => {
  const { parentIdentifier, nameFragment: name } = t.fixtures.users ?? {};
  if (!parentIdentifier || !name) return [];
  const list = (query: NonNullable<Input['query']>) =>
    t.call('users.list', { query: { parentIdentifier, name, ...query } }, { intent: 'refusable' });
  const answers: Answer[] = [];
  for (const max of tonights(t.run, 'users.list: parent and name with max', [USERS_MAX, FEW])) {
    const first = await list({ max });
    const token = max === FEW ? continuation(first) : undefined;
    answers.push(first, ...(token === undefined ? [] : [await list({ max, token })]));
  }
  return answers;
});

narrows('users.list.filter-parent', walkByParent, 'childIdentifier', 'unrelatedIdentifier');
narrows('users.list.filter-name', walkByName, 'nameMatchIdentifier', 'nameMismatchIdentifier');

function fixture(t: Context, name: FixtureName): string {
  return t.fixtures.users?.[name] ?? skip(`needs users.${name} in the fixtures file`);
}

async function walkedBy(t: Context, filtered: Scenario<Walk | undefined>): Promise<Walk> {
  const walked = await t.shared(filtered);
  if (!walked) inconclusive('there is no value to filter by');
  const { parentIdentifier, nameFragment: name, v1Identifier } = t.fixtures.users ?? {};
  const values = Object.entries({ parentIdentifier, name, v1Identifier });
  const others = values.filter(([other, value]) => value !== undefined && !(other in walked.filter));
  await acceptedByFilter(t, walked.pages[0]!, Object.keys(walked.filter).join(', '), Object.fromEntries(others));
  return walked;
}

const contains = (walked: Walk, customer: string) => [...walked.seen].some((seen) => sameText(seen, customer));

check('users.list.filter-parent', 'finds the same without max', async (t) => {
  const walked = await walkedBy(t, walkByParent);
  const answer = await expectAccepted(t, {
    operation: 'users.list',
    what: 'parentIdentifier without max',
    input: { query: walked.filter },
    control: { query: { max: USERS_MAX, ...walked.filter } },
  });
  await expectAgreement(t, answer, walked, [...walked.seen], 'without max');
});

/** Customers below the parent of the fixtures that are tried as parents: some of them have no children. */
const LEAVES = 2;

check('users.list.filter-parent', 'customers without children among the parents', async (t) => {
  const walked = await walkedBy(t, walkByParent);
  const unrelated = t.fixtures.users?.unrelatedIdentifier;
  if (unrelated === undefined) return;
  const below = [...walked.seen].filter((customer) => !sameText(customer, walked.filter.parentIdentifier!)).reverse();
  const within = new Map([[walked.filter.parentIdentifier!, [...walked.seen]]]);
  for (const parentIdentifier of tonights(t.run, 'users.list: parents', below, LEAVES)) {
    const query = { max: USERS_MAX, parentIdentifier };
    const found = identifiersOf(entries(await t.call('users.list', { query }, { intent: 'refusable' })));
    if (found.some((customer) => surelySame(customer, unrelated)))
      fail('a customer is found by a parent that is below another one', { expected: 'absent', actual: unrelated });
    const all = identifiersOf(entries(await t.shared(firstCustomers)));
    const others = all.filter((customer) => !contains(walked, customer));
    if (walked.ended && others.length > 0 && isWhole(found, all))
      fail('a parent below another one finds everybody', { expected: 'those within it', actual: 'the whole listing' });
    within.set(parentIdentifier, found);
  }
  // Of two customers not each can be the parent of the other.
  const isWithin = (one: string, parent: string) => within.get(parent)!.some((customer) => surelySame(customer, one));
  for (const one of within.keys())
    for (const other of within.keys())
      if (one !== other && isWithin(one, other) && isWithin(other, one))
        fail('of two customers each is found within the other', {
          expected: 'one of them at most',
          actual: `${one} and ${other}`,
        });
});

/** Shorter texts may be too short to be searched for, be in many names, or in one that also holds them with a mark between their letters. */
const LEAST_FRAGMENT = 4;

check('users.list.filter-parent', 'what resembles the identifier of the parent', async (t) => {
  const { filter } = await walkedBy(t, walkByParent);
  const child = fixture(t, 'childIdentifier');
  const parent = filter.parentIdentifier!;
  const pattern = /%|=$/.test(parent) ? [] : [{ name: 'a pattern', identifier: `${parent.slice(0, -1)}%` }];
  for (const { name, identifier: parentIdentifier } of allMisnamed(t, 'users.list', parent, pattern)) {
    const query = { max: USERS_MAX, parentIdentifier };
    const found = identifiersOf(entries(await t.call('users.list', { query }, { intent: 'unknown' })));
    if (!found.some((customer) => surelySame(customer, child))) continue;
    if (!(await exists(t, 'users.list', parentIdentifier)))
      fail(`the customers within a parent are found by ${name}`, { expected: 'absent', actual: child });
  }
});

/** What stands for any text, or for any character, in one way of searching or another: SQL, file names, regular expressions. */
const WILDCARDS = [
  { wild: '%', replaces: 0 },
  { wild: '*', replaces: 0 },
  { wild: '_', replaces: 1 },
  { wild: '.', replaces: 1 },
];

check('users.list.filter-name', 'wildcards are characters', async (t) => {
  const walked = await walkedBy(t, walkByName);
  const match = t.fixtures.users?.nameMatchIdentifier;
  const fragment = walked.filter.name!;
  if (fragment.length < LEAST_FRAGMENT) return;
  const middle = Math.floor(fragment.length / 2);
  for (const { wild, replaces } of WILDCARDS) {
    const name = fragment.slice(0, middle) + wild + fragment.slice(middle + replaces);
    if (name === fragment) continue;
    const query = { max: USERS_MAX, name };
    const found = identifiersOf(entries(await t.call('users.list', { query }, { intent: 'refusable' })));
    const isMatched = match !== undefined && found.some((customer) => surelySame(customer, match));
    const isSame = found.length > 1 && isWhole(found, [...walked.seen].slice(0, found.length));
    if (isMatched || isSame)
      fail(`${wild} in a name stands for other characters, or for none`, {
        expected: 'those whose name contains it',
        actual: isMatched ? match : 'those whose name contains another character there',
      });
  }
});

/** Characters that an implementation may stumble over, or end a text at. */
const ODD_CHARACTERS = ["'", '"', '#', '&', '%', '_', '\\', ';', 'é漢'];
/** With one of them in its middle a text is in no name; nor is it three times over, or beside an invented word; nor are one odd character and other long texts. */
const oddNames = (text: string): string[] => {
  const middle = Math.floor(text.length / 2);
  const odd = ODD_CHARACTERS.map((character) => text.slice(0, middle) + character + text.slice(middle));
  return [...odd, `${text} ${text} ${text}`, `${text} qxzzxq`, `qxzzxq ${text}`, '\u2021', 'qxz'.repeat(100)];
};
/** Of these in one night. */
const ODD_A_NIGHT = 1;

/** Parts of a text that everything contains which contains the text. */
const PARTS = [
  { name: 'without its first character', of: (text: string) => text.slice(1) },
  { name: 'without its last character', of: (text: string) => text.slice(0, -1) },
];
check('users.list.filter-name', 'a part of the text finds no fewer', async (t) => {
  const walked = await walkedBy(t, walkByName);
  const match = fixture(t, 'nameMatchIdentifier');
  if (!contains(walked, match)) return;
  for (const { name: what, of } of tonights(t.run, 'users.list: parts of a name', PARTS)) {
    const name = of(walked.filter.name!).trim();
    if (name.length < LEAST_FRAGMENT - 1) continue;
    const found = await walk(t, { name }, USERS_MAX);
    if (found.ended && found.withoutIdentifier === 0 && !contains(found, match)) {
      if (!contains(await walk(t, walked.filter, walked.size), match)) inconclusive('the customers change meanwhile');
      fail(`the text of a name ${what} does not find who is found by the text`, { expected: match, actual: 'absent' });
    }
  }
});

check(
  'users.list.unmatched-name-empty',
  'texts with marks, letters beyond ASCII, an invented word, of one and of 300 characters',
  async (t) => {
    const known = t.fixtures.users?.nameFragment ?? '';
    const text = known.length < LEAST_FRAGMENT ? 'qxzzxq' : known;
    // A UUID is in no name; what is searched beside names may hold it.
    const identifiers = identifiersOf(await listedOn(t, firstCustomers)).filter((identifier) => UUID.test(identifier));
    const odd = [...oddNames(text), ...identifiers.slice(0, 1)];
    const allOdd = ODD_CHARACTERS.join('');
    for (const name of [allOdd, ...tonights(t.run, 'users.list: odd names', odd, ODD_A_NIGHT)]) {
      const answer = await t.call('users.list', { query: { name } }, { intent: 'refusable' });
      t.observe('users.list', `the name ${name.slice(0, 12)}`, outcomeInWords(answer));
      const found = count(answer);
      if (found) fail(`a name that matches nobody finds ${found}`, { expected: 'no results', actual: String(found) });
    }
  },
);

/** Page sizes by which the customer of a v1Identifier is asked for: it is found among all customers, not on their first page. */
const V1_SIZES = [USERS_MAX, 1, undefined];

/** Customers by v1Identifier, with each page size of this night. */
const listingsByV1Identifier = scenario('customers by v1Identifier', async (t) => {
  const v1Identifier = t.fixtures.users?.v1Identifier;
  const answers: Answer[] = [];
  for (const max of tonights(t.run, 'users.list: v1Identifier with max', V1_SIZES))
    answers.push(await t.call('users.list', { query: { max, v1Identifier } }));
  return answers;
});

/** The first of these. */
const byV1Identifier = async (t: Context): Promise<Answer> => (await t.shared(listingsByV1Identifier))[0]!;

/** Customers by v1Identifier and another filter, which rotates. */
const besideV1Identifier = scenario('customers by v1Identifier and another filter', async (t) => {
  const { v1Identifier, v1MatchIdentifier, nameFragment: name, parentIdentifier } = t.fixtures.users ?? {};
  const filters = Object.entries({ name, parentIdentifier }).filter(([, value]) => value !== undefined);
  if (v1Identifier === undefined || v1MatchIdentifier === undefined || filters.length === 0) return [];
  await t.shared(firstCustomers);
  const answers: Answer[] = [];
  for (const [filter, value] of tonights(t.run, 'users.list: v1Identifier beside', filters, 1, ([filter]) => filter))
    answers.push(
      await t.call('users.list', { query: { max: USERS_MAX, v1Identifier, [filter]: value } }, { intent: 'refusable' }),
    );
  return answers;
});

check('users.list.filter-v1-identifier', 'beside another filter', async (t) => {
  const both = await t.shared(besideV1Identifier);
  if (both.length === 0) return;
  const alone = await byV1Identifier(t);
  if (continuation(alone) !== undefined) return;
  const known = identifiersOf(entries(alone));
  for (const answer of both) {
    const surplus = identifiersOf(entries(answer)).find((customer) => !known.some((one) => sameText(one, customer)));
    if (surplus !== undefined && succeeded(alone) && count(alone) === known.length)
      fail('beside another filter a customer is found that v1Identifier leaves out', {
        expected: 'absent',
        actual: surplus,
      });
  }
});

check('users.list.filter-v1-identifier', 'finds users.v1MatchIdentifier', async (t) => {
  const wanted = t.fixtures.users?.v1MatchIdentifier ?? skip('needs users.v1MatchIdentifier in the fixtures file');
  const { parentIdentifier, nameFragment: name } = t.fixtures.users!;
  const others = { ...(parentIdentifier && { parentIdentifier }), ...(name && { name }) };
  const all = identifiersOf(entries(await t.shared(firstCustomers)));
  for (const alone of await t.shared(listingsByV1Identifier)) {
    const answer = await acceptedByFilter(t, alone, 'v1Identifier', others);
    const found = identifiersOf(entries(answer));
    if (found.length < entries(answer).length) inconclusive('customers are listed without identifier');
    if (!found.some((customer) => sameText(customer, wanted))) {
      if (continuation(answer) !== undefined)
        inconclusive('more customers are found by v1Identifier than one page holds');
      await requireKnownCustomer(t, 'v1MatchIdentifier');
      fail('the customer with that identifier is not found', { expected: wanted, actual: `${found.length} others` });
    }
    if (all.length > 1 && isWhole(found, all))
      fail('the filter changes nothing', { expected: wanted, actual: `the first ${found.length} of all customers` });
  }
});

const PART_OF_V1 = { name: 'a part of the identifier', of: (v1: string) => v1.slice(0, -1) };
/** What else resembles a v1Identifier, and is another one. */
const OTHER_V1 = [
  { name: 'an identifier that is continued by a word', of: (v1: string) => `${v1}xq` },
  { name: 'a pattern', of: (v1: string) => `${v1.slice(0, -1)}%` },
];

check('users.list.filter-v1-identifier', 'what resembles the identifier finds somebody else', async (t) => {
  const v1 = t.fixtures.users!.v1Identifier!;
  const other = t.fixtures.users?.v1MatchIdentifier ?? skip('needs users.v1MatchIdentifier in the fixtures file');
  if (v1.length === 1) inconclusive('the identifier has one character');
  for (const { name, of } of [PART_OF_V1, ...tonights(t.run, 'users.list: like a v1Identifier', OTHER_V1)]) {
    const answer = await t.call('users.list', { query: { max: 50, v1Identifier: of(v1) } }, { intent: 'refusable' });
    if (identifiersOf(entries(answer)).some((customer) => succeeded(answer) && surelySame(customer, other)))
      fail(`the customer is found by ${name}`, { expected: 'another customer, or none', actual: other });
  }
});

check('users.list.unmatched-name-empty', 'text that no name contains', async (t) => {
  const known = t.fixtures.users?.nameFragment;
  // It begins as names do: a target that looks at the beginning alone would find them.
  const beginning = known?.slice(0, LEAST_FRAGMENT) ?? 'qxz';
  const name = t.unique(beginning).replaceAll('-', '').slice(0, 12);
  const query = { name };
  const answer = await expectAccepted(t, {
    operation: 'users.list',
    what: 'a name that matches nobody',
    input: { query },
    // Names may hold no digits.
    fuller: { query: { name: `${beginning}qxzzxqvw` } },
    control: known === undefined ? {} : { query: { name: known } },
  });
  const found = count(answer);
  if (found) fail(`a name that matches nobody finds ${found}`, { expected: 'no results', actual: String(found) });
});

check('users.list.unknown-filter-value', 'parentIdentifier and v1Identifier', async (t) => {
  const all = identifiersOf(entries(await t.shared(firstCustomers)));
  if (all.length === 0) inconclusive('no customer is listed with an identifier');
  const values = {
    parentIdentifier: invented(t.fixtures.users?.parentIdentifier ?? all[0]!),
    v1Identifier: invented(t.fixtures.users?.v1Identifier ?? '0'),
  };
  for (const [name, value] of Object.entries(values)) {
    const answer = await t.call('users.list', { query: { max: 50, [name]: value } }, { intent: 'unknown' });
    t.observe('users.list', `an unknown ${name}`, count(answer) === 0 ? 'an empty listing' : outcomeInWords(answer));
    if (succeeded(answer) && isWhole(identifiersOf(entries(answer)), all))
      fail(`an unknown ${name} gives the whole listing`, {
        expected: 'an empty listing or a refusal',
        actual: 'all customers',
      });
  }
});
