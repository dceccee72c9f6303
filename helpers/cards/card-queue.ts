/** One request a card at a time: a target may answer a second one with 409, which shows nothing about it. */
export class CardQueue {
  /** When the last request that was queued for a card is done, by the card's identifier. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when all earlier work on these cards is done. @throws what the work throws */
  inTurn<T>(cards: readonly string[], work: () => Promise<T>): Promise<T> {
    if (cards.length === 0) return work();
    const earlier = cards.map((card) => this.#last.get(card));
    const done = Promise.all(earlier).then(work);
    const settled = done.catch(() => undefined);
    for (const card of cards) this.#last.set(card, settled);
    return done;
  }
}
