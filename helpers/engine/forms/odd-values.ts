/** Values that are unusual, by type (readings 9 and 12): whatever they are sent as, they may be refused, but not with status 500, and each 400 has its shape. */
import type { Input } from '../../answer.ts';
import { NOT_JSON } from '../rows.ts';

/** Texts that code, a database or an encoding may mishandle. */
export const ODD_TEXTS = {
  'that is empty': '',
  'that is a blank': ' ',
  // Longer than any identifier, yet taken by web servers as one segment of a path (http.sys: 260).
  'of 250 characters': 'x'.repeat(250),
  'of 300 characters': 'x'.repeat(300),
  'of 40 digits': '5'.repeat(40),
  'with quotes': `it's a "text" #1`,
  'with marks, and brackets left open': '50% \\ ;-- # & <b> {1} _ / ([',
  'with a sign for any end': '%',
  'with letters beyond ASCII': 'Zoë Łukasz 漢字',
  'with a letter beyond the basic plane': 'paid 💳 𠮷田',
  'from right to left': 'שלום 12',
  'with U+0000': 'a\0b',
  'of two lines': 'one\ntwo\t\\ three',
  'that every object has': '__proto__',
  'that is constructor': 'constructor',
  'that is a number below zero': '-1',
  'that is true': 'true',
  'that is a word': 'north',
  'percent-encoded': '%00%2e%',
  'of 5,000 characters': 'ab '.repeat(1667),
  'of 70,000 characters': 'x'.repeat(70_000),
  'with half of a character': 'a\ud83db',
} as const satisfies Record<string, string>;

/** Integers at the ends of the usual widths. */
const ODD_INTEGERS = {
  'of zero': 0,
  'below zero': -1,
  'of 31 bits': 2_000_000_000,
  'beyond 31 bits': 2_147_483_648,
  'beyond 32 bits': 4_294_967_296,
  'beyond 53 bits': 9_007_199_254_740_993n,
  'beyond 63 bits': 9_223_372_036_854_775_808n,
} as const satisfies Record<string, number | bigint>;

/** Amounts in cents. */
export const ODD_AMOUNTS = {
  'a thousandth of the unit': 0.1,
  'a ten-thousandth of the unit': 0.01,
  'many decimals': 112.345_678_9,
  'ten million millions': 1e15,
  'more than 53 bits hold': 1e19,
} as const satisfies Record<string, number>;

/** Bodies that are no object. */
const ODD_BODIES = {
  'that is cut off': { text: NOT_JSON },
  'in plain text': { text: 'comment=text' },
  'that is null': { text: 'null' },
  'that is an array': { json: [] },
  'that is a text': { json: 'text' },
  'that is a number': { json: 7 },
  'nested a thousand times': { text: '['.repeat(1000) + ']'.repeat(1000) },
} as const satisfies Record<string, Pick<Input, 'json' | 'text'>>;

/** Where a value is sent, and what it is. */
export interface Slot {
  place: 'path' | 'query' | 'json';
  name: string;
  type: 'string' | 'integer' | 'boolean';
}

/** What an odd value is in words, and the value. */
type OddValue = [name: string, value: string | number | bigint];

/** What a place can hold: in an address, nothing that a web server may refuse before an operation sees it; in a query, nothing blank, which may be absent. */
const HOLDS: Record<Slot['place'], (value: string) => boolean> = {
  path: (value) => value.isWellFormed() && !/[/\\\0\n]|^\s*$|.{251}/u.test(value),
  query: (value) => value.isWellFormed() && value.length <= 2000 && value.trim() !== '',
  json: () => true,
};

/** The odd values of a slot. */
export function oddValuesOf({ place, type }: Pick<Slot, 'place' | 'type'>): OddValue[] {
  const values: Record<string, string | number | bigint> =
    type === 'string' ? ODD_TEXTS : type === 'integer' ? ODD_INTEGERS : {};
  return Object.entries(values).filter(([, value]) => HOLDS[place](String(value)));
}

/** The odd texts of a place. */
export const oddTextsOf = (place: Slot['place']): { name: string; text: string }[] =>
  oddValuesOf({ place, type: 'string' }).map(([name, text]) => ({ name, text: String(text) }));

/** The odd bodies, each with its name. */
export const oddBodies: readonly { name: string; input: Pick<Input, 'json' | 'text'> }[] = Object.entries(
  ODD_BODIES,
).map(([name, input]) => ({ name, input }));
