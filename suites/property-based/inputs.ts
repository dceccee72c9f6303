/** Generators (fast-check) of inputs that several operations take. */
import fc from 'fast-check';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const DIGITS = [...'0123456789'];
/** Precomposed letters of two bytes in UTF-8. */
export const TWO_BYTE_LETTERS = [...'áàâäãåéèêëíìîïñóòôöõúùûüýçøßæ'];

const characters = (from: readonly string[], minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...from), minLength, maxLength, size: 'max' });

/** Text of letters and digits that no name or identifier contains by chance. */
const unlikely = characters([...LETTERS.slice(0, 26), ...DIGITS], 24, 32);

/** Texts that even a lenient parser must not take for an integer: words, numbers that run into a word, fractions. */
export const notIntegers = [
  {
    name: 'a word',
    values: fc
      .tuple(characters([...LETTERS, ...TWO_BYTE_LETTERS], 2, 12), fc.constantFrom('', '1', '50'))
      .filter(([word]) => !/^(null|true|false|undefined|nil|none|nan|inf)$/i.test(word))
      .map((parts) => parts.join('')),
  },
  {
    name: 'a number that runs into a word',
    values: fc
      .tuple(fc.integer({ min: 1, max: 50 }), characters([...'ghijkmpqrstvwyz'], 1, 3))
      .map(([n, word]) => `${n}${word}`),
  },
  {
    name: 'a fraction',
    values: fc
      .tuple(fc.integer({ min: 1, max: 49 }), fc.integer({ min: 1, max: 9 }))
      .map(([n, tenths]) => `${n}.${tenths}`),
  },
];

/** Text that no name contains, with characters that a query must encode. */
export const unmatchedText = fc
  .tuple(unlikely, characters([...`%&+#/=?;:@$, '"\\éüß漢ł`], 1, 6), fc.integer({ min: 0, max: 24 }))
  .map(([text, odd, at]) => text.slice(0, at) + odd + text.slice(at));

/**
 * An identifier that names nothing, with letters beyond ASCII and punctuation. It has none of the characters that gateways and
 * servers refuse in a path before the operation sees it: slashes, dots, percent signs, semicolons, spaces, control characters.
 */
export const unknownIdentifier = fc
  .tuple(unlikely, characters([...'-_~=,@éüß漢ł'], 1, 8), fc.integer({ min: 1, max: 24 }))
  .map(([text, odd, at]) => text.slice(0, at) + odd + text.slice(at));

/** All of the names, or one half of them in order, to leave out of a request. */
export const severalOf = (names: readonly string[]) => {
  const half = names.length / 2;
  const halves = [names.slice(0, Math.ceil(half)), names.slice(Math.floor(half))];
  return fc.constantFrom(names, ...halves.filter(({ length }) => length > 1));
};

/** Text of letters and digits with a letter at both ends, so that nothing is trimmed. Lengths are in characters. */
export const plainText = (minLength: number, maxLength: number, letters: readonly string[] = LETTERS) =>
  fc
    .tuple(
      fc.constantFrom(...LETTERS),
      characters([...letters, ...DIGITS], minLength - 2, maxLength - 2),
      fc.constantFrom(...LETTERS),
    )
    .map((parts) => parts.join(''));

/** Letters of one and of two bytes in UTF-8. */
export const MIXED_LETTERS = [...LETTERS, ...TWO_BYTE_LETTERS];

const STREETS = ['Main', 'Oak', 'Maple', 'Cedar', 'Walnut', 'Washington', 'Lincoln', 'Jefferson', 'Franklin', 'Lake'];
const KINDS = ['Street', 'Avenue', 'Road', 'Lane', 'Court', 'Boulevard'];
const PARTS = ['North', 'South', 'East', 'West', 'Upper', 'Lower', 'Old', 'New'];
const UNITS = ['Apartment', 'Building', 'Floor', 'Suite', 'Unit', 'Room'];

/** Realistic street addresses: a house number, words and units, cut to a length in characters. */
export const streetAddress = (minLength: number, maxLength: number) =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 999 }),
      fc.constantFrom(...PARTS),
      fc.constantFrom(...STREETS),
      fc.constantFrom(...KINDS),
      fc.constantFrom(...UNITS),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(...PARTS),
    )
    .map((words) => words.join(' '))
    .chain((address) =>
      fc.integer({ min: minLength, max: maxLength }).map((length) => {
        const whole = `${address} ${UNITS.join(' ')}`;
        return whole.slice(0, length).replace(/ $/, 'B');
      }),
    );
