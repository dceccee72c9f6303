/** What the transport takes and gives. */

import type { Dispatcher } from 'undici';

/** Sends requests to the target within its limits. */
export interface TransportOptions {
  /** What takes the requests instead of connections: a target in this process. */
  dispatcher?: Dispatcher | undefined;
  /** Requests in flight at most, over the whole run. */
  concurrency: number;
  /** Requests per second at most, over the whole run; 0 for no limit. */
  rate: number;
  /** Whole time of one request in milliseconds, from its dispatch (not from its queueing) to the last byte of the answer. */
  timeoutMs: number;
  /** Bytes of an answer's body at most, both as sent and after decoding; 5 MiB by default. */
  maxBodyBytes?: number;
  /** Client certificate, PEM text. */
  clientCert?: string;
  /** Its private key, PEM text. */
  clientKey?: string;
  /** The run is over or interrupted: what is queued or waits is refused with kind 'aborted', what is in flight may finish. */
  signal: AbortSignal;
  /** Milliseconds until the run ends: a longer pause is not worth waiting for. */
  timeLeftMs?(): number;
  /** Called with what requests now wait for, in words; '' when the waiting is over. */
  onWait?(waiting: string): void;
}

/** A request as it is sent. */
export interface WireRequest {
  method: string;
  /** Absolute, http or https, exactly as it is to be sent. */
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** How a request is sent: when, how often, and for whom. */
export interface SendOptions {
  /**
   * True only for operations of risk safe: 503 and an answer that never came are retried.
   * A request for which this is false is sent at most once, save when it is throttled.
   */
  retryUnanswered: boolean;
  /** Whether a 503 with Retry-After is taken for throttling, and so retried; 429 and 403 with Retry-After always are. */
  retryThrottled503?: boolean;
  /** The interface that the request belongs to: consecutive time-outs on one lane ends the trying of that lane alone. */
  lane: string;
  /** Of the queued requests the highest goes first, 0 by default; equals go in the order in which they came. */
  priority?: number;
  /** Bytes of the answer's body at most, where that is less than the transport takes. */
  maxBodyBytes?: number;
  /** Goes before all others, and also after the run was ended or its lane was given up: for undoing changes. */
  urgent?: boolean;
}

/** An answer before the last one, which was retried; status null where none came. */
export interface Retry {
  status: number | null;
  waitedMs: number;
}

/** A whole answer as it came. */
export interface WireAnswer {
  status: number;
  /** By lower-case name; an array where a name came more than once. */
  headers: Record<string, string | string[]>;
  /** After decoding of Content-Encoding; zero bytes for no body. */
  body: Buffer;
  /** When the attempt that was answered was dispatched. */
  startedAt: Date;
  /** From there to the last byte. */
  durationMs: number;
  retries: Retry[];
}

/**
 * Why there is no whole answer.
 * - no answer came: timeout, refused, reset, dns, tls, proxy
 * - an answer that cannot be read: too-large, bad-encoding, malformed, headers-too-large
 * - not sent: local (this machine lacks something), aborted (the run is over), gave-up (consecutive time-outs on this lane, or it asks to wait too long), invalid-request (HTTP cannot carry it)
 */
export type TransportErrorKind =
  | 'timeout'
  | 'refused'
  | 'reset'
  | 'dns'
  | 'tls'
  | 'proxy'
  | 'too-large'
  | 'bad-encoding'
  | 'malformed'
  | 'headers-too-large'
  | 'aborted'
  | 'gave-up'
  | 'invalid-request'
  | 'local';

/** No whole answer. The message is one line for a reader and holds no value that was sent. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly kind: TransportErrorKind;
  /** The status, where the answer began. */
  readonly status: number | null;
  /** When the last attempt was dispatched; null if it never was. */
  startedAt: Date | null = null;
  durationMs = 0;
  retries: Retry[] = [];

  constructor(kind: TransportErrorKind, message: string, status: number | null = null) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

/** What a transport has done so far. */
export interface TransportStats {
  /** Requests sent so far, each retry counted. */
  requests: number;
  inFlight: number;
  /** Requests queued or waiting to be retried. */
  queued: number;
  /** Answers so far that throttle: 429, or 403 or 503 with Retry-After. */
  throttled: number;
  /** In words, while the target's throttling makes requests wait. */
  waitingFor?: string;
}

/** The one way to the network: limits, retries and connections are behind it, and it knows no operation. */
export interface Transport {
  /** @throws TransportError when no whole answer came. */
  send(request: WireRequest, options: SendOptions): Promise<WireAnswer>;
  /** What was done up to now; cheap, so it may be asked for again and again. */
  stats(): TransportStats;
  /** Ends all connections at once; what is still in flight fails with kind 'aborted'. */
  close(): Promise<void>;
}
