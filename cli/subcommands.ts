/** The subcommands of the program, and what each does. */
import { callOf } from '../reports/call-of.ts';
import type { Program } from './command.ts';

/** Loaded when they are called: most need little of the rest. */
export const SUBCOMMANDS: Record<string, { does: string; load: () => Promise<Program> }> = {
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

/** The subcommands and what they do, a line each. */
export function subcommandLines(): string {
  const lines = Object.entries(SUBCOMMANDS).map(([name, { does }]) => `  ${name.padEnd(14)} ${does}`);
  return [...lines, '', `Each prints its options: ${callOf('NAME')} --help`].join('\n');
}
