/** `report DIR`: regenerates every report of a report directory. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { whileHolding } from '../files/hold.ts';
import { writeFileJson } from '../files/json.ts';
import { readWholeFile } from '../files/read.ts';
import { writeNamedFile } from '../files/write.ts';
import { writeReports } from '../reports/all.ts';
import { attestation } from '../reports/attestation.ts';
import { badgeJson, badgeSvg } from '../reports/badge.ts';
import { keepBaseline, readBaseline } from '../reports/baseline.ts';
import { chatJson } from '../reports/chat.ts';
import { writeHttpFile, writePostman } from '../reports/client-files.ts';
import { ctrf } from '../reports/ctrf.ts';
import { digestsOf, sha256 } from '../reports/dossier/digests.ts';
import { dossier as dossierOf } from '../reports/dossier/index.ts';
import { readEarlierDossier } from '../reports/dossier/portable.ts';
import { writeHar } from '../reports/har.ts';
import { HISTORY } from '../reports/history.ts';
import { junitFiles } from '../reports/junit.ts';
import { CONFORMANCE, readRecord } from '../reports/record.ts';
import { sarif } from '../reports/sarif.ts';
import type { View } from '../reports/view.ts';
import { recoverRecord } from '../run/unfinished.ts';
import { program } from './command.ts';
import { EXIT_CANNOT } from './exit-codes.ts';
import { reportUrlOption } from './options.ts';

const command = new Command()
  .description('Regenerates every report of a report directory.')
  .argument('<dir>', 'report directory')
  .option('--baseline <path>', 'earlier report directory or conformance.json to compare with')
  .addOption(new Option('--history <dir>', "directory of the targets' histories").env('RUN_HISTORY').default(HISTORY))
  .addOption(reportUrlOption())
  .option('--dossier <file>', 'write one file for readers who have never seen the suite, to print or to hand on')
  .option(
    '--since <path>',
    'with --dossier: earlier dossier, report directory or conformance.json that it is compared with',
  )
  .option('--attest <file>', 'write the result as an in-toto Statement, for a pipeline to sign')
  .addOption(
    new Option(
      '--badge <file>',
      'write the verdict as a badge: as SVG into a file *.svg, else as JSON for shields; may be repeated',
    ).argParser((file: string, before: string[] = []) => [...before, file]),
  )
  .option('--chat <file>', 'write the result as a message for the incoming webhook of a chat')
  .option('--har <file>', 'write the exchanges as HTTP Archive (HAR 1.2) as well')
  .option('--ctrf <file>', 'write the verdicts as CTRF, the Common Test Report Format')
  .option('--sarif <file>', 'write what failed or is suspected as SARIF 2.1.0, for code hosts')
  .option('--junit <dir>', 'write one JUnit file for each operation into a directory')
  .option(
    '--postman <file>',
    'write how a failure is reproduced, as a Postman collection; without --failure how each is, in folders',
  )
  .option('--http <file>', 'the same as .http file, for the REST Client of VS Code')
  .option('--failure <id>', 'with --har, --postman and --http: the failure of this requirement');

export const report = program('report', command, () => {
  const directory = command.args[0]!;
  const make = () => makeReports(directory);
  return existsSync(directory) ? whileHolding(directory, 'making reports', make) : make();
});

interface Options {
  baseline?: string;
  history: string;
  dossier?: string;
  since?: string;
  attest?: string;
  badge?: string[];
  chat?: string;
  har?: string;
  ctrf?: string;
  sarif?: string;
  junit?: string;
  postman?: string;
  http?: string;
  failure?: string;
  reportUrl?: string;
}

function makeReports(directory: string): number {
  const { baseline, history, har, postman, http, failure, reportUrl, dossier, since } = command.opts<Options>();
  const named = [har, postman, http].filter((file) => file !== undefined);
  if (failure !== undefined && named.length === 0)
    throw new Error('--failure: goes with --har FILE, --postman FILE or --http FILE');
  if (since !== undefined && dossier === undefined) throw new Error('--since: goes with --dossier FILE');
  recoverRecord(directory);
  if (baseline !== undefined) keepBaseline(baseline, directory);
  const { files, unwritten, view } = writeReports(directory, { history: history || HISTORY, reportUrl });
  files.push(...writeForReaders(view, directory), ...writeForOthers(view, directory));
  if (har !== undefined) writeHar(readRecord(directory), har, failure);
  if (postman !== undefined) writePostman(readRecord(directory), postman, failure);
  if (http !== undefined) writeHttpFile(readRecord(directory), http, failure);
  for (const file of [...files, ...named]) console.log(file);
  for (const reason of unwritten) console.error(reason);
  return unwritten.length === 0 ? 0 : EXIT_CANNOT;
}

/**
 * Writes what is handed on, where it is asked for: the dossier, compared with what --since names, else with the baseline that is kept; and the
 * statement about both. @returns the files
 */
function writeForOthers({ history }: View, directory: string): string[] {
  const { dossier: dossierFile, since, attest, reportUrl } = command.opts<Options>();
  const files = new Map<string, string>();
  if (dossierFile === undefined && attest === undefined) return [];
  const record = readRecord(directory);
  const digests = digestsOf(record);
  if (dossierFile !== undefined) {
    const earlier = since === undefined ? readBaseline(directory) : readEarlierDossier(since);
    files.set(dossierFile, dossierOf(record, digests, earlier && { earlier, history }));
  }
  if (attest !== undefined) {
    const dossier =
      dossierFile === undefined ? undefined : { file: dossierFile, sha256: sha256(files.get(dossierFile)!) };
    files.set(attest, `${writeFileJson(attestation(record, digests, { url: reportUrl, dossier }), 1)}\n`);
  }
  for (const [file, text] of files) writeNamedFile(file, text);
  return [...files.keys()];
}

/** Writes what readers of other formats ask for. @returns the files */
function writeForReaders(view: View, directory: string): string[] {
  const { ctrf: ctrfFile, sarif: sarifFile, junit, badge = [], chat, reportUrl } = command.opts<Options>();
  const files = junit === undefined ? new Map<string, string>() : inDirectory(junit, junitFiles(view));
  if (ctrfFile !== undefined) files.set(ctrfFile, ctrf(view));
  for (const file of badge)
    files.set(file, file.endsWith('.svg') ? badgeSvg(view.conformance) : badgeJson(view.conformance));
  if (chat !== undefined) files.set(chat, chatJson({ ...view, page: reportUrl }));
  const path = join(directory, CONFORMANCE);
  if (sarifFile !== undefined) files.set(sarifFile, sarif(view, { path, text: readWholeFile(path) }));
  for (const [file, text] of files) writeNamedFile(file, text);
  return [...files.keys()];
}

/** Files by their paths in a directory, which is made. */
function inDirectory(directory: string, files: ReadonlyMap<string, string>): Map<string, string> {
  mkdirSync(directory, { recursive: true });
  return new Map([...files].map(([name, text]) => [join(directory, name), text]));
}
