/** Decodes what redaction has to look through: entities, percent-encoding, escapes, JSON Pointers, base64, hexadecimal. */
import { type View, viewOf } from './view.ts';

/** A decoded piece of text: each character, and the number of source characters it came from. */
type Decoded = [character: string, length: number][];

/** Decoded readings of a view: percent-encoding, entities, escapes and JSON Pointers, as far as it seems to hold any. */
export function* rewrittenReadings(view: View): Generator<View> {
  const { text } = view;
  if (text.includes('%')) yield* rewritten(view, PERCENT, percentDecoded);
  if (text.includes('&')) yield* rewritten(view, ENTITY, entityDecoded);
  if (text.includes('\\')) yield* rewritten(view, ESCAPE, unescaped);
  if (text.includes('~')) yield* rewritten(view, POINTER, ({ 0: found }) => [[found === '~0' ? '~' : '/', 2]]);
}

/** Decodes the escapes of a JSON string's content, one level of them. */
export function unescapedView(view: View): View {
  return rewritten(view, ESCAPE, unescaped).next().value ?? view;
}

/** Percent-decodes a parameter's value. */
export function percentDecodedView(view: View): View {
  return rewritten(view, PERCENT, percentDecoded).next().value ?? view;
}

function* rewritten(
  view: View,
  pattern: RegExp,
  decode: (found: RegExpExecArray) => Decoded,
): Generator<View, undefined> {
  const { text } = view;
  let out = '';
  const places: number[] = [];
  let done = 0;
  let changed = false;
  const copy = (end: number) => {
    out += text.slice(done, end);
    for (let at = done; at < end; at++) places.push(at, at + 1);
  };
  for (const found of text.matchAll(pattern)) {
    copy(found.index);
    let at = found.index;
    for (const [character, length] of decode(found)) {
      out += character;
      for (let unit = 0; unit < character.length; unit++) places.push(at, at + length);
      at += length;
    }
    done = found.index + found[0].length;
    changed = true;
  }
  if (!changed) return;
  copy(text.length);
  yield viewOf(view, out, (index) => [places[2 * index]!, places[2 * index + 1]!]);
}

/** RFC 6901. */
const POINTER = /~[01]/g;

const PERCENT = /(?:%[0-9a-f]{2})+|%u[0-9a-f]{4}/gi;

function percentDecoded([found]: RegExpExecArray): Decoded {
  if (/^%u/i.test(found)) return [[String.fromCharCode(Number.parseInt(found.slice(2), 16)), found.length]];
  return charactersOf(Buffer.from(found.replaceAll('%', ''), 'hex'), 3);
}

/** Decodes UTF-8, taking invalid bytes as Latin-1. @param width source characters per byte */
function charactersOf(bytes: Uint8Array, width: number): Decoded {
  const decoded: Decoded = [];
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const character =
      length > 1 ? Buffer.from(bytes.subarray(at, at + length)).toString('utf8') : String.fromCharCode(bytes[at]!);
    decoded.push([character, Math.max(length, 1) * width]);
    at += Math.max(length, 1);
  }
  return decoded;
}

/** Length of the UTF-8 sequence that begins at a position; 0 if none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (at + length > bytes.length) return 0;
  for (let next = at + 1; next < at + length; next++) if ((bytes[next]! & 0xc0) !== 0x80) return 0;
  return length;
}

const ENTITY = /&(?:#(?<decimal>\d{1,8})|#x(?<hexadecimal>[0-9a-f]{1,7})|(?<name>[a-z]{2,8})(?=;));?/gi;

/** HTML's named ASCII characters, which may occur in a secret; letters and digits have no names. */
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  hyphen: '-',
  dash: '-',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
  rbrace: '}',
  tab: '\t',
  newline: '\n',
};

function entityDecoded({ 0: found, groups }: RegExpExecArray): Decoded {
  const { decimal, hexadecimal, name } = groups as Record<string, string | undefined>;
  if (name !== undefined) {
    const key = name.toLowerCase();
    return [[Object.hasOwn(NAMED, key) ? NAMED[key]! : found, found.length]];
  }
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return [[code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd', found.length]];
}

const ESCAPE =
  /\\(?:u\{(?<braced>[0-9a-f]{1,6})\}|u(?<four>[0-9a-f]{4})|x(?<two>[0-9a-f]{2})|(?<octal>[0-3][0-7]{2})|(?<one>.))/gis;

const CONTROLS: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

function unescaped({ 0: found, groups }: RegExpExecArray): Decoded {
  const { braced, four, two, octal, one } = groups as Record<string, string | undefined>;
  if (one !== undefined) return [[Object.hasOwn(CONTROLS, one) ? CONTROLS[one]! : one, found.length]];
  const code = octal === undefined ? Number.parseInt((braced ?? four ?? two)!, 16) : Number.parseInt(octal, 8);
  return [[code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd', found.length]];
}

/**
 * Encodings: bits per character, the minimum length worth decoding, which is four bytes, and the number of characters
 * after which byte and character boundaries coincide again. Node decodes both alphabets of base64.
 */
const BASE64 = { encoding: 'base64', bits: 6, least: 6, period: 4 } as const;
const HEXADECIMAL = { encoding: 'hex', bits: 4, least: 8, period: 2 } as const;

/** A piece of text that may be base64 or hexadecimal. */
export interface Word {
  text: string;
  /** Its position in the text. */
  from: number;
}

const RUN = /[\w+/-]{6,}/g;
/** Characters of the base64 alphabet that also separate the parts of a path. */
const SEPARATOR = /[+/_-]/;
const BETWEEN_SEPARATORS = /[A-Za-z0-9]{6,}/g;
const HEXADECIMAL_RUN = /[0-9a-f]{8,}/gi;

/** The pieces of a text that may be encoded, tried with separators of the base64 alphabet, and without. */
export function* encodedWords(text: string): Generator<Word> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (SEPARATOR.test(run))
      for (const { 0: word, index: at } of run.matchAll(BETWEEN_SEPARATORS)) yield { text: word, from: index + at };
    yield { text: run, from: index };
  }
}

/** Decodes a word from each offset within a group, to readings worth examining. */
export function* readingsOfWord(
  view: View,
  { text, from }: Word,
  plausible: (bytes: Uint8Array) => boolean,
): Generator<View> {
  yield* legiblePieces(view, from, from + text.length, BASE64, plausible);
  if (!SEPARATOR.test(text))
    for (const { 0: digits, index } of text.matchAll(HEXADECIMAL_RUN))
      yield* legiblePieces(view, from + index, from + index + digits.length, HEXADECIMAL, plausible);
}

/** Shorter pieces are examined only if a secret may end in them, or if they are all that a run decodes to. */
const LEGIBLE_LENGTH = 8;
const WHOLE_LENGTH = 6;
const SHORTEST = 4;

function* legiblePieces(
  view: View,
  begin: number,
  end: number,
  { encoding, bits, least, period }: typeof BASE64 | typeof HEXADECIMAL,
  plausible: (bytes: Uint8Array) => boolean,
): Generator<View> {
  for (let start = begin; start < begin + period && end - start >= least; start++) {
    const bytes = Buffer.from(view.text.slice(start, end), encoding);
    for (let from = 0, to = 0; from < bytes.length; from = to + 1) {
      for (to = from; to < bytes.length; ) {
        const sequence = legibleLength(bytes, to);
        if (sequence === 0) break;
        to += sequence;
      }
      if (to - from < SHORTEST) continue;
      const piece = bytes.subarray(from, to);
      const isWhole = from === 0 && to === bytes.length;
      if (to - from >= (isWhole ? WHOLE_LENGTH : LEGIBLE_LENGTH) || plausible(piece))
        yield legibleView(view, piece, start, from, bits);
    }
  }
}

/** Length of the character that begins at a position; 0 for a control character or an invalid sequence. */
function legibleLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first >= 0x20 && first < 0x7f) return 1;
  if (first < 0x80) return first === 9 || first === 10 || first === 13 ? 1 : 0;
  return sequenceLength(bytes, at);
}

function legibleView(view: View, bytes: Uint8Array, start: number, from: number, bits: number): View {
  const decoded = charactersOf(bytes, 1);
  const text = decoded.map(([character]) => character).join('');
  const places: [number, number][] = [];
  let at = from;
  for (const [character, length] of decoded) {
    const place: [number, number] = [
      start + Math.floor((at * 8) / bits),
      start + Math.ceil(((at + length) * 8) / bits),
    ];
    for (let unit = 0; unit < character.length; unit++) places.push(place);
    at += length;
  }
  return viewOf(view, text, (index) => places[index]!, true);
}
