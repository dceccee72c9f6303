/** Texts that may be recorded. */

declare const REDACTED: unique symbol;

/** A text that has been redacted. What a record takes from a target is of this type, so that nothing else is written. */
export type Redacted = string & { readonly [REDACTED]: true };

/** Marks a text that holds no word of a target, or comes from a record. */
export const asRedacted = (text: string): Redacted => text as Redacted;
