/**
 * Subcommands one after the other in one process, for tests that give them what may hang or end it:
 * `commands.ts '[["report", "DIR"], ...]'`. Prints a line of JSON for each as soon as it is done, in the order in which they were given.
 */
import { writeSync } from 'node:fs';
import { cleanup } from '../../../cli/cleanup.ts';
import type { Program } from '../../../cli/command.ts';
import { compare } from '../../../cli/compare.ts';
import { matrix } from '../../../cli/matrix.ts';
import { merge } from '../../../cli/merge.ts';
import { report } from '../../../cli/report.ts';

/** What came of a subcommand. */
export interface Done {
  code: number;
  /** Both streams. */
  printed: string;
}

const PROGRAMS: Record<string, Program> = { cleanup, compare, matrix, merge, report };

const commands = JSON.parse(process.argv[2]!) as string[][];
let printed = '';
const keep = (text: unknown) => {
  printed += text;
  return true;
};
Object.assign(process.stdout, { write: keep });
Object.assign(process.stderr, { write: keep });
for (const [name, ...args] of commands) {
  printed = '';
  const code = await PROGRAMS[name!]!(args);
  writeSync(1, `${JSON.stringify({ code, printed } satisfies Done)}\n`);
}
