import type { JsonObject } from './json.ts';

/** States of a card. */
export type CardState = 'unused' | 'active' | 'suspended' | 'deactivated' | 'fraud' | 'lost' | 'closed';

/** A customer of either interface. */
export interface Customer {
  n: number;
  identifier: string;
  v1Id: number;
  name: string;
  parent?: Customer;
  children: Customer[];
  ours: boolean;
  permissions: { canSearchLoads: boolean; canSearchSpends: boolean };
}

/** A customer program, with the unique values that its orders have used. */
export interface Program {
  n: number;
  rowId: number;
  identifier: string;
  name: string;
  customer: Customer;
  family: 'payroll' | 'reward' | 'purchasing';
  autoCreated: boolean;
  branded: boolean;
  digital: boolean;
  load: boolean;
  otherInfoRequired: boolean;
  otherInfoUnique: boolean;
  duplicateLoadChecker: boolean;
  orderIdentifiers: string[];
  loadIdentifiers: string[];
  otherInfos: string[];
}

/** The changing state of a card; the recorded values were stored when the record was last refreshed. */
export interface CardFacts {
  state: CardState;
  cents: number;
  recordedState: CardState;
  recordedCents: number;
  provisioned?: number;
  updated: number;
}

/** A card, with a history of its facts, so that a replica can lag behind. */
export interface Card {
  n: number;
  identifier: string;
  externalIdentifier: string;
  owner: Customer;
  program: Program;
  order: string;
  proxy: string;
  digital: boolean;
  holder: Holder;
  lastFour: string;
  created: number;
  expires: number;
  kin: number;
  facts: CardFacts;
  history: { at: number; facts: CardFacts }[];
  temporaryTokens: string[];
  nonces: string[];
  pin?: string;
}

/** The person that holds a card. */
export interface Holder {
  identifier: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  dateOfBirth: string;
  ssnLastFour: string;
}

/** A person known to identity verification. */
export interface Person {
  body: JsonObject;
  outcome: 'Pass' | 'Fail' | 'differentiator' | 'questions';
}

/** A user of the portal. */
export interface User {
  userId: number;
  loginId: string;
  password: string;
  firstName: string;
  lastName: string;
  customer: Customer;
  forbidden: string[];
}

/** An access token; times in milliseconds of the target's clock. */
export interface AccessToken {
  value: string;
  issued: number;
  expires: number;
}

/** A session of the portal. */
export interface Session {
  id: string;
  user: User;
  since: number;
  used: number;
  ended: boolean;
}

/** The whole state of a target. */
export class World {
  readonly customers: Customer[] = [];
  readonly programs: Program[] = [];
  readonly cards: Card[] = [];
  readonly people: Person[] = [];
  readonly users: User[] = [];
  readonly tokens: AccessToken[] = [];
  readonly codes: string[] = [];
  readonly sessions: Session[] = [];
  /** The customer of the credentials, who reaches it and all customers below it. */
  home!: Customer;
  client = { id: 'second client/7', secret: 'S3cr+t&=%2F~Ü' };
  tenant = 'Tenant.77';
  scope = 'urn:second:cards/.default';
  private ahead = 0;
  private counters = new Map<string, number>();

  /** The time of the target's clock, in milliseconds. */
  now(): number {
    return Date.now() + this.ahead;
  }

  /** Moves the clock forward. */
  advance(seconds: number): void {
    this.ahead += seconds * 1000;
  }

  /** The next number of a series. */
  next(series: string): number {
    const n = (this.counters.get(series) ?? 0) + 1;
    this.counters.set(series, n);
    return n;
  }

  /** Changes a card, and adds its new facts to the history. */
  alter(card: Card, change: (facts: CardFacts) => void): void {
    change(card.facts);
    card.history.push({ at: Date.now(), facts: { ...card.facts } });
    if (card.history.length > 32) card.history.shift();
  }

  /** Adds cents to the balance of a card; a negative number is subtracted. */
  pay(card: Card, cents: number): void {
    this.alter(card, (facts) => {
      facts.cents += cents;
    });
  }
}

/** A customer and all below it, nearest first. */
export function familyOf(customer: Customer): Customer[] {
  const family = [customer];
  for (const member of family) family.push(...member.children);
  return family;
}
