/** The quiet of an interface: nobody else sends anything, and the target has forgotten the run's bad credentials. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Least time after a bad credential before anything is tried again, in milliseconds. */
const LEAST_REST_MS = 250;

/** Silences that follow the settle time, in milliseconds: each doubles, and all take 30 s (reading 51). */
const SILENCES_MS = [2000, 4000, 8000, 16_000];
/** The longest of them. */
const LONGEST_SILENCE_MS = 16_000;

/** By which silence is measured, so that proofs need not wait for it. */
export interface Clock {
  /** Milliseconds since any moment. */
  now(): number;
  /** @throws Error when the signal aborts */
  sleep(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

const WALL: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};

export class Quiet {
  readonly #clock: Clock;
  #disturbedAt = Number.NEGATIVE_INFINITY;
  /** How many requests with a bad credential are under way. */
  #disturbing = 0;
  /** How many may send requests, or have the interface to themselves. */
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  /** How many wait for silence. Bad credentials are held back meanwhile. */
  #resting = 0;
  readonly #heldBack: (() => void)[] = [];
  /** The longest silence that was needed so far, in milliseconds. */
  #neededMs = 0;
  /** What no silence has changed. */
  readonly #lasting = new Set<string>();

  constructor(clock: Clock = WALL) {
    this.#clock = clock;
  }

  enter(): void {
    this.#active++;
  }

  leave(): void {
    this.#active--;
    if (this.#active > 0) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#active++;
    next();
  }

  /**
   * Call when something with a bad credential was answered: a target may refuse everything for a while after it, and what is asked for meanwhile may
   * renew that (reading 51).
   */
  disturb(): void {
    this.#disturbedAt = this.#clock.now();
  }

  /** Call when something with a bad credential is sent: the target may have received it long before its answer arrives. @returns to be called when it is over */
  disturbing(): () => void {
    this.#disturbing++;
    return () => {
      this.#disturbing--;
    };
  }

  /** Milliseconds until nothing with a bad credential was answered for so long, or more where one is under way. */
  restMs(milliseconds: number): number {
    const silence = Math.max(milliseconds, LEAST_REST_MS);
    if (this.#disturbing > 0) return silence;
    return Math.max(0, this.#disturbedAt + silence - this.#clock.now());
  }

  /** The silences after which what is answered wrongly is asked for again, in milliseconds, as long as they may change that. @param what the same where it is answered alike */
  silencesFor(what: string, settleMs: number): number[] {
    const first = Math.max(settleMs, LEAST_REST_MS, this.#neededMs);
    return this.#lasting.has(what) ? [first] : [first, ...SILENCES_MS.filter((one) => one > first)];
  }

  /** Call with the silence after which something was answered rightly. */
  helped(milliseconds: number): void {
    this.#neededMs = Math.max(this.#neededMs, milliseconds);
  }

  /** Call when something was answered wrongly after all silences. */
  didNotHelp(what: string): void {
    this.#lasting.add(what);
  }

  /**
   * Waits until nothing with a bad credential was answered for so long. They are held back meanwhile, and while something is done then. All who wait
   * at the same time wait once, and nobody waits any more when the signal aborts.
   * @param milliseconds as far as anybody can tell the longest that a target remembers a bad credential, if undefined
   */
  async rest<T>(signal: AbortSignal, milliseconds: number | undefined, work: () => Promise<T>): Promise<T> {
    const leftMs = () => (signal.aborted ? 0 : this.restMs(milliseconds ?? LONGEST_SILENCE_MS));
    this.#resting++;
    try {
      for (let left = leftMs(); left > 0; left = leftMs()) await this.#clock.sleep(left, signal).catch(() => undefined);
      return await work();
    } finally {
      if (--this.#resting === 0) for (const go of this.#heldBack.splice(0)) go();
    }
  }

  /** Lets some time pass by the same clock. Nobody waits any more when the signal aborts. */
  async pass(milliseconds: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(milliseconds, signal).catch(() => undefined);
  }

  /** Resolves when nobody waits for silence. Call it before something with a bad credential is sent. */
  async untilNobodyRests(): Promise<void> {
    while (this.#resting > 0) await new Promise<void>((go) => this.#heldBack.push(go));
  }

  /** Resolves when the interface is quiet; the caller has entered, and has the interface until it leaves. */
  async wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.leave();
    await promise;
  }
}
