/** Writing of JSON (RFC 8259). */

declare global {
  /** JSON.parse source text access (ECMAScript proposal, in Node 24), which TypeScript's library does not know yet. */
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  }
}

/** JSON text of a value that may hold bigint, which is written as an integer. */
export function writeJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // A bigint somewhere: a look at every value takes several times as long.
    const raw = (_key: string, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item);
    return JSON.stringify(value, raw, indent);
  }
}

/**
 * The same for files that people and programs read: what a reader of lines takes for the end of one (U+0085, U+2028,
 * U+2029), what a terminal acts on, and what reorders or hides text stands escaped. It reads back the same.
 */
export const writeFileJson = (value: unknown, indent?: number): string => escapedJson(writeJson(value, indent));

/** JSON text, or lines of it, that others wrote, in the same way. */
export const escapedJson = (text: string): string =>
  text.replace(UNSAFE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

const UNSAFE = /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
