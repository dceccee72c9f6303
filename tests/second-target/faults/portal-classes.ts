import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { Reason } from '../reasons.ts';
import { bodyWith, onReply, orderedCards, overlook, succeeded } from '../tools.ts';
import { type Attack, attacks } from './attack.ts';
import { type Fault, instead, sentences } from './fault.ts';

const invalid = 'portal, login: 400 invalid login id or password';
const until = 'portal, Authentication 2: a session is valid until logout';

/** Takes a loginID for one that it resembles. */
const loginIdTaken = (resembles: (sent: string, real: string) => boolean) => (c: Choices) => {
  const usual = c.isSame;
  c.isSame = (one, other, x) => (x.operation === 'portal.login' ? resembles(other, one) : usual(one, other, x));
};

/** Ends the sessions of all users but the one that asks. */
const endsOthers = (operation: 'portal.login' | 'portal.logout') => (c: Choices) =>
  onReply(c, operation, (reply, { session, world }) => {
    if (succeeded(reply)) for (const one of world.sessions) if (one.user !== session?.user) one.ended = true;
  });

const sessions: Attack[] = [
  [
    'login-id-continued-accepted',
    1,
    'portal.login',
    'portal.login.unknown-login-id',
    invalid,
    loginIdTaken((sent, real) => sent.startsWith(real)),
  ],
  [
    'login-id-cut-short-accepted',
    1,
    'portal.login',
    'portal.login.unknown-login-id',
    invalid,
    loginIdTaken((sent, real) => sent.length >= 6 && real.startsWith(sent)),
  ],
  [
    'password-of-another-user-accepted',
    1,
    'portal.login',
    'portal.login.wrong-password',
    invalid,
    (c) =>
      overlook(c, 'portal.login', 'bad-login', ({ query, world }) =>
        world.users.some(({ password }) => password === query.get('password')),
      ),
  ],
  [
    'logout-ends-the-sessions-of-other-users',
    5,
    'portal.logout',
    'portal.logout.leaves-other-users',
    until,
    endsOthers('portal.logout'),
  ],
  [
    'login-ends-the-sessions-of-other-users',
    5,
    'portal.login',
    'portal.login.leaves-other-users',
    until,
    endsOthers('portal.login'),
  ],
  [
    'logout-of-a-continued-session-is-refused-and-ends-it',
    4,
    'portal.logout',
    'portal.logout.requires-session',
    until,
    (c) =>
      onReply(c, 'portal.logout', (reply, { query, world }) => {
        const sent = query.get('sessionId') ?? '';
        if (!succeeded(reply)) for (const one of world.sessions) if (sent.startsWith(one.id)) one.ended = true;
      }),
    'the session may be thought to have ended by itself',
  ],
  [
    'ended-session-lists-programs-that-are-not-branded',
    2,
    'portal.getCustomerProgramList',
    'portal.getCustomerProgramList.requires-session',
    sentences.session,
    (c) =>
      overlook(
        c,
        'portal.getCustomerProgramList',
        'bad-session',
        ({ query, world }) =>
          query.get('showBranded') === 'false' && world.sessions.some(({ id }) => id === query.get('sessionId')),
      ),
  ],
];

const under = 'portal, getCustomerHierarchy: customers under the given id plus its parent';
const failed = 'portal, getCustomerProgramList: 400 invalid customerId; 404 failed to get list';

/** Reads a customerId as another one. */
const customerIdRead = (read: (id: number, own: number) => number) => (c: Choices) =>
  c.before.push((x) => {
    const id = Number(x.query.get('customerId') ?? Number.NaN);
    if (x.operation === 'portal.getCustomerHierarchy' && Number.isSafeInteger(id))
      x.query.set('customerId', String(read(id, x.world.home.v1Id)));
    return undefined;
  });

const noPrograms = (flag: 'showAutoCreated' | 'showBranded') => (c: Choices) =>
  instead(c, 'portal.getCustomerProgramList', ({ query, world }) =>
    query.get(flag) === 'false' &&
    world.sessions.some(({ id, ended }) => id === query.get('sessionId') && !ended) &&
    /^-?\d+$/.test(query.get('customerId') ?? '') &&
    !world.customers.some(({ v1Id }) => String(v1Id) === query.get('customerId'))
      ? { status: 200, body: { items: [] } }
      : undefined,
  );

const customers: Attack[] = [
  [
    'hierarchy-of-the-last-32-bits-of-a-customer-id',
    9,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    customerIdRead((id, own) => ((id - own) % 2 ** 32 === 0 ? own : id)),
  ],
  [
    'hierarchy-of-a-negative-customer-id-is-that-of-the-positive',
    9,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    customerIdRead((id) => Math.abs(id)),
  ],
  [
    'hierarchy-of-customer-zero-is-the-own',
    9,
    'portal.getCustomerHierarchy',
    'portal.getCustomerHierarchy.members',
    under,
    customerIdRead((id, own) => id || own),
  ],
  [
    'unknown-customer-has-an-empty-program-list-without-branded',
    2,
    'portal.getCustomerProgramList',
    'portal.getCustomerProgramList.unknown-customer',
    failed,
    noPrograms('showBranded'),
  ],
  [
    'unknown-customer-has-an-empty-program-list-without-auto-created',
    2,
    'portal.getCustomerProgramList',
    'portal.getCustomerProgramList.unknown-customer',
    failed,
    noPrograms('showAutoCreated'),
  ],
];

const long = 'portal, Limits: getCIPCheck address at most 40 characters';
const digits = 'portal, getCIPCheck body: digits';
const has = (sent: JsonObject, name: string) => sent[name] !== undefined && sent[name] !== null;
const lastFourAlone = (sent: JsonObject) => !has(sent, 'ssn') && has(sent, 'ssnLast4');
const ssnAlone = (sent: JsonObject) => has(sent, 'ssn') && !has(sent, 'ssnLast4');
const neither = (sent: JsonObject) => !has(sent, 'ssn') && !has(sent, 'ssnLast4');

/** Overlooks what is wrong with one member of some persons. */
const person = (
  id: string,
  field: string,
  breaks: string,
  when: (sent: JsonObject) => boolean,
  requirement = `${field}-digits`,
  spot = 2,
): Attack => [
  id,
  spot,
  'portal.getCIPCheck',
  `portal.getCIPCheck.${requirement}`,
  breaks,
  (c) =>
    overlook(
      c,
      'portal.getCIPCheck',
      'bad-person',
      ({ content }, of) => [field, 'dobDay'].includes(of ?? '') && when(content),
    ),
];

const shortened = (form: RegExp, by: string) => (sent: JsonObject) =>
  String(sent.address).replace(form, by).length <= 40;

const people: Attack[] = [
  person('cip-counts-consecutive-blanks-as-one', 'address', long, shortened(/\s+/g, ' '), 'address-41-refused', 9),
  person('cip-counts-letters-and-digits-alone', 'address', long, shortened(/[^\w ]/g, ''), 'address-41-refused', 9),
  person(
    'address-of-41-taken-with-a-number-sign',
    'address',
    long,
    ({ address }) => String(address).includes('#'),
    'address-41-refused',
    9,
  ),
  person('zip-of-six-digits-taken-with-ssn-alone', 'zip', digits, ssnAlone),
  person('month-of-100-taken-of-who-has-no-number', 'dobMonth', digits, neither),
  person('year-of-two-digits-taken-with-last-four-alone', 'dobYear', digits, lastFourAlone),
  person('ssn-of-ten-digits-taken-without-last-four', 'ssn', digits, ssnAlone),
  person('last-four-of-five-digits-taken-without-ssn', 'ssnLast4', digits, lastFourAlone),
  person(
    'zip-not-needed-of-a-person-with-last-four-alone',
    'zip',
    'portal, getCIPCheck body: zip is required',
    (sent) => !has(sent, 'zip') && lastFourAlone(sent),
    'required-members',
  ),
  [
    'return-code-is-zero-for-partial',
    5,
    'portal.getCIPCheck',
    'portal.getCIPCheck.return-code-zero',
    'portal, CIP response: returnCode is 0 only if the server is down or the network is poor',
    (c) =>
      bodyWith(c, 'portal.getCIPCheck', ({ returnCode, data }) => ({
        returnCode: isObject(data) && data.summaryResult === 'Partial' ? 0 : returnCode,
      })),
  ],
];

/** Overlooks refusals of orders. */
const order = (
  id: string,
  spot: number,
  requirement: string,
  breaks: string,
  reason: Reason,
  when: (x: Exchange, field: string | undefined) => boolean,
  doubt?: string,
): Attack => [
  id,
  spot,
  'portal.orderCards',
  `portal.orderCards.${requirement}`,
  breaks,
  (c) => overlook(c, 'portal.orderCards', reason, when),
  ...(doubt ? ([doubt] as const) : ([] as const)),
];

const several = (x: Exchange) => orderedCards(x).length > 1;
const cardTypes = 'portal, orderCards: allowed cardType values';
const orderTypes = 'portal, orderCards: allowed orderProdType values';
const off = 'portal, Order rules 3 and 4: the program option must be on';

/** Knows of duplicates only what the same user ordered. */
const perUser =
  (reason: 'order-duplicate' | 'other-info-duplicate', values: (x: Exchange) => unknown[]) => (c: Choices) => {
    const made = new Map<unknown, unknown>();
    overlook(c, 'portal.orderCards', reason, (x) =>
      values(x).every((value) => made.get(value) !== x.session?.user.userId),
    );
    onReply(c, 'portal.orderCards', (reply, x) => {
      if (succeeded(reply)) for (const value of values(x)) made.set(value, x.session?.user.userId);
    });
  };

/** Answers what some orders hold with status 500. */
const breaksAt = (id: string, isMeant: (x: Exchange) => boolean): Attack => [
  id,
  9,
  'portal.orderCards',
  'portal.orderCards.status',
  'portal, HTTP status codes: 400 for invalid input, 500 for a server error while processing',
  (c) =>
    instead(c, 'portal.orderCards', (x) => {
      x.json();
      return isMeant(x) ? { status: 500, body: {} } : undefined;
    }),
];

const orders: Attack[] = [
  order('card-type-of-any-word-taken-with-a-load', 2, 'unlisted-card-type', cardTypes, 'bad-order', (x, field) => {
    return field === 'cardType' && Number(x.content.totalValue) > 0;
  }),
  order(
    'card-type-of-any-word-taken-for-several-cards',
    2,
    'unlisted-card-type',
    cardTypes,
    'bad-order',
    (x, field) => {
      return field === 'cardType' && several(x);
    },
  ),
  order(
    'order-type-of-any-word-taken-for-several-cards',
    2,
    'unlisted-order-type',
    orderTypes,
    'bad-order',
    (x, field) => {
      return field === 'orderProdType' && several(x);
    },
  ),
  order(
    'order-type-of-any-word-taken-when-instant',
    2,
    'unlisted-order-type',
    orderTypes,
    'bad-order',
    ({ content }, field) => field === 'orderProdType' && content.isInstantIssue === true,
  ),
  order(
    'attn-not-needed-of-several-cards',
    2,
    'required-members',
    'portal, orderCards body: attn is required',
    'bad-order',
    (x, field) => field === 'attn' && several(x),
  ),
  order(
    'zip-not-needed-with-an-identifier',
    2,
    'required-members',
    'portal, orderCards body: zip is required',
    'bad-order',
    ({ content }, field) => field === 'zip' && !!content.externalIdentifier,
  ),
  order(
    'phone-not-needed-with-a-load',
    2,
    'required-item-members',
    'portal, orderDetails: phone is required',
    'bad-order',
    ({ content }, field) => field === 'phone' && Number(content.totalValue) > 0,
  ),
  order('load-taken-where-off-of-large-amounts', 9, 'load-off', off, 'load-off', ({ content }) => {
    return Number(content.totalValue) >= 100;
  }),
  order('digital-taken-where-off-with-a-shipping-method', 2, 'digital-off', off, 'digital-off', ({ content }) => {
    return typeof content.shippingMethod === 'string';
  }),
  order(
    'other-info-not-needed-of-the-third-card',
    5,
    'other-info-required',
    'portal, Order rule 5: otherInfo is required',
    'other-info-missing',
    (x) => orderedCards(x).findIndex(({ otherInfo }) => !otherInfo) === 2,
  ),
  [
    'orders-are-known-of-the-same-user-only',
    6,
    'portal.orderCards',
    'portal.orderCards.duplicate-order',
    sentences.duplicateOrder,
    perUser('order-duplicate', ({ content }) => [content.externalIdentifier]),
  ],
  [
    'other-infos-are-known-of-the-same-user-only',
    6,
    'portal.orderCards',
    'portal.orderCards.other-info-repeated-over-orders',
    sentences.otherInfo,
    perUser('other-info-duplicate', (x) => orderedCards(x).map(({ otherInfo }) => otherInfo)),
  ],
  ...(
    [
      ['a-birth-date', (x: Exchange) => orderedCards(x).some(({ dateOfBirth }) => !!dateOfBirth)],
      ['an-e-mail', (x: Exchange) => orderedCards(x).some(({ email }) => !!email)],
      ['a-shipping-method', ({ content }: Exchange) => !!content.shippingMethod],
      ['a-client-defined-field', (x: Exchange) => orderedCards(x).some((card) => !!card.clientDefinedField3)],
      ['a-card-type', ({ content }: Exchange) => content.cardType === 'Physical'],
    ] as const
  ).map(([what, when]) =>
    order(
      `duplicate-order-taken-with-${what}`,
      2,
      'duplicate-order',
      sentences.duplicateOrder,
      'order-duplicate',
      when,
    ),
  ),
  order(
    'duplicate-other-info-taken-with-an-order-identifier',
    2,
    'other-info-repeated-over-orders',
    sentences.otherInfo,
    'other-info-duplicate',
    ({ content }) => !!content.externalIdentifier,
  ),
  order(
    'duplicate-other-info-taken-for-several-cards',
    2,
    'other-info-repeated-over-orders',
    sentences.otherInfo,
    'other-info-duplicate',
    several,
    'an orderId alone does not show which cards were made',
  ),
  [
    'identifiers-of-orders-are-forgotten-after-ten',
    6,
    'portal.orderCards',
    'portal.orderCards.duplicate-order',
    sentences.duplicateOrder,
    (c) =>
      onReply(c, 'portal.orderCards', (_reply, { program }) => {
        if (program && program.orderIdentifiers.length > 10) program.orderIdentifiers.shift();
      }),
    'ten other orders of the program in between',
  ],
  breaksAt('order-identifier-with-an-apostrophe-answers-500', ({ content }) =>
    String(content.externalIdentifier).includes("'"),
  ),
  breaksAt('order-identifier-of-80-characters-answers-500', ({ content }) => {
    return String(content.externalIdentifier).length >= 80;
  }),
  breaksAt('other-info-with-accents-answers-500', (x) =>
    orderedCards(x).some(({ otherInfo }) => /[^ -~]/.test(String(otherInfo))),
  ),
];

/**
 * What hides behind the representatives that a suite of the portal tries: another form of person, kind of order, user or identifier.
 * Written down, with what is to condemn it, before anything was run.
 */
export const portalClassFaults: Fault[] = attacks([...sessions, ...customers, ...people, ...orders]);
