/** `npm run report:allure -- DIR [--out DIR]`: the run of a report directory as an Allure report, offline and without Java. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Status } from 'allure-js-commons';
import { Command } from 'commander';
import { createVitest } from 'vitest/node';
import { readRecord } from '../reports/record.ts';
import { run } from './command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALLURE = fileURLToPath(new URL('../node_modules/allure/cli.js', import.meta.url));

/** What Allure groups results by; messages begin with what the record says, see reports/allure-replay. */
const CATEGORIES = [
  { name: 'Nonconformant', matchedStatuses: [Status.FAILED], messageRegex: /^(AssertionError: )?must:/ },
  { name: 'Advice', matchedStatuses: [Status.FAILED], messageRegex: /^(AssertionError: )?should:/ },
  { name: 'Known failures', matchedStatuses: [Status.FAILED], messageRegex: /^(AssertionError: )?known/ },
  {
    name: 'Target unavailable',
    matchedStatuses: [Status.SKIPPED],
    messageRegex: /unavailable|no answer|refused|timed? ?out/i,
  },
  { name: 'Incomplete', matchedStatuses: [Status.SKIPPED], messageRegex: /^(inconclusive|blocked)/ },
];

/** Replays the record through the reporter of Allure, and makes the page of what that wrote. */
async function report(directory: string, out: string): Promise<void> {
  const { conformance } = readRecord(directory);
  const results = mkdtempSync(join(tmpdir(), 'allure-results-'));
  const { target, suite, run: about } = conformance;
  const environmentInfo = {
    target: target.name,
    build: target.version,
    suite: suite.version,
    catalogue: suite.catalogueDigest,
    risk: about.risk,
    seed: String(about.seed),
  };
  try {
    const vitest = await createVitest('test', {
      root: ROOT,
      project: ['allure'],
      watch: false,
      reporters: [['allure-vitest/reporter', { resultsDir: results, environmentInfo, categories: CATEGORIES }]],
      provide: { recordDirectory: directory },
    });
    await vitest.start();
    await vitest.close();
    // Failures of the record are failures of the replay: they are no failure of this command.
    process.exitCode = 0;
    generate(results, out, `Conformance of ${target.name}`);
    stayOffline(join(out, 'index.html'));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
  console.log(`Allure report: ${join(out, 'index.html')}`);
}

function generate(results: string, out: string, name: string): void {
  const configuration = join(results, 'allurerc.json');
  const historyPath = resolve(ROOT, 'reports/history/allure.jsonl');
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
}

/** Allure's page reports its use to an address on the Internet, and has no setting against it: the page is to be read offline. */
function stayOffline(page: string): void {
  const html = readFileSync(page, 'utf8');
  writeFileSync(page, html.replace(/<script async src="https:[\s\S]*?<\/script>\s*<script>[\s\S]*?<\/script>/, ''));
}

await run(
  new Command('report:allure')
    .description('Makes an Allure report of a run.')
    .argument('[directory]', 'a report directory', 'reports/latest')
    .option('--out <directory>', 'where the report goes', 'reports/allure')
    .action((directory: string, { out }: { out: string }) => report(resolve(directory), resolve(out))),
);
