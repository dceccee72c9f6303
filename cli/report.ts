/** `npm run report -- DIR`: makes every report again from a report directory. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { holdDirectory } from '../files/hold.ts';
import { writeReports } from '../reports/all.ts';
import { run } from './command.ts';

const command = new Command('npm run report --')
  .description('Makes every report again from a report directory.')
  .argument('<dir>', 'report directory')
  .option('--baseline <path>', 'earlier report directory or conformance.json to compare with')
  .action((directory: string, { baseline }: { baseline?: string }) => {
    if (existsSync(directory)) holdDirectory(directory, 'making reports');
    for (const file of writeReports(directory, { baseline }).files) console.log(file);
  });

await run(command);
