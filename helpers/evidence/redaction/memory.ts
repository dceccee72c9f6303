/** What came of texts that were looked through, for the same come again and again. */
import type { SecretIndex } from './secret-index.ts';

/** Secrets learned since a text was remembered that are looked for in it: with more, looking at the text again is no more work. */
const MOST_LOOKED_BACK = 256;

/** What came of a text, and what tells whether that still holds. */
export interface Remembered<Result> {
  result: Result;
  /** The letters and digits of all that was looked through: of the text, and of what it decodes to. */
  letters: string;
  /** Size of the index when it was looked through. */
  known: number;
}

/** Results by text, valid until a secret is learned that may stand in the text. */
export class Memory<Result> {
  readonly #index: SecretIndex;
  readonly #most: number;
  readonly #entries = new Map<string, Remembered<Result>>();
  #characters = 0;

  /** @param most characters that are remembered; with more, all are forgotten */
  constructor(index: SecretIndex, most: number) {
    this.#index = index;
    this.#most = most;
  }

  /** What came of the text; undefined where it was not looked through, or a secret that was learned since may stand in it. */
  get(text: string): Remembered<Result> | undefined {
    const entry = this.#entries.get(text);
    if (!entry) return undefined;
    const { size } = this.#index;
    if (entry.known >= size) return entry;
    if (size - entry.known > MOST_LOOKED_BACK || this.#index.mayHoldSince(entry.letters, entry.known)) return undefined;
    entry.known = size;
    return entry;
  }

  /** Remembers what came of a text. */
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
