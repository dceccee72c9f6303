/** Texts that resemble an identifier, token, session, secret or password that is known, but are another one (readings 11, 17, 32 and 34). */
import { inOtherCase, isCaseless } from './caseless.ts';
import { altered, endedOtherwise, HEX, invented } from './invented.ts';

/** A text that resembles another one. */
export interface LookAlike {
  /** What sets it apart, to be said after a noun, e.g. `continued by a word`. */
  name: string;
  text: string;
}

/** Makes a look-alike; undefined where a conformant implementation may take it for the text itself. */
interface Form {
  name: string;
  of: (text: string) => string | undefined;
}

/** Base64 with padding (RFC 4648 section 3.2), in either alphabet. */
const PADDED = /^[\w+/-]+={1,2}$/;

/** Decoders may ignore changes to the end of padded base64, and whatever follows it. */
const unlessPadded = (text: string, made: string) => (PADDED.test(text) ? undefined : made);

/** Whether the text is hexadecimal, not a number: a decoder of it may stop at other letters. */
const isHexadecimal = (text: string) => HEX.test(text) && !/^\d*$/.test(text);

// What follows a number is letters first, where a parser of numbers stops; four characters are whole bytes of hexadecimal and base64.
const CONTINUED: Form = {
  name: 'continued',
  of: (text) => unlessPadded(text, `${text}${isHexadecimal(text) ? '0000' : 'xq00'}`),
};
const CONTINUED_BY_WORD: Form = {
  name: 'continued by a word',
  of: (text) => (isHexadecimal(text) ? undefined : CONTINUED.of(text)),
};
const CONTINUED_BY_DIGITS: Form = {
  name: 'continued by many digits',
  of: (text) => unlessPadded(text, `${text}${invented('')}`),
};
const AFTER_DIGITS: Form = { name: 'with many digits before it', of: (text) => `7${invented('')}${text}` };
const PRECEDED: Form = {
  name: 'with another character before it',
  // A parser may drop leading zeros of a number, hexadecimal too, and read only the last digits of each part of a UUID.
  of: (text) => `${/^\d+$/.test(text) ? 9 : 'x'}${text}`,
};
const CUT_SHORT: Form = { name: 'cut short', of: (text) => unlessPadded(text, text.slice(0, -1)) };
/** What is left without its last character is no text of which the whole could be a part: that ends within a number or a word. */
const CUT_SHORT_WITHIN: Form = {
  ...CUT_SHORT,
  of: (text) => (/(\d\d|[a-z][a-z]|[^a-z\d].)$/i.test(text) ? CUT_SHORT.of(text) : undefined),
};
/** Where things are numbered, one digit less is another number, which may be that of what is out of reach: the number goes whole. */
const CUT_SHORT_OF_NUMBER: Form = {
  ...CUT_SHORT,
  of: (text) => CUT_SHORT.of(text.replace(/(?<=[^0-9a-z])\d{1,5}$/i, '')),
};
// The last character of a part may hold spare bits only.
const CUT_BY_A_QUARTER: Form = { name: 'cut short by a quarter', of: (text) => text.slice(0, text.length * 0.75) };
const LAST_PART: Form = { name: 'without its first quarter', of: (text) => text.slice(text.length * 0.25) };
const END: Form = { name: 'without its first character', of: (text) => unlessPadded(text, text.slice(1)) };
const PATTERN: Form = { name: 'with a sign for any end', of: asPattern };
const SIGNS: Form = {
  name: 'with signs that stand for others',
  of: (text) => (/[%_]/.test(text) ? undefined : unlessPadded(text, `_${text.slice(1, -1)}%`)),
};
const CHANGED: Form = { name: 'with one character changed', of: (text) => inPart(text, 1, altered) ?? altered(text) };
/** A text of base32 (RFC 4648 section 6), whose last character may hold one bit of data alone. */
const BASE32 = /^[2-7A-Z]+$/;
const ENDED_OTHERWISE: Form = {
  name: 'with its last character changed',
  of: (text) => (BASE32.test(text) ? undefined : unlessPadded(text, endedOtherwise(text) ?? `${text.slice(0, -1)}x`)),
};
const OTHER_CASE: Form = {
  name: 'in another case of letters',
  of: (text) => (isCaseless(text) ? undefined : inOtherCase(text)),
};
// A target may forgive a first letter in the wrong case (NIST SP 800-63B: allowances for mistyping).
const OTHER_CASE_WITHIN: Form = { ...OTHER_CASE, of: (text) => `${text.slice(0, 1)}${inOtherCase(text.slice(1))}` };

const unsigned = (alg: string) => () => Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
const unsignedAs = (alg: string): Form => ({
  name: `with the algorithm ${alg}`,
  of: (text) => inPart(inPart(text, 0, unsigned(alg)) ?? '', 2, () => ''),
});
/** What a careless verification of a JSON Web Token takes (RFC 7519; RFC 8725 section 2.1). */
const OF_JWT: readonly Form[] = [
  { name: 'with its header changed', of: (text) => inPart(text, 0, altered) },
  { name: 'with its signature changed', of: (text) => inPart(text, 2, altered) },
  { name: 'without its signature', of: (text) => inPart(text, 2, () => '') },
  { name: 'with a fourth part', of: (text) => inPart(text, 2, (signature) => `${signature}.AAAA`) },
  unsignedAs('none'),
  unsignedAs('None'),
];

/** The JSON Web Token with one of its three parts replaced; undefined for any other text. */
function inPart(text: string, place: number, by: (part: string) => string): string | undefined {
  const parts = text.split('.');
  return parts.length === 3 ? parts.map((part, at) => (at === place ? by(part) : part)).join('.') : undefined;
}

/** A pattern that matches the text where an implementation takes texts for patterns; undefined if it contains % or ends in base64 padding. */
export function asPattern(text: string): string | undefined {
  return text.includes('%') ? undefined : unlessPadded(text, `${text.slice(0, -1)}%`);
}

/** Whatever is short may be one of many: only what goes far beyond it is certain to be nobody's. */
const OF_SHORT = [CONTINUED_BY_DIGITS, CONTINUED_BY_WORD, AFTER_DIGITS];
const OF_CREDENTIALS = [CHANGED, ENDED_OTHERWISE, CONTINUED, PRECEDED, CUT_BY_A_QUARTER, OTHER_CASE, ...OF_JWT];
const OF_SECRETS = [CHANGED, ENDED_OTHERWISE, CONTINUED, PRECEDED, CUT_SHORT];

/** The forms of each kind of value. Texts of fewer characters than `least` could be somebody else's when changed a little. */
const KINDS = {
  identifier: { least: 15, forms: [CONTINUED, CUT_SHORT, PRECEDED] },
  // A part of a number may be that of another card, which the answer shows.
  proxy: { least: 6, forms: [CONTINUED, CUT_BY_A_QUARTER, LAST_PART] },
  temporaryToken: { least: 12, forms: [CHANGED, ENDED_OTHERWISE, CONTINUED, CUT_BY_A_QUARTER, OTHER_CASE] },
  token: { least: 16, forms: OF_CREDENTIALS },
  sessionId: { least: 8, forms: OF_CREDENTIALS },
  // Wrong secrets and passwords of one's own name are wrong, however short.
  secret: { least: 0, forms: [...OF_SECRETS, OTHER_CASE] },
  password: { least: 0, forms: [...OF_SECRETS, OTHER_CASE_WITHIN] },
  // Clients may be numbered and share a secret.
  clientId: { least: 8, forms: [CONTINUED_BY_DIGITS, CONTINUED_BY_WORD, CUT_BY_A_QUARTER, PATTERN] },
  loginId: { least: 9, forms: [CONTINUED_BY_DIGITS, CONTINUED_BY_WORD, AFTER_DIGITS, CUT_SHORT, PATTERN] },
  // Values of filters are judged by what they find.
  filterOfCustomer: { least: 15, forms: [CUT_SHORT_OF_NUMBER, PATTERN, CONTINUED, END, SIGNS, PRECEDED] },
  filterOfOrder: { least: 3, forms: [CUT_SHORT_WITHIN, CONTINUED, PRECEDED, PATTERN] },
  filterOfMember: { least: 3, forms: [CUT_SHORT, END, SIGNS, PATTERN, CONTINUED, PRECEDED] },
} as const satisfies Record<string, { least: number; forms: readonly Form[] }>;

/** The look-alikes of a text of a kind, none of which an implementation may take for it. */
export function lookAlikes(kind: keyof typeof KINDS, text: string): LookAlike[] {
  const { least, forms } = KINDS[kind];
  return (text.length < least ? OF_SHORT : forms).flatMap(({ name, of }) => {
    const made = of(text);
    return made === undefined || made === '' || isSame(made, text) ? [] : [{ name, text: made }];
  });
}

/** Whether both are the same text, or the same number: leading zeros may be ignored. */
const isSame = (one: string, other: string): boolean =>
  one === other || ([one, other].every((text) => /^\d+$/.test(text)) && BigInt(one) === BigInt(other));
