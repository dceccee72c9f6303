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

/** A table of Markdown cells. Rows beyond `most` are only counted. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[], most = 50): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [line(columns), line(columns.map(() => '---')), ...rows.slice(0, most).map(line), ''];
  if (rows.length > most) lines.push(`… and ${rows.length - most} more.`, '');
  return lines;
}
