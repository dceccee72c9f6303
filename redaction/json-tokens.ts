/** Tokenises JSON, and text that only resembles it. */
import { endOfString } from '../files/json.ts';

/**
 * A token and its position, from `start` to `end` (exclusive), in characters. `name` and `string` include their quotes;
 * `text` is anything that is not JSON.
 */
export interface Token {
  kind: 'name' | 'string' | 'number' | 'text' | 'open' | 'close' | 'next';
  start: number;
  end: number;
}

/** A number counts only before the end of a member or item; anything else that is not JSON is running text. */
const NEXT_TOKEN = /["{}[\],]|(?<number>-?\d[\d.]*(?:[eE][+-]?\d+)?(?=\s*(?:[,}\]]|$)))|[^"{}[\],\s:][^"{}[\],]*/g;
const COLON = /\s*:/y;

/** The tokens of JSON, with any other text between them. */
export function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    NEXT_TOKEN.lastIndex = at;
    const found = NEXT_TOKEN.exec(text);
    if (!found) return;
    const start = found.index;
    const first = found[0][0]!;
    let end = start + found[0].length;
    if (first === '"') {
      end = endOfString(text, start) + 1;
      COLON.lastIndex = end;
      yield { kind: COLON.test(text) ? 'name' : 'string', start, end };
    } else if (first === ',') yield { kind: 'next', start, end };
    else if (first === '{' || first === '[') yield { kind: 'open', start, end };
    else if (first === '}' || first === ']') yield { kind: 'close', start, end };
    else yield { kind: found.groups?.number ? 'number' : 'text', start, end };
    at = end;
  }
}

/** The content of a string token without quotes; a truncated one has no closing quote. */
export function contentOf(text: string, { start, end }: Token): { from: number; to: number } {
  const isClosed = end - start > 1 && text[end - 1] === '"';
  return { from: start + 1, to: Math.max(start + 1, isClosed ? end - 1 : end) };
}
