/** Limits how many requests that cost something, such as orders, may be accepted, and which go concurrently. */
import { Waiting } from './waiting.ts';

/**
 * How a request goes alongside others of its kind.
 * - `alone`: it may be accepted, and a target may refuse a second order while it makes the first
 * - `malformed`: nothing is made from it; sent together with other malformed ones, while no request waits to go alone
 * - `atOnce`: deliberately alongside any other
 * - `again`: alone, since a suspicion is tried again, or what was made is asked for again
 */
export type Exclusivity = 'alone' | 'malformed' | 'atOnce' | 'again';

/** The share that is kept for malformed requests, so that a target that accepts them is seen in any case, and for what is tried again. */
const KEPT_SHARE = 1 / 8;
const MOST_KEPT = 4;
/** The limit from which `--thorough` may try all accepted forms. */
const AMPLE = 120;

/** Ends a reservation. @param spent whether the request was or may have been accepted */
export type Settle = (spent: boolean) => void;

interface Asking {
  wants: Exclusivity;
  priority: () => number;
  go: () => void;
}

export class Budget {
  /** The configuration variable that sets the limit. */
  readonly variable: string;
  readonly isAmple: boolean;
  readonly #kept: number;
  #left: number;
  readonly #underWay = { alone: 0, malformed: 0, atOnce: 0, again: 0 };
  readonly #waiting = new Waiting<Asking>();

  constructor(variable: string, limit: number) {
    this.variable = variable;
    this.isAmple = limit >= AMPLE;
    this.#left = limit;
    this.#kept = Math.min(MOST_KEPT, Math.floor(limit * KEPT_SHARE));
  }

  /** How many more requests may be accepted, counting those under way as accepted. */
  get left(): number {
    return this.#left - this.#pending;
  }

  /** Asks to send a request. @returns what to call when it is over; undefined if the budget is used up */
  reserve(exclusivity: Exclusivity, priority: () => number): Promise<Settle | undefined> {
    const { promise, resolve } = Promise.withResolvers<Settle | undefined>();
    const kept = ['malformed', 'again'].includes(exclusivity) ? 0 : this.#kept;
    const go = () => resolve(this.left > kept ? this.#begin(exclusivity) : undefined);
    if (exclusivity === 'atOnce') go();
    else {
      this.#waiting.add({ wants: exclusivity, priority, go });
      this.#start();
    }
    return promise;
  }

  get #pending(): number {
    return Object.values(this.#underWay).reduce((sum, one) => sum + one, 0);
  }

  #begin(exclusivity: Exclusivity): Settle {
    this.#underWay[exclusivity]++;
    return (spent) => {
      this.#underWay[exclusivity]--;
      if (spent) this.#left--;
      this.#start();
    };
  }

  /** Starts every waiting request that may go. One that finds the budget used up makes way for others. */
  #start(): void {
    for (let next = this.#next(); next; next = this.#next()) next.go();
  }

  #next = (): Asking | undefined => this.#waiting.take((one) => this.#mayGo(one));

  #mayGo({ wants }: Asking): boolean {
    // A request under way may turn out not to count.
    if (wants !== 'malformed' || this.left <= 0) return this.#pending === 0;
    const { malformed } = this.#underWay;
    return (
      malformed === this.#pending && (malformed > 0 || this.#waiting.every((other) => other.wants === 'malformed'))
    );
  }
}
