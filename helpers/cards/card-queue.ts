/** Sends one request per card at a time, since a target may answer a second one with 409, which proves nothing. */
interface Waiting {
  cards: readonly string[];
  priority: number;
  go: () => void;
}

export class CardQueue {
  /** Cards that a request is about. */
  readonly #busy = new Set<string>();
  /** Highest priority first, then in the order of asking. */
  readonly #waiting: Waiting[] = [];

  /** Does work about cards once nothing else is about any of them. */
  async inTurn<T>(cards: readonly string[], priority: number, work: () => Promise<T>): Promise<T> {
    if (this.#areFree(cards)) this.#take(cards);
    else await this.#turn(cards, priority);
    try {
      return await work();
    } finally {
      for (const card of cards) this.#busy.delete(card);
      for (const card of cards) this.#startNext(card);
    }
  }

  #areFree(cards: readonly string[]): boolean {
    return !cards.some((card) => this.#busy.has(card));
  }

  #take(cards: readonly string[]): void {
    for (const card of cards) this.#busy.add(card);
  }

  #turn(cards: readonly string[], priority: number): Promise<void> {
    const before = this.#waiting.findLastIndex((one) => one.priority >= priority);
    return new Promise((go) => this.#waiting.splice(before + 1, 0, { cards, priority, go }));
  }

  #startNext(card: string): void {
    const at = this.#waiting.findIndex(({ cards }) => cards.includes(card) && this.#areFree(cards));
    if (at < 0) return;
    const [next] = this.#waiting.splice(at, 1);
    this.#take(next!.cards);
    next!.go();
  }
}
