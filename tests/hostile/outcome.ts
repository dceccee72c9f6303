/** What holds of every run, whatever it met. */
import { expect } from 'vitest';
import type { Conformance } from '../../contracts/record.ts';
import { type Ended, everythingOf, readConformance } from './run.ts';

/** MiB that a run takes at most, whatever it is sent. */
const MOST_MIB = 1200;

const STACK_TRACE = /\n\s+at .+:\d+:\d+\)?/;

/** The record of a run that ended as it must; the exit code is for the caller to judge. */
export function soundRecord(ended: Ended): Conformance {
  const { stdout, stderr, reports, peakMiB } = ended;
  expect(stdout + stderr).not.toMatch(STACK_TRACE);
  expect(stdout + stderr).not.toMatch(/unhandled|TypeError|RangeError/i);
  expect(peakMiB).toBeLessThan(MOST_MIB);
  const record = readConformance(reports);
  const files = [...everythingOf(ended).keys()];
  expect(files).toEqual(
    expect.arrayContaining(['conformance.json', 'exchanges.ndjson', 'changes.ndjson', 'index.html', 'junit.xml']),
  );
  const mistakes = record.requirements.flatMap(({ id, checks }) =>
    checks
      .filter(({ message }) => message.includes('a mistake of the suite'))
      .map(({ message }) => `${id}: ${message}`),
  );
  expect(mistakes).toEqual([]);
  return record;
}
