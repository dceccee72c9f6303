import type { Choices, Reply } from '../choices.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { newCustomer } from '../seed.ts';
import { customerLists, type Operations, onBody, onReply, shuffled } from '../tools.ts';
import { familyOf } from '../world.ts';
import { badQuery, type Change, hierarchies, onPerson, refuses, refusesWith, set } from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

const customerPages = (length: (asked: number) => number): Change =>
  set({ pageLength: (asked, x) => (x.operation === 'users.list' ? length(asked) : asked) });

const machines =
  (values: Partial<Choices['atm']>): Change =>
  (c) =>
    void Object.assign(c.atm, values);

const bounds = family('bounds', [
  ...ways('customersMost', 'v3, GET customers, max: at most 50, a target may give fewer per request', {
    'customers-ten-a-page-at-most': set({ customersMost: 10 }),
    'customers-49-a-page-at-most': set({ customersMost: 49 }),
    'customers-one-less-than-asked': customerPages((asked) => Math.max(1, asked - 1)),
    'customers-three-a-page': customerPages((asked) => Math.min(asked, 3)),
  }),
  ...ways('customersMost', 'v3, Limits: what becomes of a max beyond the limit is open', {
    'large-max-refused': set({ largeMax: 'refuse' }),
  }),
  ...ways('cardsMost', 'v3, Limits: upper bound of max on the cards listing: not shown', {
    'cards-50-a-page-at-most': set({ cardsMost: 50 }),
    'cards-a-thousand-a-page': set({ cardsMost: 1000 }),
    'cards-51-a-page-at-most': set({ cardsMost: 51 }),
  }),
  ...ways('atmMost', 'portal, Limits: maximum pageLength for getATMLocation: not shown', {
    'machines-five-a-page-at-most': machines({ most: 5 }),
    'machines-thousand-a-page-at-most': machines({ most: 1000 }),
    'machines-long-pages-refused': badQuery('portal.getATMLocation', (value) => Number(value('pageLength')) > 50),
  }),
  ...also('v3 and portal, Limits: lengths that are not stated', {
    'comment-of-40-characters-at-most': refuses('cards.transfer', (x) => String(x.content.comment ?? '').length > 40),
    'nonce-of-64-characters-at-most': refuses('cards.encryptForVde', (x) => String(x.content.nonce ?? '').length > 64),
    'bodies-of-8000-characters-at-most': refusesWith(
      413,
      ['cards.transfer', 'portal.orderCards'],
      (x) => x.text.length > 8000,
    ),
    'name-filter-of-60-characters-at-most': badQuery('users.list', (value) => value('name').length > 60),
    'external-filter-of-60-characters-at-most': badQuery(
      'cards.list',
      (value) => value('externalIdentifier').length > 60,
    ),
    'coordinates-of-four-decimals-at-most': badQuery('portal.getATMLocation', (value) =>
      /\.\d{5}/.test(`${value('latitude')} ${value('longitude')}`),
    ),
    'page-offset-of-100-at-most': badQuery('portal.getATMLocation', (value) => Number(value('pageOffset')) > 100),
  }),
]);

const reorder = (body: JsonObject, names: readonly string[], order: (list: Json[]) => Json[]) => {
  for (const name of names) if (Array.isArray(body[name])) body[name] = order(body[name]);
};

const reordered =
  (meant: Operations, order: (list: Json[], turn: number) => Json[]): Change =>
  (c) =>
    onBody(c, meant, (body, x) => reorder(body, ['items', 'results'], (list) => order(list, x.turn)));

const orders = family('order', [
  ...ways('customerOrder', 'v3, GET customers: the order of the results is open', {
    'customers-by-name': set({ customerOrder: (one, other) => one.name.localeCompare(other.name) || one.n - other.n }),
    'customers-oldest-first': set({ customerOrder: (one, other) => one.n - other.n }),
    'customers-newest-first': set({ customerOrder: (one, other) => other.n - one.n }),
  }),
  ...ways('cardOrder', 'v3, GET cards: the order of the results is open', {
    'cards-oldest-first': set({ cardOrder: (one, other) => one.n - other.n }),
    'cards-newest-first': set({ cardOrder: (one, other) => other.n - one.n }),
    'cards-by-last-four': set({
      cardOrder: (one, other) => one.lastFour.localeCompare(other.lastFour) || one.n - other.n,
    }),
  }),
  ...ways('pageOrder', 'v3, GET customers and GET cards: the order within a page is open', {
    'pages-shuffled-within': reordered(['users.list', 'cards.list'], shuffled),
    'pages-reversed-within': reordered(['users.list', 'cards.list'], (items) => items.toReversed()),
  }),
  ...also('v3 and portal, lists without an order', {
    'related-shuffled': reordered(['cards.listRelated'], shuffled),
    'programs-shuffled': reordered(['portal.getCustomerProgramList'], shuffled),
    'portal-customers-shuffled': reordered(customerLists, shuffled),
    'shipping-methods-shuffled': reordered(['portal.getShippingMethods'], shuffled),
    'questions-shuffled': (c) =>
      onPerson(c, (data, { turn }) =>
        reorder(data, ['diffQuestionList', 'detailedMessages'], (list) => shuffled(list, turn)),
      ),
  }),
  ...ways('memberOrder', 'v3 and portal, bodies are JSON: members have no order', {
    'members-sorted': (c) => void Object.assign(c.json, { order: (names: string[]) => names.sort() }),
    'members-as-made': (c) => void Object.assign(c.json, { order: (names: string[]) => names }),
    'members-shuffled': (c) => {
      let turn = 0;
      c.json.order = (names) => {
        turn += 1;
        return shuffled(names, turn);
      };
    },
  }),
  ...also('v3 and portal, Authentication: which of several faults of a request is answered is open', {
    'guard-after-the-other-checks': set({ guardFirst: false }),
  }),
]);

const cardPages =
  (change: (body: JsonObject, reply: Reply) => void): Change =>
  (c) =>
    onReply(c, 'cards.list', (reply) => {
      if (!isObject(reply.body)) return;
      change(reply.body, reply);
      delete reply.body.continuationToken;
    });

/** At every so many requests a customer is added below one of the home's children. */
const grows =
  (meant: Operations, turns: number, child: number): Change =>
  (c) =>
    onReply(c, meant, (_reply, { turn, world }) => {
      if (turn % turns === 0) newCustomer(world, c, world.home.children[child]!);
    });

const counts = family('count', [
  ...ways(
    'within',
    'v3, GET customers, parentIdentifier: "parent customer to search within" leaves open how deep, and whether itself',
    {
      'within-parent-children-only': set({ within: (parent) => [...parent.children] }),
      'within-parent-and-itself': set({ within: familyOf }),
      'within-parent-children-and-itself': set({ within: (parent) => [parent, ...parent.children] }),
    },
  ),
  ...ways('hierarchy', 'portal, getCustomerHierarchy: how deep "under the given id" reaches is open', {
    'hierarchy-children-only': hierarchies((customer, parent) => [customer, ...customer.children, ...parent]),
    'hierarchy-without-the-customer-itself': hierarchies((one, parent) => [...parent, ...familyOf(one).slice(1)]),
    'hierarchy-parent-first-then-leaves': hierarchies((one, parent) => [...parent, ...familyOf(one).toReversed()]),
  }),
  ...doubtful(
    '"its parent" may be the parent of the given customer, which this leaves out',
    exactly(
      'portal, getCustomerHierarchy: "customers under the given id plus its parent", read as the parent of those customers',
      { 'hierarchy-parent-is-the-given-customer': set({ hierarchy: familyOf }) },
      'hierarchy',
    ),
  ),
  ...ways('userCustomers', 'portal, getCustomerList: which customers it lists is open', {
    'customer-list-direct-only': set({ userCustomers: (home) => [...home.children] }),
    'customer-list-own-only': set({ userCustomers: (home) => [home] }),
    'customer-list-leaves-only': set({
      userCustomers: (home) => familyOf(home).filter((customer) => !customer.children.length),
    }),
  }),
  ...ways('relatedTo', 'v3, GET related: what makes cards related is open', {
    'related-by-holder': set({ relatedTo: (card, other) => card.holder === other.holder || card.kin === other.kin }),
    'related-one-way': set({
      relatedTo: (card, other) => card.kin === other.kin && (other.n > card.n || card.n % 3 === 2),
    }),
    'related-many': set({ relatedTo: (card, other) => card.owner === other.owner || card.kin === other.kin }),
  }),
  ...ways('atmCount', 'portal, getATMLocation: how many machines there are is open', {
    'machines-none': machines({ count: 0 }),
    'machines-one': machines({ count: 1 }),
    'machines-thousands': machines({ count: 4000 }),
  }),
  ...ways('atmOffset', 'portal, getATMLocation, pageOffset: what it counts is open', {
    'machines-offset-counts-pages': machines({ offset: 'pages' }),
    'machines-offset-begins-at-one': machines({ first: 1 }),
    'machines-offset-counts-pages-from-one': machines({ offset: 'pages', first: 1 }),
  }),
  ...ways('lastContinuation', 'v3, customerResults, continuationToken: what the last page has is open', {
    'last-continuation-empty': set({ lastContinuation: '' }),
  }),
  ...ways('cardContinuation', 'v3, cards: how GET cards gives its continuation token is not shown', {
    'cards-continuation-not-given': set({ continuationMember: undefined }),
    'cards-continuation-is-the-correlation': cardPages((body) => {
      body.correlationId = body.continuationToken ?? '';
    }),
    'cards-continuation-in-a-header': cardPages(({ continuationToken }, reply) => {
      if (typeof continuationToken === 'string')
        reply.headers = { 'X-Continuation': encodeURIComponent(continuationToken) };
    }),
    'cards-continuation-under-another-name': set({ continuationMember: 'next_page' }),
  }),
  ...also('v3 and portal, listings: what they hold may change meanwhile', {
    'new-customers-appear': grows('users.list', 5, 7),
    'hierarchy-grows': grows('portal.getCustomerHierarchy', 3, 6),
    'cip-asks-one-question-with-one-answer': (c) =>
      onPerson(c, (data) => {
        for (const list of ['diffQuestionList', 'questionList']) {
          if (Array.isArray(data[list])) data[list] = [{ question: '?', type: '', Options: ['only one'] }];
        }
      }),
    'cip-with-many-messages': (c) =>
      onPerson(c, (data) => {
        data.detailedMessages = Array.from({ length: 60 }, (_, i) => ({ message: `line ${i}` }));
      }),
    'cip-return-codes-the-other-way': (c) => void Object.assign(c.cipCodes, { Pass: 1, Fail: -1, Partial: 1 }),
    'cip-return-code-always-one': (c) => void Object.assign(c.cipCodes, { Pass: 1, Fail: 1, Partial: 1 }),
  }),
]);

/** How much is listed, how far, and in which order. */
export const listingFreedoms: Freedom[] = [...bounds, ...orders, ...counts];
