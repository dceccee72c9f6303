import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import { portalCustomerShape } from '../shapes.ts';
import { onBody, onItems, onReply, orderedCards, overlook, recordsOf, sleep, succeeded } from '../tools.ts';
import type { Customer } from '../world.ts';
import { type Attack, attacks, cached } from './attack.ts';
import { type Fault, instead, sentences } from './fault.ts';

const withoutSession = ({ query }: Exchange) => {
  const rest = new URLSearchParams(query);
  rest.delete('sessionId');
  return String(rest);
};

const sessions: Attack[] = [
  ...(['portal.getShippingMethods', 'portal.getCustomerList', 'portal.getShippingFeeTypes'] as const).map(
    (operation): Attack => [
      `cache-asks-for-no-session-${operation.replace('.', '-').toLowerCase()}`,
      1,
      operation,
      `${operation}.requires-session`,
      sentences.session,
      (c) => cached(c, operation, withoutSession),
    ],
  ),
  [
    'login-revives-ended-sessions',
    6,
    'portal.logout',
    'portal.logout.ends-session',
    sentences.logout,
    (c) =>
      onReply(c, 'portal.login', (reply, { world, session }) => {
        if (succeeded(reply)) for (const one of world.sessions) if (one.user === session?.user) one.ended = false;
      }),
  ],
  [
    'logout-ends-the-latest-session-of-the-user',
    6,
    'portal.logout',
    'portal.logout.ends-session',
    sentences.logout,
    (c) =>
      onReply(c, 'portal.logout', (reply, { world, session }) => {
        const latest = world.sessions.findLast(({ user, ended }) => user === session?.user && !ended);
        if (!succeeded(reply) || !latest || !session) return;
        session.ended = false;
        latest.ended = true;
      }),
    'where a user has one session it is the latest',
  ],
  [
    'entitlement-remembered-for-everybody',
    6,
    'portal.getCustomerList',
    'portal.not-entitled',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) => {
      let isAllowed = false;
      overlook(c, 'portal.getCustomerList', 'not-entitled', () => isAllowed);
      onReply(c, 'portal.getCustomerList', (reply) => {
        isAllowed ||= succeeded(reply);
      });
    },
  ],
  [
    'ended-session-orders-cards',
    4,
    'portal.orderCards',
    'portal.orderCards.requires-session',
    sentences.session,
    (c) =>
      overlook(c, 'portal.orderCards', 'bad-session', ({ query, world }) =>
        world.sessions.some(({ id }) => id === query.get('sessionId')),
      ),
  ],
  [
    'second-logout-answers-200',
    6,
    'portal.logout',
    'portal.logout.requires-session',
    'portal, logout: 400 logout failed',
    (c) => {
      const tried = new Map<string, number>();
      overlook(c, 'portal.logout', 'bad-session', ({ query, world }) => {
        const id = query.get('sessionId') ?? '';
        tried.set(id, (tried.get(id) ?? 0) + 1);
        return world.sessions.some((one) => one.id === id) && tried.get(id)! > 1;
      });
    },
    'the first logout of an ended session is refused',
  ],
  [
    'login-without-password-of-the-user-before',
    6,
    'portal.login',
    'portal.login.required-parameters',
    'portal, login: password is required',
    (c) =>
      overlook(
        c,
        'portal.login',
        'bad-login',
        ({ query, world }) => !query.has('password') && world.sessions.length > 0,
      ),
  ],
];

const person = (when: (sent: JsonObject) => boolean, field: string) => (c: Choices) =>
  overlook(
    c,
    'portal.getCIPCheck',
    'bad-person',
    ({ content }, of) => [field, 'dobDay'].includes(of ?? '') && when(content),
  );

const limit = 'portal, getCIPCheck body: digits';

const people: Attack[] = [
  [
    'zip-of-100000-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.zip-digits',
    limit,
    person(({ zip }) => zip === 100000, 'zip'),
  ],
  [
    'zip-of-seven-digits-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.zip-digits',
    limit,
    person(({ zip }) => Number(zip) > 999999, 'zip'),
  ],
  [
    'zip-below-zero-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.zip-digits',
    limit,
    person(({ zip }) => Number(zip) < 0, 'zip'),
  ],
  [
    'ssn-of-a-thousand-million-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.ssn-digits',
    limit,
    person(({ ssn }) => ssn === 1_000_000_000, 'ssn'),
  ],
  [
    'ssn-of-ten-digits-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.ssn-digits',
    limit,
    person(({ ssn }) => Number(ssn) > 1_000_000_000, 'ssn'),
  ],
  [
    'last-four-of-10000-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.ssnLast4-digits',
    limit,
    person(({ ssnLast4 }) => ssnLast4 === 10000, 'ssnLast4'),
  ],
  [
    'month-of-100-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.dobMonth-digits',
    limit,
    person(({ dobMonth }) => dobMonth === 100, 'dobMonth'),
  ],
  [
    'year-of-10000-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.dobYear-digits',
    limit,
    person(({ dobYear }) => dobYear === 10000, 'dobYear'),
  ],
  [
    'year-of-three-digits-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.dobYear-digits',
    limit,
    person(({ dobYear }) => Number(dobYear) > 99 && Number(dobYear) < 1000, 'dobYear'),
  ],
  [
    'day-below-zero-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.dobDay-digits',
    limit,
    person(({ dobDay }) => Number(dobDay) < 0, 'dobDay'),
  ],
  [
    'address-of-41-taken-without-ssn',
    2,
    'portal.getCIPCheck',
    'portal.getCIPCheck.address-41-refused',
    'portal, Limits: getCIPCheck address at most 40 characters',
    person((sent) => sent.ssn === undefined && sent.ssnLast4 === undefined, 'address'),
  ],
  [
    'address-of-41-taken-with-last-four-only',
    2,
    'portal.getCIPCheck',
    'portal.getCIPCheck.address-41-refused',
    'portal, Limits: getCIPCheck address at most 40 characters',
    person((sent) => sent.ssn === undefined && sent.ssnLast4 !== undefined, 'address'),
    'ssnLast4 without ssn is not tried with 41',
  ],
  [
    'person-without-a-name-taken-the-second-time',
    6,
    'portal.getCIPCheck',
    'portal.getCIPCheck.required-members',
    'portal, getCIPCheck body: firstName is required',
    (c) => {
      let asked = 0;
      overlook(c, 'portal.getCIPCheck', 'bad-person', ({ content }, field) => {
        if (field !== 'firstName' || content.firstName !== undefined) return false;
        asked += 1;
        return asked > 1;
      });
    },
    'each member is left out once',
  ],
  [
    'questions-are-asked-once',
    6,
    'portal.getCIPCheck',
    'portal.getCIPCheck.outcome-partial-questions',
    'portal, CIP outcome: Partial',
    (c) =>
      again(
        c,
        ({ questionList }) => Array.isArray(questionList),
        (data) => ({ ...data, questionList: null }),
      ),
  ],
  [
    'second-answer-for-a-person-is-fail',
    6,
    'portal.getCIPCheck',
    'portal.getCIPCheck.outcome-pass',
    'portal, CIP outcome: Pass',
    (c) =>
      again(
        c,
        ({ summaryResult }) => summaryResult === 'Pass',
        (data) => ({ ...data, summaryResult: 'Fail' }),
      ),
  ],
  [
    'questions-come-with-a-later-pass',
    6,
    'portal.getCIPCheck',
    'portal.getCIPCheck.questions-only-partial',
    'portal, CIP outcome: both lists are non-null only for Partial',
    (c) =>
      again(
        c,
        ({ summaryResult }) => summaryResult === 'Pass',
        (data) => ({ ...data, questionList: [{ question: 'Why?', type: 'text', Options: ['x'] }] }),
      ),
  ],
];

/** From the second answer of a kind on. */
function again(c: Choices, isMeant: (data: JsonObject) => boolean, change: (data: JsonObject) => JsonObject): void {
  let seen = 0;
  onBody(c, 'portal.getCIPCheck', (body) => {
    if (!isObject(body.data) || !isMeant(body.data)) return;
    seen += 1;
    if (seen > 1) body.data = change(body.data);
  });
}

const under = 'portal, getCustomerHierarchy: customers under the given id plus its parent';
const siblings = (customer: Customer | undefined) =>
  (customer?.parent?.children ?? []).filter((one) => one !== customer).slice(0, 1);

const customers: Attack[] = [
  [
    'hierarchy-of-a-leaf-has-its-siblings',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    (c) =>
      onBody(c, 'portal.getCustomerHierarchy', (body, { customer }) => {
        if (customer && customer.children.length === 0)
          body.items = [...recordsOf(body, 'items'), ...siblings(customer).map(portalCustomerShape)];
      }),
  ],
  [
    'hierarchy-has-the-parent-of-the-parent',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    (c) =>
      onBody(c, 'portal.getCustomerHierarchy', (body, { customer }) => {
        const above = customer?.parent?.parent;
        if (above) body.items = [...recordsOf(body, 'items'), portalCustomerShape(above)];
      }),
  ],
  [
    'hierarchy-leaves-out-the-last-child',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.children',
    under,
    (c) => {
      const usual = c.hierarchy;
      c.hierarchy = (customer) => usual(customer).filter((one) => one !== customer.children.at(-1));
    },
  ],
  [
    'hierarchy-of-the-second-level-leaves-out-a-child',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.children',
    under,
    (c) => {
      const usual = c.hierarchy;
      c.hierarchy = (customer) =>
        usual(customer).filter((one) => !customer.parent?.ours || one !== customer.children[1]);
    },
  ],
  [
    'hierarchy-shows-a-foreign-customer-below',
    12,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.foreign-customer',
    'portal, Authentication 3: a user not entitled to the operation gets 401',
    (c) =>
      onBody(c, 'portal.getCustomerHierarchy', (body, { world }) => {
        const foreign = world.customers.find(({ name }) => name === 'Rival Harbour')!;
        body.items = [...recordsOf(body, 'items'), portalCustomerShape(foreign)];
      }),
  ],
  [
    'ein-of-a-later-customer-has-ten-digits',
    5,
    'portal.getCustomerList',
    'portal.getCustomerList.shape',
    'portal, Customer: ein has nine digits',
    (c) =>
      onItems(c, 'portal.getCustomerList', (item, _x, index) => {
        if (index === 5) item.ein = '1234567890';
      }),
  ],
  [
    'zip-of-a-later-customer-is-text',
    5,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.shape',
    'portal, Customer: zip is an integer',
    (c) =>
      onItems(c, 'portal.getCustomerHierarchy', (item, _x, index) => {
        if (index === 7) item.zip = '01570';
      }),
  ],
  [
    'program-list-with-both-flags-false-answers-500',
    9,
    'portal.getCustomerProgramList',
    'portal.getCustomerProgramList.required-only',
    'portal, getCustomerProgramList: 200 items',
    (c) =>
      instead(c, 'portal.getCustomerProgramList', ({ query }) =>
        query.get('showAutoCreated') === 'false' && query.get('showBranded') === 'false'
          ? { status: 500, body: {} }
          : undefined,
      ),
  ],
  [
    'second-page-of-machines-answers-500',
    2,
    'portal.getATMLocation',
    'portal.getATMLocation.server-error',
    'portal, getATMLocation: pageOffset',
    (c) =>
      instead(c, 'portal.getATMLocation', ({ query }) =>
        Number(query.get('pageOffset')) > 0 ? { status: 500, body: {} } : undefined,
      ),
  ],
  [
    'shipping-methods-empty-in-a-later-session',
    6,
    'portal.getShippingMethods',
    'portal.getShippingMethods.shape',
    'portal, getShippingMethods: items, array of string',
    (c) =>
      onBody(c, 'portal.getShippingMethods', (body, { session, world }) => {
        if (session !== world.sessions[0]) body.items = [null];
      }),
  ],
];

const duplicate = (id: string, expects: string, when: (x: Exchange) => boolean): Attack => [
  id,
  6,
  'portal.orderCards',
  expects,
  sentences.duplicateOrder,
  (c) => overlook(c, 'portal.orderCards', 'order-duplicate', when),
];

const lacking = (name: string, when: (x: Exchange) => boolean) => (c: Choices) =>
  overlook(c, 'portal.orderCards', 'bad-order', (x, field) => field === name && when(x));

const orders: Attack[] = [
  duplicate(
    'duplicate-order-taken-with-a-campaign',
    'portal.orderCards.duplicate-order',
    ({ content }) => !!content.campaignName,
  ),
  duplicate(
    'duplicate-order-taken-from-the-third-card-on',
    'portal.orderCards.duplicate-order',
    (x) => orderedCards(x).length > 2,
  ),
  duplicate(
    'duplicate-order-taken-with-a-load',
    'portal.orderCards.duplicate-order',
    ({ content }) => Number(content.totalValue) > 0,
  ),
  duplicate(
    'duplicate-order-taken-when-instant',
    'portal.orderCards.duplicate-order',
    ({ content }) => content.isInstantIssue === true,
  ),
  duplicate(
    'duplicate-order-taken-with-other-fees',
    'portal.orderCards.duplicate-order',
    ({ content }) => content.shippingFee === 1,
  ),
  duplicate('duplicate-order-taken-with-blanks', 'portal.orderCards.duplicate-order', ({ content }) =>
    / /.test(String(content.externalIdentifier)),
  ),
  [
    'identifiers-of-orders-are-forgotten-after-three',
    6,
    'portal.orderCards',
    'portal.orderCards.duplicate-order',
    sentences.duplicateOrder,
    (c) =>
      onReply(c, 'portal.orderCards', (_reply, { program }) => {
        if (program && program.orderIdentifiers.length > 3) program.orderIdentifiers.shift();
      }),
    'three other orders in between',
  ],
  [
    'orders-at-once-with-one-identifier-and-different-cards-both-made',
    3,
    'portal.orderCards',
    'portal.orderCards.duplicate-order',
    sentences.duplicateOrder,
    (c) => {
      const under = new Map<string, number>();
      c.between.push(async (x) => {
        if (x.operation !== 'portal.orderCards') return;
        const body = `${x.text.length}`;
        under.set(body, (under.get(body) ?? 0) + 1);
        const isSame = under.get(body)! > 1;
        await sleep(40);
        under.set(body, under.get(body)! - 1);
        x.refuseIf(isSame && !!x.content.externalIdentifier, 'order-duplicate', 'externalIdentifier');
      });
    },
    'orders at once are identical',
  ],
  [
    'digital-taken-where-off-for-several-cards',
    2,
    'portal.orderCards',
    'portal.orderCards.digital-off',
    'portal, Order rule 3: the program option must be on',
    (c) => overlook(c, 'portal.orderCards', 'digital-off', (x) => orderedCards(x).length > 1),
  ],
  [
    'digital-taken-where-off-without-shipping-method',
    2,
    'portal.orderCards',
    'portal.orderCards.digital-off',
    'portal, Order rule 3: the program option must be on',
    (c) => overlook(c, 'portal.orderCards', 'digital-off', ({ content }) => content.shippingMethod == null),
  ],
  [
    'load-taken-where-off-of-small-amounts',
    9,
    'portal.orderCards',
    'portal.orderCards.load-off',
    'portal, Order rule 4: the setting must be on',
    (c) => overlook(c, 'portal.orderCards', 'load-off', ({ content }) => Number(content.totalValue) <= 10),
  ],
  [
    'load-taken-where-off-the-second-time',
    6,
    'portal.orderCards',
    'portal.orderCards.load-off',
    'portal, Order rule 4: the setting must be on',
    (c) => {
      let asked = 0;
      overlook(c, 'portal.orderCards', 'load-off', () => {
        asked += 1;
        return asked > 1;
      });
    },
  ],
  [
    'other-info-not-needed-for-digital-cards',
    2,
    'portal.orderCards',
    'portal.orderCards.other-info-required',
    'portal, Order rule 5: otherInfo is required',
    (c) => overlook(c, 'portal.orderCards', 'other-info-missing', ({ content }) => content.cardType === 'Digital'),
    'digital cards may be off there',
  ],
  [
    'other-info-of-blanks-taken-twice',
    9,
    'portal.orderCards',
    'portal.orderCards.other-info-repeated-over-orders',
    sentences.otherInfo,
    (c) =>
      overlook(c, 'portal.orderCards', 'other-info-duplicate', (x) =>
        orderedCards(x).some(({ otherInfo }) => /^ | $/.test(String(otherInfo))),
      ),
  ],
  [
    'city-not-needed-with-a-load',
    2,
    'portal.orderCards',
    'portal.orderCards.required-members',
    'portal, orderCards body: city is required',
    lacking('city', ({ content }) => Number(content.totalValue) > 0),
  ],
  [
    'zip-not-needed-for-instant-issue',
    2,
    'portal.orderCards',
    'portal.orderCards.required-members',
    'portal, orderCards body: zip is required',
    lacking('zip', ({ content }) => content.isInstantIssue === true),
  ],
  [
    'fees-not-needed-for-digital-cards',
    2,
    'portal.orderCards',
    'portal.orderCards.required-members',
    'portal, orderCards body: cardFee is required',
    lacking('cardFee', ({ content }) => content.cardType === 'Digital'),
  ],
  [
    'phone-not-needed-of-the-third-card',
    5,
    'portal.orderCards',
    'portal.orderCards.required-item-members',
    'portal, orderDetails: phone is required',
    (c) =>
      overlook(
        c,
        'portal.orderCards',
        'bad-order',
        (x, field) => field === 'phone' && orderedCards(x).findIndex(({ phone }) => phone === undefined) === 2,
      ),
  ],
  [
    'order-type-with-a-blank-behind-taken',
    1,
    'portal.orderCards',
    'portal.orderCards.unlisted-order-type',
    'portal, orderCards: allowed orderProdType values',
    lacking('orderProdType', ({ content }) => / $/.test(String(content.orderProdType))),
    'that blanks count is not said',
  ],
  [
    'order-type-cut-short-taken',
    1,
    'portal.orderCards',
    'portal.orderCards.unlisted-order-type',
    'portal, orderCards: allowed orderProdType values',
    lacking('orderProdType', ({ content }) => String(content.orderProdType).startsWith('Personalized ')),
  ],
  [
    'order-type-with-more-behind-taken',
    1,
    'portal.orderCards',
    'portal.orderCards.unlisted-order-type',
    'portal, orderCards: allowed orderProdType values',
    lacking('orderProdType', ({ content }) => /^Personalized Payroll Order./.test(String(content.orderProdType))),
  ],
  [
    'card-type-cut-short-taken',
    1,
    'portal.orderCards',
    'portal.orderCards.unlisted-card-type',
    'portal, orderCards: allowed cardType values',
    lacking('cardType', ({ content }) => /^(Phys|Digi)/.test(String(content.cardType))),
  ],
];

/** What an attacker does to the portal, written down with what is to condemn it before anything was run. */
export const attackPortalFaults: Fault[] = attacks([...sessions, ...people, ...customers, ...orders]);
