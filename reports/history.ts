/** The history of runs: a slim line per run in a file per target, the last 30 kept. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Conformance } from '../contracts/record.ts';
import { conformance } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { writeWholeFile } from '../files/write.ts';

/** Where histories are kept. */
export const HISTORY = 'reports/history';

/** How many runs of a target are kept. */
const KEPT = 30;

const { run, target, suite, summary } = conformance.shape;
const entry = z.object({
  ...run.pick({ startedAt: true, durationMs: true, requests: true, selection: true, risk: true }).shape,
  target: target.pick({ version: true }),
  suite: suite.pick({ version: true, catalogueDigest: true }),
  summary,
});

/** One run in the history of a target. */
export type HistoryEntry = z.infer<typeof entry>;

/** The runs of a target, the earliest first; none where there is no history. A line that cannot be read is left out. */
export function readHistory(target: string, directory = HISTORY): HistoryEntry[] {
  let text: string;
  try {
    text = readFileSync(fileOf(target, directory), 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => entryOf(line) ?? []);
}

/** Adds a run to the history of its target; a run that is there already is replaced. */
export function appendHistory({ target, suite, run, summary }: Conformance, directory = HISTORY): void {
  const added = entry.parse({ ...run, target, suite, summary });
  const others = readHistory(target.name, directory).filter(({ startedAt }) => startedAt !== run.startedAt);
  const entries = [...others, added].sort((a, b) => a.startedAt.localeCompare(b.startedAt)).slice(-KEPT);
  writeWholeFile(fileOf(target.name, directory), entries.map((one) => `${writeFileJson(one)}\n`).join(''));
}

/** The name of a target as the name of a file; two names that differ never share one. */
const fileOf = (target: string, directory: string): string =>
  join(directory, `${encodeURIComponent(target.toWellFormed()).replace(/[.*]/g, escaped).slice(0, 200) || '_'}.ndjson`);

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

function entryOf(line: string): HistoryEntry | undefined {
  try {
    return entry.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
