/** `matrix A B ...`: makes one page of several runs, requirements down, targets across. */
import { Command, Option } from 'commander';
import { writeNamedFile } from '../files/write.ts';
import { readBaseline } from '../reports/baseline.ts';
import { breadthOf } from '../reports/breadth.ts';
import { compare } from '../reports/compare.ts';
import { deltaOf } from '../reports/delta.ts';
import { HISTORY, readHistory } from '../reports/history.ts';
import { matrix as matrixPage, type Target } from '../reports/matrix.ts';
import { readRecord } from '../reports/record.ts';
import { program } from './command.ts';
import { directoryOf, reportBeside } from './report-link.ts';

const command = new Command()
  .description('Makes one page of several runs: requirements down, targets across.')
  .argument('<run...>', 'report directories or conformance.json files')
  .option('--out <file>', 'where the page goes', 'reports/matrix.html')
  .addOption(new Option('--history <dir>', "directory of the targets' histories").env('RUN_HISTORY').default(HISTORY));

export const matrix = program('matrix', command, () => {
  const { out, history } = command.opts<{ out: string; history: string }>();
  writeNamedFile(out, matrixPage(command.args.map((path) => targetOf(path, out, history || HISTORY))));
  console.log(out);
  return 0;
});

/**
 * A run as a column of the page, with links to its report and the change since its baseline, if these are beside its
 * record.
 * @param directory of the targets' histories
 */
function targetOf(path: string, out: string, directory: string): Target {
  const record = readRecord(path);
  const history = readHistory(record.conformance.target.name, directory);
  const baseline = readBaseline(directoryOf(path));
  return {
    conformance: record.conformance,
    link: reportBeside(path, out),
    delta: baseline && deltaOf(compare(baseline, record), history),
    breadth: breadthOf(record.conformance, history),
    history,
  };
}
