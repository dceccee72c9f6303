import { randomBytes } from 'node:crypto';
import type {
  Action,
  Card,
  CardState,
  Client,
  Customer,
  Fields,
  Filters,
  Rules,
  Status,
  TemporaryToken,
  World,
} from './model.ts';
import { change, isBelow } from './model.ts';

/** From which status an action is taken, and what it leads to. */
const TRANSITIONS: Record<Action, { from: Status[]; to?: Status }> = {
  activate: { from: ['NotActivated'], to: 'Active' },
  suspend: { from: ['Active'], to: 'OnHold' },
  unsuspend: { from: ['OnHold'], to: 'Active' },
  unmarkfraud: { from: ['FraudHold'], to: 'Active' },
  marklost: { from: ['Active', 'OnHold', 'NotActivated'], to: 'ReportedLost' },
  close: { from: ['Active', 'OnHold', 'NotActivated', 'ReportedLost', 'FraudHold'], to: 'AccountClosed' },
  'wallet-provisioned': { from: ['Active'] },
  pin: { from: ['Active', 'OnHold'] },
  reissue: { from: ['Active', 'OnHold', 'ReportedLost'] },
};

const moment = (time: number) => new Date(time).toISOString();

export function customerRules(world: World) {
  return {
    reaches: (client: Client, customer: Customer): boolean => isBelow(customer, client.root),
    customersOf: (client: Client): Customer[] =>
      world.customers
        .filter((customer) => world.rules.reaches(client, customer))
        .sort((one, other) => (one.identifier < other.identifier ? -1 : 1)),
    customerOf: (client: Client, identifier: string): Customer | undefined =>
      world.rules.customersOf(client).find((customer) => customer.identifier === identifier),
    customerMatches(customer: Customer, { parentIdentifier, name, v1Identifier }: Filters): boolean {
      if (name && !customer.name.includes(name)) return false;
      if (v1Identifier && String(customer.portalId) !== v1Identifier) return false;
      if (!parentIdentifier) return true;
      const parent = world.customers.find(({ identifier }) => identifier === parentIdentifier);
      return parent !== undefined && customer !== parent && isBelow(customer, parent);
    },
    customerView: ({ identifier, name }: Customer): Fields => ({ name, identifier }),
    pageEnd: (): Fields => ({}),
  } satisfies Partial<Rules>;
}

function lookUps(world: World) {
  const reached = (client: Client) => world.cards.filter((card) => world.rules.reaches(client, card.customer));
  return {
    cardsOf: (client: Client): Card[] => reached(client),
    defaultMax: 50,
    cardOf: (client: Client, identifier: string): Card | undefined =>
      reached(client).find((card) => card.identifier === identifier),
    byProxy: (client: Client, proxy: string, program: string, digital: boolean): Card | undefined =>
      reached(client).find((card) => card.proxy === proxy && card.program === program && card.digital === digital),
    byToken: (client: Client, text: string): Card | undefined =>
      world.temporaryTokens.find(
        (token) => token.text === text && token.until > world.now() && world.rules.reaches(client, token.card.customer),
      )?.card,
    cardMatches: (card: Card, filters: Filters): boolean =>
      (!filters.customerIdentifier || card.customer.identifier === filters.customerIdentifier) &&
      (!filters.programIdentifier || card.program === filters.programIdentifier) &&
      (!filters.orderIdentifier || card.order === filters.orderIdentifier) &&
      (!filters.externalIdentifier || card.external === filters.externalIdentifier),
    related: (client: Client, card: Card): Card[] =>
      reached(client).filter((other) => other !== card && other.family === card.family),
    newTemporaryToken: (card: Card): TemporaryToken => ({
      text: `tt-${randomBytes(15).toString('base64url')}`,
      card,
      until: world.now() + 600_000,
    }),
  } satisfies Partial<Rules>;
}

function views(world: World) {
  const listView = (card: Card): Fields => {
    const { status, cents, provisioned } = world.rules.recordOf(card);
    return {
      customerIdentifier: card.customer.identifier,
      identifier: card.identifier,
      externalIdentifier: card.external,
      proxyNumber: card.proxy,
      cardNumberLastFour: card.lastFour,
      status,
      balance: cents / 100,
      isProvisionedToWallet: provisioned !== undefined,
      ...(provisioned === undefined ? {} : { provisionedDate: moment(provisioned) }),
      isRefreshing: false,
      creationDate: moment(card.created),
      lastUpdateDate: moment(card.updated),
      expiration: moment(card.created + 5 * 365 * 86_400_000),
    };
  };
  return {
    recordOf: (card: Card): CardState => ({ ...card.stored, provisioned: card.provisioned }),
    listView,
    cardView: (card: Card): Fields => ({
      ...world.rules.listView(card),
      tinyUrl: `https://c.example/${card.lastFour}`,
      customFields: { customField1: 'blue', customField2: card.order },
      cardholder: card.holder,
    }),
    balanceOf: (card: Card): number => card.cents,
    statusOf: (card: Card): Status => card.status,
    refresh(card: Card, what: 'balance' | 'status'): void {
      if (what === 'balance') card.stored.cents = world.rules.balanceOf(card);
      else card.stored.status = world.rules.statusOf(card);
    },
  } satisfies Partial<Rules>;
}

export function cardRules(world: World) {
  return {
    ...lookUps(world),
    ...views(world),
    allowed: (card: Card, action: Action): boolean => TRANSITIONS[action].from.includes(card.status),
    act(card: Card, action: Action): void {
      const { to } = TRANSITIONS[action];
      if (action === 'wallet-provisioned') change(world, card, { provisioned: world.now() });
      if (!to) return;
      change(world, card, { status: to });
      card.stored.status = to;
    },
  } satisfies Partial<Rules>;
}
