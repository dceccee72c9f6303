/** The provider states of the pacts, supplied from the configuration and the fixtures file. */
import type { Fixtures } from '../../contracts/fixtures.ts';
import { operation } from '../../contracts/operations.ts';
import { inventedTarget } from '../../contracts/publish/examples.ts';
import { ORDER_PROD_TYPES } from '../../contracts/v1/orders.ts';
import { entries, isObject, succeeded } from '../../helpers/answer.ts';
import { isActive } from '../../helpers/cards/card-state.ts';
import type { CardRequest, LeasedCard, PoolName } from '../../helpers/cards/pools.ts';
import type { Context } from '../../helpers/context.ts';
import { inconclusive, skip } from '../../helpers/verdict.ts';
import * as KnownCards from '../../suites/shared/known-cards.ts';
import * as Customers from '../../suites/v1/scenarios/customers.ts';
import * as Known from '../../suites/v3/listings/known.ts';
import type { Interaction } from './interaction.ts';

/** Names of the provider states, by what they are about. */
export const STATES = {
  client: 'the client is registered',
  token: 'the access token is valid',
  customer: 'the customer exists',
  writableCustomer: 'the permissions of the customer may be changed',
  active: 'the card is Active',
  pair: 'two cards are Active and the first has a balance',
  disposable: 'the card is Active and may be changed for good',
  empty: 'the card is Active without a balance and may be changed for good',
  suspended: 'the card is suspended',
  unused: 'the card is unused',
  fraud: 'the card has reported fraud',
  related: 'the card has a related card',
  proxy: 'the card has a proxy',
  login: 'the login is known',
  session: 'the session is active',
  portalCustomer: 'the customer of the portal exists',
  place: 'the place is known',
  located: 'the person is located',
  notFound: 'the person is not found',
  differentiated: 'several persons match, told apart by differentiator questions',
  questioned: 'several persons match, told apart by configured questions',
  program: 'the program takes personalized orders',
} as const;

/** What a state supplies: values for the request, and a whole JSON body if the fixtures file gives one. */
export interface Supply {
  values?: Record<string, string | number | boolean>;
  body?: Record<string, unknown>;
}

type Supplier = (context: Context, interaction: Interaction) => Supply | Promise<Supply>;

/** The value of a fixture. @throws Skipped that names its key */
function needed<T>(value: T | undefined, key: string): NonNullable<T> {
  return value ?? skip(`needs ${key} of the fixtures file`);
}

const aCard = (card: LeasedCard, more: Record<string, string> = {}): Supply => ({
  values: { card: card.identifier, ...more },
});

const leased =
  (pool: PoolName, wants?: CardRequest['wants']): Supplier =>
  async (context) => {
    const [[card]] = (await context.lease({ pool, wants })) as [[LeasedCard]];
    return aCard(card);
  };

/** A read-only operation can use any listed card if the fixtures file has none to lease. */
const activeCard: Supplier = async (context, interaction) => {
  const looksOnly = operation(interaction.operation).risk === 'safe';
  return looksOnly && !context.fixtures.cards?.active?.length
    ? { values: { card: await found(context, 'cards.list', 'cards.active') } }
    : leased('active')(context, interaction);
};

/** The identifier of the first entry of a listing. @throws Skipped that names the fixture to supply instead */
async function found(context: Context, listing: 'users.list' | 'cards.list', key: string): Promise<string> {
  const [first] = entries(await context.call(listing, { query: { max: 1 } }));
  return typeof first?.identifier === 'string' ? first.identifier : skip(`needs ${key} of the fixtures file`);
}

const person =
  (outcome: keyof NonNullable<NonNullable<Fixtures['portal']>['cip']>): Supplier =>
  ({ fixtures }) => ({ body: needed(fixtures.portal?.cip?.[outcome], `portal.cip.${outcome}`) });

/** An order that the program accepts: from the fixtures file, or made up and tried with each listed order type. */
const program: Supplier = async (context, { json }) => {
  const given = needed(context.fixtures.portal?.programs?.personalized, 'portal.programs.personalized');
  if (typeof given === 'object' && given.order) return { body: anew(given.order, context) };
  const custProgId = typeof given === 'object' ? given.custProgId : given;
  const customerId = await context.known(Customers.ownCustomer);
  for (const orderProdType of ORDER_PROD_TYPES) {
    const body = { ...json, custProgId, customerId, orderProdType };
    if (succeeded(await context.call('portal.orderCards', { json: body }, { intent: 'refusable' }))) return { body };
  }
  return inconclusive(
    'the program of portal.programs.personalized accepts no made-up order: add one to the fixture as its member order',
  );
};

/** A copy of an order that duplicates no earlier one: values that must be unique are replaced. */
function anew(order: Record<string, unknown>, context: Context): Record<string, unknown> {
  const fresh = (name: string, value: unknown): unknown => {
    if (name === 'externalIdentifier' || name === 'otherInfo') return context.unique('pact');
    if (Array.isArray(value)) return value.map((item) => fresh('', item));
    return isObject(value) ? anew(value, context) : value;
  };
  return Object.fromEntries(Object.entries(order).map(([name, value]) => [name, fresh(name, value)]));
}

/**
 * The supplier of each state. What it takes is returned when the context ends. @throws Skipped, Inconclusive, Blocked
 */
export const suppliers: Readonly<Record<string, Supplier>> = {
  [STATES.client]: ({ run }) => {
    const { tenantPath = '', grantType, scope = '', clientId = '', clientSecret = '' } = run.configuration.target;
    return { values: { tenantPath, grantType, scope, clientId, clientSecret } };
  },
  [STATES.token]: async (context) => ({
    values: { accessToken: (await context.run.client.tokens.current()).value, unique: context.unique('pact') },
  }),
  [STATES.customer]: async (context) => {
    const { customerIdentifier } = context.fixtures.users ?? {};
    await Known.requireKnownCustomer(context, 'customerIdentifier');
    return {
      values: { customer: customerIdentifier ?? (await found(context, 'users.list', 'users.customerIdentifier')) },
    };
  },
  [STATES.writableCustomer]: async (context) => {
    const { writableCustomerIdentifier, writableCustomerPermissions } = context.fixtures.users ?? {};
    const customer = needed(writableCustomerIdentifier, 'users.writableCustomerIdentifier');
    await Known.requireKnownCustomer(context, 'writableCustomerIdentifier');
    const { canSearchLoads = true, canSearchSpends = true } = writableCustomerPermissions ?? {};
    return { values: { customer, canSearchLoads, canSearchSpends } };
  },
  [STATES.active]: activeCard,
  [STATES.pair]: async (context) => {
    const [[card, other]] = (await context.lease({ pool: 'active', count: 2 })) as [[LeasedCard, LeasedCard]];
    const { transferAmounts, transferBody } = context.fixtures.cards ?? {};
    const body = { ...transferBody, targetCardIdentifier: other.identifier, amount: transferAmounts?.least ?? 1 };
    return { ...aCard(card, { otherCard: other.identifier }), body };
  },
  [STATES.disposable]: leased('disposable'),
  // A target may refuse to close a card with a balance (reading 29).
  [STATES.empty]: leased('disposable', ({ balance }) => balance === 0),
  [STATES.suspended]: async (context) => {
    const [[card]] = (await context.lease({ pool: 'active' })) as [[LeasedCard]];
    const suspended = await context.call('cards.suspend', { path: { identifier: card.identifier } });
    if (!succeeded(suspended)) inconclusive(`an Active card cannot be suspended: status ${suspended.status}`);
    await context.eventually(
      () => context.state(card.identifier),
      (state) => !isActive(state),
    );
    return aCard(card);
  },
  [STATES.unused]: leased('unused'),
  [STATES.fraud]: leased('fraud'),
  [STATES.related]: async (context) => {
    const card = needed(context.fixtures.cards?.withRelated, 'cards.withRelated');
    await KnownCards.requireCard(context, 'cards.withRelated', card);
    return { values: { card } };
  },
  [STATES.proxy]: async (context) => {
    const { proxyNumber, programIdentifier, isDigital, identifier } = context.fixtures.cards?.byProxy ?? {};
    const values = {
      proxyNumber: needed(proxyNumber, 'cards.byProxy.proxyNumber'),
      programIdentifier: needed(programIdentifier, 'cards.byProxy.programIdentifier'),
      isDigital: String(needed(isDigital, 'cards.byProxy.isDigital')),
    };
    if (identifier !== undefined) await KnownCards.requireCurrentProxy(context);
    return { values };
  },
  [STATES.login]: ({ run }) => {
    const { portalLoginId, portalPassword } = run.configuration.target;
    if (portalLoginId === undefined || portalPassword === undefined)
      skip('needs TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD');
    return { values: { loginID: portalLoginId, password: portalPassword } };
  },
  [STATES.session]: async ({ run }, { operation, refused }) => {
    const { sessions } = run.client;
    if (operation === 'portal.logout' && !refused && !sessions.renewable)
      skip('needs TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD: a logout ends the session that was given');
    return { values: { sessionId: (await sessions.current()).id } };
  },
  [STATES.portalCustomer]: async (context) => ({
    values: { customerId: String(await context.known(Customers.ownCustomer)) },
  }),
  [STATES.place]: ({ fixtures }) => ({
    values: {
      latitude: fixtures.portal?.atm?.latitude ?? inventedTarget.portal.atm.latitude,
      longitude: fixtures.portal?.atm?.longitude ?? inventedTarget.portal.atm.longitude,
    },
  }),
  [STATES.located]: person('pass'),
  [STATES.notFound]: person('fail'),
  [STATES.differentiated]: person('partialDifferentiator'),
  [STATES.questioned]: person('partialQuestions'),
  [STATES.program]: program,
};
