/** Faults in the listings of customers and of cards: how many are on a page, whether pages end, and whose members an entry has. */
import type { FilterQuestion } from '../../sandbox/rules.ts';
import { broken, misanswered } from './broken.ts';
import type { Fault } from './fault.ts';

/** One `max` is taken for another. @param given undefined where that refuses it */
const sized = (
  name: string,
  condemns: string | readonly string[],
  listing: FilterQuestion['operation'],
  [max, given]: readonly [number, number | undefined],
): Fault =>
  broken(name, condemns, {
    pageSize: (operation, asked, byDefault) => (operation === listing && asked === max ? given : byDefault),
  });

/** Cards are listed with a member of the card before them. */
const withThatBefore = (name: string, member: string): Fault =>
  misanswered(name, 'cards.get.same-card', 'cards.list', ({ results }) => {
    const cards = results as Record<string, unknown>[];
    const values = cards.map((card) => card[member]);
    for (const [index, card] of cards.entries()) card[member] = values.at(index - 1);
  });

export const listingFaults: readonly Fault[] = [
  sized(
    'a thousand customers are given',
    ['users.list.at-most-50', 'users.list.never-more-than-50'],
    'users.list',
    [1000, 1000],
  ),
  sized('users.list: max=1 is refused', 'users.list.max-accepted', 'users.list', [1, undefined]),
  sized('users.list: max=49 gives 50', 'users.list.max-respected', 'users.list', [49, 50]),
  sized('cards.list: max=1 is refused', 'cards.list.max-accepted', 'cards.list', [1, undefined]),
  sized('cards.list: max=49 gives 50', 'cards.list.max-respected', 'cards.list', [49, 50]),
  broken('every page says that another follows', 'users.list.pagination-ends', {
    pageWindow: ({ from, total }, byDefault) =>
      from >= total ? { from, to: from, next: from } : { ...byDefault, next: byDefault.to },
    continuationToken: ({ page, from }) => `${from}-${page}`,
  }),
  withThatBefore('the listing shows cards with the digits of the one before', 'cardNumberLastFour'),
  withThatBefore('cards are listed with the holder of the one before', 'cardholder'),
  withThatBefore('cards are listed with the proxy of the one before', 'proxyNumber'),
  misanswered(
    'cards are listed with an externalIdentifier of nobody',
    'cards.list.filtered-members',
    'cards.list',
    ({ results }) => {
      for (const card of results as Record<string, unknown>[]) card.externalIdentifier = 'of-nobody';
    },
  ),
];
