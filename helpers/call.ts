/** Options of a request: what it is meant to be, and with which credentials. */
import type { Answer, Intent, Wrong } from './answer.ts';
import type { LeasedCard } from './cards/pools.ts';

/** The credentials of one request: the run's, or others on purpose; undefined sends none. */
export type Authorisation = 'run' | { authorization: string | undefined } | { sessionId: string | undefined };

/** Options of a check's request. */
export interface RequestOptions {
  /** The intent of the request; 'valid' by default. */
  intent?: Intent;
  wrong?: Wrong;
  authorisation?: Authorisation;
  /** Deliberately sent alongside others that cost something, or are about the same card. */
  atOnce?: boolean;
  /** Of a transfer: it tries again what is suspected, so it may use what is kept of RUN_MAX_LOSS for that. */
  isRetrial?: boolean;
  /** Sent while no other request of the budget is under way, though nothing is made from it. */
  alone?: boolean;
  /** Nothing should be made from it, though it is well-formed, so it may use what is kept of a budget. */
  mayUseKept?: boolean;
  /** Whether a successful answer shows that nothing was made, so that it costs nothing. */
  isFree?: (answer: Answer) => boolean;
}

/** How long a request waits for a target that is not there yet. */
export interface Patience {
  /** Milliseconds from the first attempt on. */
  ms: number;
  /** Whether to wait for a target that does not answer, too; otherwise only for one that answers 502, 503 or 504. */
  unanswered?: boolean;
}

/** Options of the client's request, and its originator. */
export interface CallOptions extends RequestOptions {
  /** The requirement and check that make the call, for the record. */
  check: string;
  /** The highest goes first among queued requests: long chains before short ones. It may rise while a request waits. */
  priority?: () => number;
  /** Goes ahead of all others, even after the run has ended: for undoing changes. */
  urgent?: boolean;
  patience?: Patience;
  /** The caller's leased cards as they were when leased; undoing relies on them. */
  leased?: readonly LeasedCard[];
}
