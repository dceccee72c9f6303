import type { Choices } from '../choices.ts';
import { isObject, type Json } from '../json.ts';
import { newCustomer } from '../seed.ts';
import { customerLists, onBody, onReply, rule, shuffled } from '../tools.ts';
import { familyOf } from '../world.ts';
import { also, doubtful, type Freedom, family, ways } from './freedom.ts';

const bounds = family('bounds', [
  ...ways('customersMost', 'v3, GET customers, max: at most 50, a target may give fewer per request', {
    'customers-ten-a-page-at-most': (c) => void Object.assign(c, { customersMost: 10 }),
    'customers-49-a-page-at-most': (c) => void Object.assign(c, { customersMost: 49 }),
    'customers-one-less-than-asked': (c) => {
      c.pageLength = (asked, x) => (x.operation === 'users.list' ? Math.max(1, asked - 1) : asked);
    },
    'customers-three-a-page': (c) => {
      c.pageLength = (asked, x) => (x.operation === 'users.list' ? Math.min(asked, 3) : asked);
    },
  }),
  ...ways('customersMost', 'v3, Limits: what becomes of a max beyond the limit is open', {
    'large-max-refused': (c) => void Object.assign(c, { largeMax: 'refuse' }),
  }),
  ...ways('cardsMost', 'v3, Limits: upper bound of max on the cards listing: not shown', {
    'cards-50-a-page-at-most': (c) => void Object.assign(c, { cardsMost: 50 }),
    'cards-a-thousand-a-page': (c) => void Object.assign(c, { cardsMost: 1000 }),
    'cards-51-a-page-at-most': (c) => void Object.assign(c, { cardsMost: 51 }),
  }),
  ...ways('atmMost', 'portal, Limits: maximum pageLength for getATMLocation: not shown', {
    'machines-five-a-page-at-most': (c) => void Object.assign(c.atm, { most: 5 }),
    'machines-thousand-a-page-at-most': (c) => void Object.assign(c.atm, { most: 1000 }),
    'machines-long-pages-refused': (c) =>
      rule(c, 'portal.getATMLocation', (x) => Number(x.query.get('pageLength')) > 50, 400),
  }),
  ...also('v3 and portal, Limits: lengths that are not stated', {
    'comment-of-40-characters-at-most': (c) =>
      rule(c, 'cards.transfer', (x) => String(x.content.comment ?? '').length > 40),
    'nonce-of-64-characters-at-most': (c) =>
      rule(c, 'cards.encryptForVde', (x) => String(x.content.nonce ?? '').length > 64),
    'bodies-of-8000-characters-at-most': (c) =>
      rule(c, ['cards.transfer', 'portal.orderCards'], (x) => x.text.length > 8000, 413),
    'name-filter-of-60-characters-at-most': (c) =>
      rule(c, 'users.list', (x) => (x.query.get('name') ?? '').length > 60, 400),
    'external-filter-of-60-characters-at-most': (c) =>
      rule(c, 'cards.list', (x) => (x.query.get('externalIdentifier') ?? '').length > 60, 400),
    'coordinates-of-four-decimals-at-most': (c) =>
      rule(
        c,
        'portal.getATMLocation',
        (x) => /\.\d{5}/.test(`${x.query.get('latitude')} ${x.query.get('longitude')}`),
        400,
      ),
    'page-offset-of-100-at-most': (c) =>
      rule(c, 'portal.getATMLocation', (x) => Number(x.query.get('pageOffset')) > 100, 400),
  }),
]);

function itemsReordered(
  c: Choices,
  names: readonly Parameters<typeof onBody>[1][],
  order: (items: Json[], n: number) => Json[],
): void {
  for (const name of names) {
    onBody(c, name, (body, x) => {
      for (const list of ['items', 'results']) {
        if (Array.isArray(body[list])) body[list] = order(body[list], x.turn);
      }
    });
  }
}

const orders = family('order', [
  ...ways('customerOrder', 'v3, GET customers: the order of the results is open', {
    'customers-by-name': (c) => {
      c.customerOrder = (one, other) => one.name.localeCompare(other.name) || one.n - other.n;
    },
    'customers-oldest-first': (c) => {
      c.customerOrder = (one, other) => one.n - other.n;
    },
    'customers-newest-first': (c) => {
      c.customerOrder = (one, other) => other.n - one.n;
    },
  }),
  ...ways('cardOrder', 'v3, GET cards: the order of the results is open', {
    'cards-oldest-first': (c) => {
      c.cardOrder = (one, other) => one.n - other.n;
    },
    'cards-newest-first': (c) => {
      c.cardOrder = (one, other) => other.n - one.n;
    },
    'cards-by-last-four': (c) => {
      c.cardOrder = (one, other) => one.lastFour.localeCompare(other.lastFour) || one.n - other.n;
    },
  }),
  ...ways('pageOrder', 'v3, GET customers and GET cards: the order within a page is open', {
    'pages-shuffled-within': (c) => itemsReordered(c, ['users.list', 'cards.list'], shuffled),
    'pages-reversed-within': (c) => itemsReordered(c, ['users.list', 'cards.list'], (items) => items.toReversed()),
  }),
  ...also('v3 and portal, lists without an order', {
    'related-shuffled': (c) => itemsReordered(c, ['cards.listRelated'], shuffled),
    'programs-shuffled': (c) => itemsReordered(c, ['portal.getCustomerProgramList'], shuffled),
    'portal-customers-shuffled': (c) => itemsReordered(c, customerLists, shuffled),
    'shipping-methods-shuffled': (c) => itemsReordered(c, ['portal.getShippingMethods'], shuffled),
    'questions-shuffled': (c) => {
      onBody(c, 'portal.getCIPCheck', ({ data }, x) => {
        if (!isObject(data)) return;
        for (const list of ['diffQuestionList', 'detailedMessages']) {
          if (Array.isArray(data[list])) data[list] = shuffled(data[list], x.turn);
        }
      });
    },
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
    'guard-after-the-other-checks': (c) => void Object.assign(c, { guardFirst: false }),
  }),
]);

const counts = family('count', [
  ...ways(
    'within',
    'v3, GET customers, parentIdentifier: "parent customer to search within" leaves open how deep, and whether itself',
    {
      'within-parent-children-only': (c) => {
        c.within = (parent) => [...parent.children];
      },
      'within-parent-and-itself': (c) => {
        c.within = (parent) => familyOf(parent);
      },
      'within-parent-children-and-itself': (c) => {
        c.within = (parent) => [parent, ...parent.children];
      },
    },
  ),
  ...ways('hierarchy', 'portal, getCustomerHierarchy: how deep "under the given id" reaches is open', {
    'hierarchy-children-only': (c) => {
      c.hierarchy = (customer) => [customer, ...customer.children, ...(customer.parent ? [customer.parent] : [])];
    },
    'hierarchy-without-the-customer-itself': (c) => {
      c.hierarchy = (customer) => [...(customer.parent ? [customer.parent] : []), ...familyOf(customer).slice(1)];
    },
    'hierarchy-parent-first-then-leaves': (c) => {
      c.hierarchy = (customer) => [...(customer.parent ? [customer.parent] : []), ...familyOf(customer).toReversed()];
    },
  }),
  ...doubtful('"its parent" may be the parent of the given customer, which this leaves out', [
    {
      id: 'hierarchy-parent-is-the-given-customer',
      basis:
        'portal, getCustomerHierarchy: "customers under the given id plus its parent", read as the parent of those customers',
      slot: 'hierarchy',
      change: (c) => {
        c.hierarchy = (customer) => familyOf(customer);
      },
    },
  ]),
  ...ways('userCustomers', 'portal, getCustomerList: which customers it lists is open', {
    'customer-list-direct-only': (c) => {
      c.userCustomers = (home) => [...home.children];
    },
    'customer-list-own-only': (c) => {
      c.userCustomers = (home) => [home];
    },
    'customer-list-leaves-only': (c) => {
      c.userCustomers = (home) => familyOf(home).filter((customer) => !customer.children.length);
    },
  }),
  ...ways('relatedTo', 'v3, GET related: what makes cards related is open', {
    'related-by-holder': (c) => {
      c.relatedTo = (card, other) => card.holder === other.holder || card.kin === other.kin;
    },
    'related-one-way': (c) => {
      c.relatedTo = (card, other) => card.kin === other.kin && (other.n > card.n || card.n % 3 === 2);
    },
    'related-many': (c) => {
      c.relatedTo = (card, other) => card.owner === other.owner || card.kin === other.kin;
    },
  }),
  ...ways('atmCount', 'portal, getATMLocation: how many machines there are is open', {
    'machines-none': (c) => void Object.assign(c.atm, { count: 0 }),
    'machines-one': (c) => void Object.assign(c.atm, { count: 1 }),
    'machines-thousands': (c) => void Object.assign(c.atm, { count: 4000 }),
  }),
  ...ways('atmOffset', 'portal, getATMLocation, pageOffset: what it counts is open', {
    'machines-offset-counts-pages': (c) => void Object.assign(c.atm, { offset: 'pages' }),
    'machines-offset-begins-at-one': (c) => void Object.assign(c.atm, { first: 1 }),
    'machines-offset-counts-pages-from-one': (c) => void Object.assign(c.atm, { offset: 'pages', first: 1 }),
  }),
  ...ways('lastContinuation', 'v3, customerResults, continuationToken: what the last page has is open', {
    'last-continuation-empty': (c) => void Object.assign(c, { lastContinuation: '' }),
  }),
  ...ways('cardContinuation', 'v3, cards: how GET cards gives its continuation token is not shown', {
    'cards-continuation-not-given': (c) => void Object.assign(c, { continuationMember: undefined }),
    'cards-continuation-is-the-correlation': (c) => {
      onReply(c, 'cards.list', ({ body }) => {
        if (!isObject(body)) return;
        body.correlationId = body.continuationToken ?? '';
        delete body.continuationToken;
      });
    },
    'cards-continuation-in-a-header': (c) => {
      onReply(c, 'cards.list', (reply) => {
        if (!isObject(reply.body)) return;
        const { continuationToken } = reply.body;
        if (typeof continuationToken === 'string')
          reply.headers = { 'X-Continuation': encodeURIComponent(continuationToken) };
        delete reply.body.continuationToken;
      });
    },
    'cards-continuation-under-another-name': (c) => void Object.assign(c, { continuationMember: 'next_page' }),
  }),
  ...also('v3 and portal, listings: what they hold may change meanwhile', {
    'new-customers-appear': (c) => {
      onReply(c, 'users.list', (_reply, x) => {
        if (x.turn % 5 === 0) newCustomer(x.world, c, x.world.home.children[7]!);
      });
    },
    'hierarchy-grows': (c) => {
      onReply(c, 'portal.getCustomerHierarchy', (_reply, x) => {
        if (x.turn % 3 === 0) newCustomer(x.world, c, x.world.home.children[6]!);
      });
    },
    'cip-asks-one-question-with-one-answer': (c) => {
      onBody(c, 'portal.getCIPCheck', ({ data }) => {
        if (!isObject(data)) return;
        for (const list of ['diffQuestionList', 'questionList']) {
          if (Array.isArray(data[list])) data[list] = [{ question: '?', type: '', Options: ['only one'] }];
        }
      });
    },
    'cip-with-many-messages': (c) => {
      onBody(c, 'portal.getCIPCheck', ({ data }) => {
        if (isObject(data)) data.detailedMessages = Array.from({ length: 60 }, (_, i) => ({ message: `line ${i}` }));
      });
    },
    'cip-return-codes-the-other-way': (c) => void Object.assign(c.cipCodes, { Pass: 1, Fail: -1, Partial: 1 }),
    'cip-return-code-always-one': (c) => void Object.assign(c.cipCodes, { Pass: 1, Fail: 1, Partial: 1 }),
  }),
]);

/** How much is listed, how far, and in which order. */
export const listingFreedoms: Freedom[] = [...bounds, ...orders, ...counts];
