/** How many requests of a kind that costs may be accepted in a run. */

export class Budget {
  /** The variable that limits it. */
  readonly variable: string;
  #left: number;
  #pending = 0;
  #waiting: (() => void)[] = [];

  constructor(variable: string, limit: number) {
    this.variable = variable;
    this.#left = limit;
  }

  /** How many may still be accepted, those under way counted as accepted. */
  get left(): number {
    return this.#left - this.#pending;
  }

  /**
   * Asks for leave to send a request that may be accepted; while the answers to others may still give some back, it waits for them.
   * @returns false when none is left; otherwise {@link settle} is to follow
   */
  async reserve(): Promise<boolean> {
    while (this.left <= 0 && this.#pending > 0) await new Promise<void>((wake) => this.#waiting.push(wake));
    if (this.left <= 0) return false;
    this.#pending++;
    return true;
  }

  /** @param spent whether the request was accepted, or may have been */
  settle(spent: boolean): void {
    this.#pending--;
    if (spent) this.#left--;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
