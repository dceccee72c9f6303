/** Sends one request per card at a time, since a target may answer a second one with 409, which proves nothing. */
import { Waiting } from '../waiting.ts';

interface Asking {
  cards: readonly string[];
  priority: () => number;
  go: () => void;
}

export class CardQueue {
  /** Cards that a request is about. */
  readonly #busy = new Set<string>();
  readonly #waiting = new Waiting<Asking>();

  /** Does work about cards once nothing else is about any of them. */
  async inTurn<T>(cards: readonly string[], priority: () => number, work: () => Promise<T>): Promise<T> {
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

  #turn(cards: readonly string[], priority: () => number): Promise<void> {
    return new Promise((go) => this.#waiting.add({ cards, priority, go }));
  }

  #startNext(card: string): void {
    const next = this.#waiting.take(({ cards }) => cards.includes(card) && this.#areFree(cards));
    if (!next) return;
    this.#take(next.cards);
    next.go();
  }
}
