/** What redaction offers to those who record or print. */
import type { Label } from '../../../contracts/redaction.ts';

/** A text made fit for evidence. */
export interface RedactedBody {
  text: string;
  /** True if text was cut to the limit of evidence. */
  truncated: boolean;
}

/** Takes secrets, and personal data unless RUN_PERSONAL_DATA keeps it, out of what is written or printed. It learns while the run goes on. */
export interface Redactor {
  /**
   * A secret by value: with four characters or more it is replaced wherever it occurs, whatever its case, and also
   * percent-encoded, as entities, escaped, in base64 or hexadecimal, and in one of these within another. One of less than eight
   * letters and digits is found as a word alone. The label becomes the marker: `<REDACTED_ACCESS_TOKEN>`.
   */
  learn(value: string, label: Label): void;
  /** A header whose value is a secret, beside the well-known ones; also where an answer echoes it as a member. */
  learnHeader(name: string): void;
  /** A URL: its user information, secret parameters, and secrets anywhere in it replaced. */
  url(url: string): string;
  /** Headers by name, and by value where the name says nothing. */
  headers(headers: Record<string, string | string[]>): Record<string, string | string[]>;
  /**
   * JSON and forms by the names of members, anything else as text; cut after redaction.
   * Secrets that stand in it are learned, so of one answer the body is redacted before its headers.
   */
  body(text: string, mediaType: string): RedactedBody;
  /** A message: secrets replaced, control characters and terminal escapes made visible. */
  text(message: string): string;
  /** A JSON-like value (path parameters, inputs of a change), redacted member by member. */
  value(value: unknown): unknown;
}
