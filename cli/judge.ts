/** `judge RECORDING...`: judges recorded traffic, without a target. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { whileHolding } from '../files/hold.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import { readRecord } from '../reports/record.ts';
import { finish } from '../run/finish.ts';
import { judgeRecordings } from '../run/judge.ts';
import { prepare } from '../run/prepare.ts';
import { openRecording, readHar, UnusableRecording } from '../witness/har.ts';
import type { Recorded } from '../witness/recorded.ts';
import { recordedIn } from '../witness/reports.ts';
import { program } from './command.ts';
import { configurable, givenOptions, OF_JUDGING } from './options.ts';
import { ProgressLine } from './progress.ts';
import { interruptible } from './signals.ts';

/** Interval at which progress is shown, in milliseconds. */
const PROGRESS_MS = 1000;
const MIB = 1024 * 1024;

const command = configurable(
  'Judges recorded traffic by both documents, without sending anything, and writes the reports of a run.',
  OF_JUDGING,
).argument('<recordings...>', 'HTTP Archives (HAR 1.2, plain or gzip), report directories, or - for standard input');

export const judge = program('judge', command, async () => {
  const options = givenOptions(command);
  const given = await readConfiguration({ env: process.env, options, cwd: process.cwd(), purpose: 'judgement' });
  const { reportDir } = given.run;
  for (const recording of command.args)
    if (resolve(recording) === reportDir)
      throw new Error(
        `--report-dir: ${recording} holds what is judged, and would be overwritten; name another directory`,
      );
  const progress = { bytes: 0, exchanges: 0 };
  const recordings = command.args.map((path) => exchangesOf(path, (bytes) => (progress.bytes = bytes)));
  return whileHolding(reportDir, 'a judgement', () =>
    interruptible(async (signal) => {
      const line = new ProgressLine(process.stderr);
      const timer = setInterval(
        () => line.tell(`${progress.exchanges} exchanges · ${Math.round(progress.bytes / MIB)} MiB`),
        PROGRESS_MS,
      );
      try {
        const onExchange = (count: number) => (progress.exchanges = count);
        const begin = () => void prepare(given);
        const judging = { begin, signal, onExchange };
        const { configuration, findings } = await judgeRecordings(given, recordings, reportDir, judging);
        line.clear();
        return finish(configuration, findings);
      } finally {
        clearInterval(timer);
      }
    }),
  );
});

/** The exchanges of a recording. @throws Error when it cannot be opened */
function exchangesOf(path: string, onBytes: (bytes: number) => void): AsyncIterable<Recorded> | Iterable<Recorded> {
  const isDirectory = path !== '-' && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
  return isDirectory ? ofReports(path) : named(path, readHar(openRecording(path), onBytes));
}

/** A recording whose faults name it. */
async function* named(path: string, recording: AsyncIterable<Recorded>): AsyncGenerator<Recorded> {
  try {
    yield* recording;
  } catch (error) {
    throw error instanceof UnusableRecording ? new UnusableRecording(`${path} ${error.message}`) : error;
  }
}

function* ofReports(directory: string): Generator<Recorded> {
  for (const exchange of readRecord(directory).exchanges()) yield recordedIn(exchange);
}
