/** Forms of texts. */

/** A letter of two bytes in UTF-8 that no normalisation decomposes. */
export const TWO_BYTES = 'ø';
/** Letters of more than one byte, and punctuation. */
const ODD = /[^A-Za-z0-9 ]/g;

/** The text cut to a number of characters; a trailing space becomes `x`, since it may be trimmed. */
export const cutTo = (text: string, characters: number): string => text.slice(0, characters).replace(/ $/, 'x');

/** The text with `o` in place of everything that is not a plain letter, a digit or a space: as many characters, but fewer bytes. */
export const inPlainLetters = (text: string): string => text.replaceAll(ODD, 'o');

/** Half of the text, including every odd character: a target may take some of these and refuse others. */
export function halfOf(text: string): string {
  const odd = [...new Set(text.match(ODD))];
  const half = text.slice(0, text.length / 2).trim();
  if (odd.every((letter) => half.includes(letter))) return half;
  return [...odd, ...text].slice(0, text.length / 2).join('');
}

/** The first words of a text: a target may know what begins so. */
export const firstWords = (text: string, words: number): string => text.split(' ').slice(0, words).join(' ');

/** Characters at once that an implementation may mishandle in a statement, a pattern or an address, in a text that nothing has; web servers take them in a path. */
export const ODD_IN_PATH = `no-such'"#_é漢`;
/** The same, with those that a web server may refuse in a path before an operation sees them. */
export const ALL_ODD = `${ODD_IN_PATH}%&+`;
