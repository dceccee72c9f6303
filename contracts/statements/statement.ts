/** A statement of a document, and what answers for it. */

/**
 * One statement of a document in the project's own words, with at least one of `judged`, `observed`, `excluded` and
 * `silent`.
 */
export interface Statement {
  /** Row of a table, number of a rule, or first words of a sentence. */
  readonly row: string;
  readonly text: string;
  /** Requirements that judge it: ids, or patterns with `*`. */
  readonly judged?: readonly string[];
  /** The part that is recorded as an observation, in words. */
  readonly observed?: string;
  /** Exclusions that explain why it is not judged. */
  readonly excluded?: readonly string[];
  /**
   * Why there is nothing to judge: it names or orders things, or refers to something that the document does not show.
   */
  readonly silent?: string;
}

/** A section of a document: its heading, and its statements in order. */
export interface Section {
  readonly heading: string;
  readonly statements: readonly Statement[];
}
