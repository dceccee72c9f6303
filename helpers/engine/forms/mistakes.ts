/**
 * Mistakes: what code wrongly makes of a text before it compares, parses or stores it. A text that a mistake takes for the right one, and that nothing
 * permitted does (permissions.ts), is a form (look-alikes.ts): the lists of forms follow from these tables.
 */

/** Whether code takes a text for the right one. */
export type Takes = (given: string, right: string) => boolean;

/** Code that compares what it makes of both. */
export const after =
  (make: (text: string) => string): Takes =>
  (given, right) =>
    make(given) === make(right);

/** The same where the right text is of a form. */
export const where =
  (form: RegExp, takes: Takes): Takes =>
  (given, right) =>
    form.test(right) && takes(given, right);

/** Code that drops what matches. */
const dropping = (what: RegExp) => after((text) => text.replaceAll(what, ''));

const DIGITS = /^\d+$/;
/** An integer as a lenient parser of integers takes it: with sign, zeros before it, digits of another script, a fraction of zero, or an exponent (reading 4). */
const INTEGER = /^\s*[+-]?\p{Nd}+(\.0*)?(e\+?\d{1,2})?\s*$/iu;
/** Whether a text is an integer, however it is written. */
export const isInteger = (text: string): boolean => INTEGER.test(text);
/** The integer that a text is, in digits; the text itself where it is none. */
export function integerOf(text: string): string {
  if (!isInteger(text)) return text;
  const [digits, exponent = '0'] = text.normalize('NFKC').trim().toLowerCase().replace('+', '').split('e');
  return String(BigInt(digits!.replace(/\.0*$/, '')) * 10n ** BigInt(exponent));
}
/** Code that reads an integer of 64 bits, or more, and keeps fewer. */
const inBits = (bits: number): Takes => {
  const takes = after((text) => String(BigInt.asIntN(bits, BigInt(text))));
  return (given, right) =>
    [given, right].every((text) => DIGITS.test(text)) &&
    (bits === 64 || BigInt(given) < 2n ** 63n) &&
    takes(given, right);
};
/** Code that reads an integer once it has dropped what matches. */
const readingWithout = (what: RegExp) =>
  where(
    DIGITS,
    after((text) => integerOf(text.replaceAll(what, ''))),
  );

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const entities = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
const first = (length: number) => after((text) => text.slice(0, length));
const last = (length: number) => after((text) => text.slice(-length));
const cutAt = (mark: string) => after((text) => text.split(mark)[0]!);

/** A pattern as a regular expression in which signs stand for one character or for any. */
const asPattern =
  (one: string, any: string): Takes =>
  (given, right) => {
    if (![one, any].some((sign) => given.includes(sign)) || [one, any].some((sign) => right.includes(sign)))
      return false;
    const parts = [...given].map((sign) => ({ [one]: '.', [any]: '.*' })[sign] ?? sign.replace(/\W/u, '\\$&'));
    return new RegExp(`^${parts.join('')}$`, 's').test(right);
  };

/** A text that is a regular expression of more than letters, which is found anywhere. */
const isExpression: Takes = (given, right) => {
  try {
    return /[.+]/.test(given) && !right.includes(given) && new RegExp(given, 'su').test(right);
  } catch {
    return false;
  }
};

const isFuzzy: Takes = (given, right) =>
  given.length === right.length && [...given].filter((letter, at) => letter !== right[at]).length === 1;

/** Code that looks at some of the three parts of a JSON Web Token alone (RFC 7519). */
const readingParts =
  (...read: readonly number[]): Takes =>
  (given, right) => {
    const [parts, rights] = [given, right].map((text) => text.split('.')) as [string[], string[]];
    return parts.length === 3 && rights.length === 3 && read.every((place) => parts[place] === rights[place]);
  };
/** RFC 8725 section 2.1. */
const trusting =
  (alg: string): Takes =>
  (given, right) => {
    const [header = '', claims, signature] = given.split('.');
    const isSaid = Buffer.from(header, 'base64').toString('latin1').includes(`"${alg}"`);
    return signature === '' && isSaid && claims === right.split('.')[1];
  };

/** Mistakes, each by its name. */
export const MISTAKES = {
  trimming: after((text) => text.trim()),
  'ignoring case': after((text) => text.toLowerCase()),
  'ignoring the case of the first letter': after((text) => text.slice(0, 1).toLowerCase() + text.slice(1)),
  'normalising letters': after((text) => text.normalize('NFKC').toLowerCase()),
  'ignoring accents': after((text) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  'normalising width': after((text) => text.normalize('NFKC')),
  'ignoring punctuation': dropping(/[^\p{L}\p{N}]/gu),
  'ignoring blanks': dropping(/\s/g),
  'ignoring invisible characters': dropping(/\p{Cf}/gu),
  'ignoring zeros before numbers': after((text) => text.replaceAll(/0*(\d+)/g, (_, number) => String(BigInt(number)))),
  'ignoring all but digits': where(
    /\d/,
    after((text) => text.replaceAll(/\D/g, '')),
  ),
  'ignoring quotes': dropping(/["']/g),
  'ignoring brackets': dropping(/[[\]]/g),
  'decoding a percent sign once more': after(decoded),
  'decoding entities': after(entities),
  'cutting at a semicolon': cutAt(';'),
  'cutting at a question mark': cutAt('?'),
  'cutting at a number sign': cutAt('#'),
  'cutting at an ampersand': cutAt('&'),
  'cutting at a comma': cutAt(','),
  'cutting at a blank': cutAt(' '),
  'cutting at U+0000': cutAt('\0'),
  'dropping an extension': after((text) => text.replace(/\.[a-z]{2,4}$/, '')),
  'comparing the first 5 characters': first(5),
  'comparing the first 8 characters': first(8),
  'comparing the first 16 characters': first(16),
  'comparing the first 32 characters': first(32),
  'comparing the last 4 characters': last(4),
  'comparing the last 8 characters': last(8),
  'comparing both ends': after((text) => `${text.length} ${text.slice(0, 4)} ${text.slice(-4)}`),
  'comparing all but the last character': (given, right) =>
    given.length === right.length && given.slice(0, -1) === right.slice(0, -1),
  'taking what begins so': (given, right) => right.startsWith(given),
  'taking what it begins with': (given, right) => given.startsWith(right),
  'taking what ends so': (given, right) => right.endsWith(given),
  'taking what it ends with': (given, right) => given.endsWith(right),
  'taking any of its words': (given, right) => given !== right && given.split(' ').includes(right),
  'forgiving a typing error': isFuzzy,
  'taking a pattern of SQL': asPattern('_', '%'),
  'taking a pattern of files': asPattern('?', '*'),
  'taking a regular expression': isExpression,
  'reading the digits it begins with': where(
    /^\d/,
    after((text) => /^\d*/.exec(text)![0].replace(/^0+(?=\d)/, '')),
  ),
  'reading separators of thousands': readingWithout(/(?<=\d),(?=\d)/g),
  'reading underscores in numbers': readingWithout(/(?<=\d)_(?=\d)/g),
  'dropping a fraction': readingWithout(/\.\d+$/g),
  'taking a word for no number': where(DIGITS, (given) => /^[a-z]+$/i.test(given)),
  'reading hexadecimal': where(
    DIGITS,
    after((text) => (/^0x/i.test(text) ? String(Number(text)) : text)),
  ),
  'reading a number of 32 bits': inBits(32),
  'reading a number of 64 bits': inBits(64),
  'reading floating point': where(
    DIGITS,
    after((text) => (DIGITS.test(text) ? String(Number(text)) : text)),
  ),
  'ignoring the sign': where(
    DIGITS,
    after((text) => text.replace(/^[+-]+/, '')),
  ),
  'verifying no signature': readingParts(0, 1),
  'verifying claims alone': readingParts(1, 2),
  'verifying the header alone': readingParts(0, 2),
  'verifying no signature that is empty': (given, right) => given === right.replace(/(?<=\..*\.)[^.]+$/, ''),
  'ignoring a fourth part': (given, right) => given.split('.').length === 4 && given.startsWith(`${right}.`),
  'trusting the algorithm none': trusting('none'),
  'trusting the algorithm None': trusting('None'),
} as const satisfies Record<string, Takes>;

export type Mistake = keyof typeof MISTAKES;
