import { isObject, type JsonObject } from '../json.ts';
import { bodyWith, onBody, onReply, tally } from '../tools.ts';
import { familyOf } from '../world.ts';
import {
  afterwards,
  answers,
  badQuery,
  badRequest,
  type Change,
  hierarchies,
  instead,
  onPerson,
  person,
  set,
} from './changes.ts';
import { also, doubtful, exactly, type Freedom, family, ways } from './freedom.ts';

const customers = [
  ...ways('ownCustomer', 'v3, GET customers: whether the caller’s own customer is among them is open', {
    'listing-without-the-own-customer': (c) =>
      onBody(c, 'users.list', (body, { world }) => {
        if (Array.isArray(body.results))
          body.results = body.results.filter((one) => isObject(one) && one.identifier !== world.home.identifier);
      }),
  }),
  ...also('v3, GET customers: what it refuses is open', {
    'parents-without-children-refused': badRequest('users.list', ({ query, world }) => {
      const parent = world.customers.find(({ identifier }) => identifier === query.get('parentIdentifier'));
      return parent?.ours === true && parent.children.length === 0;
    }),
    'permissions-unknown-members-refused': badRequest('users.setPermissions', ({ content }) =>
      Object.keys(content).some((name) => !/^canSearch(Loads|Spends)$/.test(name)),
    ),
  }),
];

const emptyPages = ways('emptyPages', 'v3, customerResults: a page without results may have a continuation token', {
  'customer-pages-empty-now-and-then': (c) => {
    const behind = new Map<string, string | null>();
    instead('users.list', ({ query }) => {
      const token = query.get('token') ?? '';
      const meant = behind.get(token);
      if (meant != null) query.set('token', meant);
      else if (behind.has(token)) query.delete('token');
      return undefined;
    })(c);
    afterwards('users.list', (x, reply) => {
      if (x.turn % 4 !== 0 || !isObject(reply.body) || !reply.body.continuationToken) return;
      const token = `later.${x.number}`;
      behind.set(token, x.query.get('token'));
      reply.body = { results: [], continuationToken: token };
    })(c);
  },
});

const portal = [
  ...ways('noCustomers', 'portal, getCustomerList: a user may have none', {
    'customer-list-empty': set({ userCustomers: () => [] }),
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
      onBody(c, 'portal.getCustomerProgramList', ({ items }) => {
        if (Array.isArray(items)) items.unshift({ rowId: 17, isDeleted: true, isInstantIssue: true });
      }),
    'shipping-methods-none': (c) => bodyWith(c, 'portal.getShippingMethods', () => ({ items: [] })),
    'fee-types-a-number': answers('portal.getShippingFeeTypes', 12.25),
    'fee-types-an-empty-text': answers('portal.getShippingFeeTypes', ''),
    'machines-a-text': answers('portal.getATMLocation', 'no machine around'),
    'machines-of-one-country': badQuery(
      'portal.getATMLocation',
      (value) => Number(value('latitude')) < 24 || Number(value('longitude')) > -60,
    ),
    'machine-pages-over-five-refused': badQuery('portal.getATMLocation', (value) => Number(value('pageLength')) > 5),
    'no-machines-beyond-the-last-page': badQuery('portal.getATMLocation', (value) => Number(value('pageOffset')) > 10),
  }),
];

const checked = (broken: (sent: JsonObject) => boolean): Change =>
  badRequest('portal.getCIPCheck', ({ content }) => broken(content));

/** A provider of checks that is down now and then answers another body. */
const down = (turns: number, body: JsonObject): Change =>
  afterwards('portal.getCIPCheck', ({ turn }, reply) => {
    if (turn % turns === turns - 1) reply.body = { returnCode: 0, ...structuredClone(body) };
  });

const people = [
  ...also('portal, getCIPCheck: how often a person is looked for, and what then, is open', {
    'cip-person-fails-after-two-checks': (c) => {
      const done = tally(c, 'portal.getCIPCheck', person);
      onPerson(c, (data, x) => {
        if (done(x) > 2) Object.assign(data, { summaryResult: 'Fail', diffQuestionList: null, questionList: null });
      });
    },
    'cip-provider-down-now-and-then': down(7, {}),
    'cip-data-null-when-the-provider-is-down': down(9, {
      data: { Error: 'try later', diffQuestionList: null, questionList: null },
    }),
    'cip-partial-gives-both-lists': (c) =>
      onPerson(c, (data) => {
        if (data.summaryResult !== 'Partial') return;
        data.questionList ??= data.diffQuestionList;
        data.diffQuestionList ??= data.questionList;
      }),
  }),
  ...doubtful(
    'both lists are said to be non-null only for Partial',
    exactly('portal, CIP response: an empty list asks nothing', {
      'cip-lists-empty-unless-partial': (c) =>
        onPerson(c, (data) => {
          data.questionList ??= [];
          data.diffQuestionList ??= [];
        }),
    }),
  ),
  ...also('portal, getCIPCheck body: nothing is said of what the values have to be beyond their types', {
    'cip-city-of-its-zip': checked(
      ({ city, zip }) => (city === 'Indiana') !== (Number(zip) >= 15700 && Number(zip) < 15800),
    ),
    'cip-no-letter-thrice-in-a-row': checked((sent) =>
      [sent.firstName, sent.lastName, sent.address, sent.city].some((text) => /(\p{L})\1\1/iu.test(String(text))),
    ),
    'cip-names-without-apostrophes-beyond-one': checked(({ lastName }) => String(lastName).split("'").length > 2),
    'cip-ssn-with-its-last-four': checked(({ ssn, ssnLast4 }) => ssn != null && ssnLast4 == null),
    'cip-between-18-and-110': checked(({ dobYear }) => Number(dobYear) > 2007 || Number(dobYear) < 1915),
    'cip-addresses-begin-with-a-number': checked(({ address }) => !/^\d/.test(String(address))),
  }),
];

const under = doubtful(
  '"customers under the given id" may be meant to hold the given one, too',
  exactly(
    'portal, getCustomerHierarchy: whether the given customer is among them is open',
    {
      'hierarchy-of-the-parent-and-those-below': hierarchies((customer, parent) => [
        ...familyOf(customer).slice(1),
        ...parent,
      ]),
    },
    'hierarchyOwn',
  ),
);

/** Customers, people, and what the portal lists. */
export const customersAndPeople: Freedom[] = [
  ...family('count', customers),
  // What stands for a page that was held back is another token than the target's own, of which these two say how long it serves.
  ...family('count', emptyPages).map((one) => ({
    ...one,
    excludes: ['continuation-serves-once', 'continuation-ended-by-a-newer-listing'],
  })),
  ...family('count', [...portal, ...under]),
  ...family('business-rule', people),
];
