/** The program: one subcommand for each thing to do. */
import '../run/node-20.ts';
import { callOf } from '../reports/call-of.ts';
import type { Program } from './command.ts';
import { EXIT_CANNOT } from './exit-codes.ts';

/** Loaded when they are called: most need little of the rest. */
const SUBCOMMANDS: Record<string, { does: string; load: () => Promise<Program> }> = {
  run: {
    does: 'hold a target against both documents and write reports (what is done when none is named)',
    load: async () => (await import('./run.ts')).run,
  },
  doctor: {
    does: 'check configuration, target, credentials and fixtures; change nothing',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  sandbox: { does: 'serve the embedded sandbox', load: async () => (await import('./sandbox.ts')).sandbox },
  compare: { does: 'say what changed between two runs', load: async () => (await import('./compare.ts')).compare },
  matrix: {
    does: 'make one page of the runs of several targets',
    load: async () => (await import('./matrix.ts')).matrix,
  },
  merge: { does: 'join the shards of one run', load: async () => (await import('./merge.ts')).merge },
  report: { does: 'make every report of a run again', load: async () => (await import('./report.ts')).report },
  'report-allure': {
    does: 'make an Allure report of a run',
    load: async () => (await import('./report-allure.ts')).reportAllure,
  },
  replay: {
    does: 'send the recorded requests of one failure again',
    load: async () => (await import('./replay.ts')).replay,
  },
  cleanup: { does: 'undo what a killed run left open', load: async () => (await import('./cleanup.ts')).cleanup },
  'verify-pact': {
    does: 'verify the target against the published pacts',
    load: async () => (await import('./verify-pact.ts')).verifyPact,
  },
  list: { does: 'list the catalogue', load: async () => (await import('./list.ts')).list },
  explain: { does: 'explain requirements of the catalogue', load: async () => (await import('./explain.ts')).explain },
};

/** Runs a subcommand. @returns its exit code */
export async function main(args: readonly string[]): Promise<number> {
  const [first = '', ...rest] = args;
  const named = SUBCOMMANDS[first];
  if (named) return (await loaded(first, named.load))(rest);
  if (first === 'help') {
    console.log(`Usage: prepaid-card-conformance [subcommand] [options]\n\n${subcommandLines()}`);
    return 0;
  }
  if (first !== '' && !first.startsWith('-')) {
    console.error(`unknown subcommand '${first}'; there are ${Object.keys(SUBCOMMANDS).join(', ')}`);
    return EXIT_CANNOT;
  }
  return (await SUBCOMMANDS.run!.load())(args);
}

/** Loads a subcommand. What it needs and is not installed, since few use it, is asked for by name. */
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

/** The subcommands and what they do, a line each. */
function subcommandLines(): string {
  const lines = Object.entries(SUBCOMMANDS).map(([name, { does }]) => `  ${name.padEnd(14)} ${does}`);
  return [...lines, '', `Each prints its options: ${callOf('NAME')} --help`].join('\n');
}

// A reader that is gone, as of a pipe into `head`, ends no command.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.exitCode = await main(process.argv.slice(2));
