/** The history of exchanges that monitors judge, within bounds of memory. */
import type { Answer } from '../answer.ts';

/** Size in bytes up to which the body of an answer is kept in any case: those of logins, orders and most refusals are smaller. */
const SMALL_BYTES = 16 * 1024;
/** Size in bytes of all larger bodies that are kept; those of answers to what must be refused have as much room again. */
const MOST_LARGE_BYTES = 16 * 1024 * 1024;
/** Size in bytes of all small bodies that are kept: many times what a run is answered. */
const MOST_SMALL_BYTES = 128 * 1024 * 1024;

/** All answers so far, in the order in which they arrived: bodies as far as there is room, and with status 0 what nothing answered. */
export class History {
  readonly answers: Answer[] = [];
  #largeBytes = 0;
  #smallBytes = 0;

  /** Adds an answer, without its body where there is no room for that. */
  add(answer: Answer): void {
    this.answers.push(this.#hasRoom(answer) ? answer : { ...answer, bytes: Buffer.alloc(0), json: undefined });
  }

  #hasRoom({ bytes: { length }, wrong }: Answer): boolean {
    if (length <= SMALL_BYTES) {
      this.#smallBytes += length;
      return this.#smallBytes <= MOST_SMALL_BYTES;
    }
    if (this.#largeBytes + length > (wrong ? 2 : 1) * MOST_LARGE_BYTES) return false;
    this.#largeBytes += length;
    return true;
  }
}
