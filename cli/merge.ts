/** `merge DIR ...`: joins the report directories of one run's shards. */
import { Command, Option } from 'commander';
import { matches } from '../contracts/pattern.ts';
import { FAIL_ON, type FailOn } from '../contracts/record.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { whileHolding } from '../files/hold.ts';
import { ConfigurationError } from '../helpers/configuration/index.ts';
import { Invalid, readBytes } from '../helpers/configuration/invalid.ts';
import { type KnownFailure, parseKnownFailures } from '../helpers/configuration/known-failures.ts';
import { matchesNone } from '../helpers/configuration/names.ts';
import { keepBaseline } from '../reports/baseline.ts';
import { HISTORY } from '../reports/history.ts';
import { merge as mergeRecords, refuseShard, writeMerged } from '../reports/merge.ts';
import { readRecord } from '../reports/record.ts';
import { summarise } from '../reports/verdicts.ts';
import { dropRecord } from '../run/drop-record.ts';
import { report } from '../run/finish.ts';
import { markKnownFailures } from '../run/known-failures.ts';
import { program } from './command.ts';
import { reportUrlOption } from './options.ts';

const command = new Command()
  .description(
    'Joins the report directories of the shards of one run, writes the reports of the whole, and exits as the whole run would have.',
  )
  .argument('<dir...>', 'report directories of all the shards')
  .option('--out <dir>', 'report directory of the whole run', 'reports/merged')
  .option('--baseline <path>', 'earlier report directory or conformance.json to compare with [RUN_BASELINE]')
  .option('--history <dir>', `directory of the targets' histories (default: ${HISTORY}) [RUN_HISTORY]`)
  .addOption(reportUrlOption())
  .option('--known-failures <file>', 'list of known failures; by default that of the shards [RUN_KNOWN_FAILURES]')
  .addOption(
    new Option('--fail-on <what>', 'what makes it exit with 1; by default as in the shards [RUN_FAIL_ON]').choices(
      FAIL_ON,
    ),
  );

interface MergeOptions {
  out: string;
  baseline?: string;
  history?: string;
  reportUrl?: string;
  knownFailures?: string;
  failOn?: FailOn;
}

export const merge = program('merge', command, () => {
  const { env } = process;
  const { out, ...given } = command.opts<MergeOptions>();
  const baseline = given.baseline ?? (env.RUN_BASELINE || undefined);
  const file = given.knownFailures ?? (env.RUN_KNOWN_FAILURES || undefined);
  const failOn = given.failOn ?? failOnOf(env.RUN_FAIL_ON);
  return whileHolding(out, 'a merge', () => {
    const records = command.args.map(readRecord);
    const merged = mergeRecords(records);
    const knownFailures = file === undefined ? (merged.run.knownFailures ?? []) : readKnownFailures(file);
    markKnownFailures(merged.requirements, knownFailures, new Date(merged.run.finishedAt), true);
    merged.run = { ...merged.run, knownFailures, failOn: failOn ?? merged.run.failOn };
    merged.summary = summarise(merged.requirements, merged.run.complete);
    refuseShard(records, out);
    keepBaseline(baseline, out);
    for (const note of dropRecord(out)) console.error(note);
    writeMerged(records, merged, out);
    return report(merged, out, { history: given.history ?? (env.RUN_HISTORY || HISTORY), reportUrl: given.reportUrl });
  });
});

/** @throws ConfigurationError when the variable has an invalid value */
function failOnOf(text: string | undefined): FailOn | undefined {
  const failOn = FAIL_ON.find((one) => one === text?.trim());
  if (text && !failOn) throw new ConfigurationError([`RUN_FAIL_ON: must be one of ${FAIL_ON.join(', ')}`]);
  return failOn;
}

/** @throws ConfigurationError when the list is unreadable, or names an unknown requirement */
function readKnownFailures(file: string): KnownFailure[] {
  const faulty = (faults: string[]) => new ConfigurationError(faults.map((fault) => `RUN_KNOWN_FAILURES: ${fault}`));
  try {
    const known = parseKnownFailures(readBytes(file).toString());
    const unmatched = known.filter(({ id }) => !requirements.some((requirement) => matches(id, requirement.id)));
    if (unmatched.length === 0) return known;
    const ids = requirements.map(({ id }) => id);
    throw new Invalid(...unmatched.map(({ id }) => matchesNone(id, 'requirement', ids)));
  } catch (error) {
    throw error instanceof Invalid ? faulty(error.faults) : error;
  }
}
