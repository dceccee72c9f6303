/** How a request is made: what it is meant to be, and with which credentials. */
import type { Answer, Intent } from './answer.ts';
import type { LeasedCard } from './cards/pools.ts';

/** Credentials of one request: those of the run, or others on purpose; undefined sends none. */
export type Authorisation = 'run' | { authorization: string | undefined } | { sessionId: string | undefined };

/** How a check makes a request. */
export interface RequestOptions {
  /** What the request is meant to be; 'valid' by default. */
  intent?: Intent;
  authorisation?: Authorisation;
  /** Sent beside others on purpose: otherwise what costs, and what is about the same card, is sent one after the other. */
  atOnce?: boolean;
  /** Beside no other that costs, though nothing is made of it. */
  alone?: boolean;
  /** Whether an answer of success says that nothing was made, so that it costs nothing. */
  isFree?: (answer: Answer) => boolean;
}

/** How the client makes a request, and for whom. */
export interface CallOptions extends RequestOptions {
  /** Requirement and check that make the call: for the record. */
  check: string;
  /** Of the queued requests the highest goes first: long chains before short ones. */
  priority?: number;
  /** Goes before all others and after the end of the run too: for undoing changes. */
  urgent?: boolean;
  /** Cards that its holder leased, as they were then: what undoing goes by. */
  leased?: readonly LeasedCard[];
}
