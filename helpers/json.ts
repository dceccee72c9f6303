/** Parses JSON (RFC 8259) without loss, safe against overflow, hanging, exhausted memory and prototype pollution. */
import { endOfString } from '../files/json.ts';

/** Maximum nesting depth; nothing in the documents nests deeper than six levels. */
const MAX_DEPTH = 200;
/** Maximum number of values and names: a parsed value may take 20 times as much memory as its text. */
const MAX_VALUES = 2_000_000;
/** Maximum number of different names in one object: each takes many times as long to look at as an entry of an array. */
const MAX_NAMES = 10_000;
/** Memory that a value or name takes at most, in bytes, in addition to twice its text; measured with Node 24. */
const BYTES_PER_VALUE = 64;
/** Maximum number of duplicate members that are reported, and of characters of each name in their paths. */
const MOST_DUPLICATES = 100;
const MOST_OF_NAME = 60;

/** Names and indexes from the root to a value. */
type JsonPath = (string | number)[];

/** Bytes that are JSON. */
export interface JsonRead {
  ok: true;
  /** The value, with integers beyond JavaScript's safe range as bigint; the same object as `plain` without any. */
  value: unknown;
  /** The value as JSON.parse returns it. */
  plain: unknown;
  /** Whether the bytes begin with a byte order mark, which senders must not add (RFC 8259 section 8.1). */
  byteOrderMark: boolean;
  /** Where members are duplicates, of which the last one counts: the first 100, with long names cut. */
  duplicates: JsonPath[];
  /** How much memory the value takes at most, in bytes. */
  memory: number;
}

/** Bytes that are not JSON, or not read. */
export interface JsonRefused {
  ok: false;
  /** Why the bytes are not JSON, without quoting them. */
  reason: string;
  /** Whether they may be JSON, but exceed a limit of this reader. */
  isBeyondLimit?: true;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text is not parsed, since the value might take more memory than there is room for. */
export class NoRoom extends Error {
  override name = 'NoRoom';
}

/**
 * Parses UTF-8 JSON in time linear in the number of bytes.
 * @param room how much memory the value may take, in bytes
 * @throws NoRoom
 */
export function readJson(bytes: Buffer, room = Number.POSITIVE_INFINITY): JsonRead | JsonRefused {
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let text: string;
  try {
    text = UTF_8.decode(byteOrderMark ? bytes.subarray(3) : bytes);
  } catch {
    return { ok: false, reason: 'not valid UTF-8' };
  }
  const { beyond, values, duplicates, hasLongNumber } = scanJson(text);
  if (beyond) return { ok: false, reason: beyond, isBeyondLimit: true };
  const memory = 2 * text.length + BYTES_PER_VALUE * values;
  if (memory > room) throw new NoRoom();
  try {
    const plain: unknown = JSON.parse(text);
    const value = hasLongNumber ? JSON.parse(text, keepInteger) : plain;
    return { ok: true, value, plain, byteOrderMark, duplicates, memory };
  } catch (error) {
    return { ok: false, reason: reasonOf(text, error as SyntaxError) };
  }
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
  return position === undefined ? 'not valid JSON' : `not valid JSON at ${placeIn(text, Number(position))}`;
}

/** A place in a text: a character, counted from 0, or the line of a text that has several, counted from 1. */
function placeIn(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return text.trim().includes('\n')
    ? `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
    : `character ${position}`;
}

/** An enclosing object or array. */
interface Level {
  isObject: boolean;
  /** Names seen so far; undefined before the first. */
  names: Set<string> | undefined;
  /** Name or index of the current member or item. */
  name: string;
  index: number;
}

/**
 * Finds, in one pass without recursion, what JSON.parse does not report: depth, number of values, duplicate names and
 * numbers that it may round. Assumes valid JSON; JSON.parse reports anything else.
 */
function scanJson(text: string) {
  const levels: Level[] = [];
  const duplicates: JsonPath[] = [];
  let hasLongNumber = false;
  let values = 0;
  /** Which limit the text exceeds, as the reason to refuse it; empty if none. */
  let beyond = '';
  let string = '';
  let level: Level | undefined;
  for (let at = 0; at < text.length && beyond === ''; at++) {
    const character = text[at]!;
    if (isDigit(character)) {
      const first = at;
      while (isDigit(text[at + 1])) at++;
      if (at + 1 - first >= LONG_NUMBER) hasLongNumber = true;
    }
    switch (character) {
      case '"': {
        const end = endOfString(text, at);
        if (level?.isObject) string = text.slice(at, end + 1);
        at = end;
        break;
      }
      case ':':
        values++;
        if (level?.isObject) noteName(levels, level, string, duplicates);
        break;
      case ',':
        values++;
        if (level) level.index++;
        break;
      case '{':
      case '[':
        values++;
        if (levels.length === MAX_DEPTH) beyond = `nested deeper than ${MAX_DEPTH} levels`;
        level = { isObject: character === '{', names: undefined, name: '', index: 0 };
        levels.push(level);
        break;
      case '}':
      case ']':
        levels.pop();
        level = levels.at(-1);
        break;
    }
    if (level?.names && level.names.size > MAX_NAMES)
      beyond = `an object of more than ${MAX_NAMES.toLocaleString('en')} members`;
    if (values > MAX_VALUES) beyond = `more than ${MAX_VALUES.toLocaleString('en')} values and names`;
  }
  return { beyond, values, duplicates, hasLongNumber };
}

const isDigit = (character = ''): boolean => character >= '0' && character <= '9';

function noteName(levels: Level[], level: Level, quoted: string, duplicates: JsonPath[]): void {
  level.name = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  level.names ??= new Set();
  // A copy, since part of a string keeps the whole in memory.
  if (level.names.has(level.name) && duplicates.length < MOST_DUPLICATES)
    duplicates.push(structuredClone(levels.map(stepOf)));
  level.names.add(level.name);
}

const stepOf = ({ isObject, name, index }: Level): string | number => {
  if (!isObject) return index;
  return name.length > MOST_OF_NAME ? `${name.slice(0, MOST_OF_NAME)}...` : name;
};

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

/** A JSON Pointer without the indexes of arrays: the same for every item. */
export const inAnyItem = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');
