/** Quotes text for a POSIX shell, so that the shell never interprets it, whatever it holds and whoever sent it. */
import { type Label, MARKER, variableOf } from '../contracts/redaction.ts';

/**
 * Characters on which a terminal acts when they are pasted, or that disguise a line. A line feed is safe within quotes.
 */
const UNPASTABLE = /(?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/u;

const SPECIAL = new RegExp(`${MARKER}|${UNPASTABLE.source}`, 'gu');

type Part = { text: string } | { secret: Label } | { control: string };

/** Splits a text into redacted secrets, characters that may not be pasted, and the rest. */
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
 * A shell word for the text. Redacted secrets become `"$TARGET_..."`, control characters become `"$(printf '\NNN')"`,
 * everything else is in single quotes, except exclamation marks, which old shells expand from their history even there. A NUL, which no
 * argument can hold, is dropped.
 * @param variable for the secrets in it, if it is not that of their label
 */
export function quote(text: string, variable: (label: Label) => string = variableOf): string {
  const words = [...partsOf(text.toWellFormed().replaceAll('\0', ''))].map((part) => {
    if ('secret' in part) return `"$${variable(part.secret)}"`;
    return 'control' in part ? `"$(printf '${octal(part.control)}')"` : `'${part.text.replaceAll(/['!]/g, "'\\$&'")}'`;
  });
  return words.join('') || "''";
}

/** A word of a command line that a reader may want to change: quoted only if a shell needs that. */
export const word = (text: string): string => (/^[\w./:,@%+-]+$/.test(text) ? text : quote(text));

const octal = (text: string) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
