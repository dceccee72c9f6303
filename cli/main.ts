/** The program: runs one subcommand. */
import '../run/node-20.ts';
import { version } from '../helpers/manifest.ts';
import type { Program } from './command.ts';
import { EXIT_CANNOT } from './exit-codes.ts';
import { SUBCOMMANDS, subcommandLines } from './subcommands.ts';

/** Runs a subcommand. @returns its exit code */
async function main(args: readonly string[]): Promise<number> {
  const [first = '', ...rest] = args;
  const named = Object.hasOwn(SUBCOMMANDS, first) ? SUBCOMMANDS[first] : undefined;
  if (named) return (await loaded(first, named.load))(rest);
  if (first === '--version' || first === '-V') {
    console.log(version);
    return 0;
  }
  if (first === 'help') {
    console.log(`Usage: prepaid-card-conformance [subcommand] [options]\n\n${subcommandLines()}`);
    return 0;
  }
  if (first !== '' && !first.startsWith('-')) {
    console.error(`unknown subcommand '${first}'; choose one of ${Object.keys(SUBCOMMANDS).join(', ')}`);
    return EXIT_CANNOT;
  }
  return (await SUBCOMMANDS.run!.load())(args);
}

/** Loads a subcommand. If it needs an optional package that is not installed, names it. */
async function loaded(subcommand: string, load: () => Promise<Program>): Promise<Program> {
  try {
    return await load();
  } catch (error) {
    const [, missing] = /Cannot find package '([^']+)'/.exec((error as Error).message) ?? [];
    if (missing === undefined) throw error;
    return async () => {
      console.error(`${subcommand} needs ${missing}: npm install ${missing}`);
      return EXIT_CANNOT;
    };
  }
}

// A closed pipe, such as to `head`, must not end a command.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.exitCode = await main(process.argv.slice(2));
