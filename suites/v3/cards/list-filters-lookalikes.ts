/** Filters of the cards listing by odd values, and by values that resemble one that some cards have (readings 11, 20 and 52). */
import { entries, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { identifiersOf, isWhole } from '../../shared/identifiers.ts';
import { firstCards } from '../../shared/target-data.ts';
import { expectNoOtherValue } from './filtered-members.ts';
import {
  byKnownValues,
  FILTERS,
  type Filter,
  listBy,
  listingOf,
  MEMBERS,
  REQUIREMENT_OF,
} from './scenarios/filtered-listings.ts';

const { check, suite } = defineSuite();
export const cardsListFiltersLookalikesSuite = suite;

/** Texts that an implementation may mishandle, and that are nothing's identifier. */
const ODD_VALUES = ['constructor', "'", '"', '#', '%', '_', 'é漢', 'x'.repeat(300), '-1'];
const ALL_ODD = `'"#%_é漢`;

check('cards.list.unknown-filter-value', 'marks, letters beyond ASCII, and 300 characters', async (t) => {
  const all = identifiersOf(entries(await t.shared(firstCards)));
  const filters = rotated(t.run, 'cards.list: a filter with an odd value', FILTERS);
  const values = [ALL_ODD, ...rotated(t.run, 'cards.list: odd values', ODD_VALUES)];
  for (const { filter, value } of filters.flatMap((filter) => values.map((value) => ({ filter, value })))) {
    const answer = await listBy(t, filter, value.length > 10 ? value : `no-such${value}`, 'unknown');
    if (succeeded(answer) && all.length > 1 && isWhole(identifiersOf(entries(answer)), all))
      fail(`an odd ${filter} gives the whole listing`, {
        expected: 'an empty listing or a refusal',
        actual: 'all cards',
        in: answer,
      });
  }
});

/** Values that resemble the right one and find its card where only the end is compared, or patterns are allowed; one of them in each run. */
const RESEMBLING: readonly { name: string; filter: Filter; of: (value: string) => string }[] = [
  ...MEMBERS.flatMap((filter) => [
    { name: `the end of a ${filter}`, filter, of: (value: string) => value.slice(1) },
    { name: `a ${filter} with signs that stand for others`, filter, of: (value: string) => `_${value.slice(1, -1)}%` },
  ]),
  { name: 'the beginning of an orderIdentifier', filter: 'orderIdentifier', of: (value) => value.slice(0, -1) },
];
/** A shorter value leaves nothing to compare. */
const LEAST_RESEMBLED = 3;

for (const filter of MEMBERS)
  check(REQUIREMENT_OF[filter], 'a part of the value finds other cards', async (t) => {
    const { value } = (await t.shared(byKnownValues))[filter] ?? inconclusive(`no ${filter} is known`);
    // Decoders may ignore changes to the padding of base64.
    if (value.length < LEAST_RESEMBLED || value.endsWith('=')) return;
    const others = rotated(t.run, 'cards.list: what resembles a value', RESEMBLING).filter(
      (one) => one.filter === filter,
    );
    const parts = [value.slice(0, -1), ...others.map(({ of }) => of(value))];
    for (const part of parts.filter((one) => !isSameNumber(one, value))) {
      const answer = await listBy(t, filter, part, 'unknown');
      if (succeeded(answer))
        await expectNoOtherValue(t, filter, part, listingOf(answer), listingOf(await t.shared(firstCards)));
    }
  });

/** Whether both are the same number: leading zeros may be ignored. */
const isSameNumber = (one: string, other: string): boolean =>
  [one, other].every((text) => /^\d+$/.test(text)) && BigInt(one) === BigInt(other);

/** Texts whose last character belongs to a longer number or word: without it, nothing is left that could be an order of which this is a part. */
const ENDS_WITHIN_A_WORD = /(\d\d|[a-z][a-z]|[^a-z\d].)$/i;

check('cards.list.filter-order', 'a part of the value finds other cards', async (t) => {
  const { value, answer } =
    (await t.shared(byKnownValues)).orderIdentifier ?? inconclusive('no orderIdentifier is known');
  if (!succeeded(answer) || !ENDS_WITHIN_A_WORD.test(value)) return;
  const forms = rotated(t.run, 'cards.list: what resembles a value', RESEMBLING);
  for (const { of } of forms.filter(({ filter }) => filter === 'orderIdentifier')) {
    const part = of(value);
    const inBoth = async () => {
      const { ids } = listingOf(await listBy(t, 'orderIdentifier', value, 'valid'));
      const byPart = await listBy(t, 'orderIdentifier', part, 'unknown');
      const card = succeeded(byPart) && ids.find((identifier) => listingOf(byPart).ids.includes(identifier));
      return card ? { card, byPart } : undefined;
    };
    const found = await t.confirmed(inBoth, (one) => one === undefined);
    if (found)
      fail('a card is found by a part of its orderIdentifier', {
        expected: 'absent',
        actual: `${found.card} by ${part}`,
        in: found.byPart,
      });
  }
});
