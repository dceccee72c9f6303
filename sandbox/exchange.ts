/** Requests, answers and refusals of the sandbox, and the filters that may change an answer. */
import type { OperationId } from './operations.ts';
import type { Card, Customer, World } from './world.ts';

/** A request as the domain sees it. */
export interface SandboxRequest {
  operation: OperationId;
  method: string;
  /** Path and query as sent. */
  url: string;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** Query parameters, decoded; the first value of a repeated one. */
  query: Record<string, string>;
  /** Header names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The body as sent; zero bytes if there was none. */
  raw: Buffer;
  /** The form of a token request, decoded; `undefined` for everything else. */
  form: Record<string, string> | undefined;
  /** The body as a JSON value; `undefined` if there was none or it is not JSON. */
  body: unknown;
  /** Number of calls of this operation since the last reset, including this one. */
  callNumber: number;
}

/** How the bytes of an answer are sent; for slow, broken and unusual transports. */
export interface Transport {
  /** Delay before the first byte, in milliseconds. */
  delayMs?: number;
  /** Chunk size in bytes; sends without Content-Length. */
  chunkBytes?: number;
  /** Delay between chunks, in milliseconds; only with `chunkBytes`. */
  chunkDelayMs?: number;
  /** Whether to send `Connection: close` and end the connection after the answer. */
  close?: boolean;
  /** Whether to send neither Content-Length nor chunks, so that the end of the connection ends the body. */
  endsByClosing?: boolean;
  /** Number of bytes of the body after which to cut the connection (0: before the status line). */
  cutAfterBytes?: number;
}

/** An answer before it is sent. */
export interface Answer {
  status: number;
  /** Lower-case names. Content-Type (for a body) and Content-Length are added when absent. */
  headers: Record<string, string | string[]>;
  /** A JSON value; `undefined` for no body; a Buffer or `RawText` is sent verbatim. */
  body: unknown;
  transport?: Transport;
}

/** Text that is sent verbatim, not as JSON. */
export class RawText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Reasons for a refusal. `name` is the parameter, member or thing concerned. */
export type RefusalKind =
  /** Bearer token. name: missing, scheme, invented, altered, altered-payload, altered-signature, expired */
  | 'token'
  /** Portal session. name: missing, invented, ended, expired */
  | 'session'
  /** Token or login call. name: client_id, client_secret, loginID, password, locked, sessions */
  | 'credentials'
  /** The user may not use the operation. name: the operation */
  | 'entitlement'
  /** A required query parameter is absent. name: the parameter */
  | 'missing-parameter'
  /** A query parameter is not of its type. name: the parameter */
  | 'parameter-type'
  /** Zero bytes where a body is required. name: body */
  | 'missing-body'
  /** A body that is not JSON, or no object. name: body */
  | 'malformed-body'
  /** A body declared as something other than JSON. */
  | 'media-type'
  /** A required member is absent. name: the member; `orderDetails.phone` for one of an order's cards */
  | 'missing-member'
  /** A member has another JSON type. name: as above */
  | 'member-type'
  /** Outside a documented limit. name: max, address, zip, dobMonth, dobDay, dobYear, ssn, ssnLast4 */
  | 'limit'
  /** A negative number in a CIP check. name: the member */
  | 'negative'
  /**
   * Within the digits, but impossible. name: dobMonth (13), dobDay (32), pageOffset, pageLength, qty, amount, pin,
   * latitude, longitude
   */
  | 'range'
  /** Outside a documented list of values. name: orderProdType, cardType, grant_type, scope */
  | 'list'
  /** A listed value that this program's product does not accept. name: orderProdType */
  | 'product'
  /** A path names nothing that exists. name: identifier, proxy, temporary-token */
  | 'unknown'
  /** A query or body names nothing that exists. name: the parameter, member or filter */
  | 'unknown-reference'
  /** Exists, but out of the credentials' reach. name: identifier, targetCardIdentifier, customerId, custProgId */
  | 'foreign'
  /** Parameters that contradict each other. name: programIdentifier, isDigital, custProgId, totalValue */
  | 'mismatch'
  /** Forbidden by the card's state. name: card, source, target, balance (closing a card with a balance) */
  | 'state'
  /** Not enough balance. name: amount */
  | 'funds'
  /** A transfer from a card to itself. name: targetCardIdentifier */
  | 'self'
  /** An amount that cannot be moved. name: negative, zero, fraction */
  | 'amount'
  /** Seen before. name: externalIdentifier, orderDetails.externalIdentifier, otherInfo-in-order, otherInfo-over-orders, nonce */
  | 'duplicate'
  /** Switched off in the program. name: digital, load */
  | 'program-option'
  /** A continuation token that was never given. name: token */
  | 'continuation'
  /** Nothing at this address, or an operation that is not offered. name: route */
  | 'route';

/** A refusal. Rules and faults tell refusals apart by `kind` and `name`; `message` goes into the answer. */
export interface Refusal {
  operation: OperationId;
  kind: RefusalKind;
  name: string;
  message: string;
  request: SandboxRequest;
  /** The card that the call is about, if known. */
  card?: Card;
}

/** Thrown to end a call with a refusal. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The context that a filter may examine. */
export interface AnswerContext {
  operation: OperationId;
  request: SandboxRequest;
  /** The reason for a refusal; absent on success. */
  refusal?: Refusal;
  /** Number of the page in a listing, from 1. */
  page?: number;
  /** The card, or customer, that the call is about. */
  card?: Card;
  customer?: Customer;
  /** Seconds since the token in use was issued. */
  tokenAgeSeconds?: number;
  /** The whole domain. */
  world: World;
  /** The sandbox's clock, epoch milliseconds. */
  nowMs: number;
}

/**
 * Changes an answer just before it is sent: in place, or by returning another one. Called for every answer of every
 * operation, including refusals (but not for addresses without an operation), in the order of
 * `SandboxOptions.middleware`. Bodies are copies: changing one changes no state.
 */
export type AnswerFilter = (answer: Answer, context: AnswerContext) => Answer | undefined;
