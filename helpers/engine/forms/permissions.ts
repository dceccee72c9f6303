/** What a conformant implementation may do to a value before it compares it: no mistake there, whatever it is elsewhere. */
import { UUID } from './invented.ts';
import { after, integerOf, MISTAKES, type Mistake, type Takes, where } from './mistakes.ts';

/** What is permitted, and the reading that permits it. */
interface Permission {
  reading: string;
  takes: readonly Takes[];
}

const permitted = (reading: string, ...mistakes: readonly Mistake[]): Permission => ({
  reading,
  takes: mistakes.map((name) => MISTAKES[name]),
});

/** The text without what its alphabet does not hold. */
const only = (alphabet: string, text: string) => text.replaceAll(new RegExp(`[^${alphabet}]`, 'gi'), '');

const base64 = (alphabet: string) => (text: string) =>
  Buffer.from(text.replace(/=.*$/s, '').replaceAll(new RegExp(`[^${alphabet}]`, 'g'), ''), 'base64').toString('latin1');
const URL_SAFE = base64('\\w+/-');
/** The alphabet of RFC 4648 section 4: a lenient decoder skips everything else. */
const STANDARD = base64('A-Za-z0-9+/');

/** What decoders make of a text that look at the low byte of each character: the letter z of a z with an acute accent, U+017A. */
const lowBytes = (text: string) => URL_SAFE(Buffer.from(text, 'latin1').toString('latin1'));

/** Letters that Crockford's base32 takes for digits. */
const crockford = (text: string) =>
  text.toUpperCase().replaceAll('-', '').replaceAll(/[IL]/g, '1').replaceAll('O', '0');

/** The integer that a text is as a literal of a programming language, in digits; the text itself where it is none. */
function literalOf(text: string): string {
  try {
    return String(BigInt(text));
  } catch {
    return text;
  }
}

/** What decodes to the same, where the right text may be an encoding. */
const SAME_WHEN_DECODED: readonly Takes[] = [
  // Padded, or so long that it may well be one: decoders ignore spare bits, whatever follows the padding, and other characters.
  ...[URL_SAFE, lowBytes].map((decode) => where(/^(?!\d*$)(?:[\w+/-]{16,}|[\w+/-]+={1,2})$/, after(decode))),
  where(/^(?!\d*$)(?:[A-Za-z0-9+/]{16,}|[A-Za-z0-9+/]+={1,2})$/, after(STANDARD)),
  // The signature of a JSON Web Token; what it signs is text.
  where(
    /^[\w-]+\.[\w-]+\.[\w-]+$/,
    after((text) => text.replace(/(?<=\..*\.).*$/s, URL_SAFE)),
  ),
  // Hexadecimal, whose decoders stop at another character, or skip it.
  where(
    /^(?=.*[a-f])[0-9a-f]+$/i,
    after((text) => Buffer.from(text, 'hex').toString('latin1')),
  ),
  where(
    /^(?=.*[a-f])[0-9a-f]+$/i,
    after((text) => only('0-9a-f', text).toLowerCase()),
  ),
  // Base32 (RFC 4648 section 6), all in one case, the last letter of which may hold spare bits; and ULIDs.
  where(
    /^(?!\d*$)(?:[2-7A-Z]{16,}|[2-7a-z]{16,})=*$/,
    after((text) => `${only('2-7A-Z', text).slice(0, -1).toUpperCase()} ${only('2-7A-Z', text).length}`),
  ),
  where(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i, after(crockford)),
  // UUIDs in braces, without hyphens, or with zeros left out.
  where(
    UUID,
    after((text) => text.replaceAll(/[{}()-]/g, '').toLowerCase()),
  ),
  where(
    UUID,
    after((text) => text.toLowerCase().replaceAll(/(?<![0-9a-f])0+(?=[0-9a-f])/g, '')),
  ),
];

export const PERMISSIONS = {
  blanks: permitted(
    '11: with a blank before or behind it, it is advised to be unknown, since parsers trim',
    'trimming',
  ),
  collation: permitted(
    '11: in another case of letters: observed. What compares so in a database also ignores accents, width, and what has no weight',
    'ignoring case',
    'ignoring accents',
    'normalising letters',
    'ignoring invisible characters',
  ),
  lists: permitted(
    '11: what an unknown value of a filter finds is observed; it may be a list, or a text in quotes',
    'cutting at a comma',
    'ignoring quotes',
    'ignoring brackets',
  ),
  typing: permitted(
    '32: a password that is typed otherwise may be forgiven its first letter, and be normalised (NIST SP 800-63B)',
    'ignoring the case of the first letter',
    'normalising width',
  ),
  // Identifiers of orders are texts that the client chooses: two that differ are two, zeros or not (reading 44).
  numbers: {
    reading:
      '4, 11: what is the same number, with zeros before it, a fraction of zero or in hexadecimal, is the same value',
    takes: [integerOf, literalOf].map((read) => where(/^\d+$/, after(read))),
  },
  bytes: {
    reading:
      '17: the last character can hold spare bits, and what is all hexadecimal has no case: the same bytes are the same value',
    takes: SAME_WHEN_DECODED,
  },
} as const satisfies Record<string, Permission>;

export type PermissionName = keyof typeof PERMISSIONS;

/** Whether one of some permissions lets an implementation take a text for the right one. */
export const isPermitted = (names: readonly PermissionName[], given: string, right: string): boolean =>
  names.some((name) => PERMISSIONS[name].takes.some((takes) => takes(given, right)));
