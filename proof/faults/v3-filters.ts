/** Faults of the filters and pages of the listings of customers and cards. */
import { broken, letThrough, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const FILTERS = [
  ['cards.list', 'programIdentifier', 'cards.list.filter-program'],
  ['cards.list', 'orderIdentifier', 'cards.list.filter-order'],
] as const;

export const filterFaults: readonly Fault[] = [
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
  broken(
    'users.list: max that is not an integer is ignored beside a filter',
    'users.list.integer-parameters',
    letThrough(
      ({ operation: of, kind, name, request }) =>
        of === 'users.list' && kind === 'parameter-type' && name === 'max' && Object.keys(request.query).length > 1,
    ),
  ),
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
  broken('cards.list: customerIdentifier leaves out the last card', 'cards.list.filter-customer', {
    listingOrder: (operation, items, { query }) =>
      operation === 'cards.list' && query.customerIdentifier !== undefined ? items.slice(0, -1) : items,
  }),
];
