/**
 * Limits the whole run: requests in flight, starts per second, their order, and the pauses that a throttling target
 * asks for. If a target throttles again before it has answered as many requests as may be in flight, that number is
 * halved; it grows by one for every series of answers.
 *
 * Retries go first, so that throttling cannot starve the same requests again and again, together with requests that
 * others outside the limiter wait for. Then comes the queue with the fewest requests in flight, and of several the one
 * that waited longest, so that no interface is left to the end; within a queue the highest priority goes first.
 */
import { TransportError } from './types.ts';

/** Priority of requests that others, not yet in the limiter, wait for. */
export const AWAITED = Number.MAX_SAFE_INTEGER;
/** Priority of awaited requests that go one at a time: a chain takes as long as all of these. */
export const AWAITED_ONE_BY_ONE = 2 * AWAITED;
/** Priority of retries. */
export const AGAIN = Number.MAX_VALUE;

/** Number of consecutive answers after which one more request may be in flight. */
const RECOVERY = 100;

/** The limits of a run: RUN_CONCURRENCY, RUN_RATE, and its end. */
export interface LimiterOptions {
  /** Maximum number of requests in flight. */
  concurrency: number;
  /** Maximum number of starts per second, evenly spaced; 0 for no limit. */
  rate: number;
  /** When aborted, waiting requests are refused, except urgent ones. */
  signal: AbortSignal;
}

/** What determines when a request may start. */
export interface Turn {
  /** Requests to a paused origin wait. */
  origin: string;
  lane: string;
  priority: number;
  /** Whether the request was sent before. */
  again: boolean;
  /** Whether it goes ahead of all others, even after the run has ended. */
  urgent: boolean;
}

interface Waiting extends Turn {
  go(): void;
  refuse(error: TransportError): void;
}

interface Lane {
  inFlight: number;
  /** When one of its requests last started, by `performance.now()`. */
  startedAt: number;
  /** Highest priority first, then in order of arrival. */
  queue: Waiting[];
}

/** Decides when each request may start, by concurrency, rate, pauses and priority. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #lanes = new Map<string, Lane>();
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

  /** Requests that have entered and not left. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests that are waiting to enter. */
  get queued(): number {
    return [...this.#lanes.values()].reduce((sum, { queue }) => sum + queue.length, 0);
  }

  /**
   * Resolves when the request may be sent; call {@link leave} afterwards.
   * @throws TransportError of kind 'aborted' once the run is over
   */
  enter(turn: Turn): Promise<void> {
    if (this.#options.signal.aborted && !turn.urgent) return Promise.reject(runIsOver());
    return new Promise((go, refuse) => {
      const { queue } = this.#lane(turn.lane);
      queue.splice(placeIn(queue, rank(turn)), 0, { ...turn, go, refuse });
      this.#start();
    });
  }

  /** Call once for each resolved {@link enter}, when its request has ended in any way. */
  leave(lane: string): void {
    this.#inFlight--;
    this.#lane(lane).inFlight--;
    // Whoever waited for the answer goes first, so that a less urgent request does not take the place of the longest
    // chain.
    setImmediate(() => this.#start());
  }

  /** Refuses the requests that wait in a queue, except urgent ones. */
  refuseLane(lane: string, error: () => TransportError): void {
    this.#refuse((waiting) => waiting.lane === lane, error);
  }

  /** Delays requests to the origin for `milliseconds`; a longer pause already in force stays. */
  pause(origin: string, milliseconds: number): void {
    const until = performance.now() + milliseconds;
    this.#pausedUntil.set(origin, Math.max(until, this.#pausedUntil.get(origin) ?? 0));
  }

  /** Milliseconds until requests to the origin may start. */
  pauseLeft(origin: string): number {
    return Math.max(0, (this.#pausedUntil.get(origin) ?? 0) - performance.now());
  }

  /**
   * Call when a request sent at that time (`performance.now()`) was throttled. Requests in flight at the last
   * throttling count with it.
   */
  throttled(sentAt: number): void {
    if (sentAt <= this.#throttledAt) return;
    this.#throttledAt = performance.now();
    if (this.#answers < this.#places) this.#places = Math.max(1, Math.floor(this.#places / 2));
    this.#answers = 0;
  }

  /** Call when a request was answered without throttling. */
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
      next.lane.inFlight++;
      next.lane.startedAt = now;
      next.lane.queue.splice(next.index, 1)[0]!.go();
    }
  }

  /** The request that may start first; undefined if none may. */
  #next(now: number): { lane: Lane; index: number } | undefined {
    const first = [...this.#lanes.values()]
      .map((lane) => ({ lane, index: lane.queue.findIndex((waiting) => this.#pauseEnd(waiting) <= now) }))
      .filter(({ index }) => index !== -1);
    return first.toSorted(inOrder)[0];
  }

  #lane(name: string): Lane {
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = { inFlight: 0, startedAt: Number.NEGATIVE_INFINITY, queue: [] };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #firstPauseEnd(): number {
    const waiting = [...this.#lanes.values()].flatMap(({ queue }) => queue);
    return waiting.reduce((first, one) => Math.min(first, this.#pauseEnd(one)), Number.POSITIVE_INFINITY);
  }

  #pauseEnd(waiting: Waiting): number {
    return this.#pausedUntil.get(waiting.origin) ?? 0;
  }

  #refuse(matches: (waiting: Waiting) => boolean, error: () => TransportError): void {
    for (const lane of this.#lanes.values()) {
      const refused = lane.queue.filter((waiting) => !waiting.urgent && matches(waiting));
      lane.queue = lane.queue.filter((waiting) => waiting.urgent || !matches(waiting));
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
function inOrder(a: { lane: Lane; index: number }, b: { lane: Lane; index: number }): number {
  const before = ({ lane, index }: typeof a) => {
    const first = rank(lane.queue[index]!);
    return [AWAITED, AGAIN, Number.POSITIVE_INFINITY].findLastIndex((least) => first >= least);
  };
  return before(b) - before(a) || a.lane.inFlight - b.lane.inFlight || a.lane.startedAt - b.lane.startedAt;
}

/**
 * The index for a request of that rank: behind all of the same or a higher rank. Binary search, since thousands may
 * wait.
 */
function placeIn(queue: readonly Waiting[], own: number): number {
  let [from, to] = [0, queue.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (rank(queue[middle]!) >= own) from = middle + 1;
    else to = middle;
  }
  return from;
}

function rank({ urgent, again, priority }: Turn): number {
  if (urgent) return Number.POSITIVE_INFINITY;
  return again ? AGAIN : priority;
}
