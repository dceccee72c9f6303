/** Parses JSON (RFC 8259) without loss, safe against overflow, hanging and prototype pollution. */

/** Maximum nesting depth; nothing in the documents nests deeper than six levels. */
const MAX_DEPTH = 200;

/** Bytes that are JSON. */
export interface JsonRead {
  ok: true;
  /**
   * The value, with integers beyond JavaScript's safe range as bigint; the same object as `plain` if there are none.
   */
  value: unknown;
  /** The value as JSON.parse returns it. */
  plain: unknown;
  /**
   * Whether the bytes begin with a byte order mark, which senders must not add and readers may ignore (RFC 8259 section
   * 8.1).
   */
  byteOrderMark: boolean;
  /** JSON Pointers (RFC 6901) of duplicate members; the last one counts. */
  duplicateKeys: string[];
}

/** Bytes that are not JSON. */
export interface JsonRefused {
  ok: false;
  /** Why the bytes are not JSON, without quoting them. */
  reason: string;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses UTF-8 JSON in time and memory linear in the number of bytes. */
export function readJson(bytes: Buffer): JsonRead | JsonRefused {
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let text: string;
  try {
    text = UTF_8.decode(byteOrderMark ? bytes.subarray(3) : bytes);
  } catch {
    return { ok: false, reason: 'not valid UTF-8' };
  }
  try {
    const plain: unknown = JSON.parse(text);
    if (isWrittenAlike(plain, text)) return { ok: true, value: plain, plain, byteOrderMark, duplicateKeys: [] };
    const scan = scanJson(text);
    if (scan.tooDeep) return TOO_DEEP;
    const value = scan.hasLongNumber ? JSON.parse(text, keepInteger) : plain;
    return { ok: true, value, plain, byteOrderMark, duplicateKeys: scan.duplicateKeys };
  } catch (error) {
    return scanJson(text).tooDeep ? TOO_DEEP : { ok: false, reason: reasonOf(text, error as SyntaxError) };
  }
}

const TOO_DEEP: JsonRefused = { ok: false, reason: `nested deeper than ${MAX_DEPTH} levels` };

/** Whether serialising the value gives the same text, which then has no duplicate names and no rounded numbers. */
function isWrittenAlike(value: unknown, text: string): boolean {
  try {
    return JSON.stringify(value) === text && !nestsDeeper(value, MAX_DEPTH);
  } catch {
    // Too deep for JSON.stringify.
    return false;
  }
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => nestsDeeper(item, levels - 1));
}

/** Numbers with fewer digits are exact, so most texts need no second pass. */
const LONG_NUMBER = 16;
const INTEGER = /^-?\d+$/;

/** Limit on digits, far beyond any identifier: conversion to bigint takes more than linear time. */
const MOST_DIGITS = 1000;

function keepInteger(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  const exact =
    typeof value !== 'number' || Number.isSafeInteger(value) || source.length > MOST_DIGITS || !INTEGER.test(source);
  return exact ? value : BigInt(source);
}

/** Takes only the position from V8's messages, which quote the text and may hold secrets. */
function reasonOf(text: string, error: SyntaxError): string {
  if (text.trim() === '') return 'empty';
  if (text.trimStart().startsWith('<')) return "not JSON: begins with '<', as HTML and XML do";
  const position = /at position (\d+)/.exec(error.message)?.[1];
  return position === undefined ? 'not valid JSON' : `not valid JSON at character ${position}`;
}

/** An enclosing object or array. */
interface Level {
  /** Names seen so far; null in an array. */
  names: Set<string> | null;
  /** Name or index of the current member or item. */
  name: string;
  index: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;

interface Scan {
  tooDeep: boolean;
  duplicateKeys: string[];
  hasLongNumber: boolean;
}

/**
 * Finds, in one pass without recursion, what JSON.parse does not report: depth, duplicate names and numbers that it may
 * round. Assumes valid JSON; JSON.parse reports anything else.
 */
function scanJson(text: string): Scan {
  const levels: Level[] = [];
  const duplicateKeys: string[] = [];
  let hasLongNumber = false;
  let string = '';
  let level: Level | undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      const first = at;
      while (isDigit(text.charCodeAt(at + 1))) at++;
      if (at + 1 - first >= LONG_NUMBER) hasLongNumber = true;
      continue;
    }
    switch (code) {
      case QUOTE: {
        const end = endOfString(text, at);
        if (level?.names) string = text.slice(at, end + 1);
        at = end;
        break;
      }
      case COLON:
        if (level?.names) noteName(levels, level.names, level, string, duplicateKeys);
        break;
      case COMMA:
        if (level) level.index++;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (levels.length === MAX_DEPTH) return { tooDeep: true, duplicateKeys, hasLongNumber };
        level = { names: code === OPEN_OBJECT ? new Set() : null, name: '', index: 0 };
        levels.push(level);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        levels.pop();
        level = levels.at(-1);
        break;
    }
  }
  return { tooDeep: false, duplicateKeys, hasLongNumber };
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** Index of the quote that ends the JSON string beginning at `start`; the last index if none does. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length - 1;
}

function noteName(levels: Level[], names: Set<string>, level: Level, quoted: string, duplicateKeys: string[]): void {
  level.name = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  if (names.has(level.name)) duplicateKeys.push(pointerTo(levels));
  names.add(level.name);
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

function pointerTo(levels: Level[]): string {
  const steps = levels.map((level) => (level.names ? level.name : String(level.index)));
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
