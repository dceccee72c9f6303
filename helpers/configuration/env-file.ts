/** Reads the env file with dotenv, and refuses lines meant for this suite that dotenv would ignore. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'dotenv';
import { Invalid, readBytes } from './invalid.ts';

/**
 * The variables of the env file. The file must exist only if it was asked for by name.
 * @throws {@link Invalid} for a line that names one of our variables in an unreadable form: ignored, it would leave the
 * run without a target
 */
export function readEnvFile(named: string | undefined, cwd: string): Record<string, string> {
  const path = resolve(cwd, named || '.env');
  if (!named && !existsSync(path)) return {};
  const bytes = readBytes(path);
  const unread = unreadLines(bytes.toString());
  if (unread.length > 0)
    throw new Invalid(...unread.map((line) => `line ${line} is not NAME=value; write it so, in UTF-8`));
  return parse(bytes);
}

/**
 * The numbers, from 1, of lines that name one of our variables but are no assignment, comment or part of a multi-line
 * value.
 */
function unreadLines(text: string): number[] {
  const lines = text.split(/\r\n|\n|\r/);
  const isPartOfValue = (index: number) => !isDeepStrictEqual(parse(lines.toSpliced(index, 1).join('\n')), parse(text));
  return lines.flatMap((line, index) => {
    // UTF-16 has a NUL beside each letter.
    const isOurs = /(?:TARGET|RUN)[_-][A-Z]/i.test(line.replaceAll('\0', ''));
    return isOurs && !ASSIGNMENT_OR_COMMENT.test(line) && !isPartOfValue(index) ? [index + 1] : [];
  });
}

const ASSIGNMENT_OR_COMMENT = /^\s*(?:#|(?:export\s+)?[\w.-]+(?:\s*=|:\s))/;
