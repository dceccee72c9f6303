/** `replay DIR ID`: repeats the recorded requests of one failure. */
import { resolve } from 'node:path';
import { whileHolding } from '../files/hold.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import { readRecord } from '../reports/record.ts';
import { symptomOf } from '../reports/symptom.ts';
import { count, cut, visible } from '../reports/text.ts';
import { viewOf } from '../reports/view.ts';
import { dropRecord, openChangesNote } from '../run/drop-record.ts';
import { addressesOf, type Replayed, replay as replayRequests, requestsOf } from '../run/replay.ts';
import { withTarget } from '../run/target.ts';
import { program } from './command.ts';
import { EXIT_FINDING } from './exit-codes.ts';
import { configurable, givenOptions, OF_ASKING } from './options.ts';
import { interruptible } from './signals.ts';

/** Default report directory of a replay. */
const DIRECTORY = 'reports/replay';

const command = configurable(
  'Repeats the recorded requests of one failure with fresh credentials, and compares the answers. Exits with 1 if one differs.',
  undefined,
  OF_ASKING,
)
  .argument('<dir>', 'report directory of the run')
  .argument('<id>', 'requirement that failed in it')
  .option('--elsewhere', 'send them to the configured addresses, though the failure was recorded at others');

export const replay = program('replay', command, async () => {
  const [directory, id] = command.args as [string, string];
  const record = readRecord(directory);
  const view = viewOf(record.conformance, { exchanges: record.exchanges() });
  const script = requestsOf(view, record.exchanges(), id);
  const { elsewhere, ...given } = givenOptions(command);
  const options = { 'report-dir': DIRECTORY, ...given };
  const configured = await readConfiguration({ env: process.env, options, cwd: process.cwd() });
  const { reportDir } = configured.run;
  if (resolve(directory) === reportDir)
    throw new Error(`--report-dir: ${directory} holds the record of the failure; name another directory`);
  return whileHolding(reportDir, 'a replay', () =>
    interruptible(async (signal) => {
      for (const note of dropRecord(reportDir)) console.error(note);
      const results = await withTarget(configured, (configuration) => {
        // The embedded sandbox has another port each time.
        const isSame = configuration.target.embedded && record.conformance.target.embedded;
        const addresses = addressesOf(script, configuration, isSame || elsewhere !== undefined);
        console.log(`${count(script.steps.length, 'request')} to ${addresses.join(' and ')}`);
        return replayRequests(configuration, script, process.env, signal);
      });
      return report(results, reportDir);
    }),
  );
});

/** Prints the answers, and what was not undone. @returns the exit code */
function report(results: readonly Replayed[], reportDir: string): number {
  const differing = results.filter(({ before, now }) => symptomOf(before) !== symptomOf(now));
  for (const result of results) {
    const { exchange, before, now } = result;
    console.log(visible(`${exchange.id} ${exchange.request.method} ${exchange.request.url}`));
    if (!differing.includes(result)) console.log(`  as before: ${cut(visible(now), 200)}`);
    else console.log(`  before: ${cut(visible(before), 200)}\n  now:    ${cut(visible(now), 200)}`);
  }
  console.log(
    differing.length === 0 ? 'The answers are the same.' : `${differing.length} of ${results.length} answers differ.`,
  );
  const open = openChangesNote(reportDir);
  if (open) console.log(open);
  return differing.length === 0 ? 0 : EXIT_FINDING;
}
