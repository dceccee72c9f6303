/** Masks: type and length stay, content goes. Masking twice is masking once. */

/** Letters become x or X, digits 9; what else there is stays. */
export function maskText(text: string): string {
  return text
    .replaceAll(/\p{Lu}/gu, 'X')
    .replaceAll(/[^\P{L}X]/gu, 'x')
    .replaceAll(/\p{Nd}/gu, '9');
}

/** The text of a JSON number with as many digits, an exponent left as it is. */
export function maskNumber(text: string): string {
  const [digits = '', ...exponent] = text.split(/(?=e)/i);
  return digits.replaceAll(/\d/g, '9') + exponent.join('');
}

/** Whether digits are a card number: 13 to 19 of them, of a payment network's range, with a right check digit (ISO/IEC 7812-1). */
export function isCardNumber(digits: string): boolean {
  if (!/^(?:[3-6]|2[2-7])\d{12,18}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Control characters (terminal escapes begin with one) and those that reorder text, made visible; line feed and tab stay. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => {
    const code = character.charCodeAt(0);
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const INVISIBLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
