/** Requests that cost something at the target, such as orders: how many of them may be accepted, and which are sent beside others. */

/**
 * How a request goes beside others of its kind: `alone`, as one that may be accepted, since a target may refuse a second order while it
 * makes the first; `malformed`, which nothing is made of, beside others of these once nobody waits to go alone, and then until none of them
 * waits; `atOnce`, beside any, on purpose.
 */
export type Company = 'alone' | 'malformed' | 'atOnce';

/** The part of a budget that is left to malformed requests: a target that accepts them is seen even where others use up the rest. */
const MALFORMED_SHARE = 1 / 8;
/** Malformed requests that are left room for at most. */
const MOST_FOR_MALFORMED = 4;
/** A limit from which `--thorough` may try all forms of what is accepted. */
const AMPLE = 120;

/** Says that a request is over, and whether it was accepted or may have been. */
export type Settle = (spent: boolean) => void;

interface Waiting {
  wants: Company | 'quiet';
  priority: number;
  go: () => void;
}

/** How many requests of a kind may be accepted in a run, and the order in which they are sent. */
export class Budget {
  /** The variable that limits it. */
  readonly variable: string;
  /** Whether it is enough for all forms of what is accepted, too. */
  readonly isAmple: boolean;
  readonly #forMalformed: number;
  #left: number;
  readonly #underWay = { alone: 0, malformed: 0, atOnce: 0 };
  #isQuiet = false;
  /** Highest priority first, equals in the order in which they asked. */
  readonly #waiting: Waiting[] = [];

  constructor(variable: string, limit: number) {
    this.variable = variable;
    this.isAmple = limit >= AMPLE;
    this.#left = limit;
    this.#forMalformed = Math.min(MOST_FOR_MALFORMED, Math.floor(limit * MALFORMED_SHARE));
  }

  /** How many may still be accepted, those under way counted as accepted. */
  get left(): number {
    return this.#left - this.#pending;
  }

  /**
   * Asks for leave to send a request.
   * @param priority of those that wait the highest goes first
   * @returns what is to be called when it is over; undefined when none is left
   */
  reserve(company: Company, priority: number): Promise<Settle | undefined> {
    const { promise, resolve } = Promise.withResolvers<Settle | undefined>();
    const kept = company === 'malformed' ? 0 : this.#forMalformed;
    const go = () => resolve(this.left > kept ? this.#begin(company) : undefined);
    if (company === 'atOnce') go();
    else this.#enqueue({ wants: company, priority, go });
    return promise;
  }

  /** Waits until none is under way, and keeps all but those sent at once waiting until {@link release}. */
  hold(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const go = () => {
      this.#isQuiet = true;
      resolve();
    };
    this.#enqueue({ wants: 'quiet', priority: Number.POSITIVE_INFINITY, go });
    return promise;
  }

  /** Ends what {@link hold} began. */
  release(): void {
    this.#isQuiet = false;
    this.#start();
  }

  /** Requests under way. */
  get #pending(): number {
    const { alone, malformed, atOnce } = this.#underWay;
    return alone + malformed + atOnce;
  }

  #begin(company: Company): Settle {
    this.#underWay[company]++;
    return (spent) => {
      this.#underWay[company]--;
      if (spent) this.#left--;
      this.#start();
    };
  }

  #enqueue(waiting: Waiting): void {
    const before = this.#waiting.findLastIndex(({ priority }) => priority >= waiting.priority);
    this.#waiting.splice(before + 1, 0, waiting);
    this.#start();
  }

  /** Starts what may start, looking at all that wait again after each: one that finds none left makes way for others. */
  #start(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      next.go();
    }
  }

  /** The first that may go. What wants it quiet lets nothing else begin. */
  #next(): Waiting | undefined {
    if (this.#isQuiet) return undefined;
    const first = this.#waiting.find((one) => one.wants === 'quiet' || this.#mayGo(one));
    return first && this.#mayGo(first) ? first : undefined;
  }

  #mayGo({ wants }: Waiting): boolean {
    const { alone, malformed, atOnce } = this.#underWay;
    // What is under way may turn out not to count.
    if (wants !== 'malformed' || this.left <= 0) return this.#pending === 0;
    return alone + atOnce === 0 && (malformed > 0 || !this.#waiting.some((other) => other.wants === 'alone'));
  }
}
