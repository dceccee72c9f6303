/** `report-allure DIR [--out DIR]`: makes an Allure report of a run, offline and without Java. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDefaultWriter, ReporterRuntime } from 'allure-js-commons/sdk/reporter';
import { Command } from 'commander';
import type { Conformance } from '../contracts/record.ts';
import { escapedJson } from '../files/json.ts';
import { readWholeFile } from '../files/read.ts';
import { writeWholeFile } from '../files/write.ts';
import { ALLURE_CATEGORIES, allureMessage, allureMessages, allureStatus, evidenceOf } from '../reports/allure.ts';
import { HISTORY } from '../reports/history.ts';
import { exchangesById, readRecord } from '../reports/record.ts';
import { program } from './command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALLURE = fileURLToPath(new URL('../node_modules/allure/cli.js', import.meta.url));

/** Writes the record's checks as Allure results, and generates the page from them. */
function report(directory: string, out: string, history: string): void {
  const { conformance } = readRecord(directory);
  const results = mkdtempSync(join(tmpdir(), 'allure-results-'));
  try {
    writeResults(conformance, directory, results);
    generate(results, out, `Conformance of ${conformance.target.name}`, join(history, 'allure.jsonl'));
    stayOffline(join(out, 'index.html'));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
  console.log(`Allure report: ${join(out, 'index.html')}`);
}

function writeResults(
  { target, suite, run: about, requirements }: Conformance,
  directory: string,
  resultsDir: string,
): void {
  const allure = new ReporterRuntime({
    writer: createDefaultWriter({ resultsDir }),
    categories: ALLURE_CATEGORIES,
    environmentInfo: {
      target: target.name,
      build: target.version,
      suite: suite.version,
      catalogue: suite.catalogueDigest,
      risk: about.risk,
      seed: String(about.seed),
    },
  });
  allure.writeCategoriesDefinitions();
  allure.writeEnvironmentInfo();
  const checks = requirements.flatMap((requirement) => requirement.checks.map((check) => ({ requirement, check })));
  const exchanges = exchangesById(
    directory,
    checks.flatMap(({ check }) => evidenceOf(check)),
  );
  for (const { requirement, check } of checks) {
    const evidence = evidenceOf(check).flatMap((id) => exchanges.get(id) ?? []);
    const start = Date.parse(evidence[0]?.startedAt ?? about.startedAt);
    const name = `${requirement.id}: ${check.name}`;
    const test = allure.startTest({ name, fullName: name, start });
    allure.applyRuntimeMessages(test, allureMessages(requirement, evidence));
    allure.updateTest(test, (result) => {
      result.status = allureStatus(check);
      result.statusDetails = { message: allureMessage(requirement, check) };
    });
    allure.stopTest(test, { duration: check.durationMs });
    allure.writeTest(test);
  }
}

function generate(results: string, out: string, name: string, history: string): void {
  const configuration = join(results, 'allurerc.json');
  // Allure gets a copy, since it writes a target's texts verbatim, and takes U+2028 within them for a line end.
  const historyPath = join(results, 'history.jsonl');
  if (existsSync(history)) writeFileSync(historyPath, escapedJson(readWholeFile(history)));
  const plugins = { awesome: { options: { singleFile: true, groupBy: ['epic', 'feature', 'story'] } } };
  writeFileSync(
    configuration,
    JSON.stringify({ name, output: out, historyPath, historyLimit: 30, appendHistory: true, plugins }),
  );
  const { status, stderr } = spawnSync(
    process.execPath,
    [ALLURE, 'generate', '--config', configuration, '--output', out, results],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`allure generate ended with ${status}: ${stderr.trim().split('\n').at(-1)}`);
  try {
    writeWholeFile(history, escapedJson(readFileSync(historyPath, 'utf8')));
  } catch (error) {
    console.error(`${history} could not be written: ${(error as Error).message}`);
  }
}

/**
 * What Allure's page may load: what it consists of. Texts of a record are Markdown to it, which may name images, and it
 * brings an analytics script that no setting disables.
 */
const POLICY = "default-src 'unsafe-inline' 'unsafe-eval' data: blob:; base-uri 'none'; form-action 'none'";
/** Says that data follow further down: otherwise the page asks the network for what has not been parsed by then, and stays empty. */
const DATA_FOLLOW = '<script>window.allureReportData = {}; window.allureReportDataReady = false;</script>';

function stayOffline(page: string): void {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  writeWholeFile(page, readFileSync(page, 'utf8').replace('<head>', `<head>${policy}${DATA_FOLLOW}`));
}

const command = new Command()
  .description('Writes an Allure report of a run.')
  .argument('[directory]', 'a report directory', 'reports/latest')
  .option('--out <directory>', 'directory for the report', 'reports/allure');

export const reportAllure = program('report-allure', command, () => {
  const { out } = command.opts<{ out: string }>();
  report(resolve(command.processedArgs[0]), resolve(out), resolve(process.env.RUN_HISTORY || join(ROOT, HISTORY)));
  return 0;
});
