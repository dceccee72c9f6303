/**
 * Keeps the record of an unfinished run: written when the run begins, and completed from the exchanges if it is killed.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RequirementResult } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { LineFile, writeWholeFile } from '../files/write.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { CHANGES, CONFORMANCE, EXCHANGES, readRecord } from '../reports/record.ts';
import { summarise } from '../reports/verdicts.ts';
import { assemble, type Findings, NO_FACTS } from './assemble.ts';
import { markKnownFailures } from './known-failures.ts';
import { recoverFindings } from './recover.ts';

/** File in the report directory while a run is under way. */
const UNFINISHED = 'unfinished.json';

const KILLED = 'the run was killed before its end';

/** The results before the first request. */
export const nothingYet = (now: Date): Findings => ({
  startedAt: now,
  finishedAt: now,
  outcomes: [],
  reachability: { reached: [], blocked: new Map() },
  facts: { ...NO_FACTS, ended: KILLED },
});

/** Writes the initial record of a run before its first request. */
export function announce(configuration: Configuration): void {
  const record = assemble(configuration, nothingYet(new Date()));
  writeWholeFile(join(configuration.run.reportDir, UNFINISHED), `${writeFileJson(record)}\n`);
}

/** Removes the file of `announce` once the record is written. */
export function forgetAnnounced(directory: string): void {
  rmSync(join(directory, UNFINISHED), { force: true });
}

/**
 * Builds the record of a killed run from its exchanges; does nothing if there is a record, or no run had begun.
 *
 * @throws RecordError when the initial record cannot be read
 */
export function recoverRecord(directory: string): void {
  const begun = join(directory, UNFINISHED);
  if (existsSync(join(directory, CONFORMANCE)) || !existsSync(begun)) return;
  // Cuts off an unfinished last line.
  for (const name of [EXCHANGES, CHANGES]) new LineFile(join(directory, name), true).close();
  const { conformance } = readRecord(begun);
  const { outcomes, requests } = recoverFindings(directory);
  const found = new Map(outcomes.map(({ requirement, ...check }) => [requirement, check]));
  const requirements = conformance.requirements.map((one): RequirementResult => {
    const check = found.get(one.id);
    return check === undefined ? one : { ...one, verdict: 'failed', reason: check.message, checks: [check] };
  });
  markKnownFailures(requirements, conformance.run.knownFailures ?? [], new Date(conformance.run.startedAt), false);
  const run = { ...conformance.run, requests };
  const record = { ...conformance, run, requirements, summary: summarise(requirements, false) };
  writeWholeFile(join(directory, CONFORMANCE), `${writeFileJson(record, 1)}\n`);
  forgetAnnounced(directory);
}
