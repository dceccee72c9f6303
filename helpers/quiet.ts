/** Least time after a bad credential before anything is tried again, in milliseconds. */
const LEAST_REST_MS = 250;

/** Tells when all who send to an interface are done, or wait for just that: then it is one's alone (reading 47). */
export class Quiet {
  #disturbedAt = Number.NEGATIVE_INFINITY;
  /** How many may send requests, or have the interface to themselves. */
  #active = 0;
  readonly #waiting: (() => void)[] = [];

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

  /** Call when something with a bad credential was answered: a target may refuse everything for a while after it (reading 51). */
  disturb(): void {
    this.#disturbedAt = performance.now();
  }

  /** Milliseconds until the target has forgotten the last bad credential, as far as anybody can tell. @param settleMs the settle time */
  restMs(settleMs: number): number {
    return Math.max(0, this.#disturbedAt + Math.max(settleMs, LEAST_REST_MS) - performance.now());
  }

  /** Resolves when the interface is quiet; the caller has entered, and has the interface until it leaves. */
  async wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.leave();
    await promise;
  }
}
