/** What holds of every run, whatever it met. */
import { expect } from 'vitest';
import type { Conformance } from '../../contracts/record.ts';
import { REPORTS } from '../../reports/all.ts';
import { CHANGES, CONFORMANCE, EXCHANGES } from '../../reports/record.ts';
import { type Ended, everythingOf, readConformance } from './run.ts';

/** MiB that a run takes at most, whatever it is sent: answers of 16 MiB in flight and remembered, as bytes, as text and parsed. */
export const MOST_MIB = 2048;

const STACK_TRACE = /\n\s+at .+:\d+:\d+\)?/;
const FILES = [CONFORMANCE, EXCHANGES, CHANGES, ...REPORTS.map(({ file }) => file)];

/** The record of a run that ended in order; the exit code is for the caller to judge. */
export function soundRecord(ended: Ended): Conformance {
  const printed = ended.stdout + ended.stderr;
  expect(printed).not.toMatch(STACK_TRACE);
  expect(printed).not.toContain('the run was aborted');
  expect(printed).not.toContain('a bug in the suite');
  expect(ended.peakMiB).toBeLessThan(MOST_MIB);
  expect([...everythingOf(ended).keys()]).toEqual(expect.arrayContaining(FILES));
  const record = readConformance(ended.reports);
  const mistakes = record.requirements.flatMap(({ checks }) =>
    checks.filter(({ message }) => message.includes('a bug in the suite')),
  );
  expect(mistakes).toEqual([]);
  return record;
}
