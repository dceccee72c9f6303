/** Text as one word of a POSIX shell. Whatever it holds, and whoever sent it, it is no more to the shell than text. */
import { type Label, MARKER, variableOf } from '../contracts/redaction.ts';

/** What a terminal acts on when it is pasted, or what makes a line read other than it is. A line feed is safe within quotes. */
const UNPASTABLE = /(?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/u;

const SPECIAL = new RegExp(`${MARKER}|${UNPASTABLE.source}`, 'gu');

type Part = { text: string } | { secret: Label } | { control: string };

/** The text in parts: secrets that redaction took out, what may not be pasted, and the rest. */
export function* partsOf(text: string): Generator<Part> {
  let end = 0;
  for (const match of text.matchAll(SPECIAL)) {
    if (match.index > end) yield { text: text.slice(end, match.index) };
    yield match[1] === undefined ? { control: match[0] } : { secret: match[1] as Label };
    end = match.index + match[0].length;
  }
  if (end < text.length) yield { text: text.slice(end) };
}

/**
 * One shell word that stands for the text. Redacted secrets become `"$TARGET_..."`, controls become `"$(printf '\NNN')"`,
 * all else stands in single quotes, but for exclamation marks, which old shells take for their history even there. A NUL, which no argument can hold, is left out.
 * @param variable of the secrets in it, where that is not the one of their label
 */
export function quote(text: string, variable: (label: Label) => string = variableOf): string {
  const words = [...partsOf(text.toWellFormed().replaceAll('\0', ''))].map((part) => {
    if ('secret' in part) return `"$${variable(part.secret)}"`;
    return 'control' in part ? `"$(printf '${octal(part.control)}')"` : `'${part.text.replaceAll(/['!]/g, "'\\$&'")}'`;
  });
  return words.join('') || "''";
}

/** A word of a command line that a reader may want to change: in quotes only where a shell needs them. */
export const word = (text: string): string => (/^[\w./:,@%+-]+$/.test(text) ? text : quote(text));

const octal = (text: string) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
