/** Faults in the listings of customers and of cards: how many, which, and in what order. */
import type { SandboxRequest } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import { broken } from './broken.ts';
import type { Fault } from './fault.ts';

type Listing = 'users.list' | 'cards.list';

/** Pages of a listing of other sizes than asked for. */
const sized = (
  listing: Listing,
  size: (asked: number | undefined, byDefault: number | undefined) => number | undefined,
): Partial<Rules> => ({
  pageSize: (operation, asked, byDefault) => (operation === listing ? size(asked, byDefault) : byDefault),
});

/** A filter that matches otherwise. */
const matching = (
  listing: Listing,
  filter: string,
  match: (byDefault: boolean, value: string, item: Record<string, unknown>, request: SandboxRequest) => boolean,
): Partial<Rules> => ({
  matchesFilter: ({ operation, name, value, item, request }, byDefault) =>
    operation === listing && name === filter
      ? match(byDefault, value, item as unknown as Record<string, unknown>, request)
      : byDefault,
});

const limits: readonly Fault[] = [
  broken('a thousand customers are given', ['users.list.at-most-50', 'users.list.never-more-than-50'], {
    ...sized('users.list', (asked, byDefault) => (asked === 1000 ? 1000 : byDefault)),
  }),
  ...(
    [
      ['users.list', 'users.list.max-accepted', 'users.list.max-respected'],
      ['cards.list', 'cards.list.max-accepted', 'cards.list.max-respected'],
    ] as const
  ).flatMap(([listing, accepted, respected]) => [
    broken(`${listing}: max=1 is refused`, accepted, {
      ...sized(listing, (asked, byDefault) => (asked === 1 ? undefined : byDefault)),
    }),
    broken(`${listing}: max=49 gives 50`, respected, {
      ...sized(listing, (asked, byDefault) => (asked === 49 ? 50 : byDefault)),
    }),
  ]),
];

const pagination: readonly Fault[] = [
  broken('every page says that another follows', 'users.list.pagination-ends', {
    pageWindow: ({ from, total }, byDefault) =>
      from >= total ? { from, to: from, next: from } : { ...byDefault, next: byDefault.to },
    continuationToken: ({ page, from }) => `${from}-${page}`,
  }),
];

const userFilters: readonly Fault[] = [
  broken('customers: a filter by name is refused', 'users.list.filter-name', {
    alsoRefuses: ({ operation, query }) =>
      operation === 'users.list' && query.name !== undefined ? { kind: 'parameter-type', name: 'name' } : undefined,
  }),
  broken('customers: a name that matches nobody is refused', 'users.list.unmatched-name-empty', {
    alsoRefuses: ({ operation, query }, { ownCustomers }) =>
      operation === 'users.list' &&
      query.name !== undefined &&
      !ownCustomers.some(({ name }) => name.includes(query.name!))
        ? { kind: 'unknown', name: 'name' }
        : undefined,
  }),
  {
    ...broken('customers: parentIdentifier is ignored beside v1Identifier', 'users.list.filter-parent', {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault ||
        (operation === 'users.list' && name === 'parentIdentifier' && request.query.v1Identifier !== undefined),
    }),
    // Which filter is beside v1Identifier rotates.
    configure: ({ run }) => {
      run.thorough = true;
    },
  },
  ...['parentIdentifier', 'v1Identifier'].map((filter) =>
    broken(`customers: an unknown ${filter} gives all`, 'users.list.unknown-filter-value', {
      unknownFilterValue: (operation, name) => (operation === 'users.list' && name === filter ? 'ignore' : 'empty'),
    }),
  ),
];

const CARD_FILTERS = {
  customerIdentifier: 'cards.list.filter-customer',
  programIdentifier: 'cards.list.filter-program',
  orderIdentifier: 'cards.list.filter-order',
  externalIdentifier: 'cards.list.filter-external',
};

const cardFilters: readonly Fault[] = [
  ...Object.entries(CARD_FILTERS).flatMap(([filter, id]) => [
    broken(`cards: ${filter} finds none`, id, { ...matching('cards.list', filter, () => false) }),
    broken(`cards: an unknown ${filter} gives all`, 'cards.list.unknown-filter-value', {
      unknownFilterValue: (operation, name) => (operation === 'cards.list' && name === filter ? 'ignore' : 'empty'),
    }),
  ]),
  broken(
    'cards: externalIdentifier finds values that begin alike',
    ['cards.list.filter-external', 'cards.list.filtered-members'],
    {
      ...matching('cards.list', 'externalIdentifier', (_byDefault, value, { externalIdentifier }) =>
        String(externalIdentifier).startsWith(value.slice(0, -1)),
      ),
    },
  ),
  broken(
    'cards: customerIdentifier finds values that begin with it',
    [CARD_FILTERS.customerIdentifier, 'cards.list.filtered-members'],
    {
      ...matching('cards.list', 'customerIdentifier', (_byDefault, value, card) =>
        String(card.customerIdentifier).startsWith(value),
      ),
    },
  ),
  {
    ...broken('cards: orderIdentifier is ignored beside customerIdentifier alone', 'cards.list.filter-order', {
      matchesFilter: ({ operation, name, request: { query } }, byDefault) =>
        byDefault ||
        (operation === 'cards.list' &&
          name === 'orderIdentifier' &&
          query.customerIdentifier !== undefined &&
          query.programIdentifier === undefined),
    }),
    // Which two filters are used without the others rotates.
    configure: ({ run }) => {
      run.thorough = true;
    },
  },
];

export const listingFaults: readonly Fault[] = [...limits, ...pagination, ...userFilters, ...cardFilters];
