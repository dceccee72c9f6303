/**
 * The interactions of both pacts. Pact has no optional members, so an answer holds what makes its operation worth
 * calling and what its provider states guarantee; a provider with minimal bodies verifies. Recommendations (the status
 * of a call without credentials, 404 for what does not exist) are left out.
 */
import { MatchersV3 as M } from '@pact-foundation/pact';
import type { Operation } from '../../contracts/operation.ts';
import { operation as operationById, operations } from '../../contracts/operations.ts';
import { v1Shapes } from '../../contracts/publish/shapes.ts';
import { CIP_ADDRESS_MAX, type SUMMARY_RESULTS } from '../../contracts/v1/cip.ts';
import { CARD_READINGS } from '../../contracts/v3/cards.ts';
import { someObjects } from './bodies.ts';
import type { Interaction, Supplied, Value } from './interaction.ts';
import { STATES } from './states.ts';

const supplied = (name: string, example: Supplied['example']): Supplied => ({ supplied: name, example });

const CARD = { identifier: supplied('card', 'card-0001') };
const CUSTOMER = { identifier: supplied('customer', 'customer-0001') };
const TOKEN = STATES.token;
/** A non-empty array of any objects. */
const oneObject = M.eachLike({});

const v3 = (id: string, description: string, state: string | undefined, more: Partial<Interaction>): Interaction => ({
  operation: id,
  description,
  states: state === undefined ? [TOKEN] : [TOKEN, state],
  ...more,
});

/** A request that only names a card. */
const onCard = (id: string, description: string, state: string, more: Partial<Interaction> = {}): Interaction =>
  v3(`cards.${id}`, description, state, { path: CARD, ...more });

const CLIENT = {
  grant_type: supplied('grantType', 'client_credentials'),
  scope: supplied('scope', 'https://resource.example/.default'),
  client_id: supplied('clientId', 'client-0001'),
  client_secret: supplied('clientSecret', 'invented'),
};

/** The operation of which a provider state guarantees more than that the card exists. */
const RELATED = 'cards.listRelated';
const nameOf = (id: string) => id.slice('cards.'.length);
/** What an operation is asked for, by its title: `a request to read the status of a card`. */
const requestTo = (id: string): string => {
  const { title } = operationById(id);
  return `a request to ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
};

const v3Interactions: readonly Interaction[] = [
  { operation: 'token.issue', description: 'a request for a token', states: [STATES.client], form: CLIENT },
  v3('users.list', 'a search for customers', STATES.customer, { guaranteed: { results: oneObject } }),
  v3('users.list', 'a search for one customer at most', STATES.customer, {
    query: { max: 1 },
    guaranteed: { results: M.constrainedArrayLike({}, 1, 1) },
  }),
  v3('users.list', 'a search with a max that is no number', undefined, { query: { max: 'abc' }, refused: 400 }),
  v3('users.get', 'a request for a customer', STATES.customer, { path: CUSTOMER }),
  v3('users.setPermissions', 'permissions for a customer', STATES.writableCustomer, {
    path: CUSTOMER,
    json: { canSearchLoads: supplied('canSearchLoads', true), canSearchSpends: supplied('canSearchSpends', true) },
  }),
  v3('cards.list', 'a request for cards', STATES.active, { guaranteed: { results: oneObject } }),
  v3('cards.list', 'a request for cards with a max that is no number', undefined, {
    query: { max: 'abc' },
    refused: 400,
  }),
  ...CARD_READINGS.filter((id) => id !== RELATED).map((id) => onCard(nameOf(id), requestTo(id), STATES.active)),
  onCard('get', 'a look-up of a card by its proxy', STATES.proxy, {
    path: { identifier: supplied('proxyNumber', '9000000000001') },
    query: {
      byProxy: true,
      programIdentifier: supplied('programIdentifier', 'program-0001'),
      isDigital: supplied('isDigital', 'false'),
    },
  }),
  onCard(nameOf(RELATED), requestTo(RELATED), STATES.related, {
    guaranteed: { results: oneObject },
  }),
  onCard('encryptForVde', 'a request for encrypted card data', STATES.active, {
    json: { nonce: supplied('unique', 'used-once-0001') },
    madeUp: true,
  }),
  onCard('encryptForVde', 'a request for encrypted card data without a nonce', STATES.active, { json: {} }),
  onCard('transfer', 'a transfer between two cards', STATES.pair, {
    json: { targetCardIdentifier: supplied('otherCard', 'card-0002'), amount: 1.25 },
  }),
  onCard('suspend', 'a suspension of a card', STATES.active),
  onCard('unsuspend', 'the end of the suspension of a card', STATES.suspended),
  onCard('activate', 'an activation of a card', STATES.unused),
  onCard('unmarkFraud', 'an unmarking of fraud', STATES.fraud),
  onCard('markWalletProvisioned', 'a flag that a card is in a wallet', STATES.disposable),
  onCard('setPin', 'a PIN for a card', STATES.disposable, { json: { pin: '7294' } }),
  onCard('reissue', 'a reissue of a card', STATES.disposable, {
    json: { externalIdentifier: supplied('unique', 'reissue-0001') },
  }),
  onCard('markLost', 'a mark that a card is lost', STATES.disposable),
  onCard('close', 'a closing of a card', STATES.empty),
];

const portal = (name: string, description: string, more: Partial<Interaction> = {}): Interaction => ({
  operation: `portal.${name}`,
  description,
  states: [STATES.session],
  ...more,
});

const LOGIN = { loginID: supplied('loginID', 'ada'), password: supplied('password', 'invented') };
const PORTAL_CUSTOMER = { customerId: supplied('customerId', 4711) };
const PROGRAMS = { ...PORTAL_CUSTOMER, showAutoCreated: false, showBranded: true };
const PLACE = {
  latitude: supplied('latitude', '39.80'),
  longitude: supplied('longitude', '-89.64'),
  pageOffset: 1,
  pageLength: 10,
};
const person = v1Shapes.CIPCheck!.example as Readonly<Record<string, unknown>>;
const order = v1Shapes.Order!.example as Readonly<Record<string, unknown>>;

const cipCheck = (state: string, description: string, outcome: (typeof SUMMARY_RESULTS)[number], more = {}) =>
  portal('getCIPCheck', description, {
    states: [STATES.session, state],
    json: person,
    guaranteed: { data: { summaryResult: outcome, ...more } },
  });

const v1Interactions: readonly Interaction[] = [
  { operation: 'portal.login', description: 'a login', states: [STATES.login], query: LOGIN },
  {
    operation: 'portal.login',
    description: 'a login of nobody',
    states: [],
    query: { loginID: 'nobody.invented', password: 'invented' },
    refused: 400,
  },
  portal('logout', 'a logout'),
  portal('logout', 'a logout from an invented session', { states: [], invented: true, refused: 400 }),
  portal('getCustomerList', 'a request for customers'),
  portal('getCustomerHierarchy', 'a request for the customers under a customer', {
    states: [STATES.session, STATES.portalCustomer],
    query: PORTAL_CUSTOMER,
  }),
  portal('getShippingFeeTypes', 'a request for shipping fee types'),
  portal('getShippingMethods', 'a request for shipping methods'),
  portal('getCustomerProgramList', 'a request for programs', {
    states: [STATES.session, STATES.portalCustomer],
    query: PROGRAMS,
  }),
  portal('getCustomerProgramList', 'a request for programs in an invented session', {
    states: [STATES.portalCustomer],
    query: PROGRAMS,
    invented: true,
    refused: 400,
  }),
  portal('getATMLocation', 'a request for cash machines', {
    states: [STATES.session, STATES.place],
    query: PLACE,
    madeUp: true,
  }),
  cipCheck(STATES.located, 'a CIP check of a person who is located', 'Pass'),
  cipCheck(STATES.notFound, 'a CIP check of a person who is not found', 'Fail'),
  cipCheck(STATES.differentiated, 'a CIP check of a person told apart by differentiator questions', 'Partial', {
    diffQuestionList: someObjects,
  }),
  cipCheck(STATES.questioned, 'a CIP check of a person told apart by configured questions', 'Partial', {
    questionList: someObjects,
  }),
  portal('getCIPCheck', `a CIP check with an address of ${CIP_ADDRESS_MAX + 1} characters`, {
    states: [STATES.session],
    json: { ...person, address: 'x'.repeat(CIP_ADDRESS_MAX + 1) },
    refused: 400,
  }),
  portal('orderCards', 'an order of a card', { states: [STATES.session, STATES.program], json: order }),
];

/** Requests to portal operations that list 400, each without one required parameter. */
const withoutParameter = (o: Operation): Interaction[] => {
  const required = o.query.filter((parameter) => parameter.required);
  const query: Record<string, Value<unknown>> = { ...LOGIN, ...PROGRAMS, ...PLACE };
  return required.map(({ name }) => ({
    operation: o.id,
    description: `${o.path} without ${name}`,
    states: [o.id === 'portal.login' ? STATES.login : STATES.session, ...stateOf(o.id)],
    query: Object.fromEntries(
      required.filter((other) => other.name !== name).map((other) => [other.name, query[other.name]]),
    ) as Interaction['query'],
    refused: 400,
  }));
};

const stateOf = (id: string) =>
  id === 'portal.getATMLocation' ? [STATES.place] : id === 'portal.login' ? [] : [STATES.portalCustomer];

/** All interactions, by pact. */
export const interactions: Readonly<Record<'v3' | 'v1', readonly Interaction[]>> = {
  v3: v3Interactions,
  v1: [
    ...v1Interactions,
    ...operations.filter((o) => o.interface === 'v1' && o.errors.includes(400)).flatMap(withoutParameter),
  ],
};
