import type { JsonObject } from './json.ts';

/** The states that a card of this target can be in. */
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

/** A customer program, with what orders against it have used up. */
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

/** What changes about a card; the record is what was stored when it was last refreshed. */
export interface CardFacts {
  state: CardState;
  cents: number;
  recordedState: CardState;
  recordedCents: number;
  provisioned?: number;
  updated: number;
}

/** A card. Its facts are kept with their times, so that a replica can be behind. */
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

/** A person that identity verification knows. */
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

/** An access token, with its times in milliseconds of the target's clock. */
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

/** All state of one target. */
export class World {
  readonly customers: Customer[] = [];
  readonly programs: Program[] = [];
  readonly cards: Card[] = [];
  readonly people: Person[] = [];
  readonly users: User[] = [];
  readonly tokens: AccessToken[] = [];
  readonly codes: string[] = [];
  readonly sessions: Session[] = [];
  /** The customer of the credentials: it and all below it can be reached. */
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

  /** Changes a card, remembering the facts as they are from now on. */
  alter(card: Card, change: (facts: CardFacts) => void): void {
    change(card.facts);
    card.history.push({ at: Date.now(), facts: { ...card.facts } });
    if (card.history.length > 32) card.history.shift();
  }

  /** Adds cents to a card, or takes them if there are fewer than none. */
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
