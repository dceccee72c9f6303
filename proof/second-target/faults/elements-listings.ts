import type { Choices } from '../choices.ts';
import type { JsonObject } from '../json.ts';
import { onBody, recordsOf } from '../tools.ts';
import { type Draft, type Fault, spot } from './fault.ts';

const under = 'portal, getCustomerHierarchy: customers under the given id plus its parent';

const within = 'v3, GET customers, parentIdentifier: parent customer to search within';

const named = 'v3, GET customers, name: customers whose name contains the value';

const pages = 'v3, customerResults: the continuation token continues the listing';

const hierarchy: Draft[] = [
  [
    'hierarchy-without-the-third-level',
    'portal.getCustomerHierarchy',
    under,
    (c) =>
      tree(c, (list, at) =>
        list.filter((one) => one === at || one === at.parent || one.parent === at || one.parent?.parent === at),
      ),
    'how deep "under" reaches is open',
  ],
];

type Tree = ReturnType<Choices['hierarchy']>;

function tree(c: Choices, change: (list: Tree, at: Parameters<Choices['hierarchy']>[0]) => Tree): void {
  const usual = c.hierarchy;
  c.hierarchy = (customer) => change(usual(customer), customer);
}

const listings: Draft[] = [
  [
    'customer-filter-forgotten-on-page-two',
    'cards.list',
    'v3, GET cards: customerIdentifier selects',
    (c) => forget(c, 'cards.list'),
  ],
  [
    'page-two-repeats-the-last-of-page-one',
    'users.list',
    pages,
    (c) =>
      edges(c, 'users.list', (list, first, x) =>
        x.query.has('token') ? [first.last ?? list[0]!, ...list.slice(1)] : list,
      ),
  ],
  [
    'page-two-of-cards-without-its-first',
    'cards.list',
    pages,
    (c) => edges(c, 'cards.list', (list, _first, x) => (x.query.has('token') ? list.slice(1) : list)),
  ],
  ['page-three-is-page-two', 'users.list', pages, (c) => sticky(c, 'users.list')],
  ['page-three-of-cards-is-page-two', 'cards.list', pages, (c) => sticky(c, 'cards.list')],
  [
    'last-child-not-within-its-parent',
    'users.list',
    within,
    (c) => within1(c, (list) => list.filter((one) => one !== one.parent?.children.at(-1))),
  ],
  [
    'childless-not-within-their-parent',
    'users.list',
    within,
    (c) => within1(c, (list) => list.filter((one) => one.children.length > 0)),
  ],
  [
    'third-level-not-found-by-name',
    'users.list',
    named,
    (c) =>
      edges(c, 'users.list', (list, _first, x) =>
        x.query.has('name')
          ? list.filter(
              (one) => x.world.customers.find(({ identifier }) => identifier === one.identifier)?.children.length,
            )
          : list,
      ),
  ],
  [
    'name-filter-looks-at-whole-words-only',
    'users.list',
    named,
    (c) => void Object.assign(c, { nameContains: (name: string, value: string) => name.split(' ').includes(value) }),
  ],
  [
    'name-filter-looks-at-the-end-only',
    'users.list',
    named,
    (c) => void Object.assign(c, { nameContains: (name: string, value: string) => name.endsWith(value) }),
  ],
];

function within1(c: Choices, change: (list: Tree) => Tree): void {
  const usual = c.within;
  c.within = (parent) => change(usual(parent));
}

/** A token that continues the listing without its filters. */
function forget(c: Choices, operation: 'users.list' | 'cards.list'): void {
  c.resumed = (filters, x) => (x.operation === operation ? new URLSearchParams() : filters);
}

type Edge = (
  list: JsonObject[],
  first: { last?: JsonObject },
  x: Parameters<Parameters<typeof onBody>[2]>[1],
  body: JsonObject,
) => JsonObject[];

function edges(c: Choices, operation: 'users.list' | 'cards.list', change: Edge): void {
  const first: { last?: JsonObject } = {};
  onBody(c, operation, (body, x) => {
    const list = recordsOf(body, 'results');
    body.results = list.length ? change(list, first, x, body) : list;
    first.last = list.at(-1);
  });
}

function sticky(c: Choices, operation: 'users.list' | 'cards.list'): void {
  onBody(c, operation, (body, { query }) => {
    const token = query.get('token');
    if (token !== null && typeof body.continuationToken === 'string') body.continuationToken = token;
  });
}

/** Only the first, the last, or the plain one of several is handled right: hierarchies and pages. */
export const listingElementFaults: Fault[] = spot(5, [...hierarchy, ...listings]);
