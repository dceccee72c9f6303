/** Reads the env file with dotenv, and refuses lines meant for this suite that dotenv would ignore. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'dotenv';
import { Invalid, readBytes } from './invalid.ts';

/**
 * The variables of the env file. The file must exist only if it was asked for by name.
 * @throws {@link Invalid} for a line that names one of our variables in an unreadable form (ignored, it would leave the
 * run without a target), or whose value would be read in part
 */
export function readEnvFile(named: string | undefined, cwd: string): Record<string, string> {
  const path = resolve(cwd, named || '.env');
  if (!named && !existsSync(path)) return {};
  const bytes = readBytes(path);
  const text = bytes.toString();
  const faults = [
    ...unreadLines(text).map((line) => `line ${line} is not NAME=value; write it so, in UTF-8`),
    ...cutValues(text),
  ];
  if (faults.length > 0) throw new Invalid(...faults);
  return parse(bytes);
}

/** Faults of values of which dotenv would take another part than is meant: a password, for instance, goes to a real user. */
function* cutValues(text: string): Generator<string> {
  const values = parse(text);
  for (const [index, line] of text.split(LINE_BREAK).entries()) {
    const [, name = '', value = ''] = /^\s*(?:export\s+)?((?:TARGET|RUN)_\w+)\s*=\s*(.*)/.exec(line) ?? [];
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote !== undefined && values[name]?.startsWith(quote))
      yield `line ${index + 1}: the value of ${name} opens with a quote that does not close it`;
    if (quote === undefined && /[^\s#]#/.test(value))
      yield `line ${index + 1}: # begins a comment; put the value of ${name} in quotes`;
  }
}

/** The numbers of lines that name one of our variables, but are no assignment, comment or part of a longer value. */
function unreadLines(text: string): number[] {
  const lines = text.split(LINE_BREAK);
  const isPartOfValue = (index: number) => !isDeepStrictEqual(parse(lines.toSpliced(index, 1).join('\n')), parse(text));
  return lines.flatMap((line, index) => {
    // UTF-16 has a NUL beside each letter.
    const isOurs = /(?:TARGET|RUN)[_-][A-Z]/i.test(line.replaceAll('\0', ''));
    return isOurs && !ASSIGNMENT_OR_COMMENT.test(line) && !isPartOfValue(index) ? [index + 1] : [];
  });
}

const LINE_BREAK = /\r\n|\n|\r/;
const ASSIGNMENT_OR_COMMENT = /^\s*(?:#|(?:export\s+)?[\w.-]+(?:\s*=|:\s))/;
