/** Memory for what is kept of exchanges, from their first byte until they are judged: one limit for all of them. */

/** Counts what is kept. What finds no room is passed on, and not judged. */
export class Room {
  #left: number;
  #onFull: () => void;

  /**
   * @param bytes the limit
   * @param onFull called when something finds no room for the first time
   */
  constructor(bytes: number, onFull: () => void = () => {}) {
    this.#left = bytes;
    this.#onFull = onFull;
  }

  /** Takes room, if there is as much. @returns whether there was */
  take(bytes: number): boolean {
    if (bytes > this.#left) {
      this.#onFull();
      this.#onFull = () => {};
      return false;
    }
    this.#left -= bytes;
    return true;
  }

  /** Gives back what was taken. */
  free(bytes: number): void {
    this.#left += bytes;
  }
}
