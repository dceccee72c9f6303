/** Faults in the listings of customers and of cards: how many are on a page, whether pages end, and whose members an entry has. */
import type { FilterQuestion, Rules } from '../../sandbox/rules.ts';
import { broken, misanswered } from './broken.ts';
import type { Fault } from './fault.ts';

/** Pages of a listing of other sizes than asked for. */
const sized = (
  listing: FilterQuestion['operation'],
  size: (asked: number | undefined, byDefault: number | undefined) => number | undefined,
): Partial<Rules> => ({
  pageSize: (operation, asked, byDefault) => (operation === listing ? size(asked, byDefault) : byDefault),
});

/** Cards are listed with a member of the card before them. */
const withThatBefore = (name: string, member: string): Fault =>
  misanswered(name, 'cards.get.same-card', 'cards.list', ({ results }) => {
    const cards = results as Record<string, unknown>[];
    const values = cards.map((card) => card[member]);
    for (const [index, card] of cards.entries()) card[member] = values.at(index - 1);
  });

export const listingFaults: readonly Fault[] = [
  broken(
    'a thousand customers are given',
    ['users.list.at-most-50', 'users.list.never-more-than-50'],
    sized('users.list', (asked, byDefault) => (asked === 1000 ? 1000 : byDefault)),
  ),
  ...(
    [
      ['users.list', 'users.list.max-accepted', 'users.list.max-respected'],
      ['cards.list', 'cards.list.max-accepted', 'cards.list.max-respected'],
    ] as const
  ).flatMap(([listing, accepted, respected]) => [
    broken(
      `${listing}: max=1 is refused`,
      accepted,
      sized(listing, (asked, byDefault) => (asked === 1 ? undefined : byDefault)),
    ),
    broken(
      `${listing}: max=49 gives 50`,
      respected,
      sized(listing, (asked, byDefault) => (asked === 49 ? 50 : byDefault)),
    ),
  ]),
  broken('every page says that another follows', 'users.list.pagination-ends', {
    pageWindow: ({ from, total }, byDefault) =>
      from >= total ? { from, to: from, next: from } : { ...byDefault, next: byDefault.to },
    continuationToken: ({ page, from }) => `${from}-${page}`,
  }),
  withThatBefore('the listing shows cards with the digits of the one before', 'cardNumberLastFour'),
  withThatBefore('cards are listed with the holder of the one before', 'cardholder'),
  withThatBefore('cards are listed with the proxy of the one before', 'proxyNumber'),
];
