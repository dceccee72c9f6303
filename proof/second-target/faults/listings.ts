/** Faults of listings, filters and look-ups. */
import type { JsonObject } from '../json.ts';
import { cardShape } from '../shapes.ts';
import { bodyWith, onBody, onCards, recordsOf } from '../tools.ts';
import { answered, choosing, type Fault, fault, misanswered, misread, overlooked } from './fault.ts';

const like = (value: string) =>
  new RegExp(
    value
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/%/g, '.*')
      .replace(/_/g, '.'),
  );

export const listingFaults: Fault[] = [
  fault('parent-and-name-are-joined-by-or', 'users.list.filter-name', (c) => {
    const usual = c.nameContains;
    c.nameContains = (name, value, x) => x.query.has('parentIdentifier') || usual(name, value, x);
  }),
  fault('small-pages-repeat-one', 'users.list.pagination-repeats-nobody', (c) => {
    let last: JsonObject | undefined;
    onBody(c, 'users.list', (body, { query }) => {
      const results = recordsOf(body, 'results');
      if (query.has('token') && Number(query.get('max')) < 20 && last) body.results = [last, ...results.slice(1)];
      last = results.at(-1);
    });
  }),
  fault('cards-in-the-middle-answer-as-their-neighbour', 'cards.get.same-card', (c) =>
    onCards(
      c,
      (record, { card, world }) => {
        if (card && card.n % 10 === 5) record.identifier = world.cards[card.n]?.identifier ?? record.identifier;
      },
      'cards.get',
    ),
  ),
  misread('proxy-of-the-other-kind-found', ['cards.get.by-proxy', 'cards.get.by-proxy-needs-digital'], ({ query }) => {
    if (query.get('byProxy') === 'true') query.set('isDigital', 'false');
  }),
  misanswered('related-cards-of-another-customer-in-third-place', 'cards.listRelated.foreign', (body, x) => {
    const results = recordsOf(body, 'results');
    const foreign = x.world.cards.find(({ owner }) => !owner.ours)!;
    if (results.length > 1) body.results = [...results, cardShape(foreign, x)];
  }),
  misanswered('fiftieth-customer-is-foreign', 'users.list.pagination-repeats-nobody', (body, { world }) => {
    const results = recordsOf(body, 'results');
    const foreign = world.customers.find(({ ours }) => !ours)!;
    if (results.length >= 50) results[49] = { identifier: foreign.identifier };
    body.results = results;
  }),
  overlooked(
    'max-as-a-word-with-a-filter-accepted',
    'cards.list.integer-parameters',
    'bad-max',
    ({ query }) => query.size > 1,
  ),
  answered(
    'max-beyond-int-answers-500',
    'users.list.at-most-50',
    { status: 500, body: [] },
    ({ query }) => Number(query.get('max')) > 2_147_483_647,
  ),
  misanswered('page-three-is-page-two', 'users.list.pagination-ends', (body, { query }) => {
    const token = query.get('token');
    if (token !== null && typeof body.continuationToken === 'string') body.continuationToken = token;
  }),
  choosing('cards-default-max-of-20', 'cards.list.default-at-most-50', {
    pageLength: (asked, x) => (x.operation === 'cards.list' && !x.query.has('max') ? 20 : asked),
  }),
  ...(
    [
      ['looks-at-whole-words-only', (name, value) => name.split(' ').includes(value)],
      [
        'takes-underscore-for-anything',
        (name, value) => (value.includes('_') ? like(value).test(name) : name.includes(value)),
      ],
      ['takes-dot-for-anything', (name, value) => new RegExp(value.replace(/[*+?^${}()|[\]\\]/g, '\\$&')).test(name)],
      ['takes-star-for-anything', (name, value) => value.split('*').every((part) => name.includes(part))],
    ] satisfies [string, (name: string, value: string) => boolean][]
  ).map(([what, nameContains]) => choosing(`name-filter-${what}`, 'users.list.filter-name', { nameContains })),
  misread('v1-identifier-compared-by-its-beginning', 'users.list.filter-v1-identifier', ({ query, world }) => {
    const wanted = query.get('v1Identifier') ?? '';
    const found = world.customers.find(({ v1Id, ours }) => ours && String(v1Id).startsWith(wanted));
    if (found && wanted.length > 3) query.set('v1Identifier', String(found.v1Id));
  }),
  overlooked('max-as-a-word-accepted', 'users.list.integer-parameters', 'bad-max', ({ query }) =>
    /^[a-z]+$/i.test(query.get('max') ?? ''),
  ),
  overlooked('max-with-fraction-accepted', 'users.list.integer-parameters', 'bad-max', ({ query }) =>
    /\./.test(query.get('max') ?? ''),
  ),
  overlooked(
    'proxy-without-program-accepted',
    'cards.get.by-proxy-needs-program',
    'proxy-incomplete',
    ({ query }, field) => field === 'programIdentifier' && !query.has('programIdentifier'),
  ),
  fault('card-by-proxy-with-the-proxy-for-identifier', 'cards.get.by-proxy', (c) =>
    bodyWith(c, 'cards.get', ({ identifier }, { query, path }) => ({
      identifier: query.get('byProxy') === 'true' ? path.identifier : identifier,
    })),
  ),
  misread(
    'second-filter-ignored',
    [
      'cards.list.filter-external',
      'cards.list.filter-order',
      'cards.list.filter-program',
      'cards.list.filtered-members',
    ],
    ({ query }) => {
      if (query.has('customerIdentifier'))
        for (const name of ['programIdentifier', 'orderIdentifier', 'externalIdentifier']) query.delete(name);
    },
  ),
  misread('parent-ignored-with-a-name', 'users.list.filter-parent', ({ query }) => {
    if (query.has('name')) query.delete('parentIdentifier');
  }),
  misanswered('same-customer-twice-in-a-listing', 'users.list.pagination-repeats-nobody', (body) => {
    const list = recordsOf(body, 'results');
    if (list.length > 3) body.results = [...list.slice(0, -1), list[1]!];
  }),
];
