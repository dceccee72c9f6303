/**
 * The history of targets: a file for each, a line for each run. Lines are only added, in any order, so that the files of two branches
 * are merged by keeping the lines of both (`merge=union` of git, or `cat`). Old nights in which nothing changed are thinned out.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Conformance, conformance, type RequirementResult } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { readWholeFile } from '../files/read.ts';
import { makeDirectory, writeWholeFile } from '../files/write.ts';
import { shardOf } from './selection.ts';
import { isKnownFailure } from './verdicts.ts';

/** Where histories are kept, unless RUN_HISTORY says otherwise. */
export const HISTORY = 'reports/history';

/** Days for which every run is kept. */
const WHOLE_DAYS = 60;
/** Lines of a file at most; from here on old ones are thinned out, the oldest first where that is not enough. */
const MOST_LINES = 400;
/** Days that are looked back for flips. */
const FLIP_DAYS = 30;
/** Flips between runs of the same version of the target, in those days, from which on a requirement is called unstable. */
const UNSTABLE = 2;

const DAY_MS = 86_400_000;

/** Ids by their operation, without it: half as long as the ids. */
const ids = z.record(z.string(), z.string());

const entry = z.object({
  startedAt: z.string(),
  version: z.string(),
  suite: z.string(),
  catalogue: z.string(),
  selection: z.string(),
  risk: z.string(),
  summary: conformance.shape.summary,
  passed: ids,
  failed: ids,
  /** Failures that a file of known failures explains. */
  known: ids,
});
type Entry = z.infer<typeof entry>;

/** What a run said of a requirement; what it did not see, it says nothing of. */
export type Seen = 'passed' | 'failed' | 'known';

/** A run of the same target that was kept in the history. */
export interface PastRun extends Pick<Entry, 'startedAt' | 'version' | 'selection' | 'summary'> {
  /** What was seen, by id of the requirement. */
  seen: ReadonlyMap<string, Seen>;
}

/** What the history says of one requirement. Times are those of runs. */
export interface Course {
  id: string;
  /** When it was first seen failing, ever. */
  firstSeen: string;
  /** Since when it fails without having passed; undefined while it passes. */
  failingSince: string | undefined;
  lastPassed: string | undefined;
  /** Changes between passing and failing in the last 30 nights. */
  flips: number;
  /** Whether it flips though the version of the target stays the same. No verdict. */
  unstable: boolean;
}

/** What is known of the earlier runs of one target. */
export interface TargetHistory {
  /** The earliest first. */
  runs: PastRun[];
  /** The course of every requirement that ever failed, by id. */
  courses: ReadonlyMap<string, Course>;
}

/** The history of a target; without runs where there is none. A line that cannot be read is left out. */
export function readHistory(target: string, directory = HISTORY): TargetHistory {
  return historyOf(entriesIn(fileOf(target, directory)).map(pastRun));
}

/** The history that runs make, the earliest first. */
export const historyOf = (runs: PastRun[]): TargetHistory => ({ runs, courses: coursesOf(runs) });

/** Whether a run is remembered: a shard is not, since the merged run is. */
export const isRemembered = ({ run }: Pick<Conformance, 'run'>): boolean => shardOf(run.selection) === undefined;

/**
 * Adds a run to the history of its target.
 *
 * @throws the file system's error when it cannot be written
 */
export function remember(record: Conformance, directory = HISTORY): void {
  const file = fileOf(record.target.name, directory);
  makeDirectory(directory);
  const attributes = join(directory, '.gitattributes');
  if (!existsSync(attributes)) writeWholeFile(attributes, '*.ndjson merge=union\n');
  // A line that was cut off stays one of its own.
  const gap = existsSync(file) && !/(?:^|\n)$/.test(readFileSync(file, 'utf8')) ? '\n' : '';
  appendFileSync(file, `${gap}${writeFileJson(entryOf(record))}\n`);
  const entries = entriesIn(file);
  if (entries.length <= MOST_LINES) return;
  writeWholeFile(
    file,
    thinned(entries)
      .map((one) => `${writeFileJson(one)}\n`)
      .join(''),
  );
}

function entryOf({ run, target, suite, summary, requirements }: Conformance): Entry {
  const those = (choose: (one: RequirementResult) => boolean) =>
    packed(requirements.filter((one) => one.inScope && choose(one)).map(({ id }) => id));
  return {
    startedAt: run.startedAt,
    version: target.version,
    suite: suite.version,
    catalogue: suite.catalogueDigest,
    selection: run.selection,
    risk: run.risk,
    summary,
    passed: those(({ verdict }) => verdict === 'passed'),
    failed: those((one) => one.verdict === 'failed' && !isKnownFailure(one)),
    known: those(isKnownFailure),
  };
}

const packed = (list: readonly string[]): Record<string, string> => {
  const groups = Map.groupBy(list, (id) => id.split('.').slice(0, 2).join('.'));
  return Object.fromEntries(
    [...groups].map(([operation, own]) => [operation, own.map((id) => id.slice(operation.length + 1)).join(' ')]),
  );
};

const unpacked = (packedIds: Record<string, string>): string[] =>
  Object.entries(packedIds).flatMap(([operation, rest]) =>
    rest.split(' ').map((name) => (name ? `${operation}.${name}` : operation)),
  );

/** The entries of a file, the earliest first, each once. */
function entriesIn(file: string): Entry[] {
  let text: string;
  try {
    text = readWholeFile(file);
  } catch {
    return [];
  }
  const entries = [...new Set(text.split('\n'))].flatMap((line) => read(line) ?? []);
  return entries.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

function read(line: string): Entry | undefined {
  try {
    return entry.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Without the old runs that fail in nothing else than the runs before and after them. */
function thinned(entries: readonly Entry[]): Entry[] {
  const recent = Date.parse(entries.at(-1)!.startedAt) - WHOLE_DAYS * DAY_MS;
  const failing = ({ failed, known, version }: Entry) => JSON.stringify([failed, known, version]);
  const kept = entries.filter(
    (one, index) =>
      Date.parse(one.startedAt) >= recent ||
      [entries[index - 1], entries[index + 1]].some((next) => !next || failing(next) !== failing(one)),
  );
  return kept.slice(-MOST_LINES);
}

function pastRun({ startedAt, version, selection, summary, ...lists }: Entry): PastRun {
  const seen = (['passed', 'failed', 'known'] as const).flatMap((name) =>
    unpacked(lists[name]).map((id) => [id, name] as const),
  );
  return { startedAt, version, selection, summary, seen: new Map(seen) };
}

function coursesOf(runs: readonly PastRun[]): Map<string, Course> {
  const ever = new Set(runs.flatMap(({ seen }) => [...seen].filter(([, how]) => how !== 'passed').map(([id]) => id)));
  return new Map([...ever].sort().map((id) => [id, courseOf(id, runs)]));
}

function courseOf(id: string, runs: readonly PastRun[]): Course {
  const newest = Date.parse(runs.at(-1)!.startedAt);
  const course: Course = {
    id,
    firstSeen: '',
    failingSince: undefined,
    lastPassed: undefined,
    flips: 0,
    unstable: false,
  };
  let before: { fails: boolean; version: string } | undefined;
  let unaccounted = 0;
  for (const { startedAt, version, seen } of runs) {
    const how = seen.get(id);
    if (how === undefined) continue;
    const fails = how !== 'passed';
    if (fails) {
      course.firstSeen ||= startedAt;
      course.failingSince ??= startedAt;
    } else {
      course.lastPassed = startedAt;
      course.failingSince = undefined;
    }
    if (before && before.fails !== fails && newest - Date.parse(startedAt) < FLIP_DAYS * DAY_MS) {
      course.flips++;
      if (before.version === version) unaccounted++;
    }
    before = { fails, version };
  }
  course.unstable = unaccounted >= UNSTABLE;
  return course;
}

/** The name of a target as the name of a file; two names that differ never share one. */
const fileOf = (target: string, directory: string): string =>
  join(directory, `${encodeURIComponent(target.toWellFormed()).replace(/[.*]/g, escaped).slice(0, 200) || '_'}.ndjson`);

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The course of a requirement in words: `failing since 2026-05-02, last passed 2026-05-01, 3 flips in 30 nights, unstable`. */
export function courseInWords({ failingSince, lastPassed, firstSeen, flips, unstable }: Course): string {
  const day = (time: string) => time.slice(0, 10);
  return [
    failingSince ? `failing since ${day(failingSince)}` : `passes; first seen failing ${day(firstSeen)}`,
    ...(lastPassed ? [`last passed ${day(lastPassed)}`] : ['never seen passing']),
    ...(failingSince && day(firstSeen) !== day(failingSince) ? [`first seen failing ${day(firstSeen)}`] : []),
    ...(flips > 0 ? [`${flips} ${flips === 1 ? 'flip' : 'flips'} in the last 30 nights`] : []),
    ...(unstable
      ? [
          'unstable: it flips though the version of the target stays the same, or fails in some of the forms that nights try in turn',
        ]
      : []),
  ].join(', ');
}
