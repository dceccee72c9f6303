/** Makes text of the target, or of a file, harmless wherever a report shows it as plain text. */
import { stripVTControlCharacters } from 'node:util';

const NAMED: Partial<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text on one line, with control, format and unassigned characters (terminal escapes, reversals of the writing direction,
 * line ends, lone surrogates) shown as `\u001b`, and without the commands of build servers: no `##` anywhere, no `::` at the
 * beginning.
 */
export function visible(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => NAMED[character] ?? escaped(character))
    .replace(/#(?=#)/g, escaped('#'))
    .replace(/^(\s*):(?=:)/, `$1${escaped(':')}`);
}

/** Truncates text to a length in characters, with a mark at the end. */
export function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, '')} …`;
}

/** A line in as many as it takes, none of more words than so many; those that continue it stand below its text, after the label. */
export function inLines(line: string, most: number): string[] {
  const words = line.split(' ');
  const isWord = (text: string) => text !== '';
  if (words.filter(isWord).length <= most) return [line];
  let [seen, end] = [0, 0];
  while (seen < most) if (isWord(words[end++]!)) seen++;
  const indent = /^ *(?:\S+(?: \S+)? {2,}|[\w ]{1,20}: )?/.exec(stripVTControlCharacters(line))![0].length;
  // No command of a build server begins a line.
  const rest = words
    .slice(end)
    .join(' ')
    .trimStart()
    .replace(/^:(?=:)/, escaped(':'));
  return [words.slice(0, end).join(' '), ...inLines(' '.repeat(indent) + rest, most)];
}

/** Percent-decodes part of an address; returns it unchanged if that is impossible, as after redaction. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A number and its noun: `1 request`, `2 requests`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The first items of a list, and how many more there are. */
export function some(list: readonly string[], most: number): string {
  return list.length <= most ? list.join(', ') : `${list.slice(0, most).join(', ')} and ${list.length - most} more`;
}

/** A time for people: `2026-05-10 02:00 UTC`. @param time RFC 3339, in UTC */
export const dateInWords = (time: string): string => time.replace(/^(\S{10})T(\S{5})\S*$/, '$1 $2 UTC');

/** A duration for people: `0.8 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

const escaped = (character: string): string => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/** The text as the beginning of a sentence. */
export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
