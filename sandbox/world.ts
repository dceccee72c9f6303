/** The domain: everything that exists in the sandbox. Money is in whole cents, times are RFC 3339 strings in UTC. */
import type { OperationId } from './operations.ts';

export type CardState = 'unused' | 'active' | 'deactivated' | 'suspended' | 'closed' | 'lost' | 'fraud';

/** `own`: within reach of the credentials; `other`: a second tenant, which they must never see. */
export type Tenant = 'own' | 'other';

/** A postal address, in the members of the users and cards document. */
export interface Address {
  line1: string;
  line2: string;
  locality: string;
  region: string;
  country: string;
  postalCode: string;
}

export type CustomFields = Record<string, string>;

/** The person who holds a card. */
export interface Cardholder {
  identifier: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  dateOfBirth: string;
  ssnLastFour: string;
  relation: string;
  other: string;
  billingAddress: Address;
  mailingAddress: Address;
  customFields: CustomFields;
}

/** A card of either tenant. */
export interface Card {
  identifier: string;
  tenant: Tenant;
  customerIdentifier: string;
  programIdentifier: string;
  orderIdentifier: string;
  externalIdentifier: string;
  proxyNumber: string;
  isDigital: boolean;
  state: CardState;
  balanceCents: number;
  /** The record shown by cards.get and listings; may lag behind `state` and `balanceCents` if the rules say so. */
  record: { state: CardState; balanceCents: number };
  isProvisionedToWallet: boolean;
  provisionedDate: string | undefined;
  cardNumberLastFour: string;
  expiration: string;
  creationDate: string;
  lastUpdateDate: string;
  customFields: CustomFields;
  cardholder: Cardholder | undefined;
  pin: string | undefined;
  /** External identifiers of reissues, in order. */
  reissues: (string | null)[];
  /** Changing operations that took effect on the card, in order. */
  history: OperationId[];
}

/** A customer as in users and cards. */
export interface Customer {
  identifier: string;
  tenant: Tenant;
  name: string;
  parentIdentifier: string | undefined;
  /** Identifier in the portal, as text; the portal itself uses an integer. */
  v1Identifier: string;
  permissions: { canSearchLoads: boolean; canSearchSpends: boolean };
}

/**
 * A customer as the portal shows it, with all documented members; the sandbox interprets `customerId`, `parentId` and
 * `name`.
 */
export interface PortalCustomer {
  customerId: number;
  parentId: number | undefined;
  name: string;
  tenant: Tenant;
  /** Whether the login may see it; its parent may be shown without that. */
  reachable: boolean;
  details: Record<string, unknown>;
}

/** A customer program of the portal. */
export interface Program {
  rowId: number;
  customerId: number;
  tenant: Tenant;
  autoCreated: boolean;
  branded: boolean;
  isInstantIssue: boolean;
  /** Values of orderProdType that the program's product accepts. */
  orderTypes: string[];
  digital: boolean;
  load: boolean;
  uniqueOtherInfo: boolean;
  duplicateLoadChecker: boolean;
  details: Record<string, unknown>;
}

/** An accepted order. */
export interface Order {
  orderId: number;
  custProgId: number;
  externalIdentifier: string | undefined;
  orderProdType: string;
  cardType: string;
  cards: {
    proxy: string;
    otherInfo: string | undefined;
    externalIdentifier: string | undefined;
    amountCents: number;
  }[];
  /** The answer given, repeated for a duplicate if the rules say so. */
  answer: unknown;
}

/** A user of the portal. */
export interface LoginUser {
  userId: number;
  loginId: string;
  password: string;
  customerId: number;
  /** Operations that answer 401 to this user. */
  forbidden: OperationId[];
  details: Record<string, unknown>;
}

export type CipOutcome = 'pass' | 'fail' | 'partialDifferentiator' | 'partialQuestions';

/** A person known to CIP checks, by name. */
export interface CipPerson {
  firstName: string;
  lastName: string;
  outcome: CipOutcome;
}

/** A movement of money, kept for the answers of transfers and for snapshots. */
export interface Transfer {
  identifier: string;
  sourceIdentifier: string;
  targetIdentifier: string;
  amountCents: number;
}

/** The content of a seed. Arrays are in listing order. */
export interface WorldData {
  customers: Customer[];
  cards: Card[];
  portalCustomers: PortalCustomer[];
  programs: Program[];
  users: LoginUser[];
  cipPersons: CipPerson[];
  atms: Record<string, unknown>[];
  shippingMethods: string[];
  shippingFeeTypes: Record<string, unknown>[];
}

/** The state of one sandbox, with its indices. */
export class World {
  readonly data: WorldData;
  readonly orders: Order[] = [];
  readonly transfers: Transfer[] = [];
  cipChecks = 0;
  /** Customers and cards within reach, in listing order. */
  readonly ownCustomers: Customer[];
  readonly ownCards: Card[];
  /** The other tenant's first, so that a listing that shows them does so on its first page. */
  readonly allCustomers: Customer[];
  readonly allCards: Card[];
  readonly customerById: Map<string, Customer>;
  readonly cardById: Map<string, Card>;
  readonly cardByProxy: Map<string, Card>;
  readonly cardsByHolder = new Map<string, Card[]>();
  readonly programById: Map<number, Program>;
  readonly portalCustomerById: Map<number, PortalCustomer>;
  #pending: { dueMs: number; card: Card | undefined; run: () => void }[] = [];

  constructor(data: WorldData) {
    this.data = data;
    this.ownCustomers = data.customers.filter((customer) => customer.tenant === 'own');
    this.ownCards = data.cards.filter((card) => card.tenant === 'own');
    this.allCustomers = [...data.customers.filter((customer) => customer.tenant === 'other'), ...this.ownCustomers];
    this.allCards = [...data.cards.filter((card) => card.tenant === 'other'), ...this.ownCards];
    this.customerById = new Map(data.customers.map((customer) => [customer.identifier, customer]));
    this.cardById = new Map(data.cards.map((card) => [card.identifier, card]));
    this.cardByProxy = new Map(data.cards.map((card) => [card.proxyNumber, card]));
    this.programById = new Map(data.programs.map((program) => [program.rowId, program]));
    this.portalCustomerById = new Map(data.portalCustomers.map((customer) => [customer.customerId, customer]));
    for (const card of data.cards) {
      if (!card.cardholder) continue;
      const held = this.cardsByHolder.get(card.cardholder.identifier);
      if (held) held.push(card);
      else this.cardsByHolder.set(card.cardholder.identifier, [card]);
    }
  }

  /** Whether `customer` is below the named customer, at any depth. */
  isBelow(customer: Customer, ancestorIdentifier: string): boolean {
    let parent = customer.parentIdentifier;
    while (parent !== undefined) {
      if (parent === ancestorIdentifier) return true;
      parent = this.customerById.get(parent)?.parentIdentifier;
    }
    return false;
  }

  /** Schedules an effect; until then `card` is shown as refreshing. */
  defer(dueMs: number, card: Card | undefined, run: () => void): void {
    this.#pending.push({ dueMs, card, run });
  }

  /** Applies the effects that are due, in the order in which they were scheduled. */
  settle(nowMs: number): void {
    if (this.#pending.length === 0) return;
    const due = this.#pending.filter((effect) => effect.dueMs <= nowMs);
    this.#pending = this.#pending.filter((effect) => effect.dueMs > nowMs);
    for (const effect of due) effect.run();
  }

  isRefreshing(card: Card): boolean {
    return this.#pending.some((effect) => effect.card === card);
  }

  /** Everything that a call of risk `safe` must not change. The stored records of cards are not part of it. */
  snapshot(): unknown {
    return structuredClone({
      customers: this.data.customers,
      cards: this.data.cards.map(({ record: _record, ...card }) => card),
      orders: this.orders,
      transfers: this.transfers,
      cipChecks: this.cipChecks,
    });
  }
}
