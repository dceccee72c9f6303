/** The filter name of the customers listing: it finds those whose name contains the text, and nobody else (readings 11, 20 and 52). */
import { USERS_MAX } from '../../../contracts/v3/users.ts';
import { entries } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import { UUID } from '../../../helpers/engine/forms/invented.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { certainlySame, identifiersOf, isWhole } from '../../shared/identifiers.ts';
import { count } from '../../shared/listings.ts';
import { firstCustomers, listedOn } from '../../shared/target-data.ts';
import { requireWalk } from './filtered-customers.ts';
import { requireGiven } from './known-customers.ts';
import { contains, walk, walkByName } from './walks.ts';

const { check, suite } = defineSuite();
export const usersListFilterNameSuite = suite;

/** Shorter texts may be too short to search for, occur in many names, or occur in one again with a mark between their letters. */
const LEAST_FRAGMENT = 4;

/** Characters that stand for any text or any character in SQL, in file patterns or in regular expressions. */
const WILDCARDS = [
  { wild: '%', replaces: 0 },
  { wild: '*', replaces: 0 },
  { wild: '_', replaces: 1 },
  { wild: '.', replaces: 1 },
];

check('users.list.filter-name', 'wildcards are characters', async (t) => {
  const walked = await requireWalk(t, walkByName);
  const match = t.fixtures.users?.nameMatchIdentifier;
  const fragment = walked.filter.name!;
  if (fragment.length < LEAST_FRAGMENT) return;
  const middle = Math.floor(fragment.length / 2);
  for (const { wild, replaces } of WILDCARDS) {
    const name = fragment.slice(0, middle) + wild + fragment.slice(middle + replaces);
    if (name === fragment) continue;
    const query = { max: USERS_MAX, name };
    const answer = await t.call('users.list', { query }, { intent: 'refusable' });
    const found = identifiersOf(entries(answer));
    const isMatched = match !== undefined && found.some((customer) => certainlySame(customer, match));
    const isSame = found.length > 1 && isWhole(found, [...walked.seen].slice(0, found.length));
    if (isMatched || isSame)
      fail(`${wild} in a name works as a wildcard`, {
        expected: 'customers whose name contains it',
        actual: isMatched ? match : 'customers whose name contains another character there',
        in: answer,
      });
  }
});

/** Characters that an implementation may mishandle or truncate a text at. */
const ODD_CHARACTERS = ["'", '"', '#', '&', '%', '_', '\\', ';', 'é漢'];

/**
 * Names that match nobody: the text with an odd character in its middle, three times over or beside an invented word, an odd character
 * alone, and a long text.
 */
const oddNames = (text: string): string[] => {
  const middle = Math.floor(text.length / 2);
  const odd = ODD_CHARACTERS.map((character) => text.slice(0, middle) + character + text.slice(middle));
  return [...odd, `${text} ${text} ${text}`, `${text} qxzzxq`, `qxzzxq ${text}`, '\u2021', 'qxz'.repeat(100)];
};

/** Odd names that are tried in one run. */
const ODD_PER_RUN = 1;

/** Ways to shorten a text: every name that contains the text contains its parts, too. */
const PARTS = [
  { name: 'without its first character', of: (text: string) => text.slice(1) },
  { name: 'without its last character', of: (text: string) => text.slice(0, -1) },
];

check('users.list.filter-name', 'a part of the text finds no fewer', async (t) => {
  const walked = await requireWalk(t, walkByName);
  const match = requireGiven(t, 'nameMatchIdentifier');
  if (!contains(walked, match)) return;
  for (const { name: what, of } of rotated(t.run, 'users.list: parts of a name', PARTS)) {
    const name = of(walked.filter.name!).trim();
    if (name.length < LEAST_FRAGMENT - 1) continue;
    const found = await walk(t, { name }, USERS_MAX);
    if (found.ended && found.withoutIdentifier === 0 && !contains(found, match)) {
      if (!contains(await walk(t, walked.filter, walked.size), match))
        inconclusive('the customers changed in the meantime');
      fail(`part of a name, ${what}, does not find the customer whom the whole text finds`, {
        expected: match,
        actual: 'absent',
      });
    }
  }
});

check(
  'users.list.unmatched-name-empty',
  'texts with marks, letters beyond ASCII, an invented word, of one and of 300 characters',
  async (t) => {
    const known = t.fixtures.users?.nameFragment ?? '';
    const text = known.length < LEAST_FRAGMENT ? 'qxzzxq' : known;
    // A UUID is in no name, but a search that goes beyond names may find it.
    const identifiers = identifiersOf(await listedOn(t, firstCustomers)).filter((identifier) => UUID.test(identifier));
    const odd = [...oddNames(text), ...identifiers.slice(0, 1)];
    const allOdd = `${text}${ODD_CHARACTERS.join('')}`;
    for (const name of [allOdd, ...rotated(t.run, 'users.list: odd names', odd, ODD_PER_RUN)]) {
      const answer = await t.call('users.list', { query: { name } }, { intent: 'refusable' });
      t.observe('users.list', `the name ${name.slice(0, 12)}`, outcomeInWords(answer));
      const found = count(answer);
      if (found)
        fail(`a name that matches nobody finds ${found}`, {
          expected: 'no results',
          actual: String(found),
          in: answer,
        });
    }
  },
);

check('users.list.unmatched-name-empty', 'text that no name contains', async (t) => {
  const known = t.fixtures.users?.nameFragment;
  // Begins as names do: a target that compares only the beginning would find those.
  const beginning = known?.slice(0, LEAST_FRAGMENT) ?? 'qxz';
  const name = t.unique(beginning).replaceAll('-', '').slice(0, 12);
  const query = { name };
  const answer = await expectAccepted(t, {
    operation: 'users.list',
    what: 'a name that matches nobody',
    input: { query },
    // A target may refuse digits in names.
    fuller: { query: { name: `${beginning}qxzzxqvw` } },
    control: known === undefined ? {} : { query: { name: known } },
  });
  const found = count(answer);
  if (found)
    fail(`a name that matches nobody finds ${found}`, { expected: 'no results', actual: String(found), in: answer });
});
