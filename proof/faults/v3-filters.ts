/** Faults of the filters and pages of the listings of customers and cards. */
import type { Card, Customer, Rules, SandboxRequest } from '../../sandbox/index.ts';
import { broken, letThrough, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const leaves = new Map<string, boolean>();
const isLeaf = (identifier: string) => leaves.get(identifier) === true;
const cardless = new Map<string, boolean>();

/** Customers whose name contains one of the texts that are made of the one asked for. */
const searched = (textsOf: (value: string) => string[]): Partial<Rules> => ({
  matchesFilter: ({ operation, name, value, item }, byDefault) =>
    operation === 'users.list' && name === 'name' && 'name' in item
      ? textsOf(value.toLowerCase()).some((text) => item.name.toLowerCase().includes(text))
      : byDefault,
});

/** A filter that is ignored where the request has another one, too. */
const filterIgnoredBeside = (
  listing: 'users.list' | 'cards.list',
  filter: string,
  other: string,
  condemns: string,
): Fault => ({
  name: `${listing}: ${filter} is ignored beside ${other}`,
  condemns: [condemns],
  sandbox: {
    rules: {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        (operation === listing && name === filter && request.query[other] !== undefined) || byDefault,
    },
  },
});

const FILTERS = [
  ['users.list', 'parentIdentifier', 'users.list.filter-parent'],
  ['users.list', 'name', 'users.list.filter-name'],
  ['cards.list', 'customerIdentifier', 'cards.list.filter-customer'],
  ['cards.list', 'programIdentifier', 'cards.list.filter-program'],
  ['cards.list', 'orderIdentifier', 'cards.list.filter-order'],
] as const;

export const filterFaults: readonly Fault[] = [
  ...[
    { name: 'on a later page', isForm: ({ query }: SandboxRequest) => query.token !== undefined },
    { name: 'when max is written 051', isForm: ({ query }: SandboxRequest) => query.max?.startsWith('0') === true },
  ].map(({ name, isForm }) =>
    thoroughly({
      name: `more than 50 customers are listed ${name}`,
      condemns: ['users.list.at-most-50'],
      sandbox: {
        customers: 300,
        rules: letThrough(
          ({ operation, kind, name: what, request }) =>
            operation === 'users.list' && kind === 'limit' && what === 'max' && isForm(request),
        ),
      },
    }),
  ),
  broken('more than 50 customers are listed by a name', ['users.list.never-more-than-50'], {
    pageSize: (operation, asked, byDefault) => (operation === 'users.list' && (asked ?? 0) > 50 ? asked : byDefault),
  }),
  thoroughly({
    name: 'more than 50 customers are listed below a parent',
    condemns: ['users.list.at-most-50'],
    sandbox: {
      customers: 300,
      rules: {
        alsoRefuses: ({ operation, query }) =>
          operation === 'users.list' && Number(query.max) > 50 && query.parentIdentifier === undefined
            ? { kind: 'limit', name: 'max' }
            : undefined,
        pageSize: (operation, asked, byDefault) =>
          operation === 'users.list' && (asked ?? 0) > 50 ? asked : byDefault,
      },
    },
  }),
  thoroughly(
    broken('a filter of cards is ignored with a large max', 'cards.list.filter-program', {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault || (operation === 'cards.list' && name === 'programIdentifier' && Number(request.query.max) > 50),
    }),
  ),
  thoroughly(
    broken('a filter of cards is ignored without max', 'cards.list.filter-order', {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault || (operation === 'cards.list' && name === 'orderIdentifier' && request.query.max === undefined),
    }),
  ),
  broken('a name is ignored with a small max', 'users.list.filter-name', {
    matchesFilter: ({ operation, name, request }, byDefault) =>
      byDefault || (operation === 'users.list' && name === 'name' && Number(request.query.max) < 10),
  }),
  thoroughly(
    broken('a parent is ignored where max is 1', 'users.list.filter-parent', {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault || (operation === 'users.list' && name === 'parentIdentifier' && request.query.max === '1'),
    }),
  ),
  ...[
    { name: 'Active cards', isFound: ({ state }: Card) => state === 'active' },
    { name: 'cards that have a holder', isFound: ({ cardholder }: Card) => cardholder !== undefined },
  ].map(({ name: which, isFound }) =>
    thoroughly(
      broken(`an externalIdentifier finds none but ${which}`, 'cards.list.filter-external', {
        matchesFilter: ({ operation, name, item }, byDefault) =>
          byDefault && (operation !== 'cards.list' || name !== 'externalIdentifier' || isFound(item as Card)),
      }),
    ),
  ),
  broken('a name is compared with whole words', 'users.list.filter-name', {
    matchesFilter: ({ operation, name, value, item }, byDefault) =>
      operation === 'users.list' && name === 'name' ? (item as Customer).name.split(' ').includes(value) : byDefault,
  }),
  broken('a v1Identifier is ignored beside a name', 'users.list.filter-v1-identifier', {
    matchesFilter: ({ operation, name, request }, byDefault) =>
      byDefault || (operation === 'users.list' && name === 'v1Identifier' && request.query.name !== undefined),
  }),
  thoroughly(
    broken('a v1Identifier is ignored where max is 1', 'users.list.filter-v1-identifier', {
      matchesFilter: ({ operation, name, request }, byDefault) =>
        byDefault || (operation === 'users.list' && name === 'v1Identifier' && request.query.max === '1'),
    }),
  ),
  broken('a parent without children finds everybody', 'users.list.filter-parent', {
    matchesFilter: ({ operation, name, value, item }, byDefault) =>
      byDefault ||
      (operation === 'users.list' && name === 'parentIdentifier' && 'v1Identifier' in item && isLeaf(value)),
    meanwhile: (world, { query }) => {
      if (query.parentIdentifier !== undefined)
        leaves.set(
          query.parentIdentifier,
          !world.ownCustomers.some(({ parentIdentifier }) => parentIdentifier === query.parentIdentifier),
        );
    },
  }),
  broken('a customer without cards finds all cards', 'cards.list.filter-customer', {
    matchesFilter: ({ operation, name, value }, byDefault) =>
      byDefault || (operation === 'cards.list' && name === 'customerIdentifier' && cardless.get(value) === true),
    meanwhile: (world, { operation, query }) => {
      if (operation === 'cards.list' && query.customerIdentifier !== undefined)
        cardless.set(
          query.customerIdentifier,
          world.ownCustomers.some(({ identifier }) => identifier === query.customerIdentifier) &&
            !world.ownCards.some(({ customerIdentifier }) => customerIdentifier === query.customerIdentifier),
        );
    },
  }),
  broken('a customer is repeated on the third page', 'users.list.pagination-repeats-nobody', {
    pageWindow: ({ number, from }, byDefault) => (number === 3 ? { ...byDefault, from: from - 1 } : byDefault),
  }),
  thoroughly(
    broken('* in a name is passed over', 'users.list.filter-name', {
      ...searched((value) => [value.replaceAll('*', '')]),
    }),
  ),
  broken('one of the words between the marks of a name is enough', 'users.list.unmatched-name-empty', {
    ...searched((value) => value.split(/\W+/).filter((word) => word !== '')),
  }),
  thoroughly(
    broken('one word of a name is enough', 'users.list.unmatched-name-empty', {
      ...searched((value) => value.split(' ')),
    }),
  ),
  thoroughly(
    broken('a name of one character finds everybody', 'users.list.unmatched-name-empty', {
      ...searched((value) => [value.length === 1 ? '' : value]),
    }),
  ),
  thoroughly(
    broken('% in a name stands for any text', 'users.list.filter-name', {
      matchesFilter: ({ operation, name, value, item }, byDefault) =>
        operation === 'users.list' && name === 'name' && 'name' in item
          ? new RegExp(value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*'), 'i').test(item.name)
          : byDefault,
    }),
  ),
  thoroughly(
    broken('_ in a name stands for any character', 'users.list.filter-name', {
      matchesFilter: ({ operation, name, value, item }, byDefault) =>
        operation === 'users.list' && name === 'name' && 'name' in item
          ? new RegExp(value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '.'), 'i').test(item.name)
          : byDefault,
    }),
  ),
  thoroughly(
    broken('. in a name stands for any character', 'users.list.filter-name', {
      matchesFilter: ({ operation, name, value, item }, byDefault) =>
        operation === 'users.list' && name === 'name' && 'name' in item
          ? new RegExp(value.replace(/[*+?^${}()|[\]\\]/g, '\\$&'), 'i').test(item.name)
          : byDefault,
    }),
  ),
  ...(['cards.list', 'users.list'] as const).map((operation) =>
    broken(
      `${operation}: max that is not an integer is ignored beside a filter`,
      `${operation}.integer-parameters`,
      letThrough(
        ({ operation: of, kind, name, request }) =>
          of === operation && kind === 'parameter-type' && name === 'max' && Object.keys(request.query).length > 1,
      ),
    ),
  ),
  filterIgnoredBeside('users.list', 'parentIdentifier', 'name', 'users.list.filter-parent'),
  filterIgnoredBeside('users.list', 'name', 'parentIdentifier', 'users.list.filter-name'),
  filterIgnoredBeside('cards.list', 'orderIdentifier', 'customerIdentifier', 'cards.list.filter-order'),
  {
    name: 'cards.list: max is ignored beside a filter',
    condemns: ['cards.list.max-respected'],
    sandbox: {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === 'cards.list' && Object.keys(query).some((name) => name.endsWith('Identifier')))
            delete query.max;
        },
      },
    },
  },
  {
    name: 'cards.list: beside a filter no max is no limit',
    condemns: ['cards.list.default-at-most-50'],
    sandbox: {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === 'cards.list' && Object.keys(query).length > 0) query.max ??= '1000';
        },
      },
    },
  },
  {
    name: 'users.list: beside a filter no max is no limit',
    condemns: ['users.list.never-more-than-50'],
    sandbox: {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === 'users.list' && query.parentIdentifier) query.max ??= '1000';
        },
        pageSize: (_operation, asked, byDefault) => (asked === 1000 ? 1000 : byDefault),
      },
    },
  },
  ...FILTERS.map(([listing, filter, condemns]) =>
    broken(`${listing}: ${filter} finds nothing beside another filter`, condemns, {
      matchesFilter: ({ operation, name, request }, byDefault) => {
        const { max: _max, token: _token, ...given } = request.query;
        return byDefault && !(operation === listing && name === filter && Object.keys(given).length > 1);
      },
    }),
  ),
  broken('users.list: parentIdentifier finds nobody without max', 'users.list.filter-parent', {
    matchesFilter: ({ operation, name, request }, byDefault) =>
      byDefault && !(operation === 'users.list' && name === 'parentIdentifier' && request.query.max === undefined),
  }),
  broken('cards.list: the last card of a filter is listed twice', 'cards.list.no-duplicates', {
    listingOrder: (operation, items, { query }) =>
      operation === 'cards.list' && query.orderIdentifier !== undefined
        ? [...items.slice(0, 5), ...items.slice(4)]
        : items,
  }),
  broken('cards.list: customerIdentifier leaves out the last card', 'cards.list.filter-customer', {
    listingOrder: (operation, items, { query }) =>
      operation === 'cards.list' && query.customerIdentifier !== undefined ? items.slice(0, -1) : items,
  }),
];
