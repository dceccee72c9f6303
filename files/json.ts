/** Writes and reads JSON (RFC 8259). */

declare global {
  /** JSON.parse source text access (ECMAScript proposal, in Node 24), which TypeScript's library lacks. */
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  }
}

/** Serialises a value that may hold bigint, written as an integer. */
export function writeJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // There is a bigint. A replacer takes several times as long, so it is used only then.
    const raw = (_key: string, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item);
    return JSON.stringify(value, raw, indent);
  }
}

/**
 * Serialises for files that people and programs read: escapes characters that readers of lines take as line ends
 * (U+0085, U+2028, U+2029), that terminals act on, or that reorder or hide text. Parses back to the same value.
 */
export const writeFileJson = (value: unknown, indent?: number): string => escapedJson(writeJson(value, indent));

/** Applies the same escapes to JSON text, or lines of it, written by others. */
export const escapedJson = (text: string): string =>
  text.replace(UNSAFE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

const UNSAFE = /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Parses JSON that may be damaged; undefined if it is. */
export function parseDamagedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Index of the quote that ends the JSON string beginning at `start`; the last index if none does. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length - 1;
}
