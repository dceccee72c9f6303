/** What the third target knows: customers, cards, clients, users, programs, persons and orders. */

export type Status = 'Active' | 'OnHold' | 'NotActivated' | 'AccountClosed' | 'ReportedLost' | 'FraudHold';

export type Action =
  | 'activate'
  | 'close'
  | 'suspend'
  | 'unsuspend'
  | 'unmarkfraud'
  | 'marklost'
  | 'wallet-provisioned'
  | 'pin'
  | 'reissue';

export type Fields = Record<string, unknown>;

export interface Customer {
  identifier: string;
  name: string;
  parent: Customer | undefined;
  portalId: number;
  ein: string;
  permissions: Fields;
}

export interface Client {
  id: string;
  secret: string;
  root: Customer;
}

export interface Claims {
  client: string;
  from: number;
  until: number;
  serial: string;
}

export interface CardState {
  status: Status;
  cents: number;
  provisioned: number | undefined;
}

export interface Card extends CardState {
  identifier: string;
  customer: Customer;
  program: string;
  order: string;
  external: string;
  proxy: string;
  digital: boolean;
  lastFour: string;
  created: number;
  updated: number;
  family: number;
  holder: Fields;
  /** The stored record: what look-ups and listings show until balance or status is refreshed. */
  stored: { status: Status; cents: number };
  /** Earlier states by the local clock, for replicas that lag. */
  past: (CardState & { at: number })[];
  notes: Fields;
}

export interface User {
  loginID: string;
  password: string;
  userId: number;
  customer: Customer;
  role: string;
  forbidden: string[];
}

export interface Session {
  id: string;
  user: User;
  /** The how manieth login of this user it came from, from 1. */
  number: number;
  opened: number;
  used: number;
  ended: boolean;
}

export interface Program {
  id: number;
  customer: Customer;
  product: 'Payroll' | 'Corporate Reward' | 'Corporate Purchasing';
  name: string;
  digital: boolean;
  load: boolean;
  otherRequired: boolean;
  otherUnique: boolean;
  loadChecker: boolean;
  autoCreated: boolean;
  branded: boolean;
}

export interface Order {
  id: number;
  program: Program;
  type: string;
  body: Fields;
  items: Fields[];
  external: string | undefined;
  instant: boolean;
  digital: boolean;
  load: boolean;
  several: boolean;
  session: Session;
  at: number;
  proxies: string[];
}

export interface Person {
  body: Fields;
  result: 'Pass' | 'Fail' | 'Partial';
  differentiators: boolean;
  number: number;
}

export interface TemporaryToken {
  text: string;
  card: Card;
  until: number;
}

export interface Filters {
  [name: string]: string | undefined;
}

/** One request, read. */
export interface Call {
  operation: string;
  side: 'token' | 'v3' | 'portal' | 'other';
  method: string;
  path: string;
  identifier: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The parsed body; undefined if there is none or it does not parse. */
  body: unknown;
  client: Client | undefined;
  session: Session | undefined;
  user: User | undefined;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is, instead of the body. */
  raw?: string;
  /** The connection is closed without an answer. */
  lost?: boolean;
}

export type Handler = (world: World, call: Call) => Answer | Promise<Answer>;
export type Layer = (call: Call, next: () => Promise<Answer>) => Answer | Promise<Answer>;

/** A request that is refused: status, the field concerned, a sentence and a code. */
export class Refusal extends Error {
  status: number;
  field: string;
  code: string;

  constructor(status: number, field: string, message: string, code = 'rejected') {
    super(message);
    this.status = status;
    this.field = field;
    this.code = code;
  }
}

/** Everything that a freedom or a fault may replace: each decision is a function of its own. */
export interface Rules {
  clientOf(id: string, secret: string): Client | undefined;
  writeToken(claims: Claims): string;
  readToken(text: string): Claims | undefined;
  bearer(header: string | undefined): string | undefined;
  alive(claims: Claims): boolean;
  newClaims(client: Client): Claims;
  tokenAnswer(claims: Claims, text: string): Fields;

  integer(text: string): number | undefined;
  flag(text: string): boolean | undefined;

  customersOf(client: Client): Customer[];
  customerOf(client: Client, identifier: string): Customer | undefined;
  customerMatches(customer: Customer, filters: Filters): boolean;
  customerView(customer: Customer): Fields;
  pageEnd(): Fields;

  reaches(client: Client, customer: Customer): boolean;
  cardOf(client: Client, identifier: string): Card | undefined;
  byProxy(client: Client, proxy: string, program: string, digital: boolean): Card | undefined;
  byToken(client: Client, text: string): Card | undefined;
  cardMatches(card: Card, filters: Filters): boolean;
  cardsOf(client: Client): Card[];
  defaultMax: number;
  related(client: Client, card: Card): Card[];
  cardView(card: Card): Fields;
  listView(card: Card): Fields;
  recordOf(card: Card): CardState;
  balanceOf(card: Card): number;
  statusOf(card: Card): Status;
  refresh(card: Card, what: 'balance' | 'status'): void;
  allowed(card: Card, action: Action): boolean;
  act(card: Card, action: Action): void;
  newTemporaryToken(card: Card): TemporaryToken;

  cents(amount: number): number | undefined;
  transferProblem(source: Card, target: Card | undefined, cents: number, body: Fields): Refusal | undefined;
  move(source: Card, target: Card, cents: number): void | Promise<void>;
  transferView(source: Card, target: Card, cents: number, body: Fields): Fields;

  v3Errors(refusal: Refusal): Answer;
  portalError(refusal: Refusal): Answer;
  tokenError(status: number, error: string): Answer;

  userOf(loginID: string, password: string): User | undefined;
  openSession(user: User): Session;
  sessionOf(id: string): Session | undefined;
  endSession(session: Session): void;
  entitled(call: Call, operation: string): boolean;
  sees(call: Call, customer: Customer): boolean;
  portalCustomer(text: string): Customer | undefined;
  hierarchy(call: Call, customer: Customer): Customer[];
  portalCustomerView(customer: Customer): Fields;
  programsShown(customer: Customer, auto: boolean, branded: boolean): Program[];
  programView(program: Program): Fields;

  cipProblem(body: Fields): string | undefined;
  cipPerson(body: Fields): Person | undefined;
  cipAnswer(person: Person | undefined, body: Fields): Fields;

  orderChecks: ((order: Order) => Refusal | undefined)[];
  orderSwitches(order: Order): Refusal | undefined;
  orderOtherInfo(order: Order): Refusal | undefined;
  duplicateOrder(earlier: Order, order: Order): boolean;
  duplicateOther(earlier: Order, before: Fields, order: Order, item: Fields): boolean;
  duplicateLoad(earlier: Order, before: Fields, order: Order, item: Fields): boolean;
  orderAnswer(order: Order): Fields;
}

export interface World {
  /** Milliseconds by which the test clock was moved. */
  advanced: number;
  now(): number;
  clients: Client[];
  customers: Customer[];
  cards: Card[];
  users: User[];
  sessions: Session[];
  programs: Program[];
  persons: Person[];
  orders: Order[];
  temporaryTokens: TemporaryToken[];
  handlers: Map<string, Handler>;
  outer: { covers: (operation: string) => boolean; layer: Layer }[];
  inner: { covers: (operation: string) => boolean; layer: Layer }[];
  timers: NodeJS.Timeout[];
  fixtures: Fields & { users: Fields; cards: Fields; portal: Fields };
  rules: Rules;
}

/** Changes the state of a card and remembers how it was. */
export function change(world: World, card: Card, state: Partial<CardState>): void {
  card.past.push({ at: Date.now(), status: card.status, cents: card.cents, provisioned: card.provisioned });
  if (card.past.length > 20) card.past.shift();
  Object.assign(card, state);
  card.updated = world.now();
}

/** The state that a card had so many milliseconds ago. */
export function stateBefore(card: Card, lag: number): CardState {
  const since = Date.now() - lag;
  return card.past.find(({ at }) => at > since) ?? card;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isBelow(customer: Customer, ancestor: Customer): boolean {
  for (let at: Customer | undefined = customer; at; at = at.parent) if (at === ancestor) return true;
  return false;
}
