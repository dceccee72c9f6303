/**
 * One limiter over the whole run: how many requests are in flight, how many start in a second, which goes first,
 * and the pauses that a throttling target asks for.
 *
 * The lane that has the fewest requests in flight goes first, so that no interface is left to the end and then done alone; within a
 * lane the highest priority does.
 */
import { TransportError } from './types.ts';

export interface LimiterOptions {
  concurrency: number;
  /** Starts per second at most, evenly spaced; 0 for no limit. */
  rate: number;
  /** When it fires, what waits is refused, save what is urgent. */
  signal: AbortSignal;
}

export interface Turn {
  /** Requests to a paused origin wait. */
  origin: string;
  lane: string;
  priority: number;
  urgent: boolean;
}

interface Waiting extends Turn {
  go(): void;
  refuse(error: TransportError): void;
}

export class Limiter {
  readonly #options: LimiterOptions;
  /** Highest priority first, equals in the order in which they came. */
  #queue: Waiting[] = [];
  readonly #pausedUntil = new Map<string, number>();
  #inFlight = 0;
  /** By lane. */
  readonly #inFlightOn = new Map<string, number>();
  /** Earliest time of the next start, by the rate. */
  #nextStart = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LimiterOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#refuse(() => true, runIsOver), { once: true });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /**
   * Resolves when the request may be sent; {@link leave} gives the place back.
   * @throws TransportError of kind 'aborted' once the run is over.
   */
  enter(turn: Turn): Promise<void> {
    if (this.#options.signal.aborted && !turn.urgent) return Promise.reject(runIsOver());
    return new Promise((go, refuse) => {
      const before = this.#queue.findLastIndex((other) => rank(other) >= rank(turn));
      this.#queue.splice(before + 1, 0, { ...turn, go, refuse });
      this.#start();
    });
  }

  leave(lane: string): void {
    this.#inFlight--;
    this.#inFlightOn.set(lane, this.#inFlightOn.get(lane)! - 1);
    this.#start();
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

  /** Starts what may start, and looks again when the rate or a pause lets the next one go. */
  #start(): void {
    clearTimeout(this.#timer);
    while (this.#inFlight < this.#options.concurrency) {
      const now = performance.now();
      const next = this.#next(now);
      const mayStartAt = Math.max(this.#nextStart, next === -1 ? this.#firstPauseEnd() : 0);
      if (mayStartAt > now) {
        if (this.#queue.length > 0) this.#timer = setTimeout(() => this.#start(), mayStartAt - now);
        return;
      }
      if (this.#options.rate > 0) this.#nextStart = now + 1000 / this.#options.rate;
      const [started] = this.#queue.splice(next, 1) as [Waiting];
      this.#inFlight++;
      this.#inFlightOn.set(started.lane, this.#busy(started) + 1);
      started.go();
    }
  }

  /** Position in the queue of the request that may start first; -1 for none. */
  #next(now: number): number {
    const seen = new Set<string>();
    let best = -1;
    for (const [index, waiting] of this.#queue.entries()) {
      if (seen.has(waiting.lane) || this.#pauseEnd(waiting) > now) continue;
      if (waiting.urgent) return index;
      if (best === -1 || this.#busy(waiting) < this.#busy(this.#queue[best]!)) best = index;
      if (seen.add(waiting.lane).size === this.#inFlightOn.size) break;
    }
    return best;
  }

  #busy({ lane }: Turn): number {
    return this.#inFlightOn.get(lane) ?? 0;
  }

  #firstPauseEnd(): number {
    return Math.min(...this.#queue.map((waiting) => this.#pauseEnd(waiting)));
  }

  #pauseEnd(waiting: Waiting): number {
    return this.#pausedUntil.get(waiting.origin) ?? 0;
  }

  #refuse(matches: (waiting: Waiting) => boolean, error: () => TransportError): void {
    const refused = new Set(this.#queue.filter((waiting) => !waiting.urgent && matches(waiting)));
    this.#queue = this.#queue.filter((waiting) => !refused.has(waiting));
    for (const waiting of refused) waiting.refuse(error());
    this.#start();
  }
}

export function runIsOver(): TransportError {
  return new TransportError('aborted', 'not sent: the run is over');
}

function rank(turn: Turn): number {
  return turn.urgent ? Number.POSITIVE_INFINITY : turn.priority;
}
