/** `--require-coverage` of the commands that judge traffic: how much of the documents it has to exercise. */
import type { Command } from 'commander';
import { coverageOf, lackOf, type Wanted } from '../reports/coverage.ts';
import { readRecord } from '../reports/record.ts';
import { EXIT_CANNOT, EXIT_FINDING, EXIT_INTERRUPTED } from './exit-codes.ts';

/** Adds the option to a command. */
export const withCoverage = (command: Command): Command =>
  command.option(
    '--require-coverage <percent>',
    'exit with 1 where fewer operations were called: 80, or operations=80; statements=60 for statements of the documents',
    wanted,
  );

function wanted(text: string): Wanted {
  const [, of = 'operations', percent = ''] = /^(?:(operations|statements)=)?(\d{1,3})%?$/.exec(text) ?? [];
  if (percent === '' || Number(percent) > 100)
    throw new Error(`--require-coverage: ${text} is not a percentage, operations=PERCENT or statements=PERCENT`);
  return { of: of as Wanted['of'], percent: Number(percent) };
}

/** The exit code of a judgement once it is known how much was exercised. @param code without that */
export function withLackOfCoverage(command: Command, reportDir: string, code: number): number {
  const { requireCoverage } = command.opts<{ requireCoverage?: Wanted }>();
  if (requireCoverage === undefined || code === EXIT_INTERRUPTED || code === EXIT_CANNOT) return code;
  const lack = lackOf(coverageOf(readRecord(reportDir).conformance), requireCoverage);
  if (lack === undefined) return code;
  console.error(lack);
  return EXIT_FINDING;
}
