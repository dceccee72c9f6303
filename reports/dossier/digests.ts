/** Digests by which a dossier or an attestation names what it was made from: SHA-256, in hexadecimal digits. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requirements } from '../../contracts/requirements/index.ts';
import { piecesOf } from '../../files/read.ts';
import { CHANGES, CONFORMANCE, EXCHANGES, type RunRecord } from '../record.ts';

/** What a record is made of, what judged it, and by what. */
export interface Digests {
  /** By name, those files of the record that are there. */
  files: Record<string, string>;
  /** The catalogue; undefined where the record is of another one, which this version of the suite does not have. */
  catalogue: string | undefined;
  /** The code of this suite. */
  suite: string;
}

/** Number of digits of the catalogue's digest that records name. */
const RECORDED_DIGITS = 16;

/** Folders with what judges: not the reports, which only show it. */
const JUDGING = ['contracts', 'helpers', 'suites', 'redaction', 'witness', 'run'];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The digests of a record. @throws UnusableFile, or Error with the system's code, when a file cannot be read */
export function digestsOf({ path, conformance }: RunRecord): Digests {
  const isFile = basename(path) === CONFORMANCE;
  const files = [CONFORMANCE, EXCHANGES, CHANGES]
    .map((name) => [name, isFile ? join(path, '..', name) : join(path, name)] as const)
    .filter(([, file]) => existsSync(file));
  const catalogue = sha256(JSON.stringify(requirements));
  return {
    files: Object.fromEntries(files.map(([name, file]) => [name, fileDigest(file)])),
    catalogue: catalogue.slice(0, RECORDED_DIGITS) === conformance.suite.catalogueDigest ? catalogue : undefined,
    suite: suiteDigest(),
  };
}

/** The digest of a text or of the bytes of a file. */
export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** The digest of a file that somebody else may have put there. */
function fileDigest(path: string): string {
  const hash = createHash('sha256');
  for (const piece of piecesOf(path)) hash.update(piece);
  return hash.digest('hex');
}

/** One digest over the files that judge, by their names: the same for two clones or two packages of a version. */
function suiteDigest(): string {
  const files = JUDGING.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const code = files.filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts')).toSorted();
  return sha256(
    code.map((file) => `${sha256(readFileSync(join(ROOT, file)))}  ${file.replaceAll('\\', '/')}\n`).join(''),
  );
}
