/** What the transport takes and gives. */
import type { Dispatcher } from 'undici';
import type { Patience } from '../../call.ts';

export interface TransportOptions {
  /** Replaces network connections: a target in this process. */
  dispatcher?: Dispatcher | undefined;
  concurrency: number;
  /** Maximum number of requests per second, over the whole run; 0 for no limit. */
  rate: number;
  /** Time limit of one request in milliseconds, from its dispatch, not from its queueing, to the last byte. */
  timeoutMs: number;
  /** PEM text of the client certificate for mutual TLS; given together with its key, or not at all. */
  clientCert?: string;
  clientKey?: string;
  /** Aborted when the run is over: waiting requests are refused with kind 'aborted', those in flight may finish. */
  signal: AbortSignal;
  /** Milliseconds until the run ends; a longer pause is not worth waiting for. */
  timeLeftMs?(): number;
  /** Called with what requests are waiting for, in words; '' when they no longer wait. */
  onWait?(waiting: string): void;
}

export interface WireRequest {
  method: string;
  /** Absolute http or https address, exactly as sent. */
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface SendOptions {
  /** Whether to retry a 503 or an unanswered request, for risk safe alone; otherwise only what is throttled. */
  retryUnanswered: boolean;
  /** Whether a 503 with Retry-After counts as throttling and is retried; 429 and 403 with Retry-After always are. */
  retryThrottled503?: boolean;
  /** Retries beyond these, for the first contact with a target. */
  patience?: Patience | undefined;
  /** The interface of the request. Consecutive time-outs stop further attempts for this queue only. */
  queue: string;
  /** The highest goes first among queued requests, 0 by default; equals go in order of arrival. It may rise while a request waits. */
  priority?: (() => number) | undefined;
  /** Size limit of the answer's body in bytes, both as sent and decoded; 16 MiB by default. */
  maxBodyBytes?: number;
  /** Goes ahead of all others, even after the run has ended or its circuit has opened: for undoing changes. */
  urgent?: boolean;
}

/** An earlier answer that was followed by a retry; status null if there was none. */
export interface Retry {
  status: number | null;
  waitedMs: number;
}

/** A complete answer as received. */
export interface WireAnswer {
  status: number;
  /** Keyed by lower-case name; an array if a name occurs more than once. */
  headers: Record<string, string | string[]>;
  /** After Content-Encoding is decoded; zero bytes for no body. */
  body: Buffer;
  /** When the answered attempt was dispatched, in milliseconds since the epoch, with fractions. */
  sentAt: number;
  /** From then to the last byte, in milliseconds. */
  durationMs: number;
  retries: Retry[];
}

/**
 * Why there is no complete answer.
 * - no answer: timeout, refused, reset, dns, tls, proxy
 * - an answer that is not read: no-room (the run's memory is used up)
 * - an unreadable answer: too-large, bad-encoding, malformed, headers-too-large
 * - not sent: local (this machine lacks something), aborted (the run is over), gave-up (the circuit is open:
 * consecutive time-outs, or too long a pause requested), invalid-request (HTTP cannot carry it)
 */
export const FAILURES = {
  timeout: 'no connection in time',
  refused: 'the connection was refused',
  reset: 'the connection was closed before the answer was complete',
  dns: 'the host name was not resolved',
  tls: 'no TLS connection',
  proxy: 'the proxy refused to connect',
  'no-room': 'the answer is not read',
  'too-large': 'the answer is too large',
  'bad-encoding': 'the answer cannot be decoded',
  malformed: 'the answer is not HTTP',
  local: 'this machine could not send it',
  'headers-too-large': 'the headers of the answer are too large',
  aborted: 'the run is over',
  'gave-up': 'no longer tried',
  'invalid-request': 'HTTP cannot carry this request',
};

export type TransportErrorKind = keyof typeof FAILURES;

/** No complete answer. The message is one line for a reader and holds no value that was sent. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly kind: TransportErrorKind;
  readonly status: number | null;
  /** When the last attempt was dispatched, in milliseconds since the epoch; null if it never was. */
  sentAt: number | null = null;
  durationMs = 0;
  retries: Retry[] = [];

  constructor(kind: TransportErrorKind, message: string, status: number | null = null) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

export interface TransportStats {
  /** Requests sent so far, including retries. */
  requests: number;
  inFlight: number;
  /** Requests queued or waiting for a retry. */
  queued: number;
  /** Throttling answers so far: 429, or 403 or 503 with Retry-After. */
  throttled: number;
  /** What requests are waiting for while the target throttles, in words. */
  waitingFor?: string;
}
