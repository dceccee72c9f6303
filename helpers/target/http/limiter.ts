/**
 * One limiter over the whole run: how many requests are in flight, how many start in a second, which goes first,
 * and the pauses that a throttling target asks for. One that throttles again before it answered as many as were in flight counts
 * these: half as many are from then on, and one more for every row of answers.
 *
 * What is sent again goes first, so that throttling cannot starve the same requests again and again, and what others wait for outside of
 * the limiter. Then comes the lane that has the fewest requests in flight, and of several the one that waited longest, so that no
 * interface is left to the end and then done alone; within a lane the highest priority.
 */
import { TransportError } from './types.ts';

/** The priority of what others wait for that are not in the limiter yet. */
export const AWAITED = Number.MAX_SAFE_INTEGER;
/** The priority of what is awaited and goes one by one: a chain is as long as all of these. */
export const AWAITED_ONE_BY_ONE = 2 * AWAITED;
/** The priority of what is sent again. */
export const AGAIN = Number.MAX_VALUE;

/** Consecutive answers after which one more request may be in flight. */
const RECOVERY = 100;

/** The limits of a run: RUN_CONCURRENCY, RUN_RATE, and its end. */
export interface LimiterOptions {
  /** Requests in flight at most. */
  concurrency: number;
  /** Starts per second at most, evenly spaced; 0 for no limit. */
  rate: number;
  /** When it fires, what waits is refused, save what is urgent. */
  signal: AbortSignal;
}

/** What decides when a request may start. */
export interface Turn {
  /** Requests to a paused origin wait. */
  origin: string;
  lane: string;
  priority: number;
  /** Sent before, and to be sent again. */
  again: boolean;
  /** Before all others, and after the end of the run too. */
  urgent: boolean;
}

interface Waiting extends Turn {
  go(): void;
  refuse(error: TransportError): void;
}

interface Lane {
  inFlight: number;
  /** When a request of it started last; performance.now(). */
  startedAt: number;
  /** Highest priority first, equals in the order in which they came. */
  queue: Waiting[];
}

/** Decides when each request may start: by concurrency, rate, pauses and priority. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #pausedUntil = new Map<string, number>();
  #inFlight = 0;
  /** Requests that may be in flight now. */
  #places: number;
  /** performance.now() */
  #throttledAt = Number.NEGATIVE_INFINITY;
  /** Since the places were last changed, or a request was throttled. */
  #answers = 0;
  /** Earliest time of the next start, by the rate. */
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

  /** Requests that wait to enter. */
  get queued(): number {
    return [...this.#lanes.values()].reduce((sum, { queue }) => sum + queue.length, 0);
  }

  /**
   * Resolves when the request may be sent; {@link leave} gives the place back.
   * @throws TransportError of kind 'aborted' once the run is over.
   */
  enter(turn: Turn): Promise<void> {
    if (this.#options.signal.aborted && !turn.urgent) return Promise.reject(runIsOver());
    return new Promise((go, refuse) => {
      const { queue } = this.#lane(turn.lane);
      queue.splice(placeIn(queue, rank(turn)), 0, { ...turn, go, refuse });
      this.#start();
    });
  }

  /** Call once for each {@link enter} that was fulfilled, when its request has ended, however it ended. */
  leave(lane: string): void {
    this.#inFlight--;
    this.#lane(lane).inFlight--;
    // Who waited for the answer asks first: the place is not taken from the longest chain by one that has time.
    setImmediate(() => this.#start());
  }

  /** Refuses what waits on the lane, save what is urgent. */
  refuseLane(lane: string, error: () => TransportError): void {
    this.#refuse((waiting) => waiting.lane === lane, error);
  }

  /** No request to the origin starts before `milliseconds` from now; a longer pause that is already on stays. */
  pause(origin: string, milliseconds: number): void {
    const until = performance.now() + milliseconds;
    this.#pausedUntil.set(origin, Math.max(until, this.#pausedUntil.get(origin) ?? 0));
  }

  /** Milliseconds until requests to the origin may start. */
  pauseLeft(origin: string): number {
    return Math.max(0, (this.#pausedUntil.get(origin) ?? 0) - performance.now());
  }

  /** A request that was sent then (performance.now()) was throttled. What was under way with one that was says nothing new. */
  throttled(sentAt: number): void {
    if (sentAt <= this.#throttledAt) return;
    this.#throttledAt = performance.now();
    if (this.#answers < this.#places) this.#places = Math.max(1, Math.floor(this.#places / 2));
    this.#answers = 0;
  }

  /** A request was answered otherwise. */
  answered(): void {
    if (++this.#answers < RECOVERY || this.#places === this.#options.concurrency) return;
    this.#answers = 0;
    this.#places++;
  }

  /** Starts what may start, and looks again when the rate or a pause lets the next one go. */
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

  /** The request that may start first; undefined where none may. */
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

/** The failure of what was still queued when the run ended: kind `aborted`, nothing was sent. */
export function runIsOver(): TransportError {
  return new TransportError('aborted', 'not sent: the run is over');
}

/** Which of two lanes' first requests goes first. */
function inOrder(a: { lane: Lane; index: number }, b: { lane: Lane; index: number }): number {
  const before = ({ lane, index }: typeof a) => {
    const first = rank(lane.queue[index]!);
    return [AWAITED, AGAIN, Number.POSITIVE_INFINITY].findLastIndex((least) => first >= least);
  };
  return before(b) - before(a) || a.lane.inFlight - b.lane.inFlight || a.lane.startedAt - b.lane.startedAt;
}

/** Where one of that rank comes to stand: behind all of the same or a higher one. Thousands may wait. */
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
