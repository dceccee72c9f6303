/** `report DIR`: makes every report again from a report directory. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { holdDirectory } from '../files/hold.ts';
import { writeReports } from '../reports/all.ts';
import { program } from './command.ts';

const command = new Command()
  .description('Makes every report again from a report directory.')
  .argument('<dir>', 'report directory')
  .option('--baseline <path>', 'earlier report directory or conformance.json to compare with');

export const report = program('report', command, () => {
  const directory = command.args[0]!;
  if (existsSync(directory)) holdDirectory(directory, 'making reports');
  for (const file of writeReports(directory, command.opts()).files) console.log(file);
  return 0;
});
