import type { Server, ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';
import type { Json, JsonStyle } from './json.ts';
import type { OperationId } from './operation-ids.ts';
import type { Reason, Refusal } from './reasons.ts';
import { statuses } from './reasons.ts';
import type { AccessToken, Card, CardFacts, CardState, Customer, Program, World } from './world.ts';

/** The answer of an operation; `bytes` replace the serialised body. */
export interface Reply {
  status: number;
  body?: Json;
  headers?: Record<string, string>;
  bytes?: string | Buffer;
}

/** Success. */
export const ok = (body?: Json): Reply => ({ status: 200, body });

/** The card operations that move a card from state to state. */
export type Action = 'activate' | 'suspend' | 'unsuspend' | 'close' | 'markLost' | 'unmarkFraud';

/** A business rule of the target beyond the documents; the request is refused when `broken` returns true. */
export interface Rule {
  operations: readonly OperationId[];
  broken(x: Exchange): boolean;
  status?: number;
  field?: string;
}

/** The fate of a refusal: made, dropped, or answered after the effect has taken place anyway. */
export type Verdict = 'refuse' | 'overlook' | 'refuse-afterwards';

/** Series of identifiers. */
export type IdKind = 'customer' | 'card' | 'program' | 'order' | 'transfer' | 'proxy' | 'temporary' | 'holder';

/** All variable behaviour of the target; freedoms and faults change it. */
export interface Choices {
  seed: number;
  settings: Record<string, string>;
  identifier(kind: IdKind, n: number): string;
  v1Id(kind: 'customer' | 'program' | 'user', n: number): number;
  accessToken(n: number): string;
  sessionId(n: number): string;
  continuation(text: string, x: Exchange): string;
  resumed(filters: URLSearchParams, x: Exchange): URLSearchParams;
  tokenLifetime(n: number, world: World): number;
  bearer(header: string | undefined, x: Exchange): string | undefined;
  isToken(presented: string, token: AccessToken, x: Exchange): boolean;
  isSession(presented: string, id: string, x: Exchange): boolean;
  isSecret(presented: string, secret: string, x: Exchange): boolean;
  isSame(one: string, other: string, x: Exchange): boolean;
  guardFirst: boolean;
  cardStatus: Record<CardState, string>;
  cardStatusNumber: Record<CardState, number>;
  dateTime(ms: number): string;
  date(ms: number): string;
  money(cents: number): number;
  error(refusal: Refusal, x: Exchange): Json;
  portalError(refusal: Refusal, x: Exchange): Json;
  statuses: Record<Reason, number>;
  statusFor(refusal: Refusal, x: Exchange): number | undefined;
  customersMost: number;
  cardsMost: number;
  largeMax: 'cap' | 'refuse';
  pageLength(asked: number, x: Exchange): number;
  customerOrder(one: Customer, other: Customer): number;
  cardOrder(one: Card, other: Card): number;
  nameContains(name: string, value: string, x: Exchange): boolean;
  within(parent: Customer): Customer[];
  ownerMatches(card: Card, identifier: string): boolean;
  isListed(card: Card): boolean;
  lastContinuation: Json;
  continuationMember: string | undefined;
  transitions: Record<Action, Partial<Record<CardState, CardState>>>;
  spends: readonly CardState[];
  receives: readonly CardState[];
  recordsLag: boolean;
  seen(card: Card, x: Exchange): CardFacts;
  debit(card: Card, cents: number, x: Exchange): void;
  transfers: { least: number; most: number; step: number; body: Record<string, Json> };
  pin(pin: string): boolean;
  nonceReusable: boolean;
  relatedTo(card: Card, other: Card): boolean;
  userCustomers(home: Customer): Customer[];
  hierarchy(customer: Customer): Customer[];
  programShown(program: Program, auto: boolean, branded: boolean): boolean;
  cipNeedsSession: boolean;
  cipCodes: Record<'Pass' | 'Fail' | 'Partial', 1 | -1>;
  atm: { most: number; offset: 'items' | 'pages'; first: 0 | 1; count: number };
  orderReply(facts: { proxy?: string; orderId?: number }): Json;
  wholeOrders: boolean;
  rules: Rule[];
  verdicts: ((refusal: Refusal, x: Exchange) => Verdict | undefined)[];
  before: ((x: Exchange) => Reply | undefined | Promise<Reply | undefined>)[];
  after: ((reply: Reply, x: Exchange) => void | Promise<void>)[];
  /** Hooks for the server before it listens, and for a response before its headers are sent. */
  served: ((server: Server) => void)[];
  sent: ((response: ServerResponse) => void)[];
  /** Hooks for answers after all other changes. */
  last: ((reply: Reply, x: Exchange) => void)[];
  /** Hooks between the validation of a request and its effect. */
  between: ((x: Exchange) => void | Promise<void>)[];
  fixtures: ((fixtures: Record<string, Record<string, unknown>>, world: World) => void)[];
  created: ((world: World) => void)[];
  json: JsonStyle;
  contentType: string;
  headers: Record<string, string>;
  chunk: number;
}

const familyBelow = (customer: Customer): Customer[] => customer.children.flatMap((c) => [c, ...familyBelow(c)]);

/** The default behaviour: sound, and as unlike other targets as the documents allow. */
export function defaultChoices(seed: number): Choices {
  const closed = 'closed';
  const ofAnswers = { rules: [], verdicts: [], before: [], between: [], after: [], last: [] };
  const ofTarget = { served: [], sent: [], fixtures: [], created: [] };
  const scramble = (n: number) => ((n + 11) * 611_953 + seed * 104_729) % 1_048_573;
  return {
    seed,
    settings: {},
    identifier(kind, n) {
      if (kind === 'proxy') return String(4400000000 + scramble(n) * 3);
      return `${kind.slice(0, 2)}.${scramble(n).toString(36).toUpperCase()}~${n}`;
    },
    v1Id: (kind, n) => ({ customer: 6_000_000_000, program: 3_000_000_000, user: 910 })[kind] + n * 17,
    accessToken: (n) => `${scramble(n).toString(36)}~${(scramble(n * 31) * 4093).toString(36)}/AT.${n}-_+Qz==`,
    sessionId: (n) => `${(scramble(n * 13) * 8191).toString(36)}+/s&${n}=`,
    continuation: (text) => `${Buffer.from(text).toString('base64')}?&`,
    resumed: (filters) => filters,
    tokenLifetime: () => 3600,
    bearer: (header) => /^Bearer +(\S+)$/i.exec(header ?? '')?.[1],
    isToken: (presented, token) => presented === token.value,
    isSession: (presented, id) => presented === id,
    isSecret: (presented, secret) => presented === secret,
    isSame: (one, other) => one === other,
    guardFirst: true,
    cardStatus: {
      unused: 'NotYetActivated',
      active: 'Active',
      suspended: 'Temporarily Blocked',
      deactivated: 'Switched off',
      fraud: 'Fraud Reported',
      lost: 'Lost or Stolen',
      closed: 'Account Closed',
    },
    cardStatusNumber: { unused: 90, active: 11, suspended: 12.5, deactivated: 13, fraud: -4, lost: 70, closed: 0 },
    dateTime: (ms) => new Date(ms + 19_800_000).toISOString().replace('Z', '+05:30'),
    date: (ms) => new Date(ms).toISOString().slice(0, 10),
    money: (cents) => cents / 100,
    error: ({ reason, field }) => [
      { errorMessage: `refused: ${reason}`, fieldName: field, errorCode: 'E~1', weight: 3 },
    ],
    portalError: ({ reason, field }, x) => ({ [`why-${x.operation.length}`]: [reason, field ?? null] }),
    statuses: { ...statuses },
    statusFor: () => undefined,
    customersMost: 50,
    cardsMost: 70,
    largeMax: 'cap',
    pageLength: (asked) => asked,
    customerOrder: (one, other) => scramble(one.n) - scramble(other.n),
    cardOrder: (one, other) => scramble(other.n) - scramble(one.n),
    nameContains: (name, value) => name.includes(value),
    within: familyBelow,
    ownerMatches: (card, identifier) => card.owner.identifier === identifier,
    isListed: () => true,
    lastContinuation: undefined,
    continuationMember: 'continuationToken',
    transitions: {
      activate: { unused: 'active', deactivated: 'active' },
      suspend: { active: 'suspended', suspended: 'suspended' },
      unsuspend: { suspended: 'active' },
      close: { unused: closed, active: closed, suspended: closed, deactivated: closed, fraud: closed, lost: closed },
      markLost: { unused: 'lost', active: 'lost', suspended: 'lost', lost: 'lost' },
      unmarkFraud: { fraud: 'active' },
    },
    spends: ['active'],
    receives: ['active'],
    recordsLag: true,
    seen: (card) => card.facts,
    debit: (card, cents, x) => x.world.pay(card, -cents),
    transfers: { least: 0.01, most: Number.POSITIVE_INFINITY, step: 0.01, body: {} },
    pin: (pin) => /^\d{4,6}$/.test(pin),
    nonceReusable: false,
    relatedTo: (card, other) => card.kin === other.kin,
    userCustomers: (home) => [home, ...familyBelow(home)],
    hierarchy: (customer) => [...familyBelow(customer), customer, ...(customer.parent ? [customer.parent] : [])],
    programShown: (program, auto, branded) => program.autoCreated === auto && program.branded === branded,
    cipNeedsSession: true,
    cipCodes: { Pass: -1, Fail: 1, Partial: -1 },
    atm: { most: 25, offset: 'items', first: 0, count: 57 },
    orderReply: ({ proxy, orderId }) => (proxy ? { instant: { proxy } } : { orderId }),
    wholeOrders: false,
    ...ofAnswers,
    ...ofTarget,
    json: {
      indent: '\t',
      newline: '\r\n',
      colon: ' : ',
      number: String,
      string: (value) => JSON.stringify(value).replace(/\//g, '\\/'),
      order: (names) => names.sort().reverse(),
    },
    contentType: 'application/json;charset="utf-8"',
    headers: {},
    chunk: 500,
  };
}
