/** Masks characters while keeping type and length. Idempotent. */

/**
 * Replaces letters by x or X and digits by 9. A non-ASCII letter becomes another one of the same UTF-8 length, so that
 * the record still shows limits in characters or bytes. What is a date stays one.
 */
export function maskText(text: string): string {
  const parts = text.replaceAll(/\p{L}/gu, letterLike).split(DATE);
  return parts.map((part, index) => (index % 2 > 0 ? MASKED_DATE : part.replaceAll(/\p{Nd}/gu, '9'))).join('');
}

const DATE = /\b(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))\b/;
const MASKED_DATE = '9999-09-09';

function letterLike(letter: string): string {
  const code = letter.codePointAt(0)!;
  if (code <= 0x7f) return /\p{Lu}/u.test(letter) ? 'X' : 'x';
  if (code <= 0x7ff) return 'é';
  return code <= 0xffff ? '漢' : '𠀀';
}

/** Masks a JSON number digit by digit, leaving an exponent as it is. */
export function maskNumber(text: string): string {
  const [digits = '', ...exponent] = text.split(/(?=e)/i);
  return digits.replaceAll(/\d/g, '9') + exponent.join('');
}

/**
 * Escapes control characters (with which terminal escapes begin) and characters that reorder text; line feed and tab
 * stay.
 */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const INVISIBLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
