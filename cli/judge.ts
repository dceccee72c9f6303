/** `judge RECORDING...`: judges recorded traffic, without a target. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { whileHolding } from '../files/hold.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import { CONFORMANCE, EXCHANGES, exchangesIn, RecordError, readRecord } from '../reports/record.ts';
import { finish } from '../run/finish.ts';
import { judgeRecordings, type Recording } from '../run/judge.ts';
import { prepare } from '../run/prepare.ts';
import { type OddEntry, UnusableRecording } from '../witness/archive.ts';
import type { Recorded } from '../witness/recorded.ts';
import { type Reading, readRecording } from '../witness/recordings.ts';
import { recordedIn } from '../witness/reports.ts';
import { program } from './command.ts';
import { withCoverage, withLackOfCoverage } from './coverage.ts';
import { configurable, givenOptions, OF_JUDGING } from './options.ts';
import { ProgressLine } from './progress.ts';
import { interruptible } from './signals.ts';

/** Interval at which progress is shown, in milliseconds. */
const PROGRESS_MS = 1000;
const MIB = 1024 * 1024;

const command = configurable(
  'Judges recorded traffic by both documents, without sending anything, and writes the reports of a run.',
  OF_JUDGING,
).argument(
  '<recordings...>',
  'HTTP Archives (HAR 1.2, plain, gzip or zip), exports of newman, directories of them, report directories, or - for standard input',
);
withCoverage(command);

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
        const onBytes = (bytes: number) => (progress.bytes = bytes);
        const recordings = command.args.map((path) => exchangesOf(path, { onBytes, signal }));
        const judging = { begin, signal, onExchange };
        const { configuration, findings } = await judgeRecordings(given, recordings, reportDir, judging);
        line.clear();
        return withLackOfCoverage(command, reportDir, finish(configuration, findings));
      } finally {
        clearInterval(timer);
      }
    }),
  );
});

/** The exchanges of a recording, or of a run. @throws RecordError when a directory holds a damaged record */
const exchangesOf = (path: string, reading: Reading): Recording =>
  [CONFORMANCE, EXCHANGES].some((name) => existsSync(join(path, name)))
    ? ofReports(path)
    : readRecording(path, reading);

/** @throws RecordError when the directory holds no record */
function ofReports(directory: string): Recording {
  readRecord(directory);
  return recordedInDirectory(directory);
}

function* recordedInDirectory(directory: string): Generator<Recorded | OddEntry> {
  try {
    for (const exchange of exchangesIn(directory))
      yield exchange instanceof RecordError ? { odd: exchange.message } : recordedIn(exchange, directory);
  } catch (error) {
    throw error instanceof RecordError ? new UnusableRecording(error.message) : error;
  }
}
