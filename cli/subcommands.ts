/** The subcommands of the program. */
import { callOf } from '../reports/call-of.ts';
import type { Program } from './command.ts';

/** Subcommands, loaded on demand: most need little of the rest. */
export const SUBCOMMANDS: Record<string, { does: string; load: () => Promise<Program> }> = {
  run: {
    does: 'check a target against both documents and write reports (the default)',
    load: async () => (await import('./run.ts')).run,
  },
  doctor: {
    does: 'check configuration, target, credentials and fixtures; change nothing',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  sandbox: { does: 'serve the embedded sandbox', load: async () => (await import('./sandbox.ts')).sandbox },
  compare: { does: 'show what changed between two runs', load: async () => (await import('./compare.ts')).compare },
  matrix: {
    does: 'make one page of the runs of several targets',
    load: async () => (await import('./matrix.ts')).matrix,
  },
  merge: { does: 'join the shards of one run', load: async () => (await import('./merge.ts')).merge },
  report: { does: 'regenerate every report of a run', load: async () => (await import('./report.ts')).report },
  'report-allure': {
    does: 'write an Allure report of a run',
    load: async () => (await import('./report-allure.ts')).reportAllure,
  },
  replay: {
    does: 'repeat the recorded requests of one failure',
    load: async () => (await import('./replay.ts')).replay,
  },
  verify: {
    does: 'judge a record again, and say whether its verdicts follow from it',
    load: async () => (await import('./verify.ts')).verify,
  },
  judge: {
    does: 'judge recorded traffic, without a target',
    load: async () => (await import('./judge.ts')).judge,
  },
  proxy: { does: 'judge what passes through a reverse proxy', load: async () => (await import('./proxy.ts')).proxy },
  cleanup: { does: 'undo what a killed run left open', load: async () => (await import('./cleanup.ts')).cleanup },
  'verify-pact': {
    does: 'verify the target against the published pacts',
    load: async () => (await import('./verify-pact.ts')).verifyPact,
  },
  list: { does: 'list the catalogue', load: async () => (await import('./list.ts')).list },
  completion: {
    does: 'print completions for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completion,
  },
  explain: { does: 'explain requirements of the catalogue', load: async () => (await import('./explain.ts')).explain },
};

/** The subcommands with a description each, one per line. */
export function subcommandLines(): string {
  const lines = Object.entries(SUBCOMMANDS).map(([name, { does }]) => `  ${name.padEnd(14)} ${does}`);
  return [...lines, '', `Options of a subcommand: ${callOf('NAME')} --help`].join('\n');
}
