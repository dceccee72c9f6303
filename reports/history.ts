/**
 * Keeps the history of targets: one file per target, one line per run. Lines are only added, in any order, so that
 * files from two branches can be merged by keeping the lines of both (git's `merge=union`, or `cat`). Old nights
 * without changes are thinned out.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { digested, type Past } from '../contracts/past.ts';
import { type Conformance, conformance, type RequirementResult, type Rotated } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { readWholeFile } from '../files/read.ts';
import { appendToFile, makeDirectory, writeWholeFile } from '../files/write.ts';
import { shardOf } from './selection.ts';
import { isKnownFailure } from './verdicts.ts';

/** Directory of the histories, unless RUN_HISTORY is set. */
export const HISTORY = 'reports/history';

/** Number of days for which every run is kept. */
const WHOLE_DAYS = 60;
/** Maximum number of lines of a file; beyond it or its size, runs without changes are dropped, then the oldest. */
const MOST_LINES = 400;
/** Number of runs by which a later one chooses what it tries: within far fewer, each form has had its turn. */
const MOST_PAST = 90;
/** Maximum size of a file, in bytes; beyond it, what runs before those tried is dropped first. */
const MOST_BYTES = 5e6;
/** Number of days in which flips are counted. */
const FLIP_DAYS = 30;
/** Number of flips in those days, without a new version of the target, from which a requirement counts as unstable. */
const UNSTABLE = 2;

const DAY_MS = 86_400_000;

/** Ids by operation, without the operation: half as long. */
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
  /** Failures that the list of known failures explains. */
  known: ids,
  seed: z.int().optional(),
  /** What the run tried of what rotates, by subject, see {@link packedRotated}. */
  rotated: z.record(z.string(), z.string()).optional(),
  /** The median of all answers, in milliseconds; absent if nobody measured it. */
  medianMs: z.number().optional(),
});
type Entry = z.infer<typeof entry>;

/** A run's result for a requirement; absent if it was not seen. */
export type Seen = 'passed' | 'failed' | 'known';

/** A run of the same target in the history. */
export interface PastRun extends Pick<Entry, 'startedAt' | 'version' | 'selection' | 'summary' | 'medianMs'> {
  /** Results by requirement id. */
  seen: ReadonlyMap<string, Seen>;
}

/** The history of one requirement. Times are those of runs. */
export interface Course {
  id: string;
  /** When it was first seen failing. */
  firstSeen: string;
  /** Since when it has failed without passing; undefined while it passes. */
  failingSince: string | undefined;
  lastPassed: string | undefined;
  /** Number of changes between passing and failing in the last 30 nights. */
  flips: number;
  /** Whether it flips while the target's version stays the same. Not a verdict. */
  unstable: boolean;
}

/** The earlier runs of one target. */
export interface TargetHistory {
  /** The earliest first. */
  runs: PastRun[];
  /** The history of every requirement that ever failed, by id. */
  courses: ReadonlyMap<string, Course>;
}

/** Reads the history of a target; without runs if there is none. Unreadable lines are skipped. */
export function readHistory(target: string, directory = HISTORY): TargetHistory {
  return historyOf(entriesIn(fileOf(target, directory)).map(pastRun));
}

/** What is read of the runs by which a later one chooses. */
const choosing = entry.pick({ startedAt: true, suite: true, catalogue: true, seed: true, rotated: true });

/**
 * What the last runs of a target tried of what rotates, the latest first, and the seed of the last. What failed in a run of another suite is tried again,
 * but not missed where it is gone: that suite may have had other forms.
 */
export function readPast(
  target: string,
  suite: Conformance['suite'],
  directory = HISTORY,
): { past: Past; seed: number | undefined } {
  const runs = linesIn(fileOf(target, directory))
    .toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1))
    .slice(0, MOST_PAST)
    .flatMap((line) => read(choosing, line) ?? []);
  const past = runs.flatMap((one) => {
    if (one.rotated === undefined) return [];
    const rotated = Object.entries(one.rotated).map(unpackedRotated);
    const isOfSuite = one.suite === suite.version && one.catalogue === suite.catalogueDigest;
    return [isOfSuite ? rotated : rotated.map(withoutFailed)];
  });
  return { past, seed: runs.find(({ seed }) => seed !== undefined)?.seed };
}

/** When the run of a line began, without parsing all of it. */
const startOf = (line: string): string => /^\{"startedAt":"([^"]*)"/.exec(line)?.[1] ?? '';

const withoutFailed = ({ suspected = [], ...rotated }: Rotated): Rotated => ({
  ...rotated,
  suspected: suspected.map(({ form }) => ({ form, failed: [] })),
});

/** Builds a history from runs, the earliest first. */
export const historyOf = (runs: PastRun[]): TargetHistory => ({ runs, courses: coursesOf(runs) });

/** Whether a run is added to the history: a shard is not, since the merged run is. */
export const isRemembered = ({ run }: Pick<Conformance, 'run'>): boolean => shardOf(run.selection) === undefined;

/**
 * Adds a run to the history of its target.
 *
 * @param medianMs the median of all its answers, in milliseconds
 * @throws the file system's error when it cannot be written
 */
export function remember(record: Conformance, directory = HISTORY, medianMs?: number): void {
  const file = fileOf(record.target.name, directory);
  makeDirectory(directory);
  const attributes = join(directory, '.gitattributes');
  if (!existsSync(attributes)) writeWholeFile(attributes, '*.ndjson merge=union\n');
  // A truncated line stays separate.
  const gap = existsSync(file) && !/(?:^|\n)$/.test(readWholeFile(file)) ? '\n' : '';
  appendToFile(file, `${gap}${writeFileJson({ ...entryOf(record), medianMs })}\n`);
  const entries = entriesIn(file);
  if (entries.length <= MOST_LINES && statSync(file).size <= MOST_BYTES) return;
  const lean = entries.map((one, place) => (place < entries.length - MOST_PAST ? { ...one, rotated: undefined } : one));
  const isSmall = lean.length <= MOST_LINES && Buffer.byteLength(linesOf(lean)) <= MOST_BYTES;
  writeWholeFile(file, linesOf(isSmall ? lean : thinned(lean)));
}

const linesOf = (entries: readonly Entry[]): string => entries.map((one) => `${writeFileJson(one)}\n`).join('');

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
    // What others sent was chosen by nobody here.
    ...((run.source ?? 'target') === 'target' && {
      seed: run.seed,
      ...(run.rotated && { rotated: packedRotated(run.rotated) }),
    }),
  };
}

/** What marks a form in the history that was suspected, and one that was due and could not be tried. */
const SUSPECTED = '!';
const LEFT = '~';

/**
 * What a run tried, by the digest of its subject: the number of forms, then the digests of those tried, with what marks them and the requirements that failed
 * by them: `12 1k0gq7e !sl40a2=cards.get.shape ~9x2f1b`.
 */
const packedRotated = (rotated: readonly Rotated[]): Record<string, string> =>
  Object.fromEntries(
    rotated.map(digested).map(({ subject, tried, forms, suspected = [], left = [] }) => {
      const failed = new Map(suspected.map((one) => [one.form, one.failed]));
      const marked = tried.map((form) => {
        const ids = failed.get(form);
        return ids ? `${SUSPECTED}${form}=${ids.join()}` : form;
      });
      return [subject, [forms, ...marked, ...left.map((form) => LEFT + form)].join(' ')];
    }),
  );

function unpackedRotated([subject, packed]: [string, string]): Rotated {
  const [forms = '0', ...marked] = packed.split(' ');
  const rotated: Required<Rotated> = { subject, tried: [], forms: Number(forms), suspected: [], left: [] };
  for (const one of marked) {
    const [form = '', ids = ''] = one.replace(/^[!~]/, '').split('=', 2);
    if (one.startsWith(LEFT)) rotated.left.push(form);
    else rotated.tried.push(form);
    if (one.startsWith(SUSPECTED)) rotated.suspected.push({ form, failed: ids === '' ? [] : ids.split(',') });
  }
  return rotated;
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

/** The entries of a file, the earliest first. */
const entriesIn = (file: string): Entry[] =>
  linesIn(file)
    .flatMap((line) => read(entry, line) ?? [])
    .sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));

/** The lines of a file without duplicates; none where it cannot be read. */
function linesIn(file: string): string[] {
  try {
    return [...new Set(readWholeFile(file).split('\n'))];
  } catch {
    return [];
  }
}

/** What a line holds; undefined where it is torn, or foreign. */
function read<T>(schema: z.ZodType<T>, line: string): T | undefined {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Drops old runs that have the same failures as the runs before and after them. */
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

function pastRun({ startedAt, version, selection, summary, medianMs, ...lists }: Entry): PastRun {
  const seen = (['passed', 'failed', 'known'] as const).flatMap((name) =>
    unpacked(lists[name]).map((id) => [id, name] as const),
  );
  return { startedAt, version, selection, summary, medianMs, seen: new Map(seen) };
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

/** File name for a target's name; different names never share one. */
const fileOf = (target: string, directory: string): string =>
  join(directory, `${encodeURIComponent(target.toWellFormed()).replace(/[.*]/g, escaped).slice(0, 200) || '_'}.ndjson`);

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * The history of a requirement in words: `failing since 2026-05-02, last passed 2026-05-01, 3 flips in 30 nights,
 * unstable`.
 */
export function courseInWords({ failingSince, lastPassed, firstSeen, flips, unstable }: Course): string {
  const day = (time: string) => time.slice(0, 10);
  return [
    failingSince ? `failing since ${day(failingSince)}` : `passes; first seen failing ${day(firstSeen)}`,
    ...(lastPassed ? [`last passed ${day(lastPassed)}`] : ['never seen passing']),
    ...(failingSince && day(firstSeen) !== day(failingSince) ? [`first seen failing ${day(firstSeen)}`] : []),
    ...(flips > 0 ? [`${flips} ${flips === 1 ? 'flip' : 'flips'} in the last 30 nights`] : []),
    ...(unstable
      ? [
          'unstable: it flips while the version of the target stays the same, or fails only for some of the rotating forms',
        ]
      : []),
  ].join(', ');
}
