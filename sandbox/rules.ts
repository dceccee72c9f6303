/**
 * Every rule of the sandbox that a fault breaks or a variant uses otherwise.
 *
 * A fault or a variant is `{ rules: Partial<Rules>, middleware?: AnswerFilter[] }`. What a rule decides is either a
 * number, a word, or a function that is asked per operation. The last argument `byDefault` is what the default rule
 * answers, so that one line changes one case and leaves the rest:
 *
 * ```ts
 * // the 41st character of an address is let through
 * { cipAddressLimit: 41 }
 * // suspend works without a token
 * { enforces: (r) => !(r.operation === 'cards.suspend' && r.kind === 'token' && r.name === 'missing') }
 * // a refused transfer still moves the money
 * { refusedStillTakesEffect: (r) => r.operation === 'cards.transfer' }
 * // city may be left out of an order
 * { requires: (op, name, byDefault) => (op === 'portal.orderCards' && name === 'city' ? false : byDefault) }
 * // a CIP check wants the SSN
 * { requires: (op, name, byDefault) => name === 'ssn' || byDefault }
 * ```
 *
 * A listing with foreign cards, a walk that repeats a customer, money that is lost: see the members of that name below.
 * What an answer looks like (status, headers, members, bytes) is changed by an `AnswerFilter` instead; see
 * `http/exchange.ts`, where the kinds and names of refusals are listed too.
 */
import type { Answer, Refusal, RefusalKind, SandboxRequest } from './exchange.ts';
import type { OperationId } from './operations.ts';
import type { Card, CardState, CipOutcome, Customer, Order, PortalCustomer, Program, World } from './world.ts';

/** One page of a listing: results `from` (included) to `to` (not included); `next` is where the next one starts, or null. */
export interface PageWindow {
  from: number;
  to: number;
  next: number | null;
}

/** What a filter of a listing is asked about. */
export interface FilterQuestion {
  operation: 'users.list' | 'cards.list';
  /** The query parameter. */
  name: string;
  value: string;
  item: Card | Customer;
  /** With its page: `request.query.token` is there from the second on. */
  request: SandboxRequest;
}

/** Everything in which one implementation may differ from another. Each rule is asked when it applies, with what it may depend on. */
export interface Rules {
  // ---- every operation -------------------------------------------------------------------------------------------

  /** Does the operation exist? Otherwise 404 as for any unknown address. Default: all do. */
  offers: (operation: OperationId) => boolean;
  /** An answer given instead of doing anything, before any judgement: 429 or 503 with Retry-After, a gateway's 403. */
  unavailable: (request: SandboxRequest) => Answer | undefined;
  /** What happens in the world before a request is handled: data that others change. Default: nothing. */
  meanwhile: (world: World, request: SandboxRequest) => void;

  /**
   * Is this refusal made at all? `false` lets the call go on as if nothing were wrong: the one knob for most faults.
   * What is wrong in two ways is refused twice: an absent body lacks its required members too, and `Basic TOKEN` is a
   * wrong scheme with a good token, but `Basic other` an invented token besides. With a kind `unknown` let through, an
   * invented card or customer of that identifier is acted on.
   */
  enforces: (refusal: Refusal) => boolean;
  /** A refusal that the documents do not ask for: an implementation that is too strict. Asked after token or session, before the rest. Default: none. */
  alsoRefuses: (request: SandboxRequest, world: World) => { kind: RefusalKind; name: string } | undefined;
  /**
   * Is the query parameter or body member required? Default: as documented (`byDefault`). Members of an order's cards
   * are `orderDetails.NAME`, a whole body is `body`. Of an absent one that is not required, the call goes on without it.
   */
  requires: (operation: OperationId, name: string, byDefault: boolean, request: SandboxRequest) => boolean;
  /** Does a value that was sent count as not sent? Default: null in bodies, "" in queries. */
  countsAsAbsent: (value: unknown, operation: OperationId, name: string, byDefault: boolean) => boolean;
  /** A refused call that has its effect anyway. Default: none. */
  refusedStillTakesEffect: (refusal: Refusal) => boolean;
  /** Does an accepted call have its effect? Default: all do. */
  takesEffect: (operation: OperationId, request: SandboxRequest, card: Card | undefined) => boolean;
  /** Milliseconds after the answer until the effect can be read. Default 0. */
  effectDelayMs: (operation: OperationId) => number;
  /** Does a change by this operation reach the stored card record at once? getStatus and getBalance refresh their member. Default: all do. */
  recordFollows: (operation: OperationId, member: 'status' | 'balance') => boolean;

  /** Status of a refusal. Default: see `http/refusals.ts`. */
  refusalStatus: (refusal: Refusal, byDefault: number) => number;
  /** Body of a refusal; `undefined` for none. Default: v3 an array of one error, portal an object, token endpoint RFC 6749. */
  refusalBody: (refusal: Refusal, byDefault: unknown) => unknown;
  /** Headers of a refusal. Default: WWW-Authenticate with 401. */
  refusalHeaders: (refusal: Refusal, byDefault: Record<string, string>) => Record<string, string>;
  /** Status of success. Default: as documented. */
  successStatus: (operation: OperationId, byDefault: number) => number;
  /** Seconds that the sandbox's clock, and its Date header, is off the machine's. */
  clockSkewSeconds: number;

  // ---- token -----------------------------------------------------------------------------------------------------

  /** How long a token works, in seconds, per operation it is used on; for `token.issue`, the lifetime that the answer gives. Default 3600. */
  tokenLifetimeSeconds: (operation: OperationId) => number;
  /** How often a token may be used. Default: without limit. */
  tokenMaxUses: number;
  /** `opaque`: random text; `jwt`: a signed JSON Web Token. */
  tokenFormat: 'opaque' | 'jwt';
  /** A new token for each request, or the latest one again while more than N seconds of it remain. */
  tokenReuse: 'new' | { sameWhileSecondsRemain: number };
  /** Does a new token end the earlier ones? Default false. */
  issuingEndsEarlierTokens: boolean;
  /** Member expires_in. Default: the seconds that remain, as a number. */
  expiresIn: (remainingSeconds: number) => unknown;
  /** Member expires_on. Default: epoch seconds of the end. */
  expiresOn: (endEpochSeconds: number) => unknown;
  /** Member not_before. Default: epoch seconds of the issue. */
  notBefore: (issueEpochSeconds: number) => unknown;
  /** Member token_type. */
  tokenType: string;
  /** Is this word accepted before the token? Default: bearer in any case of letters. */
  acceptsScheme: (scheme: string, operation: OperationId) => boolean;
  /** Is the token judged after path, parameters and body instead of before? Default false. */
  judgesTokenLast: (operation: OperationId) => boolean;

  // ---- listings of users and cards -------------------------------------------------------------------------------

  /**
   * Results per page for the `max` asked for (`undefined`: none asked), or `undefined` to refuse that max.
   * Default: 50 when none is asked; users 1 to 50, cards 1 to 1000 as asked; anything else is refused.
   */
  pageSize: (
    operation: 'users.list' | 'cards.list',
    asked: number | undefined,
    byDefault: number | undefined,
  ) => number | undefined;
  /** Which results a page shows and where the next page starts. Overlaps, gaps, empty pages and endless walks are made here. */
  pageWindow: (
    page: { from: number; size: number; total: number; number: number },
    byDefault: PageWindow,
  ) => PageWindow;
  /** What continuationToken is on the last page. Default: left out. */
  continuationEnd: 'absent' | 'null' | 'empty';
  /** The continuation token as sent. It needs no decoding: the sandbox remembers it. Default: base64url. */
  continuationToken: (state: { from: number; page: number }, byDefault: string) => string;
  /** Is the continuation token of a request looked at? Default true. */
  honoursContinuation: boolean;
  /** Does cards.list continue as users.list does, with an undocumented continuationToken member? Default false: `token` is ignored. */
  cardsContinue: boolean;
  /** The order of results, before paging. Default: as they are. Return a new array. */
  listingOrder: <T extends Card | Customer>(
    operation: OperationId,
    items: readonly T[],
    request: SandboxRequest,
  ) => readonly T[];
  /** Does the item match the filter? Default: `byDefault`. `true` for one name: the filter is ignored. */
  matchesFilter: (question: FilterQuestion, byDefault: boolean) => boolean;
  /** Does `name` look at the case of letters? Default false. */
  nameMatchesCase: boolean;
  /** Which customers `parentIdentifier` finds. Default: descendants. */
  parentFinds: 'children' | 'descendants';
  /** Does `parentIdentifier` find the parent itself too? Default false. */
  parentFindsItself: boolean;
  /** A filter with a value that names nothing. Default: an empty listing. */
  unknownFilterValue: (operation: 'users.list' | 'cards.list', name: string) => 'empty' | 'refuse' | 'ignore';
  /** Does the listing show the other tenant's customers or cards? cards.listRelated and cardholders too. Default false. */
  listsForeign: (operation: OperationId) => boolean;
  /** Customers or cards, own ones, that a listing leaves out. Default: none. */
  hides: (operation: OperationId, item: Card | Customer) => boolean;

  // ---- cards -----------------------------------------------------------------------------------------------------

  /** Member status of a card. Default: Unused, Active, Deactivated, Suspended, Closed, Lost, Fraud. */
  statusName: (state: CardState) => string;
  /** Answer of the status operation. Default: 0 to 6 in that order. */
  statusNumber: (state: CardState) => unknown;
  /** Cents as they are shown in balance and amount. Default: divided by 100. */
  money: (cents: number) => unknown;
  /** Does the operation accept a card in this state? Default: see `v3/states.ts`. */
  allowsFrom: (operation: OperationId, card: Card, byDefault: boolean) => boolean;
  /** The state after the operation. Default: see `v3/states.ts`. */
  stateAfter: (operation: OperationId, card: Card, byDefault: CardState) => CardState;
  /** May a card with a balance be closed? Default true. */
  closesWithBalance: boolean;
  /** The card that is really found for what the path names. Default: the one meant. For look-ups that find another card. */
  cardFound: (by: 'identifier' | 'proxy' | 'temporary-token', card: Card, world: World) => Card;
  /** Cards related to a card. Default: those of the same cardholder. */
  relatedCards: (card: Card, byDefault: readonly Card[]) => readonly Card[];
  /** `new` temporary token per call, or the `same` for the same card. */
  temporaryToken: 'new' | 'same';
  /** Seconds that a temporary token works. Default 900. */
  temporaryTokenLifetimeSeconds: number;
  /** Does a temporary token find its card once only? Default false. */
  temporaryTokenOnce: boolean;

  // ---- transfers -------------------------------------------------------------------------------------------------

  /** May the card send money? Default: in state active. */
  paysFrom: (card: Card, byDefault: boolean) => boolean;
  /** May the card receive money? Default: in state active. */
  paysTo: (card: Card, byDefault: boolean) => boolean;
  /** Cents taken from the source. `exact` is the amount in cents before rounding. Default: `cents`. */
  transferDebit: (cents: number, exact: number, source: Card) => number;
  /** Cents given to the target. Default: `cents`. */
  transferCredit: (cents: number, exact: number, target: Card) => number;
  /** Rounds an amount with fractions of a cent, once those are let through (`amount`, `fraction`). Default: Math.round. */
  roundCents: (exact: number) => number;
  /** What a transfer from a card to itself does, once that is let through (`self`). Default: no change. */
  selfTransfer: 'no-change' | 'credit-only' | 'debit-only';
  /** Cents moved when amount is absent and let through. Default 100. */
  transferDefaultCents: number;
  /** How a transfer is refused: with a status, or 200 with errorCode, or 200 with a status that says so. Default: status. Token and path refusals are always a status. */
  transferRefusalStyle: (refusal: Refusal) => 'status' | '200-with-error-code' | '200-with-failed-status';
  /** Member status of a transfer. Default: Completed, Failed. */
  transferStatusName: (completed: boolean) => string;

  // ---- portal: sessions ------------------------------------------------------------------------------------------

  /** A new session per login, or the same session id for a user while it is active, or always the same, ended or not. */
  sessionId: 'new' | 'same-while-active' | 'always-same';
  /** Does a login end the user's earlier sessions? Default false. */
  singleSessionPerUser: boolean;
  /** Does logout end all sessions of the user? Default false: that one. */
  logoutEndsAll: boolean;
  /** Seconds until a session ends by itself. Default: never. */
  sessionLifetimeSeconds: number;
  /** Is the session judged after parameters and body instead of before? Default false. */
  judgesSessionLast: (operation: OperationId) => boolean;
  /** Wrong passwords after which a login id is locked. Default: never. A good login resets the count. */
  wrongPasswordsBeforeLock: number;
  /** Seconds that a login id stays locked. Default: for good. */
  lockSeconds: number;
  /** Does a wrong password end the user's sessions? Default false. */
  wrongPasswordEndsSessions: boolean;
  /** Sessions of a user beyond which a login is refused. Default: no limit. */
  mostSessionsPerUser: number;

  // ---- portal: customers and programs ----------------------------------------------------------------------------

  /** Does the answer show the customer? `asked` is the customerId asked for, `undefined` for getCustomerList. */
  showsCustomer: (
    operation: OperationId,
    customer: PortalCustomer,
    asked: number | undefined,
    byDefault: boolean,
  ) => boolean;
  /** Does getCustomerProgramList show the program? Default: auto-created and branded ones only when asked for, the others always. */
  showsProgram: (
    program: Program,
    asked: { customerId: number; showAutoCreated: boolean; showBranded: boolean },
    byDefault: boolean,
  ) => boolean;

  // ---- portal: identity verification -----------------------------------------------------------------------------

  /** Characters of address. Default 40. */
  cipAddressLimit: number;
  /** How long an address is. Default: its characters. */
  cipAddressLength: (address: string) => number;
  /** Digits of an integer at most. Default: zip 5, dobMonth 2, dobDay 2, dobYear 4, ssn 9, ssnLast4 4. */
  cipDigits: (name: string, byDefault: number) => number;
  /** Digits of an integer at least. Default: dobYear 4, the others 1, since integers lose leading zeros. */
  cipLeastDigits: (name: string, byDefault: number) => number;
  /** Outcome for a person. Default: as seeded, `fail` for strangers. */
  cipOutcome: (person: { firstName: string; lastName: string }, byDefault: CipOutcome) => CipOutcome;
  /** Member returnCode. Default 1. */
  cipReturnCode: (outcome: CipOutcome) => unknown;

  // ---- portal: orders --------------------------------------------------------------------------------------------

  /** Does the program take this listed orderProdType? Default: those of its product. */
  takesOrderType: (program: Program, orderProdType: string, byDefault: boolean) => boolean;
  /** Is this orderProdType on the list? Default: as documented, the truncated spelling included and the whole one not. */
  listsOrderType: (orderProdType: string, byDefault: boolean) => boolean;
  /** Is this cardType on the list? Default: Physical, Digital, "", null and absent. */
  listsCardType: (cardType: string, byDefault: boolean) => boolean;
  /** A second order with the externalIdentifier of an earlier one. Default: refuse. */
  duplicateOrders: 'refuse' | 'repeat' | 'accept';
  /** Where an order's externalIdentifier is unique. Default: within its program. */
  duplicateOrderScope: 'program' | 'everywhere';
  /** A per-card externalIdentifier seen before, where the Duplicate Load Checker is on. Default: refuse. */
  duplicateLoads: 'refuse' | 'repeat' | 'accept';
  /** The answer of an accepted order. Default: one card a proxy, several an orderId. */
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

/** The rules of a wholly conformant implementation. */
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
  issuingEndsEarlierTokens: false,
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
  honoursContinuation: true,
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
  temporaryTokenLifetimeSeconds: 900,
  temporaryTokenOnce: false,

  paysFrom: (_card, byDefault) => byDefault,
  paysTo: (_card, byDefault) => byDefault,
  transferDebit: (cents) => cents,
  transferCredit: (cents) => cents,
  roundCents: Math.round,
  selfTransfer: 'no-change',
  transferDefaultCents: 100,
  transferRefusalStyle: () => 'status',
  transferStatusName: (completed) => (completed ? 'Completed' : 'Failed'),

  sessionId: 'new',
  singleSessionPerUser: false,
  logoutEndsAll: false,
  sessionLifetimeSeconds: Number.POSITIVE_INFINITY,
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
