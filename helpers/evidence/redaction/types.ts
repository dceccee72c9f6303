/** The interface of redaction for code that records or prints. */
import type { Label } from '../../../contracts/redaction.ts';

declare const REDACTED: unique symbol;

/** A text that has been redacted. What a record takes from a target is of this type, so that nothing else is written. */
export type Redacted = string & { readonly [REDACTED]: true };

/** Marks a text that holds no word of a target, or comes from a record. */
export const asRedacted = (text: string): Redacted => text as Redacted;

/** A text fit for evidence. */
export interface RedactedBody {
  text: Redacted;
  /** Whether the text was truncated to the limit for evidence. */
  truncated: boolean;
}

/**
 * Removes secrets, and personal data unless RUN_PERSONAL_DATA keeps it, from everything written or printed. Learns
 * during the run.
 */
export interface Redactor {
  /**
   * Learns a secret by value. With four characters or more it is replaced wherever it occurs, in any case,
   * percent-encoded, as entities, escaped, in base64 or hexadecimal, and in nested encodings. With fewer than eight
   * letters and digits it is found only as a word. The label gives the marker: `<REDACTED_ACCESS_TOKEN>`.
   */
  learn(value: string, label: Label): void;
  /** Learns a further header whose value is secret, also if an answer echoes it as a member. */
  learnHeader(name: string): void;
  /** Redacts a URL: user information, secret parameters, and known secrets. */
  url(url: string): Redacted;
  /** Redacts headers by name, or by value if the name means nothing. */
  headers(headers: Record<string, string | string[]>): Record<string, string | string[]>;
  /**
   * Redacts JSON and forms by the names of members, anything else as text, and truncates afterwards. Learns secrets
   * from it.
   */
  body(text: string, mediaType: string): RedactedBody;
  /**
   * Repeats work that redacts several parts of one exchange until none of them teaches a secret any more, which a part
   * before it may hold.
   */
  settled<T>(work: () => T): T;
  /** Redacts a sentence of the suite itself: known secrets alone, since what follows `credentials:` in it is no secret. */
  sentence(text: string): Redacted;
  /** Redacts a message, and escapes control characters and terminal escapes. */
  text(message: string): Redacted;
  /** Redacts a JSON-like value (path parameters, inputs of a change) member by member. */
  value(value: unknown): unknown;
}
