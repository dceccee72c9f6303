/** Caches results of examined texts, since the same texts recur. */
import type { SecretIndex } from './secret-index.ts';

/**
 * Number of newly learned secrets up to which a cached text is checked for them; beyond it, examining the text again is
 * no more work.
 */
const MOST_LOOKED_BACK = 256;

/** The result for a text, with what shows whether it is still valid. */
export interface Remembered<Result> {
  result: Result;
  /** The letters and digits of everything examined: the text and what it decodes to. */
  letters: string;
  /** Size of the index at the time of the examination. */
  known: number;
}

/** Results by text, valid until a secret is learned that may occur in the text. */
export class Memory<Result> {
  readonly #index: SecretIndex;
  readonly #most: number;
  readonly #entries = new Map<string, Remembered<Result>>();
  #characters = 0;

  /** @param most maximum number of characters remembered; beyond it, everything is forgotten */
  constructor(index: SecretIndex, most: number) {
    this.#index = index;
    this.#most = most;
  }

  /** The result for a text; undefined if there is none, or a secret learned since may occur in the text. */
  get(text: string): Remembered<Result> | undefined {
    const entry = this.#entries.get(text);
    if (!entry) return undefined;
    const { size } = this.#index;
    if (entry.known >= size) return entry;
    if (size - entry.known > MOST_LOOKED_BACK || this.#index.mayHoldSince(entry.letters, entry.known)) return undefined;
    entry.known = size;
    return entry;
  }

  /** Stores the result for a text. */
  set(text: string, remembered: Remembered<Result>): void {
    this.#characters += 2 * text.length + remembered.letters.length;
    if (this.#characters > this.#most) this.clear();
    this.#entries.set(text, remembered);
  }

  /** Forgets all texts. */
  clear(): void {
    this.#entries.clear();
    this.#characters = 0;
  }
}
