/** Reads the record of a run from a report directory. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { type Change, type Conformance, change, conformance, type Exchange, exchange } from '../contracts/record.ts';
import { UnusableFile } from '../files/open.ts';
import { readLines, readWholeFile } from '../files/read.ts';
import { visible } from './text.ts';

/** File name of the verdicts in a report directory. */
export const CONFORMANCE = 'conformance.json';
/** File name of the page in a report directory. */
export const PAGE = 'index.html';
/** File name of the exchanges in a report directory. */
export const EXCHANGES = 'exchanges.ndjson';
/** File name of the changes to the target in a report directory. */
export const CHANGES = 'changes.ndjson';

/** The record of a run. */
export interface RunRecord {
  /** The report directory, or the single file that was read. */
  path: string;
  conformance: Conformance;
  /** Reads exchanges.ndjson line by line, anew each time; yields nothing if the file is missing. */
  exchanges(): Iterable<Exchange>;
  /** Reads changes.ndjson line by line, anew each time; yields nothing if the file is missing. */
  changes(): Iterable<Change>;
}

/** A record that cannot be read; the message is one line that names the file and its fault. */
export class RecordError extends Error {
  override name = 'RecordError';
  /** @param message may quote a file that somebody else wrote */
  constructor(message: string) {
    super(visible(message));
  }
}

/**
 * Reads a report directory, or a single `conformance.json`.
 *
 * @example
 * const { conformance, exchanges } = readRecord('reports/latest');
 *
 * @throws RecordError when there is no record, or it is truncated, foreign, or of another schema version; the
 * generators throw it at the faulty line
 */
export function readRecord(path: string): RunRecord {
  const directory = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = directory ? join(path, CONFORMANCE) : path;
  const beside = (name: string) => (basename(file) === CONFORMANCE ? join(dirname(file), name) : undefined);
  return {
    path,
    conformance: readConformance(file),
    exchanges: () => recordsIn(beside(EXCHANGES), exchange),
    changes: () => recordsIn(beside(CHANGES), change),
  };
}

/** The exchanges of a report directory, and what is wrong with lines that are none. @throws RecordError when no further line can be read */
export function* exchangesIn(directory: string): Generator<Exchange | RecordError> {
  const file = join(directory, EXCHANGES);
  if (!existsSync(file)) return;
  let number = 0;
  for (const line of linesOf(file))
    try {
      const where = `${file} line ${++number}`;
      yield validate(exchange, parseJson(line, where), where);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      yield error;
    }
}

/** Selected exchanges of a report directory, by id. @throws RecordError when a line is not an exchange */
export function exchangesById(directory: string, ids: Iterable<string>): Map<string, Exchange> {
  const wanted = new Set(ids);
  const found = new Map<string, Exchange>();
  for (const one of recordsIn(join(directory, EXCHANGES), exchange)) if (wanted.has(one.id)) found.set(one.id, one);
  return found;
}

function readConformance(file: string): Conformance {
  const value = parseJson(readText(file), file);
  const version = typeof value === 'object' && value !== null && 'schemaVersion' in value && value.schemaVersion;
  if (typeof version !== 'number') throw new RecordError(`${file}: is not the record of a run (no schemaVersion)`);
  if (version !== 1) {
    throw new RecordError(`${file}: has schemaVersion ${version}, this suite reads 1; make it anew with this suite`);
  }
  return validate(conformance, value, file);
}

function readText(file: string): string {
  try {
    return readWholeFile(file);
  } catch (error) {
    if (error instanceof UnusableFile) throw new RecordError(error.message);
    const code = (error as NodeJS.ErrnoException).code;
    throw new RecordError(
      code === 'ENOENT'
        ? `${file}: there is no such file; name a report directory`
        : `${file}: cannot be read (${code})`,
    );
  }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RecordError(`${where}: ${text.trim() === '' ? 'is empty' : 'is not whole JSON; the file seems cut off'}`);
  }
}

function validate<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new RecordError(`${where}: not a record that a run wrote, at /${path.join('/')}: ${message}`);
}

function* recordsIn<T>(file: string | undefined, schema: z.ZodType<T>): Generator<T> {
  if (file === undefined || !existsSync(file)) return;
  let number = 0;
  for (const line of linesOf(file)) {
    const where = `${file} line ${++number}`;
    yield validate(schema, parseJson(line, where), where);
  }
}

function* linesOf(file: string): Generator<string> {
  try {
    yield* readLines(file);
  } catch (error) {
    if (error instanceof UnusableFile) throw new RecordError(error.message);
    throw error;
  }
}
