/**
 * Subcommands one after the other in one process, for tests that give them what may hang or end it:
 * `commands.ts '[["report", "DIR"], ...]'`. Prints a line of JSON for each as soon as it is done, in the order in which they were given.
 */
import { writeSync } from 'node:fs';
import { SUBCOMMANDS } from '../../../cli/subcommands.ts';

/** What came of a subcommand. */
export interface Done {
  code: number;
  /** Both streams. */
  printed: string;
}

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
  const command = await SUBCOMMANDS[name!]!.load();
  const code = await command(args);
  writeSync(1, `${JSON.stringify({ code, printed } satisfies Done)}\n`);
}
