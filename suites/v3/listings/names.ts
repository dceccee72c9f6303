/** The filter name of the customers listing: it finds those whose name contains the text, and nobody else (readings 11, 20 and 52). */
import * as Forms from '../../../helpers/engine/forms/index.ts';
import * as Laws from '../../../helpers/engine/laws.ts';
import * as Searches from '../../../helpers/engine/searches.ts';
import { identifiersOf, isWhole } from '../../shared/identifiers.ts';
import * as Requests from '../../shared/requests.ts';
import * as Known from './known.ts';
import * as Listings from './listings.ts';
import * as Views from './views.ts';

const { law, laws } = Views.lawsOf(Listings.customers);

const byName = Listings.customers.filters.find(({ name }) => name === 'name')!;

/** Shorter texts may be too short to search for, occur in many names, or occur in one again with a mark between their letters. */
const LEAST_FRAGMENT = 4;

/** A text with a character in its middle, added or in the place of another one. */
function withMiddle(text: string, character: string, replaces = 0): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + character + text.slice(middle + replaces);
}

/** Characters that stand for any other one in SQL or in regular expressions. */
const ANY_CHARACTER = ['_', '.'];
/** These, and those that stand for any text in SQL or in file patterns. */
const WILDCARDS = ['%', '*', ...ANY_CHARACTER];

laws(
  byName.requirement,
  'wildcards are characters',
  async ({ t }) => t.rotated('users.list: wildcards', WILDCARDS, { amply: WILDCARDS.length }),
  async (view, wild) => {
    const own = await Known.requireAcceptedFilter(view, byName);
    const fragment = view.knownOf(byName);
    const name = withMiddle(fragment, wild, ANY_CHARACTER.includes(wild) ? 1 : 0);
    if (fragment.length < LEAST_FRAGMENT || name === fragment) return undefined;
    const found = await view.search({ max: Searches.PAGE, name });
    const match = view.t.fixtures.users?.nameMatchIdentifier;
    const isMatched = match !== undefined && found.isAccepted && Laws.holds(found, match);
    const isSame = found.ids.length > 1 && isWhole(found.ids, own.ids.slice(0, found.ids.length));
    if (!isMatched && !isSame) return undefined;
    return {
      about: [wild],
      message: `${wild} in a name works as a wildcard`,
      expected: 'customers whose name contains it',
      actual: isMatched ? match : 'customers whose name contains another character there',
      found,
    };
  },
);

/** Ways to shorten a text: every name that contains the text contains its parts, too. */
const PARTS = [
  { name: 'without its first character', of: (text: string) => text.slice(1) },
  { name: 'without its last character', of: (text: string) => text.slice(0, -1) },
];

laws(
  byName.requirement,
  'a part of the text finds no fewer',
  async ({ t }) => t.rotated('users.list: parts of a name', PARTS),
  async (view, { name: what, of }) => {
    const own = await Known.requireAcceptedFilter(view, byName);
    const match = Known.requireGiven(view.t, 'nameMatchIdentifier');
    const name = of(view.knownOf(byName)).trim();
    if (!Laws.holds(own, match) || name.length < LEAST_FRAGMENT - 1) return undefined;
    const found = await view.by(byName, name);
    const lost = found.isWhole && !Laws.holds(found, match) ? [match] : [];
    return Laws.missing(`part of a name, ${what}, does not find the customer whom the whole text finds`, lost);
  },
);

/** A contradiction where a name that matches nobody finds somebody. */
const nobody = (found: Searches.Found): Laws.Contradiction | undefined => {
  const { length } = found.entries;
  if (!found.isAccepted || length === 0) return undefined;
  const message = `a name that matches nobody finds ${length}`;
  return { about: ['somebody'], message, expected: 'no results', actual: String(length), found };
};

laws(
  'users.list.unmatched-name-empty',
  'texts with marks, letters beyond ASCII, an invented word, of one and of 300 characters',
  async ({ t }) => {
    const known = byName.given(t) ?? '';
    const text = known.length < LEAST_FRAGMENT ? Views.UNMATCHED : known;
    // A UUID is in no name, but a search that goes beyond names may find it.
    const listed = identifiersOf(await Requests.listedOn(t, Requests.firstCustomers));
    const ids = listed.filter((identifier) => Forms.UUID.test(identifier));
    const resembling = Forms.lookAlikes(t, 'filterOfName', text).map((one) => one.text);
    const texts = Forms.oddTextsOf('query').map((one) => `${Views.UNMATCHED}${one.text}`);
    const odd = [...resembling, ...texts, `${text} ${text} ${text}`, '\u2021', ...ids.slice(0, 1)];
    return [`${text}${Forms.ALL_ODD}`, ...t.rotated('users.list: odd names', odd, { amply: 2 })];
  },
  async (view, name) => {
    const found = await view.search({ name });
    view.t.observe('users.list', `the name ${name.slice(0, 12)}`, found.pages[0]!);
    return nobody(found);
  },
);

law('users.list.unmatched-name-empty', 'text that no name contains', async (view) => {
  const known = byName.given(view.t);
  // Begins as names do: a target that compares only the beginning would find those.
  const beginning = known?.slice(0, LEAST_FRAGMENT) ?? 'qxz';
  const name = view.t.unique(beginning).replaceAll('-', '').slice(0, 12);
  // A target may refuse digits in names.
  const fuller = { query: { name: `${beginning}${Views.UNMATCHED}vw` } };
  const control = known === undefined ? {} : { query: { name: known } };
  return nobody(await view.accepted({ name }, { what: 'a name that matches nobody', fuller: [fuller], control }));
});
