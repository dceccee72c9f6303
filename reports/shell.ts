/** Quotes text for a POSIX shell, so that the shell never interprets it, whatever it holds and whoever sent it. */

/**
 * Characters on which a terminal acts when they are pasted, or that disguise a line. A line feed is safe within quotes.
 */
const UNPASTABLE = /((?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+)/u;

/**
 * A shell word for the text. Control characters become `"$(printf '\NNN')"`, everything else is in single quotes, except exclamation marks,
 * which old shells expand from their history even there. A NUL, which no argument can hold, is dropped.
 */
export function quote(text: string): string {
  const parts = text.toWellFormed().replaceAll('\0', '').split(UNPASTABLE);
  const words = parts.map((part, index) => {
    if (index % 2 > 0) return `"$(printf '${octal(part)}')"`;
    return part === '' ? '' : `'${part.replaceAll(/['!]/g, "'\\$&'")}'`;
  });
  return words.join('') || "''";
}

/** A word of a command line that a reader may want to change: quoted only if a shell needs that. */
export const word = (text: string): string => (/^[\w./:,@%+-]+$/.test(text) ? text : quote(text));

const octal = (text: string) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
