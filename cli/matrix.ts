/** `npm run matrix -- A B ...`: one page, requirements down, targets across. */
import { Command } from 'commander';
import { writeWholeFile } from '../files/write.ts';
import { matrix } from '../reports/matrix.ts';
import { readRecord } from '../reports/record.ts';
import { run } from './command.ts';

const command = new Command('npm run matrix --')
  .description('Makes one page of several runs: requirements down, targets across.')
  .argument('<run...>', 'report directories or conformance.json files')
  .option('--out <file>', 'where the page goes', 'reports/matrix.html')
  .action((paths: string[], { out }: { out: string }) => {
    const page = matrix(paths.map((path) => readRecord(path).conformance));
    writeWholeFile(out, page);
    console.log(out);
  });

await run(command);
