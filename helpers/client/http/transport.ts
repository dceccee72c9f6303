/** The only path to the network: limits concurrency, rate, time and size, and retries; follows no redirects. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Breaker } from './breaker.ts';
import { Connections } from './connections.ts';
import { Limiter, runIsOver } from './limiter.ts';
import {
  type Attempted,
  isThrottled,
  LONGEST_WAIT_MS,
  mayWait,
  PATIENT_PAUSE_MS,
  pauseAfter,
  pauseAskedFor,
  retryAfterMs,
  waitBeforeRetry,
} from './retry.ts';
import {
  type Retry,
  type SendOptions,
  TransportError,
  type TransportOptions,
  type TransportStats,
  type WireAnswer,
  type WireRequest,
} from './types.ts';
import { validateRequest } from './validate-request.ts';
import { exchangeOnWire, type SingleAnswer } from './wire.ts';

/** Size limit of any body, in bytes: the documents' listings hold 50 entries, so a larger one is not one of them. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

interface RequestInProgress {
  request: WireRequest;
  url: URL;
  options: SendOptions;
  breaker: Breaker;
  retries: Retry[];
  /** When it was first sent, by `performance.now()`. */
  firstSentAt: number | undefined;
  /** When the last outcome that was not final arrived, by `performance.now()`. */
  waitingSince: number;
}

export class Transport {
  readonly #options: TransportOptions;
  readonly #limiter: Limiter;
  readonly #connections: Connections;
  readonly #breakers = new Map<string, Breaker>();
  #requests = 0;
  #throttled = 0;
  #backingOff = 0;
  #waitingFor = '';

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#limiter = new Limiter(options);
    this.#connections = new Connections(options);
  }

  /** @throws TransportError when no complete answer arrives */
  async send(request: WireRequest, options: SendOptions): Promise<WireAnswer> {
    const retries: Retry[] = [];
    try {
      const url = validateRequest(request);
      const inProgress = {
        request,
        url,
        options,
        breaker: this.#breakerOf(options.queue),
        retries,
        firstSentAt: undefined,
        waitingSince: 0,
      };
      return { ...(await this.#sendWithRetries(inProgress)), retries };
    } catch (error) {
      if (error instanceof TransportError) error.retries = retries;
      throw error;
    }
  }

  /** Call when the priority of requests that may be waiting has risen. */
  reorder(): void {
    this.#limiter.reorder();
  }

  /** Statistics so far; cheap enough to call often. */
  stats(): TransportStats {
    return {
      requests: this.#requests,
      inFlight: this.#limiter.inFlight,
      queued: this.#limiter.queued + this.#backingOff,
      throttled: this.#throttled,
      ...(this.#waitingFor && { waitingFor: this.#waitingFor }),
    };
  }

  /** Closes all connections immediately; requests in flight fail with kind 'aborted'. */
  close(): Promise<void> {
    return this.#connections.destroy();
  }

  async #sendWithRetries(inProgress: RequestInProgress): Promise<SingleAnswer> {
    for (;;) {
      const { outcome, wait } = await this.#attempt(inProgress);
      if (wait === null) {
        if (outcome instanceof TransportError) throw outcome;
        return outcome;
      }
      inProgress.waitingSince = performance.now();
      inProgress.retries.push({ status: outcome instanceof TransportError ? null : outcome.status, waitedMs: 0 });
      if (!isThrottled(outcome)) await this.#backOff(wait, inProgress.options);
    }
  }

  /** Makes one attempt as soon as the limiter allows; `wait` is null if its outcome is final. */
  async #attempt(inProgress: RequestInProgress): Promise<{ outcome: Attempted; wait: number | null }> {
    const { url, options, breaker, retries } = inProgress;
    const { origin } = url;
    const { queue, urgent = false } = options;
    if (breaker.reason !== undefined && !urgent) throw circuitOpen(queue, breaker.reason);
    const retry = retries.at(-1);
    const { priority = () => 0 } = options;
    await this.#limiter.enter({ origin, queue, priority, isRetry: retry !== undefined, urgent });
    if (retry) retry.waitedMs = performance.now() - inProgress.waitingSince;
    if (!retry && this.#limiter.pauseLeft(origin) === 0) this.#report('');
    this.#requests++;
    const sentAt = performance.now();
    inProgress.firstSentAt ??= sentAt;
    try {
      const outcome = await this.#exchange(inProgress);
      if (mayWait(outcome, options.patience, performance.now() - inProgress.firstSentAt)) {
        const found = outcome instanceof TransportError ? outcome.message : `${url.host} answers ${outcome.status}`;
        this.#report(`${found}: waiting up to ${inWords(options.patience!.ms)} for the target`);
        return { outcome, wait: PATIENT_PAUSE_MS };
      }
      this.#note(inProgress, outcome, sentAt);
      const wait = breaker.retriesAreFutile ? null : waitBeforeRetry(outcome, retries, options);
      if (wait !== null && isThrottled(outcome)) this.#pause(url, wait, outcome);
      if (!breaker.retriesAreFutile) this.#limiter.pause(queue, pauseAfter(outcome, breaker.unavailableRounds));
      return { outcome, wait };
    } finally {
      this.#limiter.leave(queue);
    }
  }

  async #exchange({ url, request, options, retries }: RequestInProgress): Promise<Attempted> {
    const { origin } = url;
    const alone = retries.at(-1)?.status === null || !options.retryUnanswered;
    const dispatcher = this.#connections.to(origin, alone);
    try {
      const { maxBodyBytes = MAX_BODY_BYTES } = options;
      const answer = await exchangeOnWire(dispatcher, url, request, this.#options.timeoutMs, maxBodyBytes);
      if (!alone && answer.status === REQUEST_TIMEOUT) throw endedUnasked(url, answer);
      return answer;
    } catch (error) {
      if (error instanceof TransportError) return error;
      throw error;
    }
  }

  /** Tells limiter and breaker of the outcome, and refuses what waits in the queue once its circuit is open. */
  #note({ breaker, options, url }: RequestInProgress, outcome: Attempted, sentAt: number): void {
    breaker.note(outcome, sentAt);
    if (isThrottled(outcome)) {
      this.#throttled++;
      this.#limiter.throttled(sentAt);
      const pause = pauseAskedFor(outcome);
      if (pause > Math.min(LONGEST_WAIT_MS, this.#options.timeLeftMs?.() ?? LONGEST_WAIT_MS))
        breaker.open(
          `${url.host} answers ${outcome.status} and asks to wait ${inWords(pause)} (Retry-After), which is longer than a run waits`,
        );
    } else if (!(outcome instanceof TransportError)) this.#limiter.answered();
    const { reason } = breaker;
    if (reason !== undefined) this.#limiter.refuseQueue(options.queue, () => circuitOpen(options.queue, reason));
  }

  /** Makes all requests to an origin wait while one waits for it to stop throttling. */
  #pause({ origin, host }: URL, milliseconds: number, { status, headers }: SingleAnswer): void {
    this.#limiter.pause(origin, milliseconds);
    const seconds = Math.ceil(this.#limiter.pauseLeft(origin) / 1000);
    const isAsked = retryAfterMs(headers) === null ? ', since no Retry-After says how long' : ' as requested';
    this.#report(`${host} answers ${status} (too many requests): waiting ${seconds} s${isAsked}`);
  }

  async #backOff(milliseconds: number, options: SendOptions): Promise<void> {
    this.#backingOff++;
    try {
      await sleep(milliseconds, undefined, options.urgent ? {} : { signal: this.#options.signal });
    } catch {
      throw runIsOver();
    } finally {
      this.#backingOff--;
    }
  }

  #report(waiting: string): void {
    if (waiting === this.#waitingFor) return;
    this.#waitingFor = waiting;
    this.#options.onWait?.(waiting);
  }

  /** Whether requests of a queue are no longer sent, since those before were not answered. */
  hasGivenUp(queue: string): boolean {
    return this.#breakers.get(queue)?.reason !== undefined;
  }

  #breakerOf(queue: string): Breaker {
    const breaker = this.#breakers.get(queue) ?? new Breaker();
    this.#breakers.set(queue, breaker);
    return breaker;
  }
}

/** Some servers send it on an idle connection that they close, whatever has arrived (RFC 9110 section 15.5.9). */
const REQUEST_TIMEOUT = 408;

function endedUnasked({ host }: URL, { sentAt, durationMs }: SingleAnswer): TransportError {
  const error = new TransportError('reset', `${host}: the connection was ended with ${REQUEST_TIMEOUT}`);
  return Object.assign(error, { sentAt, durationMs });
}

function circuitOpen(queue: string, reason: string): TransportError {
  return new TransportError('gave-up', `not sent: ${queue} is no longer tried, since ${reason}`);
}

function inWords(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
