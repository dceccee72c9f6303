/**
 * Finds secrets known by value, in one pass over a text, whatever their number and case.
 *
 * A long secret (eight ASCII letters and digits or more) is found by its letters and digits, whatever separates them:
 * `123-45-6789` is the SSN 123456789. A shorter one of at least four characters is found literally, and only as a word:
 * a PIN has four digits, which a longer number or an identifier may contain by chance.
 */
import type { Label } from '../contracts/redaction.ts';

/** Minimum length; shorter values would match by chance, and are redacted only by the names of their members. */
const SHORTEST = 4;
/** Number of letters and digits from which a secret is found anywhere. */
const LONG = 8;
/** Number of leading letters and digits of a secret that are always redacted, whatever follows. */
const CONCLUSIVE_LENGTH = 16;
/** Maximum number of characters between two digits of a number. */
const WIDEST_GAP = 3;

interface Secret {
  value: string;
  label: Label;
  /** Of a long secret: the characters before its first and after its last letter or digit. */
  lead: string;
  trail: string;
}

/** Secrets with the same last characters, by length and value: as many as there are, a look at each length finds one. */
type Alike = Map<number, Map<string, Secret>>;

interface Match {
  from: number;
  to: number;
  label: Label;
  /** Whether it consists of digits, and so may be a JSON number, which is replaced by nines. */
  isNumber: boolean;
}

export class SecretIndex {
  readonly #values = new Map<string, Label>();
  /** Long secrets in lower case without separators, by their last eight characters. */
  readonly #long = new Map<string, Alike>();
  /** The same by their first eight characters, for truncated texts. */
  readonly #longByStart = new Map<string, Secret[]>();
  /** The other secrets in lower case, by their last four characters. */
  readonly #short = new Map<string, Alike>();
  /** Whether some secret ends with characters of this hash, which rules out nearly every position of a text. */
  readonly #longFilter = new Uint8Array(1 << 16);
  readonly #shortFilter = new Uint8Array(1 << 16);
  /** Whether some long secret begins with characters of this hash. */
  readonly #startFilter = new Uint8Array(1 << 16);
  /** Length of the longest secret, in characters. */
  longest = 0;

  get size(): number {
    return this.#values.size;
  }

  /**
   * Learns a secret, and what it decodes to if it is percent-encoded. Ignores values shorter than four characters or of
   * one repeated character; the first label of a value wins.
   */
  add(value: string, label: Label): void {
    if (value.length < SHORTEST || this.#values.has(value) || /^(?:(.)\1*|null|true|false)$/s.test(value)) return;
    this.#values.set(value, label);
    this.longest = Math.max(this.longest, value.length);
    const long = lettersAndDigits(value);
    if (long.length >= LONG) {
      const secret = {
        value: long,
        label,
        lead: /^[^A-Za-z0-9]*/.exec(value)![0],
        trail: /[^A-Za-z0-9]*$/.exec(value)![0],
      };
      keepAlike(this.#long, long.slice(-LONG), secret);
      const others = this.#longByStart.get(long.slice(0, LONG));
      if (others) others.push(secret);
      else this.#longByStart.set(long.slice(0, LONG), [secret]);
      this.#longFilter[hashOf(long.slice(-LONG), 2)] = 1;
      this.#startFilter[hashOf(long.slice(0, LONG), 2)] = 1;
    } else {
      const short = lowerCase(value);
      keepAlike(this.#short, short.slice(-SHORTEST), { value: short, label, lead: '', trail: '' });
      this.#shortFilter[hashOf(short.slice(-SHORTEST), 4)] = 1;
    }
    const decoded = percentDecoded(value);
    if (decoded !== value) this.add(decoded, label);
  }

  labelOf(value: string): Label | undefined {
    return this.#values.get(value);
  }

  /** The positions of secrets, unordered, and how many characters were compared: many where both repeat themselves. */
  matches(text: string): { found: Match[]; compared: number } {
    const found: Match[] = [];
    compared = 0;
    if (room < text.length) makeRoom(2 * text.length);
    const beginnings: number[] = [];
    let count = 0;
    let long = 0;
    let short = 0;
    const hasShort = this.#short.size > 0;
    for (let at = 0; at < text.length; at++) {
      const code = lowerCode(text.charCodeAt(at));
      if (hasShort) {
        short = ((short << 4) ^ (code * SPREAD)) & 0xffff;
        if (this.#shortFilter[short] === 1) this.#endOfShort(text, at, found);
      }
      if (!isLetterOrDigit(code)) continue;
      letters[count] = code;
      places[count++] = at;
      long = ((long << 2) ^ (code * SPREAD)) & 0xffff;
      if (count < LONG) continue;
      if (this.#longFilter[long] === 1) this.#endOfLong(text, count, found);
      if (this.#startFilter[long] === 1) beginnings.push(count - LONG);
    }
    let end = 0;
    for (const at of beginnings) if (places[at]! >= end) end = this.#cut(text, at, count, found);
    return { found, compared };
  }

  /** Whether bytes may hold a short secret: a quick test before they are decoded. */
  mayHold(bytes: Uint8Array): boolean {
    let short = 0;
    for (const byte of bytes) {
      short = ((short << 4) ^ (lowerCode(byte) * SPREAD)) & 0xffff;
      if (byte >= 0x80 || this.#shortFilter[short] === 1) return true;
    }
    return false;
  }

  #endOfLong(text: string, count: number, found: Match[]): void {
    const candidates = this.#long.get(String.fromCharCode(...letters.subarray(count - LONG, count)));
    for (const [length, values] of candidates ?? []) {
      const first = count - length;
      if (first < 0) continue;
      compared += length;
      const secret = values.get(Buffer.from(letters.buffer, first, length).toString('latin1'));
      if (!secret) continue;
      const { label, lead, trail } = secret;
      const from = places[first]! - (text.endsWith(lead, places[first]!) ? lead.length : 0);
      const to = places[count - 1]! + 1 + (text.startsWith(trail, places[count - 1]! + 1) ? trail.length : 0);
      const isNumber = DIGITS.test(secret.value);
      if (isNumber && !isWholeNumber(text, from, to, first, count)) continue;
      join(found, { from, to, label, isNumber });
    }
  }

  #endOfShort(text: string, last: number, found: Match[]): void {
    const candidates = this.#short.get(lowerCase(text.slice(Math.max(0, last - SHORTEST + 1), last + 1)));
    for (const [length, values] of candidates ?? []) {
      const from = last + 1 - length;
      const secret = from < 0 ? undefined : values.get(lowerCase(text.slice(from, last + 1)));
      compared += length;
      if (!secret) continue;
      const isNumber = DIGITS.test(secret.value);
      if (length >= LONG || isWord(text, from, last + 1, isNumber))
        found.push({ from, to: last + 1, label: secret.label, isNumber });
    }
  }

  /**
   * Finds the beginning of a long secret in a truncated text, as in `eyJhbGciOi...`. A long enough beginning counts without an
   * ellipsis: some servers truncate without one, and altered secrets begin alike, of which more are sent than are indexed.
   * @returns its end; 0 if there is none
   */
  #cut(text: string, at: number, count: number, found: Match[]): number {
    let end = 0;
    const candidates = this.#longByStart.get(String.fromCharCode(...letters.subarray(at, at + LONG)));
    for (const { value, label } of candidates ?? []) {
      let length = LONG;
      while (length < value.length && letters[at + length] === value.charCodeAt(length) && at + length < count)
        length++;
      compared += length;
      const to = places[at + length - 1]! + 1;
      const isWhole = length === value.length;
      if (!isWhole && length < CONCLUSIVE_LENGTH && !CUT.test(text.slice(to, to + 12))) continue;
      if (!isWhole) join(found, { from: places[at]!, to, label, isNumber: DIGITS.test(value) });
      end = Math.max(end, to);
    }
    return end;
  }
}

/** Spreads the few bits of a character over 16. */
const SPREAD = 0x9e35;

/** Buffers for the current text: its letters and digits in lower case, and their positions. */
let room = 1 << 15;
let letters = new Uint8Array(room);
let places = new Int32Array(room);
/** Characters that were compared in the text. */
let compared = 0;

function makeRoom(size: number): void {
  room = size;
  letters = new Uint8Array(room);
  places = new Int32Array(room);
}

/** Adds a match, or widens the last one that it overlaps, which keeps its label unless the new one begins earlier: a text that repeats itself holds one secret at every place. */
function join(found: Match[], match: Match): void {
  const last = found.at(-1);
  if (!last || last.isNumber !== match.isNumber || match.from >= last.to || last.from >= match.to) {
    found.push(match);
    return;
  }
  if (match.from < last.from || (match.from === last.from && match.to > last.to)) last.label = match.label;
  last.from = Math.min(last.from, match.from);
  last.to = Math.max(last.to, match.to);
}

function keepAlike(all: Map<string, Alike>, end: string, secret: Secret): void {
  const { value } = secret;
  const alike = all.get(end) ?? (new Map() as Alike);
  all.set(end, alike);
  const ofLength = alike.get(value.length) ?? new Map<string, Secret>();
  alike.set(value.length, ofLength);
  if (!ofLength.has(value)) ofLength.set(value, secret);
}

/** Hash of the last characters of a text; earlier ones have shifted out of the 16 bits. */
function hashOf(characters: string, shift: number): number {
  let hash = 0;
  for (let at = 0; at < characters.length; at++)
    hash = ((hash << shift) ^ (characters.charCodeAt(at) * SPREAD)) & 0xffff;
  return hash;
}

/** Lower case; a plus sign becomes a space, as in a form. */
const lowerCode = (code: number): number => {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code === PLUS ? SPACE : code;
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
};

const PLUS = 0x2b;
const SPACE = 0x20;

const isLetterOrDigit = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);

/** Lower case, character by character, so that positions stay the same. */
function lowerCase(text: string): string {
  return Array.from({ length: text.length }, (_, at) => String.fromCharCode(lowerCode(text.charCodeAt(at)))).join('');
}

const lettersAndDigits = (text: string): string => lowerCase(text).replaceAll(/[^a-z0-9]/g, '');

const DIGITS = /^\d+$/;

/** The end of a truncated text, with separators of the secret. */
const CUT = /^[^A-Za-z0-9]{0,8}?(?:…|\.\.\.)/;

/** The value with its percent escapes decoded; unchanged if some are invalid. */
function percentDecoded(value: string): string {
  try {
    return value.includes('%') ? decodeURIComponent(value) : value;
  } catch {
    return value;
  }
}

/** Whether the digits form one number, and are not part of a longer one or spread over several. */
function isWholeNumber(text: string, from: number, to: number, first: number, count: number): boolean {
  if (/\d/.test(text[from - 1] ?? '') || /\d/.test(text[to] ?? '')) return false;
  for (let at = first + 1; at < count; at++) if (places[at]! - places[at - 1]! > WIDEST_GAP + 1) return false;
  return true;
}

/** Whether the match is a whole word. Digits joined to others belong to an identifier, date or amount. */
function isWord(text: string, from: number, to: number, isNumber: boolean): boolean {
  const before = text.slice(Math.max(0, from - 2), from);
  const after = text.slice(to, to + 2);
  if (WORD.test(text[from]!) && WORD.test(before.at(-1) ?? '')) return false;
  if (WORD.test(text[to - 1]!) && WORD.test(after[0] ?? '')) return false;
  return !isNumber || !(/[A-Za-z0-9][-.]$/.test(before) || /^[-.][A-Za-z0-9]/.test(after));
}

const WORD = /[\p{L}\p{N}]/u;
