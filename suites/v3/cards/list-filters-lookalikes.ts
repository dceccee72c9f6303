/** Filters of the cards listing by odd values, and by values that resemble one that some cards have (readings 11, 20 and 52). */
import { entries, succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { identifiersOf, isWhole } from '../../shared/identifiers.ts';
import { firstCards } from '../../shared/target-data.ts';
import { likeValue } from '../../shared/unknown-names.ts';
import { expectNoOtherValue } from './filtered-members.ts';
import { byKnownValues, FILTERS, listBy, listingOf, MEMBERS, REQUIREMENT_OF } from './scenarios/filtered-listings.ts';

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

for (const filter of MEMBERS)
  check(REQUIREMENT_OF[filter], 'what resembles the value finds other cards', async (t) => {
    const { value } = (await t.shared(byKnownValues))[filter] ?? inconclusive(`no ${filter} is known`);
    for (const { text } of likeValue(t, `cards.list: like a ${filter}`, value)) {
      const answer = await listBy(t, filter, text, 'unknown');
      if (succeeded(answer)) await expectNoOtherValue(t, filter, text, answer, listingOf(await t.shared(firstCards)));
    }
  });

/** Texts whose last character belongs to a longer number or word: without it, nothing is left that could be an order of which this is a part. */
const ENDS_WITHIN_A_WORD = /(\d\d|[a-z][a-z]|[^a-z\d].)$/i;

for (const filter of ['orderIdentifier', 'programIdentifier'] as const)
  check(REQUIREMENT_OF[filter], 'what resembles the value finds its cards', async (t) => {
    const { value, answer } = (await t.shared(byKnownValues))[filter] ?? inconclusive(`no ${filter} is known`);
    if (!succeeded(answer)) return;
    const isOfOrder = filter === 'orderIdentifier' && ENDS_WITHIN_A_WORD.test(value);
    const forms = lookAlikes(isOfOrder ? 'filterOfOrder' : 'filter', value);
    for (const { name, text } of rotated(t.run, `cards.list: like a ${filter}`, forms)) {
      const inBoth = async () => {
        const { ids } = listingOf(await listBy(t, filter, value, 'valid'));
        const resembling = await listBy(t, filter, text, 'unknown');
        const card = succeeded(resembling) && ids.find((identifier) => listingOf(resembling).ids.includes(identifier));
        return card ? { card, resembling } : undefined;
      };
      const found = await t.confirmed(inBoth, (one) => one === undefined);
      if (found)
        fail(`a card is found by its ${filter} ${name}`, {
          expected: 'absent',
          actual: `${found.card} by ${text}`,
          in: found.resembling,
        });
    }
  });
