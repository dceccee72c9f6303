/** The env file, as dotenv reads it; what dotenv passes over and was meant for us is a fault. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'dotenv';
import { Invalid, readBytes } from './invalid.ts';

/**
 * The variables of the env file; only one that was asked for by name has to be there.
 * @throws {@link Invalid} for a line that names a variable of ours in another form: unread it would leave the run without a target
 */
export function readEnvFile(named: string | undefined, cwd: string): Record<string, string> {
  const path = resolve(cwd, named || '.env');
  if (!named && !existsSync(path)) return {};
  const bytes = readBytes(path);
  const variables = parse(bytes);
  const unread = unreadLines(bytes.toString(), Object.values(variables).join('\n'));
  if (unread.length > 0)
    throw new Invalid(...unread.map((line) => `line ${line} is not NAME=value; write it so, in UTF-8`));
  return variables;
}

/** Lines, counted from 1, that name a variable of ours and are neither assignments nor comments nor part of a value of several lines. */
function unreadLines(text: string, values: string): number[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    // UTF-16 has a NUL beside each letter.
    const isOurs = /(?:TARGET|RUN)[_-][A-Z]/i.test(line.replaceAll('\0', ''));
    return !isOurs || READ.test(line) || values.includes(line.trim().replace(/["'`]$/, '')) ? [] : [index + 1];
  });
}

const READ = /^\s*(?:#|(?:export\s+)?[\w.-]+(?:\s*=|:\s))/;
