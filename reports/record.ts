/** Reading the record of a run from a report directory. */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import type { Change, Conformance, Exchange } from '../contracts/record.ts';
import { change, conformance, exchange } from '../contracts/record.ts';

/** The file of the verdicts in a report directory. */
export const CONFORMANCE = 'conformance.json';
/** The file of the exchanges in a report directory. */
export const EXCHANGES = 'exchanges.ndjson';
/** The file of the changes to the target in a report directory. */
export const CHANGES = 'changes.ndjson';

/** What a run left behind. */
export interface RunRecord {
  /** The report directory, or the file that was read alone. */
  path: string;
  conformance: Conformance;
  /** Reads exchanges.ndjson line by line, anew each time; nothing where the file is not there. */
  exchanges(): Generator<Exchange>;
  /** Reads changes.ndjson line by line, anew each time; nothing where the file is not there. */
  changes(): Generator<Change>;
}

/** A record that cannot be read; the message is one line that names the file and says what is wrong with it. */
export class RecordError extends Error {
  override name = 'RecordError';
}

/**
 * Reads a report directory, or a `conformance.json` alone.
 *
 * @throws RecordError when there is no record, or it is cut off, foreign, or of another schema version; the generators
 * throw it at the line in question
 */
export function readRecord(path: string): RunRecord {
  const directory = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = directory ? join(path, CONFORMANCE) : path;
  const beside = (name: string) => (basename(file) === CONFORMANCE ? join(dirname(file), name) : undefined);
  return {
    path,
    conformance: readConformance(file),
    exchanges: () => readLines(beside(EXCHANGES), exchange),
    changes: () => readLines(beside(CHANGES), change),
  };
}

/** Some exchanges of a report directory, by id. @throws RecordError when a line is not an exchange */
export function exchangesById(directory: string, ids: Iterable<string>): Map<string, Exchange> {
  const wanted = new Set(ids);
  const found = new Map<string, Exchange>();
  for (const one of readLines(join(directory, EXCHANGES), exchange)) if (wanted.has(one.id)) found.set(one.id, one);
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
    return readFileSync(file, 'utf8');
  } catch (error) {
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
  throw new RecordError(`${where}: is not as a run writes it, at /${path.join('/')}: ${message}`);
}

function* readLines<T>(file: string | undefined, schema: z.ZodType<T>): Generator<T> {
  if (file === undefined || !existsSync(file)) return;
  let number = 0;
  for (const line of linesOf(file)) {
    const where = `${file} line ${++number}`;
    yield validate(schema, parseJson(line, where), where);
  }
}

/** The lines of a file, read in pieces so that a long one is never in memory whole. */
function* linesOf(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    const piece = Buffer.allocUnsafe(1 << 18);
    const decoder = new TextDecoder();
    let rest = '';
    let length = readSync(descriptor, piece);
    while (length > 0) {
      const lines = (rest + decoder.decode(piece.subarray(0, length), { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
      length = readSync(descriptor, piece);
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(descriptor);
  }
}
