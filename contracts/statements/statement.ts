/** What a statement of a document is, and who answers for it. */

/** One statement of a document in the project's own words. At least one of `judged`, `observed`, `excluded` and `silent` is there. */
export interface Statement {
  /** Row of a table, number of a rule, or first words of a sentence. */
  readonly row: string;
  readonly text: string;
  /** Requirements that judge it: ids, or patterns with `*`. */
  readonly judged?: readonly string[];
  /** What of it is recorded as an observation, in words. */
  readonly observed?: string;
  /** Exclusions that say why it is not judged. */
  readonly excluded?: readonly string[];
  /** Why there is nothing to judge: it names or orders things, or says what the document does not show. */
  readonly silent?: string;
}

/** A section of a document: its heading, and its statements in their order. */
export interface Section {
  readonly heading: string;
  readonly statements: readonly Statement[];
}
