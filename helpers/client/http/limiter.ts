/**
 * Limits the whole run: requests in flight, starts per second, their order, and the pauses that a throttling target
 * asks for. If a target throttles again before it has answered as many requests as may be in flight, that number is
 * halved; it grows by one for every series of answers.
 *
 * Retries go first, so that throttling cannot starve the same requests again and again, together with requests that
 * others outside the limiter wait for. Then comes the queue with the fewest requests in flight, and of several the one
 * that waited longest, so that no interface is left to the end; within a queue the highest priority goes first.
 */
import { TransportError, type TransportOptions } from './types.ts';

/** Priority of requests that others, not yet in the limiter, wait for. */
export const AWAITED = Number.MAX_SAFE_INTEGER;
/** Priority of awaited requests that go one at a time: a chain takes as long as all of these. */
export const AWAITED_ONE_BY_ONE = 2 * AWAITED;
export const RETRY_PRIORITY = Number.MAX_VALUE;

/** Number of consecutive answers after which one more request may be in flight. */
const RECOVERY = 100;

type LimiterOptions = Pick<TransportOptions, 'concurrency' | 'rate' | 'signal'>;

export interface QueuedRequest {
  /** Requests to a paused origin wait. */
  origin: string;
  queue: string;
  /** May rise while it waits: {@link Limiter.reorder} puts it where it belongs then. */
  priority: () => number;
  isRetry: boolean;
  /** Whether it goes ahead of all others, even after the run has ended. */
  urgent: boolean;
}

interface Waiting extends QueuedRequest {
  go(): void;
  refuse(error: TransportError): void;
}

interface Queue {
  inFlight: number;
  /** When one of its requests last started, by `performance.now()`. */
  startedAt: number;
  /** Highest priority first, then in order of arrival; not so since a priority rose. */
  waiting: Waiting[];
  isInOrder: boolean;
}

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #queues = new Map<string, Queue>();
  /** By origin and by queue. */
  readonly #pausedUntil = new Map<string, number>();
  #inFlight = 0;
  /** Number of requests that may be in flight now. */
  #places: number;
  /** By `performance.now()`. */
  #throttledAt = Number.NEGATIVE_INFINITY;
  /** Number of answers since the places changed or a request was throttled. */
  #answers = 0;
  /** Earliest time of the next start allowed by the rate. */
  #nextStart = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#places = options.concurrency;
    options.signal.addEventListener('abort', () => this.#refuse(() => true, runIsOver), { once: true });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get queued(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Resolves when it may be sent; call {@link leave} afterwards. @throws TransportError once the run is over */
  enter(request: QueuedRequest): Promise<void> {
    if (this.#options.signal.aborted && !request.urgent) return Promise.reject(runIsOver());
    return new Promise((go, refuse) => {
      const { waiting } = sorted(this.#queue(request.queue));
      waiting.splice(placeIn(waiting, rank(request)), 0, { ...request, go, refuse });
      this.#start();
    });
  }

  /** Call once for each resolved {@link enter}, when its request has ended in any way. */
  leave(queue: string): void {
    this.#inFlight--;
    this.#queue(queue).inFlight--;
    // Whoever waited for the answer goes first, so that a less urgent request does not take the place of the longest
    // chain.
    setImmediate(() => this.#start());
  }

  /** Call when the priority of requests that may be waiting has risen. */
  reorder(): void {
    for (const queue of this.#queues.values()) queue.isInOrder = false;
  }

  /** Refuses the requests that wait in a queue, except urgent ones. */
  refuseQueue(queue: string, error: () => TransportError): void {
    this.#refuse((waiting) => waiting.queue === queue, error);
  }

  /** Delays requests to an origin, or of a queue, for `milliseconds`; a longer pause already in force stays. */
  pause(whose: string, milliseconds: number): void {
    const until = performance.now() + milliseconds;
    this.#pausedUntil.set(whose, Math.max(until, this.#pausedUntil.get(whose) ?? 0));
  }

  /** Milliseconds that requests to an origin, or of a queue, are delayed. */
  pauseLeft(whose: string): number {
    return Math.max(0, (this.#pausedUntil.get(whose) ?? 0) - performance.now());
  }

  /** Call with when a throttled request was sent; those in flight at the last throttling count with it. */
  throttled(sentAt: number): void {
    if (sentAt <= this.#throttledAt) return;
    this.#throttledAt = performance.now();
    if (this.#answers < this.#places) this.#places = Math.max(1, Math.floor(this.#places / 2));
    this.#answers = 0;
  }

  answered(): void {
    if (++this.#answers < RECOVERY || this.#places === this.#options.concurrency) return;
    this.#answers = 0;
    this.#places++;
  }

  /** Starts the requests that may start, and schedules itself for when the rate or a pause allows the next one. */
  #start(): void {
    clearTimeout(this.#timer);
    while (this.#inFlight < this.#places) {
      const now = performance.now();
      const next = this.#next(now);
      const mayStartAt = Math.max(this.#nextStart, next ? 0 : this.#firstPauseEnd());
      if (!next || mayStartAt > now) {
        if (this.queued > 0) this.#timer = setTimeout(() => this.#start(), mayStartAt - now);
        return;
      }
      if (this.#options.rate > 0) this.#nextStart = now + 1000 / this.#options.rate;
      this.#inFlight++;
      next.queue.inFlight++;
      next.queue.startedAt = now;
      next.queue.waiting.splice(next.index, 1)[0]!.go();
    }
  }

  #next(now: number): { queue: Queue; index: number } | undefined {
    const first = [...this.#queues.values()]
      .map(sorted)
      .map((queue) => ({ queue, index: queue.waiting.findIndex((waiting) => this.#pauseEnd(waiting) <= now) }))
      .filter(({ index }) => index !== -1);
    return first.toSorted(inOrder)[0];
  }

  #queue(name: string): Queue {
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = { inFlight: 0, startedAt: Number.NEGATIVE_INFINITY, waiting: [], isInOrder: true };
      this.#queues.set(name, queue);
    }
    return queue;
  }

  #firstPauseEnd(): number {
    const waiting = [...this.#queues.values()].flatMap(({ waiting }) => waiting);
    return waiting.reduce((first, one) => Math.min(first, this.#pauseEnd(one)), Number.POSITIVE_INFINITY);
  }

  #pauseEnd({ origin, queue }: Waiting): number {
    return Math.max(this.#pausedUntil.get(origin) ?? 0, this.#pausedUntil.get(queue) ?? 0);
  }

  #refuse(matches: (waiting: Waiting) => boolean, error: () => TransportError): void {
    for (const queue of this.#queues.values()) {
      const refused = queue.waiting.filter((waiting) => !waiting.urgent && matches(waiting));
      queue.waiting = queue.waiting.filter((waiting) => waiting.urgent || !matches(waiting));
      for (const waiting of refused) waiting.refuse(error());
    }
    this.#start();
  }
}

/** The error for requests queued when the run ended: kind `aborted`, nothing was sent. */
export function runIsOver(): TransportError {
  return new TransportError('aborted', 'not sent: the run is over');
}

/** Orders two queues by their first requests. */
function inOrder(a: { queue: Queue; index: number }, b: { queue: Queue; index: number }): number {
  const before = ({ queue, index }: typeof a) => {
    const first = rank(queue.waiting[index]!);
    return [AWAITED, RETRY_PRIORITY, Number.POSITIVE_INFINITY].findLastIndex((least) => first >= least);
  };
  return before(b) - before(a) || a.queue.inFlight - b.queue.inFlight || a.queue.startedAt - b.queue.startedAt;
}

/** The queue with its requests in order; those of equal rank, if infinite, stay as they are. */
function sorted(queue: Queue): Queue {
  if (!queue.isInOrder) queue.waiting.sort((a, b) => rank(b) - rank(a) || 0);
  queue.isInOrder = true;
  return queue;
}

/** The index for a request: behind all of the same or a higher rank. Binary search, since thousands may wait. */
function placeIn(waiting: readonly Waiting[], own: number): number {
  let [from, to] = [0, waiting.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (rank(waiting[middle]!) >= own) from = middle + 1;
    else to = middle;
  }
  return from;
}

function rank({ urgent, isRetry, priority }: QueuedRequest): number {
  if (urgent) return Number.POSITIVE_INFINITY;
  return isRetry ? RETRY_PRIORITY : priority();
}
