/**
 * Keeps the history of targets: one file per target, one line per run. Lines are only added, in any order, so that
 * files from two branches can be merged by keeping the lines of both (git's `merge=union`, or `cat`). Old nights
 * without changes are thinned out.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { digested, type Past } from '../contracts/past.ts';
import {
  type Conformance,
  conformance,
  type Exchange,
  type RequirementResult,
  type Rotated,
} from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { readWholeFile } from '../files/read.ts';
import { appendToFile, makeDirectory, writeWholeFile } from '../files/write.ts';
import { medianOf } from './latency.ts';
import { shardOf } from './selection.ts';
import { cut, visible } from './text.ts';
import { type Tried, triedOf } from './tried.ts';
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
/** Of so many nights with one version of the target, which tried the same, a requirement that is flaky failed in some, and passed between these. */
const FLAKY = { nights: 5, failed: 2 };

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

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
  /** What was suspected, and did not show again. */
  suspected: z.array(z.object({ requirement: z.string(), check: z.string(), shown: z.array(z.string()) })).optional(),
  /** By operation, how many right readings were made, and how many of these were refused at first: `40 3`. */
  readings: z.record(z.string(), z.string()).optional(),
  /** The median of all answers, in milliseconds; absent if nobody measured it. */
  medianMs: z.number().optional(),
});
type Entry = z.infer<typeof entry>;

/** A run's result for a requirement; absent if it was not seen. */
export type Seen = 'passed' | 'failed' | 'known';

/** Readings that nothing was wrong with. */
export interface Readings {
  asked: number;
  refused: number;
}

/** A run of the same target in the history. */
export interface PastRun
  extends Pick<Entry, 'startedAt' | 'version' | 'catalogue' | 'selection' | 'risk' | 'summary' | 'medianMs'> {
  /** Results by requirement id. */
  seen: ReadonlyMap<string, Seen>;
  /** What was suspected and did not show again, with what showed it in words. */
  suspected?: readonly { requirement: string; check: string; shown: readonly string[] }[] | undefined;
  /** Right readings by operation, and how many of these were refused at first. */
  readings?: ReadonlyMap<string, Readings> | undefined;
  /** What it tried of what rotates; absent where that is not known, or no longer needed. */
  tried?: Tried | undefined;
}

/** The history of one requirement. Times are those of runs. */
export interface Course {
  id: string;
  /** When it was first seen failing. */
  firstSeen: string;
  /** Since when it has failed without passing; undefined while it passes. */
  failingSince: string | undefined;
  lastPassed: string | undefined;
  /** When it first passed by what it had failed by last; undefined while it fails, or where that was not tried. */
  passedAgain: string | undefined;
  /** Number of changes between passing and failing in the last 30 nights, by what was tried in both. */
  flips: number;
  /** Whether it failed in 2 of the last 5 nights that tried the same at one version of the target, and passed between these. Not a verdict. */
  isFlaky: boolean;
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
  const lines = linesIn(fileOf(target, directory)).toSorted(byStart);
  const since = Date.parse(startOf(lines.at(-1) ?? '')) - FLIP_DAYS * DAY_MS;
  const isRecent = (line: string) => Date.parse(startOf(line)) > since;
  return historyOf(lines.flatMap((line) => read(isRecent(line) ? entry : lean, line) ?? []).map(pastRun));
}

/** Whether a line notes that a run begins. */
const isBegin = (line: string): boolean => /^\{"startedAt":"[^"]*","begun":/.test(line);
/** Hours after which a run that was never remembered is under way no more. */
const LONGEST_HOURS = 2;

/**
 * Notes in the history of a target that a run begins.
 * @returns how many others began and are not remembered yet, which choose by the same past; 0 where nothing can be written
 */
export function noteBegin(target: string, directory = HISTORY): number {
  const now = new Date();
  const line = writeFileJson({ startedAt: now.toISOString(), begun: randomUUID() });
  const since = new Date(now.getTime() - LONGEST_HOURS * HOUR_MS).toISOString();
  try {
    append(target, directory, line);
    const lines = linesIn(fileOf(target, directory));
    const others = lines.slice(0, lines.indexOf(line)).filter((one) => isBegin(one) && startOf(one) >= since);
    const first = others.map(startOf).sort()[0] ?? now.toISOString();
    const remembered = lines.filter((one) => !isBegin(one) && startOf(one) >= first);
    return Math.max(0, others.length - remembered.length);
  } catch {
    return 0;
  }
}

/** Adds a line to the history of a target. @throws the file system's error when it cannot be written */
function append(target: string, directory: string, line: string): void {
  const file = fileOf(target, directory);
  makeDirectory(directory);
  const attributes = join(directory, '.gitattributes');
  if (!existsSync(attributes)) writeWholeFile(attributes, '*.ndjson merge=union\n');
  // A truncated line stays separate.
  const gap = existsSync(file) && !/(?:^|\n)$/.test(readWholeFile(file)) ? '\n' : '';
  appendToFile(file, `${gap}${line}\n`);
}

/** What is read of runs of which nobody asks any more what they tried. */
const lean = entry.omit({ rotated: true, suspected: true });

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
    .filter((line) => !isBegin(line))
    .toSorted(byStart)
    .reverse()
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

const byStart = (one: string, other: string): number => (startOf(one) < startOf(other) ? -1 : 1);

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
 * @param exchanges those of the run, which are read as often as is needed
 * @throws the file system's error when it cannot be written
 */
export function remember(
  record: Conformance,
  directory = HISTORY,
  exchanges: () => Iterable<Exchange> = () => [],
): void {
  const { name } = record.target;
  const entry = { ...entryOf(record), suspected: suspectedIn(record, exchanges), medianMs: medianOf(exchanges()) };
  append(name, directory, writeFileJson(entry));
  const file = fileOf(name, directory);
  const entries = entriesIn(file);
  if (entries.length <= MOST_LINES && statSync(file).size <= MOST_BYTES) return;
  const leaner = entries.map((one, place) =>
    place < entries.length - MOST_PAST ? { ...one, rotated: undefined, suspected: undefined } : one,
  );
  const isSmall = leaner.length <= MOST_LINES && Buffer.byteLength(linesOf(leaner)) <= MOST_BYTES;
  writeWholeFile(file, linesOf(isSmall ? leaner : thinned(leaner)));
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
      ...(run.readings && { readings: packedReadings(run.readings) }),
    }),
  };
}

/** Number of suspicions of a run that are kept, and of exchanges of each. */
const KEPT = { suspicions: 20, exchanges: 3 };
/** Maximum length of what is kept of an exchange. */
const LONGEST_SHOWN = 160;

/** What was suspected in a run, with what showed it in words: its report directory may be gone one day. */
function suspectedIn({ run }: Conformance, exchanges: () => Iterable<Exchange>): Entry['suspected'] {
  const kept = (run.suspected ?? []).slice(0, KEPT.suspicions);
  if (kept.length === 0) return undefined;
  const wanted = new Set(kept.flatMap((one) => one.exchanges));
  const lines = new Map<string, string>();
  for (const one of exchanges()) if (wanted.has(one.id)) lines.set(one.id, cut(lineOf(one), LONGEST_SHOWN));
  return kept.map((one) => ({
    requirement: one.requirement,
    check: one.check,
    shown: one.exchanges.flatMap((id) => lines.get(id) ?? []).slice(0, KEPT.exchanges),
  }));
}

/** An exchange in one line: `x00012 GET /cards/cards/c-1: 500`. */
function lineOf({ id, request: { method, url }, response, error }: Exchange): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '');
  return visible(`${id} ${method} ${path}: ${response?.status ?? error?.kind ?? 'no answer'}`);
}

const packedReadings = (readings: NonNullable<Conformance['run']['readings']>): Record<string, string> =>
  Object.fromEntries(readings.map(({ operation, asked, refused }) => [operation, `${asked} ${refused}`]));

const unpackedReadings = (packedOf: Record<string, string>): Map<string, Readings> =>
  new Map(
    Object.entries(packedOf).map(([operation, text]) => {
      const [asked = 0, refused = 0] = text.split(' ').map(Number);
      return [operation, { asked, refused }];
    }),
  );

/** What marks a form in the history that was suspected, and one that was due and could not be tried. */
const MARK = { suspected: '!', left: '~' };

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
        return ids ? `${MARK.suspected}${form}=${ids.join()}` : form;
      });
      return [subject, [forms, ...marked, ...left.map((form) => MARK.left + form)].join(' ')];
    }),
  );

function unpackedRotated([subject, packed]: [string, string]): Rotated {
  const [forms = '0', ...marked] = packed.split(' ');
  const rotated: Required<Omit<Rotated, 'pairs' | 'limitedBy'>> = {
    subject,
    tried: [],
    forms: Number(forms),
    suspected: [],
    left: [],
  };
  for (const one of marked) {
    const [form = '', ids = ''] = one.replace(/^[!~]/, '').split('=', 2);
    if (one.startsWith(MARK.left)) rotated.left.push(form);
    else rotated.tried.push(form);
    if (one.startsWith(MARK.suspected)) rotated.suspected.push({ form, failed: ids === '' ? [] : ids.split(',') });
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

function pastRun({ passed, failed, known, rotated, readings, ...plain }: Entry): PastRun {
  const seen = Object.entries({ passed, failed, known }).flatMap(([name, lists]) =>
    unpacked(lists).map((id) => [id, name as Seen] as const),
  );
  return {
    ...plain,
    seen: new Map(seen),
    readings: readings && unpackedReadings(readings),
    tried: rotated && triedOf(Object.entries(rotated).map(unpackedRotated)),
  };
}

function coursesOf(runs: readonly PastRun[]): Map<string, Course> {
  const ever = new Set(runs.flatMap(({ seen }) => [...seen].filter(([, how]) => how !== 'passed').map(([id]) => id)));
  return new Map([...ever].sort().map((id) => [id, courseOf(id, runs)]));
}

function courseOf(id: string, runs: readonly PastRun[]): Course {
  const newest = Date.parse(runs.at(-1)!.startedAt);
  const nights = judgedNights(id, runs);
  const failed = nights.filter(({ fails }) => fails);
  const comparable = comparableNights(id, nights, failed.at(-1)!.run);
  const last = comparable.findLastIndex(({ fails }) => fails);
  const isRecent = ({ run }: Night) => newest - Date.parse(run.startedAt) < FLIP_DAYS * DAY_MS;
  return {
    id,
    firstSeen: failed[0]!.run.startedAt,
    failingSince: nights[nights.findLastIndex(({ fails }) => !fails) + 1]?.run.startedAt,
    lastPassed: nights.findLast(({ fails }) => !fails)?.run.startedAt,
    passedAgain: comparable[last + 1]?.run.startedAt,
    flips: comparable.filter((one, place) => isRecent(one) && one.fails !== (comparable[place - 1] ?? one).fails)
      .length,
    isFlaky: isFlaky(comparable),
  };
}

/** A night in which a requirement passed or failed. */
interface Night {
  run: PastRun;
  fails: boolean;
}

const judgedNights = (id: string, runs: readonly PastRun[]): Night[] =>
  runs.flatMap((run) => {
    const how = run.seen.get(id);
    return how === undefined ? [] : [{ run, fails: how !== 'passed' }];
  });

/** The nights that tried the forms by which a requirement failed last, and whether it failed by these; all of them where it did by whatever was sent. */
function comparableNights(id: string, nights: readonly Night[], { tried: last }: PastRun): Night[] {
  const forms = last?.failedBy.get(id) ?? [];
  if (forms.length === 0) return [...nights];
  return nights.flatMap(({ run, fails }) => {
    const { tried } = run;
    if (!tried) return [{ run, fails }];
    const failed = tried.failedBy.get(id) ?? forms;
    const isTried = forms.some((form) => tried.forms.has(form));
    return isTried ? [{ run, fails: fails && forms.some((form) => failed.includes(form)) }] : [];
  });
}

/** Whether it failed, passed and failed again in the last nights with the same version. */
function isFlaky(nights: readonly Night[]): boolean {
  const version = nights.at(-1)?.run.version;
  const same = nights.filter(({ run }) => run.version === version).slice(-FLAKY.nights);
  const failed = same.flatMap(({ fails }, place) => (fails ? [place] : []));
  return failed.length >= FLAKY.failed && failed.at(-1)! - failed[0]! >= failed.length;
}

/** File name for a target's name; different names never share one. */
const fileOf = (target: string, directory: string): string =>
  join(directory, `${encodeURIComponent(target.toWellFormed()).replace(/[.*]/g, escaped).slice(0, 200) || '_'}.ndjson`);

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * The history of a requirement in words: `failing since 2026-05-02, last passed 2026-05-01, 3 flips in 30 nights,
 * flaky`.
 */
export function courseInWords({ failingSince, lastPassed, firstSeen, flips, isFlaky }: Course): string {
  const day = (time: string) => time.slice(0, 10);
  return [
    failingSince ? `failing since ${day(failingSince)}` : `passes; first seen failing ${day(firstSeen)}`,
    ...(lastPassed ? [`last passed ${day(lastPassed)}`] : ['never seen passing']),
    ...(failingSince && day(firstSeen) !== day(failingSince) ? [`first seen failing ${day(firstSeen)}`] : []),
    ...(flips > 0 ? [`${flips} ${flips === 1 ? 'flip' : 'flips'} in the last 30 nights`] : []),
    ...(isFlaky
      ? ['flaky: it failed, passed and failed again in the same forms while the version of the target stayed the same']
      : []),
  ].join(', ');
}
