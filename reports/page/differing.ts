/** Marks the differences between expected and actual. */
import { type Html, html } from './html.ts';

/** Number of characters shown of the equal text around the difference, and of the difference itself. */
const CONTEXT = 160;
const MOST = 1200;

/** Both texts, each with its differing part marked. Words are the units. */
export function differing(expected: string, actual: string): { expected: Html; actual: Html } {
  const [a, b] = [words(expected), words(actual)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return { expected: marked(a, start, end), actual: marked(b, start, end) };
}

const words = (text: string): string[] => text.slice(0, 20_000).match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];

function marked(all: string[], start: number, end: number): Html {
  const before = all.slice(0, start).join('');
  const middle = all.slice(start, all.length - end).join('');
  const after = all.slice(all.length - end).join('');
  const head = before.length > CONTEXT ? `… ${before.slice(-CONTEXT)}` : before;
  const tail = after.length > CONTEXT ? `${after.slice(0, CONTEXT)} …` : after;
  if (middle === '') return html`${head}<mark class="absent" title="absent here">∅</mark>${tail}`;
  return html`${head}<mark>${middle.slice(0, MOST)}</mark>${middle.length > MOST && ' …'}${tail}`;
}
