/** `merge DIR ...`: joins the report directories of the shards of one run. */
import { Command } from 'commander';
import { holdDirectory } from '../files/hold.ts';
import { writeReports } from '../reports/all.ts';
import { writeMerged } from '../reports/merge.ts';
import { readRecord } from '../reports/record.ts';
import { summaryText, wantsColours } from '../reports/summary.ts';
import { program } from './command.ts';

const command = new Command()
  .description('Joins the report directories of the shards of one run, and makes the reports of the whole.')
  .argument('<dir...>', 'report directories of all the shards')
  .option('--out <dir>', 'report directory of the whole run', 'reports/merged');

export const merge = program('merge', command, () => {
  const { out } = command.opts<{ out: string }>();
  holdDirectory(out, 'a merge');
  const merged = writeMerged(command.args.map(readRecord), out);
  writeReports(out, { stepSummary: process.env.GITHUB_STEP_SUMMARY });
  console.log(summaryText(merged, { directory: out, colours: wantsColours() }));
  return 0;
});
