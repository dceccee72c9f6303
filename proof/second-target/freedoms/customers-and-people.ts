import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import { onBody, onReply, rule, succeeded, tally } from '../tools.ts';
import { familyOf } from '../world.ts';
import { also, type Draft, doubtful, type Freedom, family, ways } from './freedom.ts';

const customers = [
  ...ways('ownCustomer', 'v3, GET customers: whether the caller’s own customer is among them is open', {
    'listing-without-the-own-customer': (c) => {
      onBody(c, 'users.list', (body, { world }) => {
        if (Array.isArray(body.results))
          body.results = body.results.filter((one) => isObject(one) && one.identifier !== world.home.identifier);
      });
    },
  }),
  ...also('v3, GET customers: what it refuses is open', {
    'parents-without-children-refused': (c) =>
      rule(
        c,
        'users.list',
        ({ query, world }) => {
          const parent = world.customers.find(({ identifier }) => identifier === query.get('parentIdentifier'));
          return parent?.ours === true && parent.children.length === 0;
        },
        400,
      ),
    'permissions-unknown-members-refused': (c) =>
      rule(
        c,
        'users.setPermissions',
        ({ content }) => Object.keys(content).some((name) => !/^canSearch(Loads|Spends)$/.test(name)),
        400,
      ),
  }),
  ...ways('emptyPages', 'v3, customerResults: a page without results may have a continuation token', {
    'customer-pages-empty-now-and-then': (c) => {
      const behind = new Map<string, string | null>();
      c.before.push(({ operation, query }) => {
        const token = query.get('token');
        if (operation !== 'users.list' || token === null || !behind.has(token)) return undefined;
        const meant = behind.get(token);
        if (meant === null || meant === undefined) query.delete('token');
        else query.set('token', meant);
        return undefined;
      });
      onReply(c, 'users.list', (reply, x) => {
        if (!succeeded(reply) || x.turn % 4 !== 0 || !isObject(reply.body)) return;
        if (!reply.body.continuationToken) return;
        const token = `later.${x.number}`;
        behind.set(token, x.query.get('token'));
        reply.body = { results: [], continuationToken: token };
      });
    },
  }),
];

const portal = [
  ...ways('noCustomers', 'portal, getCustomerList: a user may have none', {
    'customer-list-empty': (c) => {
      c.userCustomers = () => [];
    },
  }),
  ...ways('noPrograms', 'portal, getCustomerProgramList: 404 is listed as "failed to get list"', {
    'no-programs-are-404': (c) =>
      onReply(c, 'portal.getCustomerProgramList', (reply) => {
        const { items } = (reply.body ?? {}) as { items?: unknown[] };
        if (reply.status === 200 && items?.length === 0) Object.assign(reply, { status: 404, body: { why: 'none' } });
      }),
  }),
  ...also('portal, lists: what they hold is open', {
    'deleted-programs-are-listed': (c) =>
      onBody(c, 'portal.getCustomerProgramList', (body) => {
        if (Array.isArray(body.items)) body.items.unshift({ rowId: 17, isDeleted: true, isInstantIssue: true });
      }),
    'shipping-methods-none': (c) =>
      onBody(c, 'portal.getShippingMethods', (body) => {
        body.items = [];
      }),
    'fee-types-a-number': (c) =>
      onReply(c, 'portal.getShippingFeeTypes', (reply) => {
        if (reply.status === 200) reply.body = 12.25;
      }),
    'fee-types-an-empty-text': (c) =>
      onReply(c, 'portal.getShippingFeeTypes', (reply) => {
        if (reply.status === 200) reply.body = '';
      }),
    'machines-a-text': (c) =>
      onReply(c, 'portal.getATMLocation', (reply) => {
        if (reply.status === 200) reply.body = 'no machine around';
      }),
    'machines-of-one-country': (c) =>
      rule(
        c,
        'portal.getATMLocation',
        ({ query }) => Number(query.get('latitude')) < 24 || Number(query.get('longitude')) > -60,
        400,
      ),
    'machine-pages-over-five-refused': (c) =>
      rule(c, 'portal.getATMLocation', ({ query }) => Number(query.get('pageLength')) > 5, 400),
    'no-machines-beyond-the-last-page': (c) =>
      rule(c, 'portal.getATMLocation', ({ query }) => Number(query.get('pageOffset')) > 10, 400),
  }),
];

const whose = ({ content }: Exchange) => `${content.firstName}|${content.lastName}|${content.zip}`;

function person(broken: (sent: JsonObject) => boolean): Draft['change'] {
  return (c) => rule(c, 'portal.getCIPCheck', ({ content }) => broken(content), 400);
}

const people = [
  ...also('portal, getCIPCheck: how often a person is looked for, and what then, is open', {
    'cip-person-fails-after-two-checks': (c) => {
      const done = tally(c, 'portal.getCIPCheck', whose);
      onBody(c, 'portal.getCIPCheck', (body, x) => {
        if (done(x) > 2 && isObject(body.data))
          Object.assign(body.data, { summaryResult: 'Fail', diffQuestionList: null, questionList: null });
      });
    },
    'cip-provider-down-now-and-then': (c) =>
      onReply(c, 'portal.getCIPCheck', (reply, x) => {
        if (succeeded(reply) && x.turn % 7 === 6) reply.body = { returnCode: 0 };
      }),
    'cip-data-null-when-the-provider-is-down': (c) =>
      onReply(c, 'portal.getCIPCheck', (reply, x) => {
        if (succeeded(reply) && x.turn % 9 === 8)
          reply.body = { returnCode: 0, data: { Error: 'try later', diffQuestionList: null, questionList: null } };
      }),
    'cip-partial-gives-both-lists': (c) =>
      onBody(c, 'portal.getCIPCheck', ({ data }) => {
        if (!isObject(data) || data.summaryResult !== 'Partial') return;
        data.questionList ??= data.diffQuestionList;
        data.diffQuestionList ??= data.questionList;
      }),
  }),
  ...doubtful('both lists are said to be non-null only for Partial', [
    {
      id: 'cip-lists-empty-unless-partial',
      basis: 'portal, CIP response: an empty list asks nothing',
      change: (c: Choices) =>
        onBody(c, 'portal.getCIPCheck', ({ data }) => {
          if (!isObject(data)) return;
          data.questionList ??= [];
          data.diffQuestionList ??= [];
        }),
    },
  ]),
  ...also('portal, getCIPCheck body: nothing is said of what the values have to be beyond their types', {
    'cip-city-of-its-zip': person(
      ({ city, zip }) => (city === 'Indiana') !== (Number(zip) >= 15700 && Number(zip) < 15800),
    ),
    'cip-no-letter-thrice-in-a-row': person((sent) =>
      [sent.firstName, sent.lastName, sent.address, sent.city].some((text) => /(\p{L})\1\1/iu.test(String(text))),
    ),
    'cip-names-without-apostrophes-beyond-one': person(({ lastName }) => String(lastName).split("'").length > 2),
    'cip-ssn-with-its-last-four': person(({ ssn, ssnLast4 }) => ssn != null && ssnLast4 == null),
    'cip-between-18-and-110': person(({ dobYear }) => Number(dobYear) > 2007 || Number(dobYear) < 1915),
    'cip-addresses-begin-with-a-number': person(({ address }) => !/^\d/.test(String(address))),
  }),
];

const hierarchies = doubtful('"customers under the given id" may be meant to hold the given one, too', [
  {
    id: 'hierarchy-of-the-parent-and-those-below',
    basis: 'portal, getCustomerHierarchy: whether the given customer is among them is open',
    slot: 'hierarchyOwn',
    change: (c: Choices) => {
      c.hierarchy = (customer) => [...familyOf(customer).slice(1), ...(customer.parent ? [customer.parent] : [])];
    },
  },
]);

/** Customers, people, and what the portal lists. */
export const customersAndPeople: Freedom[] = [
  ...family('count', [...customers, ...portal, ...hierarchies]),
  ...family('business-rule', people),
];
