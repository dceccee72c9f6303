/**
 * All rules of the sandbox that a fault breaks or a variant changes.
 *
 * A fault or variant is `{ rules: Partial<Rules>, middleware?: AnswerFilter[] }`. A rule is a number, a word, or a
 * function that is asked per operation. Its last argument `byDefault` is the default rule's answer, so that one line
 * changes one case and leaves the rest:
 *
 * ```ts
 * // the 41st character of an address is let through
 * { cipAddressLimit: 41 }
 * // suspend works without a token
 * { enforces: (r) => !(r.operation === 'cards.suspend' && r.kind === 'token' && r.name === 'missing') }
 * // a refused transfer still moves the money
 * { refusedStillTakesEffect: (r) => r.operation === 'cards.transfer' }
 * // city may be omitted from an order
 * { requires: (op, name, byDefault) => (op === 'portal.orderCards' && name === 'city' ? false : byDefault) }
 * // a CIP check requires the SSN
 * { requires: (op, name, byDefault) => name === 'ssn' || byDefault }
 * ```
 *
 * For listings with foreign cards, walks that repeat a customer or money that is lost, see the members below. The form
 * of an answer (status, headers, members, bytes) is changed by an `AnswerFilter` instead; see `exchange.ts`, which also
 * lists the kinds and names of refusals.
 */
import type { Answer, Refusal, RefusalKind, SandboxRequest } from './exchange.ts';
import type { OperationId } from './operations.ts';
import type { Card, CardState, CipOutcome, Customer, Order, PortalCustomer, Program, World } from './world.ts';

/**
 * One page of a listing: results `from` (inclusive) to `to` (exclusive); `next` is the start of the next page, or null.
 */
export interface PageWindow {
  from: number;
  to: number;
  next: number | null;
}

/** The context of a listing filter. */
export interface FilterQuestion {
  operation: 'users.list' | 'cards.list';
  /** The query parameter. */
  name: string;
  value: string;
  item: Card | Customer;
  /** The request with its page: `request.query.token` is present from the second page on. */
  request: SandboxRequest;
}

/** All respects in which implementations may differ. Each rule is asked when it applies, with what it may depend on. */
export interface Rules {
  // ---- every operation -------------------------------------------------------------------------------------------

  /** Whether the operation exists; otherwise it answers 404 like any unknown address. Default: all do. */
  offers: (operation: OperationId) => boolean;
  /** An answer given instead of any processing: 429 or 503 with Retry-After, a gateway's 403. */
  unavailable: (request: SandboxRequest) => Answer | undefined;
  /** Changes the world before a request is handled, like other users of the data. Default: nothing. */
  meanwhile: (world: World, request: SandboxRequest) => void;

  /**
   * Whether this refusal is made. `false` lets the call go on as if nothing were wrong; most faults use this. A request
   * that is wrong in two ways is refused twice: an absent body also lacks its required members, and `Basic TOKEN` is a
   * wrong scheme with a good token, but `Basic other` also an invented token. If a refusal of kind `unknown` is let
   * through, the call acts on an invented card or customer with that identifier.
   */
  enforces: (refusal: Refusal) => boolean;
  /**
   * A refusal that the documents do not require, as from an implementation that is too strict. Asked after token or
   * session, before the rest. Default: none.
   */
  alsoRefuses: (request: SandboxRequest, world: World) => { kind: RefusalKind; name: string } | undefined;
  /**
   * Whether the query parameter or body member is required. Default: as documented (`byDefault`). Members of an order's
   * cards are `orderDetails.NAME`, a whole body is `body`. Without an optional one, the call goes on.
   */
  requires: (operation: OperationId, name: string, byDefault: boolean, request: SandboxRequest) => boolean;
  /** Whether a sent value counts as absent. Default: null in bodies, "" in queries. */
  countsAsAbsent: (value: unknown, operation: OperationId, name: string, byDefault: boolean) => boolean;
  /** Whether a refused call takes effect anyway. Default: none does. */
  refusedStillTakesEffect: (refusal: Refusal) => boolean;
  /** Whether an accepted call takes effect. Default: all do. */
  takesEffect: (operation: OperationId, request: SandboxRequest, card: Card | undefined) => boolean;
  /** Delay in milliseconds from the answer until the effect can be read. Default 0. */
  effectDelayMs: (operation: OperationId) => number;
  /**
   * Whether a change by this operation reaches the stored card record immediately; getStatus and getBalance refresh
   * their member. Default: all do.
   */
  recordFollows: (operation: OperationId, member: 'status' | 'balance') => boolean;

  /** Status of a refusal. Default: see `http/refusals.ts`. */
  refusalStatus: (refusal: Refusal, byDefault: number) => number;
  /** Body of a refusal; `undefined` for none. Default: v3 an array of one error, portal an object, token endpoint RFC 6749. */
  refusalBody: (refusal: Refusal, byDefault: unknown) => unknown;
  /** Headers of a refusal. Default: WWW-Authenticate with 401. */
  refusalHeaders: (refusal: Refusal, byDefault: Record<string, string>) => Record<string, string>;
  /** Status of success. Default: as documented. */
  successStatus: (operation: OperationId, byDefault: number) => number;
  /** Offset in seconds of the sandbox's clock, and its Date header, from the machine's. */
  clockSkewSeconds: number;

  // ---- token -----------------------------------------------------------------------------------------------------

  /**
   * Lifetime of a token in seconds, per operation it is used on; for `token.issue`, the lifetime in the answer. Default
   * 3600.
   */
  tokenLifetimeSeconds: (operation: OperationId) => number;
  /** How often a token may be used. Default: unlimited. */
  tokenMaxUses: number;
  /** `opaque`: random text; `jwt`: a signed JSON Web Token. */
  tokenFormat: 'opaque' | 'jwt';
  /** A new token for each request, or the latest one again while more than N seconds of it remain. */
  tokenReuse: 'new' | { sameWhileSecondsRemain: number };
  /** Member expires_in. Default: the remaining seconds, as a number. */
  expiresIn: (remainingSeconds: number) => unknown;
  /** Member expires_on. Default: epoch seconds of the end. */
  expiresOn: (endEpochSeconds: number) => unknown;
  /** Member not_before. Default: epoch seconds of the issue. */
  notBefore: (issueEpochSeconds: number) => unknown;
  /** Member token_type. */
  tokenType: string;
  /** Whether this word is accepted before the token. Default: bearer in any case. */
  acceptsScheme: (scheme: string, operation: OperationId) => boolean;
  /** Whether the token is validated after path, parameters and body instead of before. Default false. */
  judgesTokenLast: (operation: OperationId) => boolean;

  // ---- listings of users and cards -------------------------------------------------------------------------------

  /**
   * Results per page for the requested `max` (`undefined`: none requested), or `undefined` to refuse that max. Default:
   * 50 without a max; users 1 to 50, cards 1 to 1000 as requested; anything else is refused.
   */
  pageSize: (
    operation: 'users.list' | 'cards.list',
    asked: number | undefined,
    byDefault: number | undefined,
  ) => number | undefined;
  /** The results of a page, and the start of the next. Overlaps, gaps, empty pages and endless walks are made here. */
  pageWindow: (
    page: { from: number; size: number; total: number; number: number },
    byDefault: PageWindow,
  ) => PageWindow;
  /** The value of continuationToken on the last page. Default: absent. */
  continuationEnd: 'absent' | 'null' | 'empty';
  /** The continuation token as sent. It needs no decoding: the sandbox remembers it. Default: base64url. */
  continuationToken: (state: { from: number; page: number }, byDefault: string) => string;
  /**
   * Whether cards.list continues as users.list does, with an undocumented continuationToken member. Default false:
   * `token` is ignored.
   */
  cardsContinue: boolean;
  /** The order of results before paging. Default: unchanged. Must return a new array. */
  listingOrder: <T extends Card | Customer>(
    operation: OperationId,
    items: readonly T[],
    request: SandboxRequest,
  ) => readonly T[];
  /** Whether the item matches the filter. Default: `byDefault`. Always `true` ignores the filter. */
  matchesFilter: (question: FilterQuestion, byDefault: boolean) => boolean;
  /** Whether `name` is case-sensitive. Default false. */
  nameMatchesCase: boolean;
  /** The customers that `parentIdentifier` finds. Default: descendants. */
  parentFinds: 'children' | 'descendants';
  /** Whether `parentIdentifier` also finds the parent itself. Default false. */
  parentFindsItself: boolean;
  /** The reaction to a filter value that names nothing. Default: an empty listing. */
  unknownFilterValue: (operation: 'users.list' | 'cards.list', name: string) => 'empty' | 'refuse' | 'ignore';
  /**
   * Whether the listing shows the other tenant's customers or cards; applies to cards.listRelated and cardholders too.
   * Default false.
   */
  listsForeign: (operation: OperationId) => boolean;
  /** The credentials' own customers or cards that a listing omits. Default: none. */
  hides: (operation: OperationId, item: Card | Customer) => boolean;

  // ---- cards -----------------------------------------------------------------------------------------------------

  /** Member status of a card. Default: Unused, Active, Deactivated, Suspended, Closed, Lost, Fraud. */
  statusName: (state: CardState) => string;
  /** Answer of the status operation. Default: 0 to 6 in that order. */
  statusNumber: (state: CardState) => unknown;
  /** How cents are shown in balance and amount. Default: divided by 100. */
  money: (cents: number) => unknown;
  /** Whether the operation accepts a card in this state. Default: see `v3/states.ts`. */
  allowsFrom: (operation: OperationId, card: Card, byDefault: boolean) => boolean;
  /** The state after the operation. Default: see `v3/states.ts`. */
  stateAfter: (operation: OperationId, card: Card, byDefault: CardState) => CardState;
  /** Whether a card with a balance may be closed. Default true. */
  closesWithBalance: boolean;
  /** The card found for the path's value. Default: the right one. For look-ups that find another card. */
  cardFound: (by: 'identifier' | 'proxy' | 'temporary-token', card: Card, world: World) => Card;
  /** Cards related to a card. Default: those of the same cardholder. */
  relatedCards: (card: Card, byDefault: readonly Card[]) => readonly Card[];
  /** `new` temporary token per call, or the `same` for the same card. */
  temporaryToken: 'new' | 'same';
  /** Whether a temporary token finds its card only once. Default false. */
  temporaryTokenOnce: boolean;

  // ---- transfers -------------------------------------------------------------------------------------------------

  /** Whether the card may send money. Default: in state active. */
  paysFrom: (card: Card, byDefault: boolean) => boolean;
  /** Whether the card may receive money. Default: in state active. */
  paysTo: (card: Card, byDefault: boolean) => boolean;
  /** Cents taken from the source. `exact` is the amount in cents before rounding. Default: `cents`. */
  transferDebit: (cents: number, exact: number, source: Card) => number;
  /** Cents given to the target. Default: `cents`. */
  transferCredit: (cents: number, exact: number, target: Card) => number;
  /** The effect of a transfer from a card to itself, if that is let through (`self`). Default: none. */
  selfTransfer: 'no-change' | 'credit-only' | 'debit-only';
  /**
   * How a transfer is refused: with a status, with 200 and an errorCode, or with 200 and a status member. Default: with
   * a status. Token and path refusals always use a status.
   */
  transferRefusalStyle: (refusal: Refusal) => 'status' | '200-with-error-code' | '200-with-failed-status';
  /** Member status of a transfer. Default: Completed, Failed. */
  transferStatusName: (completed: boolean) => string;

  // ---- portal: sessions ------------------------------------------------------------------------------------------

  /** A new session per login, or the same session id for a user while it is active, or always the same, ended or not. */
  sessionId: 'new' | 'same-while-active' | 'always-same';
  /** Whether a login ends the user's earlier sessions. Default false. */
  singleSessionPerUser: boolean;
  /** Whether logout ends all sessions of the user. Default false: only that one. */
  logoutEndsAll: boolean;
  /** Whether the session is validated after parameters and body instead of before. Default false. */
  judgesSessionLast: (operation: OperationId) => boolean;
  /**
   * Number of wrong passwords after which a login id is locked. Default: never. A successful login resets the count.
   */
  wrongPasswordsBeforeLock: number;
  /** Seconds for which a login id stays locked. Default: forever. */
  lockSeconds: number;
  /** Whether a wrong password ends the user's sessions. Default false. */
  wrongPasswordEndsSessions: boolean;
  /** Number of sessions of a user beyond which a login is refused. Default: unlimited. */
  mostSessionsPerUser: number;

  // ---- portal: customers and programs ----------------------------------------------------------------------------

  /** Whether the answer shows the customer. `asked` is the requested customerId, `undefined` for getCustomerList. */
  showsCustomer: (
    operation: OperationId,
    customer: PortalCustomer,
    asked: number | undefined,
    byDefault: boolean,
  ) => boolean;
  /**
   * Whether getCustomerProgramList shows the program. Default: auto-created and branded ones only on request, the
   * others always.
   */
  showsProgram: (
    program: Program,
    asked: { customerId: number; showAutoCreated: boolean; showBranded: boolean },
    byDefault: boolean,
  ) => boolean;

  // ---- portal: identity verification -----------------------------------------------------------------------------

  /** Maximum number of characters of an address. Default 40. */
  cipAddressLimit: number;
  /** The length of an address. Default: its number of characters. */
  cipAddressLength: (address: string) => number;
  /** Maximum number of digits of an integer. Default: zip 5, dobMonth 2, dobDay 2, dobYear 4, ssn 9, ssnLast4 4. */
  cipDigits: (name: string, byDefault: number) => number;
  /** Minimum number of digits of an integer. Default: dobYear 4, the others 1, since integers lose leading zeros. */
  cipLeastDigits: (name: string, byDefault: number) => number;
  /** Outcome for a person. Default: as seeded, `fail` for strangers. */
  cipOutcome: (person: { firstName: string; lastName: string }, byDefault: CipOutcome) => CipOutcome;
  /** Member returnCode. Default 1. */
  cipReturnCode: (outcome: CipOutcome) => unknown;

  // ---- portal: orders --------------------------------------------------------------------------------------------

  /** Whether the program accepts this listed orderProdType. Default: those of its product. */
  takesOrderType: (program: Program, orderProdType: string, byDefault: boolean) => boolean;
  /**
   * Whether this orderProdType is listed. Default: as documented, including the truncated spelling but not the full
   * one.
   */
  listsOrderType: (orderProdType: string, byDefault: boolean) => boolean;
  /** Whether this cardType is listed. Default: Physical, Digital, "", null and absent. */
  listsCardType: (cardType: string, byDefault: boolean) => boolean;
  /** The reaction to an order with the externalIdentifier of an earlier one. Default: refuse. */
  duplicateOrders: 'refuse' | 'repeat' | 'accept';
  /** The scope in which an order's externalIdentifier is unique. Default: its program. */
  duplicateOrderScope: 'program' | 'everywhere';
  /** The reaction to a repeated externalIdentifier of a card, if the Duplicate Load Checker is on. Default: refuse. */
  duplicateLoads: 'refuse' | 'repeat' | 'accept';
  /** The answer to an accepted order. Default: a proxy for one card, an orderId for several. */
  orderAnswer: (order: Order, byDefault: unknown) => unknown;
}

const names: Record<CardState, string> = {
  unused: 'Unused',
  active: 'Active',
  deactivated: 'Deactivated',
  suspended: 'Suspended',
  closed: 'Closed',
  lost: 'Lost',
  fraud: 'Fraud',
};

const numbers: Record<CardState, number> = {
  unused: 0,
  active: 1,
  deactivated: 2,
  suspended: 3,
  closed: 4,
  lost: 5,
  fraud: 6,
};

/** The rules of a fully conformant implementation. */
export const defaultRules: Rules = {
  offers: () => true,
  unavailable: () => undefined,
  meanwhile: () => {},
  enforces: () => true,
  alsoRefuses: () => undefined,
  requires: (_operation, _name, byDefault) => byDefault,
  countsAsAbsent: (_value, _operation, _name, byDefault) => byDefault,
  refusedStillTakesEffect: () => false,
  takesEffect: () => true,
  effectDelayMs: () => 0,
  recordFollows: () => true,
  refusalStatus: (_refusal, byDefault) => byDefault,
  refusalBody: (_refusal, byDefault) => byDefault,
  refusalHeaders: (_refusal, byDefault) => byDefault,
  successStatus: (_operation, byDefault) => byDefault,
  clockSkewSeconds: 0,

  tokenLifetimeSeconds: () => 3600,
  tokenMaxUses: Number.POSITIVE_INFINITY,
  tokenFormat: 'opaque',
  tokenReuse: 'new',
  expiresIn: (seconds) => seconds,
  expiresOn: (seconds) => seconds,
  notBefore: (seconds) => seconds,
  tokenType: 'Bearer',
  acceptsScheme: (scheme) => scheme.toLowerCase() === 'bearer',
  judgesTokenLast: () => false,

  pageSize: (_operation, _asked, byDefault) => byDefault,
  pageWindow: (_page, byDefault) => byDefault,
  continuationEnd: 'absent',
  continuationToken: (_state, byDefault) => byDefault,
  cardsContinue: false,
  listingOrder: (_operation, items) => items,
  matchesFilter: (_question, byDefault) => byDefault,
  nameMatchesCase: false,
  parentFinds: 'descendants',
  parentFindsItself: false,
  unknownFilterValue: () => 'empty',
  listsForeign: () => false,
  hides: () => false,

  statusName: (state) => names[state],
  statusNumber: (state) => numbers[state],
  money: (cents) => cents / 100,
  allowsFrom: (_operation, _card, byDefault) => byDefault,
  stateAfter: (_operation, _card, byDefault) => byDefault,
  closesWithBalance: true,
  cardFound: (_by, card) => card,
  relatedCards: (_card, byDefault) => byDefault,
  temporaryToken: 'new',
  temporaryTokenOnce: false,

  paysFrom: (_card, byDefault) => byDefault,
  paysTo: (_card, byDefault) => byDefault,
  transferDebit: (cents) => cents,
  transferCredit: (cents) => cents,
  selfTransfer: 'no-change',
  transferRefusalStyle: () => 'status',
  transferStatusName: (completed) => (completed ? 'Completed' : 'Failed'),

  sessionId: 'new',
  singleSessionPerUser: false,
  logoutEndsAll: false,
  judgesSessionLast: () => false,
  wrongPasswordsBeforeLock: Number.POSITIVE_INFINITY,
  lockSeconds: Number.POSITIVE_INFINITY,
  wrongPasswordEndsSessions: false,
  mostSessionsPerUser: Number.POSITIVE_INFINITY,

  showsCustomer: (_operation, _customer, _asked, byDefault) => byDefault,
  showsProgram: (_program, _asked, byDefault) => byDefault,

  cipAddressLimit: 40,
  cipAddressLength: (address) => [...address].length,
  cipDigits: (_name, byDefault) => byDefault,
  cipLeastDigits: (_name, byDefault) => byDefault,
  cipOutcome: (_person, byDefault) => byDefault,
  cipReturnCode: () => 1,

  takesOrderType: (_program, _type, byDefault) => byDefault,
  listsOrderType: (_type, byDefault) => byDefault,
  listsCardType: (_type, byDefault) => byDefault,
  duplicateOrders: 'refuse',
  duplicateOrderScope: 'program',
  duplicateLoads: 'refuse',
  orderAnswer: (_order, byDefault) => byDefault,
};
