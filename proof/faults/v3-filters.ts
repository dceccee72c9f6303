/** Faults of the filters of customers and cards: filters that find too much or too little, some of them only in some forms of a request. */
import type { SandboxRequest, World } from '../../sandbox/index.ts';
import { matching } from '../changed-sandbox.ts';
import { broken, misread, refused, tolerated } from './broken.ts';
import type { Fault } from './fault.ts';

type Query = SandboxRequest['query'];
type Meant = (query: Query) => boolean;

/** The filters, by the requirements that they find what they should. */
const FILTERS = {
  'users.list.filter-name': 'name',
  'users.list.filter-parent': 'parentIdentifier',
  'users.list.filter-v1-identifier': 'v1Identifier',
  'cards.list.filter-customer': 'customerIdentifier',
  'cards.list.filter-program': 'programIdentifier',
  'cards.list.filter-order': 'orderIdentifier',
  'cards.list.filter-external': 'externalIdentifier',
} as const;
type Filter = keyof typeof FILTERS;
type CardFilter = Extract<Filter, `cards.${string}`>;
const CARD_FILTERS = (Object.keys(FILTERS) as Filter[]).filter((filter): filter is CardFilter =>
  filter.startsWith('cards'),
);

const listingOf = (filter: Filter) => (filter.startsWith('users') ? 'users.list' : 'cards.list');

const filtering = (name: string, filter: Filter, matches: Parameters<typeof matching>[2], more: string[] = []): Fault =>
  broken(name, [filter, ...more], matching(listingOf(filter), FILTERS[filter], matches));

// ---- what a filter has to do with the rest of a request ----------------------------------------------------------

type Where = readonly [name: string, filter: Filter, isMeant: Meant];
const ignored = ([name, filter, isMeant]: Where): Fault =>
  filtering(name, filter, (byDefault, { query }) => byDefault || isMeant(query));
const findsNothing = ([name, filter, isMeant]: Where): Fault =>
  filtering(name, filter, (byDefault, { query }) => byDefault && !isMeant(query));

const isBesideAnother: Meant = ({ max: _max, token: _token, ...given }) => Object.keys(given).length > 1;
const hasNoMax: Meant = ({ max }) => max === undefined;
const isFirstOfSmallPages: Meant = ({ token, max }) => token === undefined && Number(max) < 10;
const isMaxOne: Meant = ({ max }) => max === '1';
const isByCustomerAlone: Meant = ({ customerIdentifier, programIdentifier }) =>
  customerIdentifier !== undefined && programIdentifier === undefined;

/** A filter that is refused in some requests. */
const refuses = (name: string, filter: Filter, isMeant: Meant): Fault =>
  refused(
    `customers: ${name}`,
    filter,
    { kind: 'range', name: 'value' },
    ({ query }) => query[FILTERS[filter]] !== undefined && isMeant(query),
  );

const inSomeRequests: readonly Fault[] = [
  findsNothing(['users.list: parentIdentifier finds nobody without max', 'users.list.filter-parent', hasNoMax]),
  ...(['cards.list.filter-program', 'cards.list.filter-order'] as const).map((filter) =>
    findsNothing([`cards.list: ${FILTERS[filter]} finds nothing beside another filter`, filter, isBesideAnother]),
  ),
  ...CARD_FILTERS.map((filter) => findsNothing([`cards: ${FILTERS[filter]} finds none`, filter, () => true])),
  broken('cards.list: customerIdentifier leaves out the last card', 'cards.list.filter-customer', {
    listingOrder: (operation, items, { query }) =>
      operation === 'cards.list' && query.customerIdentifier !== undefined ? items.slice(0, -1) : items,
  }),
  tolerated(
    'users.list: max that is not an integer is ignored beside a filter',
    'users.list.integer-parameters',
    { kind: 'parameter-type', name: 'max' },
    ({ query }) => Object.keys(query).length > 1,
  ),
  refused(
    'customers: a filter by name is refused',
    'users.list.filter-name',
    { kind: 'parameter-type', name: 'name' },
    ({ query }) => query.name !== undefined,
  ),
  ...(
    [
      ['a v1Identifier is ignored beside a name', 'users.list.filter-v1-identifier', ({ name }) => name !== undefined],
      ['a filter of cards is ignored with a large max', 'cards.list.filter-program', ({ max }) => Number(max) > 50],
      ['a filter of cards is ignored without max', 'cards.list.filter-order', hasNoMax],
      [
        'cards: orderIdentifier is ignored beside customerIdentifier alone',
        'cards.list.filter-order',
        isByCustomerAlone,
      ],
      ['a parent is ignored where max is 1', 'users.list.filter-parent', isMaxOne],
      [
        'customers: parentIdentifier is ignored beside v1Identifier',
        'users.list.filter-parent',
        (query) => query.v1Identifier !== undefined,
      ],
      ['a v1Identifier is ignored where max is 1', 'users.list.filter-v1-identifier', isMaxOne],
    ] satisfies Where[]
  ).map(ignored),
  refuses('parentIdentifier without max is refused', 'users.list.filter-parent', hasNoMax),
  refuses('v1Identifier without max is refused', 'users.list.filter-v1-identifier', hasNoMax),
  refuses('name with a max below ten is refused', 'users.list.filter-name', isFirstOfSmallPages),
  refuses('parentIdentifier with a max below ten is refused', 'users.list.filter-parent', isFirstOfSmallPages),
  filtering(
    'customers: v1Identifier is looked for among as many as max',
    'users.list.filter-v1-identifier',
    (byDefault, { item, query: { max } }) => byDefault && (!max || Number(item.v1Identifier) - 5000 < Number(max)),
  ),
];

// ---- values that resemble one ------------------------------------------------------------------------------------

/** Cards are found whose value is like the one that was sent. */
const findsLike = (
  name: string,
  filter: CardFilter,
  isLike: (sent: string, carried: string) => boolean,
  more?: string[],
): Fault => filtering(name, filter, (_, { value, item }) => isLike(value, String(item[FILTERS[filter]])), more);

const beginsWith = (sent: string, carried: string) => carried.startsWith(sent);

/** A pattern of SQL's LIKE. */
const isPattern = (pattern: string, text: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
  ).test(text);

/** A listing of customers for which the query is another than was sent. */
const searches = (name: string, condemns: string, change: (query: Query, world: World) => void): Fault =>
  misread(`customers: ${name}`, condemns, ({ query }, world) => change(query, world));

/** A listing is whole where the value of a filter is unknown. */
const givesAll =
  (whose: string, condemns: string) =>
  (filter: Filter): Fault =>
    broken(`${whose}: an unknown ${FILTERS[filter]} gives all`, condemns, {
      unknownFilterValue: (operation, name) =>
        operation === listingOf(filter) && name === FILTERS[filter] ? 'ignore' : 'empty',
    });

const likeValues: readonly Fault[] = [
  refused(
    'customers: a name that matches nobody is refused',
    'users.list.unmatched-name-empty',
    { kind: 'unknown', name: 'name' },
    ({ query: { name: sent } }, { ownCustomers }) =>
      sent !== undefined && !ownCustomers.some(({ name }) => name.includes(sent)),
  ),
  broken('users.list: a name with reserved characters matches everybody', 'users.list.unmatched-name-empty', {
    matchesFilter: ({ name, value }, byDefault) => (name === 'name' && /[^a-z0-9 -]/i.test(value)) || byDefault,
  }),
  ...(['users.list.filter-parent', 'users.list.filter-v1-identifier'] as const).map(
    givesAll('customers', 'users.list.unknown-filter-value'),
  ),
  ...CARD_FILTERS.map(givesAll('cards', 'cards.list.unknown-filter-value')),
  findsLike(
    'cards: externalIdentifier finds values that begin alike',
    'cards.list.filter-external',
    (sent, carried) => carried.startsWith(sent.slice(0, -1)),
    ['cards.list.filtered-members'],
  ),
  findsLike('cards: customerIdentifier finds values that begin with it', 'cards.list.filter-customer', beginsWith, [
    'cards.list.filtered-members',
  ]),
  broken(
    'cards.list: customerIdentifier is a pattern',
    'cards.list.filtered-members',
    matching('cards.list', 'customerIdentifier', (_, { value, item }) =>
      isPattern(value, String(item.customerIdentifier)),
    ),
  ),
  findsLike('cards: orderIdentifier finds what begins with it', 'cards.list.filter-order', beginsWith),
  findsLike('cards: programIdentifier finds what begins with it', 'cards.list.filter-program', beginsWith),
  ...CARD_FILTERS.map((filter) =>
    misread(`cards: a value that continues a ${FILTERS[filter]} finds its cards`, filter, ({ query }, { ownCards }) => {
      const sent = query[FILTERS[filter]];
      const meant = ownCards.map((card) => card[FILTERS[filter]]).find((known) => known && sent?.startsWith(known));
      if (meant) query[FILTERS[filter]] = meant;
    }),
  ),
  filtering('customers: v1Identifier is a pattern', 'users.list.filter-v1-identifier', (byDefault, { value, item }) =>
    value.endsWith('%') ? String(item.v1Identifier).startsWith(value.slice(0, -1)) : byDefault,
  ),
  searches('the leading digits of v1Identifier count', 'users.list.filter-v1-identifier', (query) => {
    if (query.v1Identifier !== undefined) query.v1Identifier = String(Number.parseInt(query.v1Identifier, 10));
  }),
  searches('parentIdentifier is a pattern, and may be cut off', 'users.list.filter-parent', (query, world) => {
    const { parentIdentifier: sent = '' } = query;
    const meant = world.ownCustomers.find(({ identifier }) => identifier.startsWith(sent.replace(/%$/, '')));
    if (meant && sent.length >= 6) query.parentIdentifier = meant.identifier;
  }),
  searches('max that is not an integer is left out beside a parent', 'users.list.integer-parameters', (query) => {
    if (query.parentIdentifier !== undefined && !/^\d+$/.test(query.max ?? '0')) delete query.max;
  }),
];

export const filterFaults: readonly Fault[] = [...inSomeRequests, ...likeValues];
