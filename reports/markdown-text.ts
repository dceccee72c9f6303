/** Builds Markdown (as GitHub renders it) with foreign text that cannot become markup. */
import { cut, visible } from './text.ts';

/** Maximum length of foreign text in a summary, in characters. */
const LONGEST = 240;

/**
 * Text as a code span, in which nothing is markup, a link, a mention or HTML. Usable in table cells: the vertical bar
 * is written as `\u007c`. Empty for blank text.
 */
export function code(text: string): string {
  const shown = cut(visible(text), LONGEST).replaceAll('|', '\\u007c');
  if (shown.trim() === '') return '';
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${shown} ${fence}`;
}

/** What would be markup, a link, a mention, an emoji, a formula or HTML. */
const MARKUP = /[`*~<>|[\]\\&#@$]|(?<!\w)_|_(?!\w)|:[\w+-]+:|:\/\/|\bwww\.|\bGH-\d|^\s*(?:[-+=]|\d+[.)](?:\s|$))/i;

/** Text as it is, on one line; as a code span if it could become markup otherwise. */
export function plain(text: string): string {
  const shown = cut(visible(text), LONGEST);
  return MARKUP.test(shown) ? code(text) : shown;
}

/** Text that leads to an address; without one, the text alone. */
export const link = (text: string, address: string | undefined): string =>
  address === undefined ? plain(text) : `[${plain(text)}](${address.replace(/[()|\s]/g, percentEncoded)})`;

const percentEncoded = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;

/** A table of Markdown cells. Rows beyond `most` are only counted. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[], most = 50): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [line(columns), line(columns.map(() => '---')), ...rows.slice(0, most).map(line), ''];
  if (rows.length > most) lines.push(`… and ${rows.length - most} more.`, '');
  return lines;
}
