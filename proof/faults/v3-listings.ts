/** Faults in the listings of customers and of cards: how many, which, and in what order. */
import type { SandboxRequest } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import { answering, broken, thoroughly } from './broken.ts';
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
  broken('the 51st customer is given', ['users.list.at-most-50', 'users.list.never-more-than-50'], {
    ...sized('users.list', (asked, byDefault) => (asked === 51 ? 51 : byDefault)),
  }),
  broken('a thousand customers are given', ['users.list.at-most-50', 'users.list.never-more-than-50'], {
    ...sized('users.list', (asked, byDefault) => (asked === 1000 ? 1000 : byDefault)),
  }),
  broken('max=51 is refused with 422', 'users.list.at-most-50', {
    refusalStatus: ({ operation, kind }, byDefault) =>
      operation === 'users.list' && kind === 'limit' ? 422 : byDefault,
  }),
  {
    name: 'more than 50 is answered with 200 and the errors',
    condemns: ['users.list.shape'],
    sandbox: {
      middleware: [
        (answer, { operation, request }) =>
          operation === 'users.list' && answer.status === 400 && Number(request.query.max) > 50
            ? { ...answer, status: 200 }
            : undefined,
      ],
    },
  },
  broken('60 customers are given where max is absent', 'users.list.never-more-than-50', {
    ...sized('users.list', (asked, byDefault) => (asked === undefined ? 60 : byDefault)),
  }),
  ...(
    [
      ['users.list', 'users.list.max-accepted', 'users.list.max-respected'],
      ['cards.list', 'cards.list.max-accepted', 'cards.list.max-respected'],
    ] as const
  ).flatMap(([listing, accepted, respected]) => [
    broken(`${listing}: max=50 is refused`, accepted, {
      ...sized(listing, (asked, byDefault) => (asked === 50 ? undefined : byDefault)),
    }),
    broken(`${listing}: max=1 is refused`, accepted, {
      ...sized(listing, (asked, byDefault) => (asked === 1 ? undefined : byDefault)),
    }),
    thoroughly(
      broken(`${listing}: max is compared with 50 as text`, accepted, {
        ...sized(listing, (asked, byDefault) => (String(asked ?? '') > '50' ? undefined : byDefault)),
      }),
    ),
    broken(`${listing}: max=49 gives 50`, respected, {
      ...sized(listing, (asked, byDefault) => (asked === 49 ? 50 : byDefault)),
    }),
    broken(`${listing}: the leading digits of max count`, `${listing}.integer-parameters`, {
      enforces: ({ operation, kind, request }) =>
        !(operation === listing && kind === 'parameter-type' && /^\d/.test(request.query.max ?? '')),
    }),
    broken(`${listing}: max that is no integer is refused with 422`, `${listing}.integer-parameters`, {
      refusalStatus: ({ operation, kind }, byDefault) =>
        operation === listing && kind === 'parameter-type' ? 422 : byDefault,
    }),
    broken(`${listing}: max is required`, `${listing}.required-only`, {
      requires: (operation, name, byDefault) => (operation === listing && name === 'max') || byDefault,
    }),
  ]),
  broken('max is ignored from page two on', 'users.list.max-respected', {
    pageWindow: ({ from, total, number }, byDefault) =>
      number === 1 ? byDefault : { from, to: Math.min(total, from + 50), next: from + 50 < total ? from + 50 : null },
  }),
  {
    name: 'ten cards are given beside a filter where max is absent',
    condemns: ['cards.list.default-at-most-50'],
    sandbox: answering('cards.list', (body, { request }) => {
      const { max, ...filters } = request.query;
      if (max === undefined && Object.keys(filters).length > 0) body.results = (body.results as unknown[]).slice(0, 10);
    }),
  },
];

const pagination: readonly Fault[] = [
  broken('every page says that another follows', 'users.list.pagination-ends', {
    pageWindow: ({ from, total }, byDefault) =>
      from >= total ? { from, to: from, next: from } : { ...byDefault, next: byDefault.to },
    continuationToken: ({ page, from }) => `${from}-${page}`,
  }),
  broken('a continuation token comes back', 'users.list.pagination-ends', {
    continuationToken: ({ page }, byDefault) => (page === 3 || page === 4 ? 'next' : byDefault),
  }),
  broken('a page begins with the last customer of the one before', 'users.list.pagination-repeats-nobody', {
    pageWindow: ({ from }, byDefault) => ({ ...byDefault, from: Math.max(0, from - 1) }),
  }),
  broken('every page is ordered anew', 'users.list.pagination-repeats-nobody', {
    listingOrder: (operation, items, { callNumber }) =>
      operation === 'users.list'
        ? items.toSorted((a, b) => weight(a.identifier, callNumber) - weight(b.identifier, callNumber))
        : items,
  }),
];

/** An order that differs from call to call. */
function weight(identifier: string, call: number): number {
  let hash = call * 7919;
  for (const character of identifier) hash = (hash * (31 + call) + character.charCodeAt(0)) % 1_000_003;
  return hash;
}

const userFilters: readonly Fault[] = [
  broken('customers: the filter by parent is lost on page two', 'users.list.pagination-repeats-nobody', {
    ...matching(
      'users.list',
      'parentIdentifier',
      (byDefault, _value, _item, { query }) => byDefault || query.token !== undefined,
    ),
  }),
  broken('customers: the filter by name is lost on page two', 'users.list.pagination-repeats-nobody', {
    ...matching('users.list', 'name', (byDefault, _value, _item, { query }) => byDefault || query.token !== undefined),
  }),
  ...['parentIdentifier', 'name'].map((filter) =>
    broken(`customers: ${filter} finds nobody on page two`, 'users.list.pagination-same-set', {
      ...matching(
        'users.list',
        filter,
        (byDefault, _value, _item, { query }) => byDefault && query.token === undefined,
      ),
    }),
  ),
  broken('customers: parentIdentifier finds a sibling of the parent, too', 'users.list.filter-parent', {
    ...matching(
      'users.list',
      'parentIdentifier',
      (byDefault, _value, { v1Identifier }) => byDefault || v1Identifier === '5002',
    ),
  }),
  broken('customers: name finds what it does not contain', 'users.list.filter-name', {
    ...matching('users.list', 'name', (byDefault) => !byDefault),
  }),
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
  broken('customers: v1Identifier finds by a part of it', 'users.list.filter-v1-identifier', {
    ...matching('users.list', 'v1Identifier', (_byDefault, value, { v1Identifier }) =>
      String(v1Identifier).includes(value),
    ),
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

/** Cards that are shown without externalIdentifier. */
const isWithoutExternal = ({ externalIdentifier }: { externalIdentifier?: unknown }) =>
  String(externalIdentifier).endsWith('7');

const cardFilters: readonly Fault[] = [
  ...Object.entries(CARD_FILTERS).flatMap(([filter, id]) => [
    broken(`cards: ${filter} is ignored`, [id, 'cards.list.unknown-filter-value'], {
      ...matching('cards.list', filter, () => true),
    }),
    broken(`cards: ${filter} finds none`, id, { ...matching('cards.list', filter, () => false) }),
    broken(`cards: an unknown ${filter} gives all`, 'cards.list.unknown-filter-value', {
      unknownFilterValue: (operation, name) => (operation === 'cards.list' && name === filter ? 'ignore' : 'empty'),
    }),
  ]),
  broken('cards: programIdentifier finds other programs, too', 'cards.list.filter-program', {
    ...matching(
      'cards.list',
      'programIdentifier',
      (byDefault, _value, { programIdentifier }) => byDefault || programIdentifier === 'PRG-1005',
    ),
  }),
  broken(
    'cards: customerIdentifier finds cards of another customer, too',
    ['cards.list.filter-customer', 'cards.list.filtered-members'],
    {
      ...matching(
        'cards.list',
        'customerIdentifier',
        (byDefault, _value, { externalIdentifier }) => byDefault || externalIdentifier === 'EXT-000001',
      ),
    },
  ),
  {
    name: 'cards: externalIdentifier finds cards without one, too',
    condemns: ['cards.list.filter-external'],
    sandbox: {
      ...answering('cards.list', (body) => {
        for (const card of body.results as Record<string, unknown>[])
          if (isWithoutExternal(card)) delete card.externalIdentifier;
      }),
      rules: {
        ...matching(
          'cards.list',
          'externalIdentifier',
          (byDefault, _value, card) => byDefault || isWithoutExternal(card),
        ),
      },
    },
  },
  broken(
    'cards: externalIdentifier finds values that begin alike',
    ['cards.list.filter-external', 'cards.list.filtered-members'],
    {
      ...matching('cards.list', 'externalIdentifier', (_byDefault, value, { externalIdentifier }) =>
        String(externalIdentifier).startsWith(value.slice(0, -1)),
      ),
    },
  ),
  ...(['customerIdentifier', 'externalIdentifier'] as const).map((filter) =>
    broken(`cards: ${filter} finds values that begin with it`, [CARD_FILTERS[filter], 'cards.list.filtered-members'], {
      ...matching('cards.list', filter, (_byDefault, value, card) => String(card[filter]).startsWith(value)),
    }),
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
  broken('foreign cards are listed', 'cards.list.foreign', {
    listsForeign: (operation) => operation === 'cards.list',
    listingOrder: (_operation, items) => items.toReversed(),
  }),
];

export const listingFaults: readonly Fault[] = [...limits, ...pagination, ...userFilters, ...cardFilters];
