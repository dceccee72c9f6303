/** Faults of the filters and pages of the listings of customers and cards. */
import type { SandboxRequest } from '../../sandbox/index.ts';
import { broken, letThrough, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const FILTERS = [
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
  broken('a customer is repeated on the third page', 'users.list.pagination-repeats-nobody', {
    pageWindow: ({ number, from }, byDefault) => (number === 3 ? { ...byDefault, from: from - 1 } : byDefault),
  }),
  broken(
    'users.list: max that is not an integer is ignored beside a filter',
    'users.list.integer-parameters',
    letThrough(
      ({ operation: of, kind, name, request }) =>
        of === 'users.list' && kind === 'parameter-type' && name === 'max' && Object.keys(request.query).length > 1,
    ),
  ),
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
