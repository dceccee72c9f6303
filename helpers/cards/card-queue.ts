/** Sends one request per card at a time, since a target may answer a second one with 409, which proves nothing. */
export class CardQueue {
  /** By card identifier: settles when the last queued request for the card is done. */
  readonly #last = new Map<string, Promise<unknown>>();

  inTurn<T>(cards: readonly string[], work: () => Promise<T>): Promise<T> {
    if (cards.length === 0) return work();
    const earlier = cards.map((card) => this.#last.get(card));
    const done = Promise.all(earlier).then(work);
    const settled = done.catch(() => undefined);
    for (const card of cards) this.#last.set(card, settled);
    return done;
  }
}
