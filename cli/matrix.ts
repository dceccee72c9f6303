/** `matrix A B ...`: one page, requirements down, targets across. */
import { Command } from 'commander';
import { writeWholeFile } from '../files/write.ts';
import { matrix as matrixPage } from '../reports/matrix.ts';
import { readRecord } from '../reports/record.ts';
import { program } from './command.ts';

const command = new Command()
  .description('Makes one page of several runs: requirements down, targets across.')
  .argument('<run...>', 'report directories or conformance.json files')
  .option('--out <file>', 'where the page goes', 'reports/matrix.html');

export const matrix = program('matrix', command, () => {
  const { out } = command.opts<{ out: string }>();
  const page = matrixPage(command.args.map((path) => readRecord(path).conformance));
  writeWholeFile(out, page);
  console.log(out);
  return 0;
});
