/** Recognises card numbers by their form: as one number, or in groups. */

const LEAST_DIGITS = 13;
const MOST_DIGITS = 19;

/** Whether digits form a card number: 13 to 19, in a network's range, with a valid check digit (ISO/IEC 7812-1). */
export function isCardNumber(digits: string): boolean {
  if (!/^(?:[3-6]|2[2-7])\d{12,18}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Groups of digits with one separator throughout, each of several digits or of one; or digits without separator. */
const GROUPS =
  /(?<![\d.]|\d[ ,-])\d{2,7}(?<gap>[^\dA-Za-z]{1,3})\d{2,7}(?:\k<gap>\d{1,7}){0,7}(?!\d)|(?<!\d)\d(?<one>[^\dA-Za-z]{1,3})\d(?:\k<one>\d){11,17}(?!\d)|(?<![\d.]|\d[eE][+-]?)\d{13,19}(?!\d)/g;
const PERHAPS = /\d{13}|(?:\d[^\dA-Za-z]{1,3}){3}|\d{2,7}[^\dA-Za-z]{1,3}\d{2}/;

/** The positions of card numbers in a text, without what follows in the same format, such as an expiry month. */
export function cardNumbersIn(text: string): { from: number; to: number }[] {
  if (!PERHAPS.test(text)) return [];
  return [...text.matchAll(GROUPS)].flatMap((found) => {
    const range = cardNumberIn(found[0]);
    return range ? [{ from: found.index + range.from, to: found.index + range.to }] : [];
  });
}

/** The first card number made of whole groups. */
function cardNumberIn(groups: string): { from: number; to: number } | undefined {
  const digits = [...groups.matchAll(/\d+/g)];
  for (const [first, { index: from }] of digits.entries()) {
    let number = '';
    for (const { 0: group, index } of digits.slice(first)) {
      number += group;
      if (number.length > MOST_DIGITS) break;
      if (number.length >= LEAST_DIGITS && isCardNumber(number)) return { from, to: index + group.length };
    }
  }
  return undefined;
}
