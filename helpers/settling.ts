/** How soon effects show at a target, and how long a run waited for them. */
import type { Conformance } from '../contracts/record.ts';

type Settled = NonNullable<Conformance['run']['settled']>;

/** A settle time is proposed from this many effects on. */
const ENOUGH_EFFECTS = 5;
/** How many times the slowest effect a proposed settle time is, and the least that is proposed. */
const ROOM = 5;
const LEAST_MS = 250;
/** Of an effect that never showed, how often it is waited for. */
const MOST_AWAITED = 3;
/** What shows as soon shows in the first reading: how soon exactly, nobody knows. */
const AT_ONCE_MS = 10;
/** Waiting that is worth a word. */
const NOTABLE_MS = 2000;

export class Settling {
  readonly #settleMs: number;
  #effects = 0;
  #slowestMs = 0;
  #waiting = 0;
  #since = 0;
  #waitedMs = 0;
  /** By operation, how often its effect was waited for in vain; infinitely less once it showed. */
  readonly #missed = new Map<string, number>();

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** Call with how long an effect took to show. */
  shown(milliseconds: number): void {
    this.#effects++;
    this.#slowestMs = Math.max(this.#slowestMs, milliseconds);
  }

  /** Whether the effect of an operation is worth waiting for: it showed before, or was not waited for often. */
  isAwaited(operation: string): boolean {
    return (this.#missed.get(operation) ?? 0) < MOST_AWAITED;
  }

  /** Call when the effect of an operation was waited for. */
  awaited(operation: string, isShown: boolean): void {
    this.#missed.set(operation, isShown ? Number.NEGATIVE_INFINITY : (this.#missed.get(operation) ?? 0) + 1);
  }

  /** Waits for effects; what several wait for at once counts once. */
  async during<T>(waiting: Promise<T>): Promise<T> {
    if (this.#waiting++ === 0) this.#since = performance.now();
    try {
      return await waiting;
    } finally {
      if (--this.#waiting === 0) this.#waitedMs += performance.now() - this.#since;
    }
  }

  facts(): Settled {
    const [slowestMs, waitedMs] = [this.#slowestMs, this.#waitedMs].map(Math.round) as [number, number];
    return { settleMs: this.#settleMs, effects: this.#effects, slowestMs, waitedMs };
  }
}

/** The settle time that leaves room for the slowest effect of a run; undefined if that saves nothing, or too little is known. */
export function shorterSettleMs({ settleMs, effects, slowestMs, waitedMs }: Settled): number | undefined {
  const needed = Math.max(LEAST_MS, Math.ceil((slowestMs * ROOM) / 100) * 100);
  return effects >= ENOUGH_EFFECTS && waitedMs >= NOTABLE_MS && needed * 2 <= settleMs ? needed : undefined;
}

/** What a run waited for effects, and which setting fits them; undefined if it fits already. */
export function settlingInWords(settled: Settled): string | undefined {
  const { settleMs, effects, slowestMs, waitedMs } = settled;
  const shorter = shorterSettleMs(settled);
  if (shorter !== undefined) {
    const soon = slowestMs < AT_ONCE_MS ? 'in the first reading' : `within ${slowestMs} ms`;
    return `All ${effects} effects showed ${soon}, and the run waited for slower ones during ${(waitedMs / 1000).toFixed(1)} s: RUN_SETTLE_MS=${shorter} would save most of that, where nothing at the target is slower now and then (a replica, a listing, a busy hour): what takes longer is accused.`;
  }
  return effects > 0 && settleMs > 0 && slowestMs * 2 > settleMs
    ? `An effect took ${slowestMs} ms to show: RUN_SETTLE_MS=${settleMs} leaves little room; what takes longer is accused.`
    : undefined;
}
