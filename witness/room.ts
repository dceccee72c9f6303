/** Memory for what is kept of exchanges, from their first byte until they are judged: one limit for all of them. */

/** Counts what is kept. What finds no room is passed on, and not judged. */
export class Room {
  #left: number;

  /** @param bytes the limit */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Takes room, if there is as much. @returns whether there was */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Gives back what was taken. */
  free(bytes: number): void {
    this.#left += bytes;
  }
}
