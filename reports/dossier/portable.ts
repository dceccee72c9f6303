/** The record of a run for readers elsewhere: without what says where it lies, and small enough to be part of a file. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Conformance, conformance, type RequirementResult } from '../../contracts/record.ts';
import { readWholeFile } from '../../files/read.ts';
import { type Earlier, earlierOf } from '../compare.ts';
import { type Html, html } from '../page/html.ts';
import { RecordError, readRecord } from '../record.ts';

/** The word that stands in commands for the report directory, whose path is nobody else's concern. */
export const DIRECTORY = 'DIR';

/** Options of a run that name files of the machine that it ran on. */
const LOCAL_OPTIONS: readonly string[] = ['env-file', 'as'];

/** Length in characters from which the path of a directory is taken for one wherever it stands: `/root` may be part of an address. */
const SHORTEST_PATH = 6;

/** The record without paths of this machine, and without options that name its files. @param directory the report directory */
export function withoutLocalPaths(record: Conformance, directory: string): Conformance {
  const { options, shards } = record.run;
  const run = {
    ...record.run,
    ...(options && { options: withoutLocalOptions(options) }),
    ...(shards && { shards: shards.map(withoutLocalOptions) }),
  };
  const paths = [resolve(directory), process.cwd(), homedir()].filter(({ length }) => length >= SHORTEST_PATH);
  const text = paths
    .map((path) => JSON.stringify(path).slice(1, -1))
    .reduce((left, path) => left.replaceAll(`${path}/`, '').replaceAll(path, '.'), JSON.stringify({ ...record, run }));
  return JSON.parse(text) as Conformance;
}

const withoutLocalOptions = (options: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !LOCAL_OPTIONS.includes(name)));

/** Size limit of a record inside a dossier: many times what one has. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The id of the element that holds the record in a dossier. */
const ELEMENT = 'record';
const EMBEDDED = new RegExp(`<script type="application/gzip" id="${ELEMENT}">([A-Za-z0-9+/=]*)</script>`);

/** What a later dossier compares with: verdicts and findings, without evidence and without data of the target. */
export function embedded(record: Conformance): Html {
  const { fixtures: _, pools: __, account: ___, seen: ____, ...run } = record.run;
  const requirements = record.requirements.map(withoutEvidence);
  const text = gzipSync(JSON.stringify({ ...record, run, requirements })).toString('base64');
  return html`<script type="application/gzip" id="record">${text}</script>`;
}

const withoutEvidence = ({ retrial: _, ...requirement }: RequirementResult): RequirementResult => ({
  ...requirement,
  checks: requirement.checks.map(({ retrial: __, ...check }) => ({ ...check, exchanges: [] })),
});

/**
 * What a dossier is compared with.
 * @param path an earlier dossier, report directory or conformance.json
 * @throws RecordError when it is none of these
 */
export function readEarlierDossier(path: string): Earlier {
  const [, packed] = /\.html?$/i.test(path) ? (EMBEDDED.exec(readText(path)) ?? ['', '']) : [];
  if (packed === undefined) return earlierOf(readRecord(path));
  try {
    const record = conformance.parse(
      JSON.parse(gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES }).toString()),
    );
    return { path, conformance: record, latencies: new Map() };
  } catch {
    throw new RecordError(`${path}: is not a dossier; name one, a report directory or a conformance.json`);
  }
}

function readText(path: string): string {
  try {
    return readWholeFile(path);
  } catch (error) {
    throw new RecordError(
      `${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
    );
  }
}
