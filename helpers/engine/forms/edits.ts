/** Small changes of a text, which mistakes (mistakes.ts) overlook. */
import { another, type Draw } from './invented.ts';

/** A change of a text; undefined where there is nothing to change. Its name is said after a noun: `continued by a word`. */
export interface Edit {
  name: string;
  of(text: string, draw: Draw): string | undefined;
}

/** The text with the case of every letter swapped. */
const inOtherCase = (text: string): string =>
  [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The text with its last character changed in the one bit that base64 never leaves spare. */
function endedOtherwise(text: string): string | undefined {
  const last = BASE64.indexOf({ '+': '-', '/': '_' }[text.slice(-1)] ?? (text.slice(-1) || ' '));
  return last < 0 ? undefined : text.slice(0, -1) + BASE64[last ^ 32];
}

/** The text with one character changed: the first letter or digit from the middle on, else the last one before it. */
function altered(text: string, draw: Draw): string {
  const middle = Math.floor(text.length / 2);
  const after = [...text.slice(middle)].findIndex((character) => /[A-Za-z0-9]/.test(character));
  const at = after < 0 ? text.search(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/) : middle + after;
  return at < 0 ? `${text}0` : text.slice(0, at) + another(text[at]!, draw) + text.slice(at + 1);
}

/** Four characters are whole bytes of hexadecimal and of base64. What follows a number is letters first, where a parser of numbers stops. */
const WORD = 'xq00';
/** Digits in a row that nobody has. */
const manyDigits = (draw: Draw) => `7${Array.from({ length: 11 }, () => draw(10)).join('')}`;

const followed = (name: string, by: string): Edit => ({ name: `followed by ${name}`, of: (text) => text + by });
const around = (name: string, before: string, behind = before): Edit => ({
  name: `in ${name}`,
  of: (text) => before + text + behind,
});
/** The text with a character in its middle; so that it can't be a decimal sign before zeros, a short number gets zeros before it. */
const inserted = (name: string, character: string): Edit => ({
  name: `with ${name} within`,
  of: (text) => {
    const whole = /^\d{1,3}$/.test(text) ? text.padStart(4, '0') : text;
    const middle = Math.floor(whole.length / 2);
    return whole.slice(0, middle) + character + whole.slice(middle);
  },
});
/** The last character of a kind, replaced. */
const replaced = (name: string, what: RegExp, by: (character: string, draw: Draw) => string): Edit => ({
  name,
  of: (text, draw) => {
    const at = [...text].findLastIndex((character) => what.test(character));
    return at < 0 ? undefined : text.slice(0, at) + by(text[at]!, draw) + text.slice(at + 1);
  },
});
/** A number that is the same in its last bits alone. */
const shifted = (bits: bigint): Edit => ({
  name: `beyond ${bits} bits`,
  of: (text) => (/^\d+$/.test(text) ? String(BigInt(text) + 2n ** bits) : undefined),
});

/** The JSON Web Token (RFC 7519) with one of its parts changed. */
const inPart = (name: string, place: number, by: (part: string, draw: Draw) => string): Edit => ({
  name,
  of: (text, draw) => {
    const parts = text.split('.');
    return parts.length === 3 ? parts.map((part, at) => (at === place ? by(part, draw) : part)).join('.') : undefined;
  },
});
/** The JSON Web Token without a signature, as one that says it needs none (RFC 8725 section 2.1). */
const unsigned = (alg: string): Edit => ({
  name: `with the algorithm ${alg}`,
  of: (text) => {
    const [, payload, signature] = text.split('.');
    return signature && `${Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')}.${payload}.`;
  },
});

export const EDITS: readonly Edit[] = [
  { name: 'continued', of: (text) => `${text}${/^(?=.*[a-f])[0-9a-f]+$/i.test(text) ? '0000' : WORD}` },
  { name: 'continued by many digits', of: (text, draw) => text + manyDigits(draw) },
  // A parser may drop zeros before a number, hexadecimal too, and read only the last digits of each part of a UUID.
  { name: 'with another character before it', of: (text) => `${/^\d+$/.test(text) ? 9 : 'x'}${text}` },
  { name: 'with many digits before it', of: (text, draw) => manyDigits(draw) + text },
  { name: 'cut short', of: (text) => text.slice(0, -1) },
  { name: 'cut short by a quarter', of: (text) => text.slice(0, text.length * 0.75) },
  { name: 'without its first character', of: (text) => text.slice(1) },
  { name: 'without its first quarter', of: (text) => text.slice(text.length * 0.25) },
  { name: 'with one character changed', of: altered },
  { name: 'with its last character changed', of: endedOtherwise },
  {
    name: 'with its last digit changed',
    of: (text, draw) => (/^[\d\W_]*\d$/.test(text) ? text.slice(0, -1) + another(text.slice(-1), draw) : undefined),
  },
  { name: 'in another case of letters', of: inOtherCase },
  { name: 'with a blank before it', of: (text) => ` ${text}` },
  { name: 'with a blank behind it', of: (text) => `${text} ` },
  replaced('with an accent', /[a-z]/i, (letter) => `${letter}\u0301`.normalize('NFC')),
  replaced('with a wide letter or digit', /[a-z0-9]/i, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  inserted('a hyphen', '-'),
  inserted('a blank', ' '),
  inserted('a comma', ','),
  inserted('an underscore', '_'),
  inserted('an invisible character', '\u200b'),
  {
    name: 'with zeros before its number',
    // So many that it is nobody's, unless the whole is a number.
    of: (text) => text.replace(/\d+/, (number) => '0'.repeat(number === text ? 1 : 16) + number),
  },
  replaced('with a character percent-encoded', /./s, (one) => `%${one.charCodeAt(0).toString(16)}`),
  replaced('with a character as an entity', /./s, (one) => `&#${one.charCodeAt(0)};`),
  followed('a parameter', `;${WORD}`),
  followed('a query', `?${WORD}`),
  followed('a fragment', `#${WORD}`),
  followed('another parameter', `&${WORD}`),
  followed('an extension', '.json'),
  followed('U+0000 and more', `\0${WORD}`),
  followed('another in a list', `,${WORD}`),
  followed('another word', ' qxzzxqvwkjqz'),
  around('quotes', '"'),
  around('brackets', '[', ']'),
  { name: 'with a sign for any end', of: (text) => `${text.slice(0, -1)}%` },
  { name: 'with signs that stand for others', of: (text) => `_${text.slice(1, -1)}%` },
  { name: 'with a star for its end', of: (text) => `${text.slice(0, -1)}*` },
  { name: 'with an expression for its end', of: (text) => `${text.slice(0, -1)}.+` },
  followed('a fraction', '.5'),
  { name: 'that is a word', of: () => 'abc' },
  { name: 'with a sign', of: (text) => `-${text}` },
  {
    name: 'in hexadecimal',
    of: (text) => (/^\d{1,15}$/.test(text) ? `0x${Number(text).toString(16)}` : undefined),
  },
  shifted(32n),
  shifted(64n),
  inPart('with its claims changed', 1, altered),
  inPart('without its signature', 2, () => ''),
  unsigned('none'),
  unsigned('None'),
];
